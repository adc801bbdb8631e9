//! Parameters: one serde struct per game, checked against its own JSON Schema before serde reads it.
//!
//! A range is written once, as a `schemars` attribute on the field. It then serves the schema, the manual
//! (`arena rules`) and the check made here, whose errors name the field and what it may be.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// What a game's parameter struct must be able to do.
pub trait Params: Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}
impl<T: Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static> Params for T {}

/// For games without parameters.
#[derive(Clone, Debug, Default, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// Why parameters were refused. Nothing has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    pub field: String,
    pub problem: String,
    /// What is wrong with other parameters.
    others: Vec<ParamError>,
}

impl ParamError {
    pub fn new(field: &str, problem: impl Into<String>) -> ParamError {
        ParamError { field: field.to_owned(), problem: problem.into(), others: Vec::new() }
    }

    /// All of them in one; `None` if there are none.
    fn all_of(errors: impl IntoIterator<Item = ParamError>) -> Option<ParamError> {
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        Some(ParamError { others: errors.collect(), ..first })
    }

    /// Each wrong parameter with what is wrong with it.
    pub fn each(&self) -> impl Iterator<Item = (&str, String)> {
        let errors = std::iter::once(self).chain(&self.others);
        errors.map(|error| (error.field.as_str(), format!("parameter `{}`: {}", error.field, error.problem)))
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<String> = self.each().map(|(_, problem)| problem).collect();
        f.write_str(&problems.join("; "))
    }
}

impl std::error::Error for ParamError {}

/// Refuses parameters for a reason that no range can state.
///
/// ```
/// # use rules::{ParamError, require};
/// fn check(size: u8, line: u8) -> Result<(), ParamError> {
///     require(line <= size, "line", || format!("must be at most `size`, which is {size}, not {line}"))
/// }
/// assert!(check(3, 4).is_err());
/// ```
pub fn require(holds: bool, field: &str, problem: impl FnOnce() -> String) -> Result<(), ParamError> {
    if holds { Ok(()) } else { Err(ParamError::new(field, problem())) }
}

/// The JSON Schema of a game's parameters.
pub fn schema<P: Params>() -> Value {
    let mut schema = schemars::schema_for!(P).to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.remove("title");
    }
    schema
}

/// Reads what a user wrote, or says what is wrong with each field. Missing fields have their defaults, `null` stands for
/// no fields at all.
pub fn read<P: Params>(given: &Value) -> Result<P, ParamError> {
    let empty = Map::new();
    let fields = match given {
        Value::Null => &empty,
        Value::Object(fields) => fields,
        other => {
            return Err(ParamError::new("params", format!("expected an object such as {{}}, not {other}")));
        }
    };
    let schema = schema::<P>();
    let known = schema["properties"].as_object().unwrap_or(&empty);
    let check_field = |(name, value): (&String, &Value)| match known.get(name) {
        Some(field_schema) => check(name, value, field_schema, &schema),
        None => Err(ParamError::new(name, unknown_field(name, known))),
    };
    if let Some(error) = ParamError::all_of(fields.iter().filter_map(|field| check_field(field).err())) {
        return Err(error);
    }
    P::deserialize(Value::Object(fields.clone())).map_err(|error| {
        // Whatever the schema can't say, such as a word that is no card.
        let field = fields.keys().find(|name| P::deserialize(without(fields, name)).is_ok());
        ParamError::new(field.map_or("params", String::as_str), error.to_string())
    })
}

fn without(fields: &Map<String, Value>, name: &str) -> Value {
    Value::Object(
        fields.iter().filter(|(other, _)| *other != name).map(|(k, v)| (k.clone(), v.clone())).collect(),
    )
}

fn unknown_field(name: &str, known: &Map<String, Value>) -> String {
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    match crate::nearest(name, &names) {
        None => "this game has no parameters".to_owned(),
        Some(near) => {
            format!("there is none of that name; did you mean `{near}`? known: {}", names.join(", "))
        }
    }
}

/// Checks one value against the part of JSON Schema that our parameter structs use.
fn check(field: &str, value: &Value, schema: &Value, root: &Value) -> Result<(), ParamError> {
    let schema = resolve(schema, root);
    if let Some(choices) = schema["anyOf"].as_array() {
        let mut errors = choices.iter().map(|choice| check(field, value, choice, root));
        let first = errors.next().unwrap_or(Ok(()));
        return if first.is_ok() || errors.any(|result| result.is_ok()) { Ok(()) } else { first };
    }
    let expected = describe(schema, root);
    let refuse = || Err(ParamError::new(field, format!("expected {expected}, not {value}")));
    let types = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let fits = types.iter().filter_map(Value::as_str).any(|kind| match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => true,
    });
    let typed = types.iter().any(Value::is_string);
    if typed && !fits {
        return refuse();
    }
    if let Some(constant) = schema.get("const") {
        return if value == constant { Ok(()) } else { refuse() };
    }
    if let Some(choices) = schema["enum"].as_array() {
        return if choices.contains(value) { Ok(()) } else { refuse() };
    }
    if let Some(size) = size_of(value) {
        let (low, high) = limits(schema, value);
        if low.is_some_and(|low| size < low) || high.is_some_and(|high| size > high) {
            return refuse();
        }
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        check(&format!("{field}[{at}]"), item, &schema["items"], root)?;
    }
    Ok(())
}

/// What a range speaks of: the number itself, the letters of a text, the items of a list.
fn size_of(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or(Some(i64::MAX)),
        Value::String(text) => Some(text.chars().count() as i64),
        Value::Array(items) => Some(items.len() as i64),
        _ => None,
    }
}

fn limits(schema: &Value, value: &Value) -> (Option<i64>, Option<i64>) {
    let (low, high) = match value {
        Value::Number(_) => ("minimum", "maximum"),
        Value::String(_) => ("minLength", "maxLength"),
        _ => ("minItems", "maxItems"),
    };
    (schema[low].as_i64(), schema[high].as_i64())
}

fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap_or(schema),
        None => schema,
    }
}

/// A field's possible values in words, for errors and for the manual.
pub fn describe(schema: &Value, root: &Value) -> String {
    let schema = resolve(schema, root);
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return choices.iter().map(|choice| describe(choice, root)).collect::<Vec<_>>().join(" or ");
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(choices) = schema["enum"].as_array() {
        return choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    }
    let range = |low: &str, high: &str| match (schema[low].as_i64(), schema[high].as_i64()) {
        (Some(low), Some(high)) if low == high => format!(" {low}"),
        (Some(low), Some(high)) => format!(" {low} to {high}"),
        (Some(low), None) => format!(" {low} or more"),
        (None, Some(high)) => format!(" up to {high}"),
        (None, None) => String::new(),
    };
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let words = kinds.iter().filter_map(Value::as_str).map(|kind| match kind {
        "integer" => format!("a whole number{}", range("minimum", "maximum")),
        "boolean" => "true or false".to_owned(),
        "string" => match range("minLength", "maxLength").as_str() {
            "" => "a text".to_owned(),
            length => format!("a text of{length} characters"),
        },
        "array" => {
            let items = match schema.get("items") {
                Some(items) => format!(", each {}", describe(items, root)),
                None => String::new(),
            };
            match range("minItems", "maxItems").as_str() {
                "" => format!("a list{items}"),
                count => format!("a list of{count} items{items}"),
            }
        }
        other => other.to_owned(),
    });
    words.collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Sample {
        #[schemars(range(min = 3, max = 10))]
        size: u8,
        #[schemars(length(min = 1, max = 3), inner(range(min = 0, max = 60)))]
        heaps: Vec<u8>,
        first: Side,
        #[schemars(range(min = 1, max = 9))]
        cap: Option<u32>,
        layout: Option<String>,
    }

    #[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Side {
        White,
        Black,
    }

    impl Default for Sample {
        fn default() -> Self {
            Sample { size: 3, heaps: vec![1], first: Side::White, cap: None, layout: None }
        }
    }

    #[test]
    fn errors_name_the_field_and_what_it_may_be() {
        for (given, error) in [
            (json!({"size": 11}), "parameter `size`: expected a whole number 3 to 10, not 11"),
            (json!({"size": -1}), "parameter `size`: expected a whole number 3 to 10, not -1"),
            (json!({"size": 1e3}), "parameter `size`: expected a whole number 3 to 10, not 1000.0"),
            (json!({"size": "4"}), "parameter `size`: expected a whole number 3 to 10, not \"4\""),
            (json!({"size": null}), "parameter `size`: expected a whole number 3 to 10, not null"),
            (
                json!({"sise": 4}),
                "parameter `sise`: there is none of that name; did you mean `size`? known: size, heaps, first, cap, layout",
            ),
            (json!({"heaps": [1, 61]}), "parameter `heaps[1]`: expected a whole number 0 to 60, not 61"),
            (
                json!({"heaps": []}),
                "parameter `heaps`: expected a list of 1 to 3 items, each a whole number 0 to 60, not []",
            ),
            (json!({"first": "red"}), "parameter `first`: expected \"white\" or \"black\", not \"red\""),
            (json!({"cap": 10}), "parameter `cap`: expected a whole number 1 to 9 or null, not 10"),
            (json!([]), "parameter `params`: expected an object such as {}, not []"),
            (
                json!({"size": 11, "cap": 10, "heaps": [1]}),
                "parameter `size`: expected a whole number 3 to 10, not 11; \
                 parameter `cap`: expected a whole number 1 to 9 or null, not 10",
            ),
        ] {
            assert_eq!(read::<Sample>(&given).unwrap_err().to_string(), error, "for {given}");
        }
    }

    #[test]
    fn what_is_allowed_is_read() {
        let given = json!({"size": 10, "heaps": [0, 60], "first": "black", "cap": null, "layout": "a/b"});
        let params: Sample = read(&given).unwrap();
        assert_eq!(serde_json::to_value(&params).unwrap(), given);
        assert!(read::<Sample>(&Value::Null).is_ok());
    }
}
