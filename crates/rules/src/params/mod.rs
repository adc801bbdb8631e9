//! Parameters: one struct per game, and a table of its fields.
//!
//! A range is written once, behind the field's type. It then serves the schema, the manual (`arena
//! rules`) and the check made here, whose errors name the field and what it may be.

mod bounds;
mod domain;
mod macros;
mod parameter;

pub use bounds::Bounds;
pub use domain::Domain;
pub(crate) use macros::{bounds, default, params, words};
pub use parameter::{AnyParameter, Parameter};
pub(crate) use parameter::{TwoNumbers, split_words};

use serde_json::{Map, Value, json};
use std::fmt;

/// The parameters of a game; `params!` writes this.
pub trait Params: Default + Clone + fmt::Debug + Send + Sync + 'static {
    const FIELDS: &'static [Field];
    /// What the fields hold, in their order.
    fn each(&self) -> Vec<&dyn AnyParameter>;
    fn each_mut(&mut self) -> Vec<&mut dyn AnyParameter>;
}

/// What there is to say about a parameter.
pub struct Field {
    pub name: &'static str,
    /// As it stands in the source, with a blank in front of each line.
    pub(crate) doc: &'static str,
    pub(crate) domain: fn() -> Domain,
    pub(crate) count: Bounds,
    pub(crate) range: Bounds,
}

impl Field {
    /// What the parameter is for.
    pub fn meaning(&self) -> &'static str {
        self.doc.trim()
    }

    /// What the parameter may be.
    pub fn domain(&self) -> Domain {
        (self.domain)().of(self.count).within(self.range)
    }
}

/// A value as somebody types it: JSON, or else a text. Digits are a text where the parameter asks
/// for one. Nobody knows what an unknown parameter asks for.
pub fn typed(field: Option<&Field>, text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) if !(Value::is_number(&value) && field.is_some_and(|field| field.domain().is_text())) => {
            value
        }
        _ => Value::String(text.to_owned()),
    }
}

/// For games without parameters.
#[derive(Clone, Debug, Default)]
pub struct NoParams {}

impl Params for NoParams {
    const FIELDS: &'static [Field] = &[];

    fn each(&self) -> Vec<&dyn AnyParameter> {
        Vec::new()
    }

    fn each_mut(&mut self) -> Vec<&mut dyn AnyParameter> {
        Vec::new()
    }
}

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

/// Each parameter of a game with its default.
pub(crate) fn fields<P: Params>() -> Vec<(&'static Field, Value)> {
    P::FIELDS.iter().zip(P::default().each().iter().map(|field| field.value())).collect()
}

/// The JSON Schema of some parameters with their defaults.
pub(crate) fn schema(fields: Vec<(&'static Field, Value)>) -> Value {
    let (mut properties, mut defs) = (Map::new(), Map::new());
    for (field, default) in fields {
        let mut property = field.domain().schema(field.meaning(), &mut defs);
        property["default"] = default;
        properties.insert(field.name.to_owned(), property);
    }
    let mut schema = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !defs.is_empty() {
        schema["$defs"] = defs.into();
    }
    schema
}

/// As JSON, with every field.
pub(crate) fn write<P: Params>(params: &P) -> Value {
    let names = P::FIELDS.iter().map(|field| field.name.to_owned());
    names.zip(params.each().iter().map(|field| field.value())).collect()
}

/// Reads what a user wrote, or says what is wrong with each field. Missing fields have their
/// defaults, `null` stands for no fields at all.
pub fn read<P: Params>(given: &Value) -> Result<P, ParamError> {
    let mut params = P::default();
    fill(P::FIELDS, &mut params.each_mut(), given)?;
    Ok(params)
}

fn fill(fields: &[Field], places: &mut [&mut dyn AnyParameter], given: &Value) -> Result<(), ParamError> {
    let given = match given {
        Value::Null => return Ok(()),
        Value::Object(given) => given,
        other => {
            return Err(ParamError::new("params", format!("expected an object such as {{}}, not {other}")));
        }
    };
    let mut fill_one = |(name, value): (&String, &Value)| {
        let at = fields.iter().position(|field| field.name == name);
        let at = at.ok_or_else(|| ParamError::new(name, unknown_field(name, fields)))?;
        fields[at].domain().check(name, value)?;
        places[at].set(value).map_err(|problem| ParamError::new(name, problem))
    };
    let errors = given.iter().filter_map(|field| fill_one(field).err());
    ParamError::all_of(errors).map_or(Ok(()), Err)
}

fn unknown_field(name: &str, known: &[Field]) -> String {
    let names: Vec<&str> = known.iter().map(|field| field.name).collect();
    match crate::nearest(name, &names) {
        None => "this game has no parameters".to_owned(),
        Some(near) => {
            format!("there is none of that name; did you mean `{near}`? known: {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{params, read, words, write};
    use serde_json::{Value, json};

    params! {
        size: u8 in 3..=10 = 3,
        heaps: Vec<u8> of 1..=3 in 0..=60 = [1],
        first: Side = Side::White,
        cap: Option<u32> in 1..=9 = None,
        layout: Option<String> = None,
    }

    words! { enum Side { White = "white", Black = "black" } }

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
            assert_eq!(read::<Params>(&given).unwrap_err().to_string(), error, "for {given}");
        }
    }

    #[test]
    fn what_is_allowed_is_read() {
        let given = json!({"size": 10, "heaps": [0, 60], "first": "black", "cap": null, "layout": "a/b"});
        let params: Params = read(&given).unwrap();
        assert_eq!(write(&params), given);
        assert!(read::<Params>(&Value::Null).is_ok());
    }
}
