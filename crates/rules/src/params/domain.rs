//! The values that a parameter may have, for the check, for people and as JSON Schema.

use super::{Bounds, ParamError, Parameter};
use serde_json::{Map, Value, json};
use std::fmt;

#[derive(Clone, Debug)]
pub enum Domain {
    Truth,
    Whole {
        bits: u8,
        bounds: Bounds,
    },
    Letter,
    Text(Bounds),
    List {
        items: Box<Domain>,
        length: Bounds,
        /// Does the type itself say how many items there are?
        fixed: bool,
    },
    Words {
        name: &'static str,
        doc: &'static str,
        words: &'static [&'static str],
    },
    /// One of several; without a name the schema says all of this in its place.
    Either {
        name: &'static str,
        doc: &'static str,
        choices: Vec<Domain>,
    },
    Maybe(Box<Domain>),
}

impl Domain {
    /// What [`super::split_words`] reads.
    pub(crate) fn some_words() -> Domain {
        Domain::Either {
            name: "",
            doc: "One text with blanks between the words, or a list of words.",
            choices: vec![String::domain(), Vec::<String>::domain()],
        }
    }

    /// With this many items.
    pub(super) fn of(self, count: Bounds) -> Domain {
        match self {
            _ if count == Bounds::NONE => self,
            Domain::List { items, fixed, .. } => Domain::List { items, length: count, fixed },
            other => other.within(count),
        }
    }

    /// With numbers of this size, texts of this length; in a list, each of them.
    pub(super) fn within(self, range: Bounds) -> Domain {
        match self {
            _ if range == Bounds::NONE => self,
            Domain::Whole { bits, .. } => Domain::Whole { bits, bounds: range },
            Domain::Text(_) => Domain::Text(range),
            Domain::List { items, length, fixed } => {
                Domain::List { items: Box::new(items.within(range)), length, fixed }
            }
            Domain::Maybe(domain) => Domain::Maybe(Box::new(domain.within(range))),
            other => other,
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        match self {
            Domain::Text(_) | Domain::Letter => true,
            Domain::Maybe(domain) => domain.is_text(),
            _ => false,
        }
    }

    /// Refuses a value; `at` says where it stands.
    pub(super) fn check(&self, at: &str, value: &Value) -> Result<(), ParamError> {
        let domain = match self {
            Domain::Maybe(_) if value.is_null() => return Ok(()),
            Domain::Maybe(domain) => domain,
            domain => domain,
        };
        if let Domain::Either { choices, .. } = domain {
            let mut checks = choices.iter().map(|choice| choice.check(at, value));
            let first = checks.next().unwrap_or(Ok(()));
            return if checks.any(|check| check.is_ok()) { Ok(()) } else { first };
        }
        if !domain.fits(value) {
            return Err(ParamError::new(at, format!("expected {self}, not {value}")));
        }
        match (domain, value) {
            (Domain::List { items, .. }, Value::Array(list)) => {
                list.iter().enumerate().try_for_each(|(i, item)| items.check(&format!("{at}[{i}]"), item))
            }
            _ => Ok(()),
        }
    }

    /// Is this the right sort of value, whatever its items are?
    fn fits(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Truth, Value::Bool(_)) => true,
            (Domain::Whole { bounds, .. }, Value::Number(number)) => {
                !number.is_f64() && bounds.hold(number.as_i64().unwrap_or(i64::MAX))
            }
            (Domain::Letter, Value::String(text)) => text.chars().count() == 1,
            (Domain::Text(length), Value::String(text)) => length.hold(text.chars().count() as i64),
            (Domain::Words { words, .. }, Value::String(word)) => words.contains(&word.as_str()),
            (Domain::List { length, .. }, Value::Array(list)) => length.hold(list.len() as i64),
            _ => false,
        }
    }
}

/// In words, for errors and for the manual.
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Truth => f.write_str("true or false"),
            Domain::Whole { bounds, .. } => write!(f, "a whole number{bounds}"),
            Domain::Letter => f.write_str("a text of 1 characters"),
            Domain::Text(Bounds::NONE) => f.write_str("a text"),
            Domain::Text(length) => write!(f, "a text of{length} characters"),
            Domain::List { items, length: Bounds::NONE, .. } => write!(f, "a list, each {items}"),
            Domain::List { items, length, .. } => write!(f, "a list of{length} items, each {items}"),
            Domain::Words { words, .. } => {
                f.write_str(&joined(words.iter().map(|word| format!("\"{word}\""))))
            }
            Domain::Either { choices, .. } => f.write_str(&joined(choices.iter().map(ToString::to_string))),
            Domain::Maybe(domain) => write!(f, "{domain} or null"),
        }
    }
}

fn joined(choices: impl Iterator<Item = String>) -> String {
    choices.collect::<Vec<_>>().join(" or ")
}

impl Domain {
    /// What has a name is described in `defs`.
    pub(super) fn schema(&self, doc: &str, defs: &mut Map<String, Value>) -> Value {
        let mut schema = self.of_type(defs);
        if !doc.is_empty() {
            schema["description"] = doc.into();
        }
        self.add_bounds(&mut schema);
        schema
    }

    fn of_type(&self, defs: &mut Map<String, Value>) -> Value {
        match self {
            Domain::Truth => json!({ "type": "boolean" }),
            Domain::Whole { bits: 32, .. } => json!({ "type": "integer", "format": "uint32", "minimum": 0 }),
            Domain::Whole { bits, .. } => {
                json!({ "type": "integer", "format": format!("uint{bits}"), "minimum": 0, "maximum": 0 })
            }
            Domain::Letter => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
            Domain::Text(_) => json!({ "type": "string" }),
            Domain::List { items, length, fixed: true } => {
                json!({ "type": "array", "items": items.schema("", defs), "minItems": length.low, "maxItems": length.high })
            }
            Domain::List { items, .. } => json!({ "type": "array", "items": items.schema("", defs) }),
            Domain::Words { name, doc, words } => {
                let words = described(json!({ "type": "string", "enum": words }), doc);
                named(name, defs, |_| words)
            }
            Domain::Either { name, doc, choices } => named(name, defs, |defs| {
                let choices: Vec<Value> = choices.iter().map(|choice| choice.schema("", defs)).collect();
                described(json!({ "anyOf": choices }), doc)
            }),
            Domain::Maybe(domain) => or_null(domain.of_type(defs)),
        }
    }

    /// After the description, because the field says them and not the type; what is there keeps its
    /// place.
    fn add_bounds(&self, schema: &mut Value) {
        let (low, high, bounds) = match self {
            Domain::Whole { bounds, .. } => ("minimum", "maximum", bounds),
            Domain::Text(length) => ("minLength", "maxLength", length),
            Domain::List { length, .. } => ("minItems", "maxItems", length),
            Domain::Maybe(domain) => return domain.add_bounds(schema),
            _ => return,
        };
        for (key, bound) in [(low, bounds.low), (high, bounds.high)] {
            if let Some(bound) = bound {
                schema[key] = bound.into();
            }
        }
    }
}

fn described(mut schema: Value, doc: &str) -> Value {
    if !doc.is_empty() {
        schema["description"] = doc.trim().into();
    }
    schema
}

fn named(
    name: &str,
    defs: &mut Map<String, Value>,
    schema: impl FnOnce(&mut Map<String, Value>) -> Value,
) -> Value {
    if name.is_empty() {
        return schema(defs);
    }
    // Its place comes before those of what it is made of.
    defs.insert(name.to_owned(), Value::Null);
    let schema = schema(defs);
    defs.insert(name.to_owned(), schema);
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn or_null(mut schema: Value) -> Value {
    match schema.get("type") {
        Some(kind) => {
            schema["type"] = json!([kind, "null"]);
            schema
        }
        None => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
