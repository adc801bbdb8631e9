//! One parameter: from JSON and back.

use super::{Bounds, Domain};
use serde::Deserialize;
use serde_json::{Value, json};

/// A type that a parameter can have.
pub trait Parameter: Sized {
    fn domain() -> Domain;

    /// Reads a value of the domain.
    fn read(value: &Value) -> Result<Self, String>;

    fn write(&self) -> Value;
}

/// A parameter of any type.
pub trait AnyParameter {
    fn set(&mut self, value: &Value) -> Result<(), String>;
    fn value(&self) -> Value;
}

impl<T: Parameter> AnyParameter for T {
    fn set(&mut self, value: &Value) -> Result<(), String> {
        *self = T::read(value)?;
        Ok(())
    }

    fn value(&self) -> Value {
        self.write()
    }
}

macro_rules! plain {
    ($($plain:ty: $domain:expr),* $(,)?) => {
        $(impl Parameter for $plain {
            fn domain() -> Domain {
                $domain
            }

            fn read(value: &Value) -> Result<Self, String> {
                Self::deserialize(value).map_err(|error| error.to_string())
            }

            fn write(&self) -> Value {
                json!(self)
            }
        })*
    };
}

plain! {
    bool: Domain::Truth,
    u8: Domain::Whole { bits: 8, bounds: Bounds::new(&[0], u8::MAX.into()) },
    u16: Domain::Whole { bits: 16, bounds: Bounds::new(&[0], u16::MAX.into()) },
    u32: Domain::Whole { bits: 32, bounds: Bounds::new(&[0], u32::MAX) },
    char: Domain::Letter,
    String: Domain::Text(Bounds::NONE),
    TwoNumbers: Domain::List { items: Box::new(u8::domain()), length: Bounds::new(&[2], 2), fixed: true },
}

/// A list of exactly two.
pub(crate) type TwoNumbers = [u8; 2];

impl<T: Parameter> Parameter for Option<T> {
    fn domain() -> Domain {
        Domain::Maybe(Box::new(T::domain()))
    }

    fn read(value: &Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { T::read(value).map(Some) }
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }
}

impl<T: Parameter> Parameter for Vec<T> {
    fn domain() -> Domain {
        Domain::List { items: Box::new(T::domain()), length: Bounds::NONE, fixed: false }
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_array().into_iter().flatten().map(T::read).collect()
    }

    fn write(&self) -> Value {
        self.iter().map(T::write).collect()
    }
}

/// The words of one text with blanks between them, or of a list.
pub(crate) fn split_words(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => text.split_whitespace().collect(),
        list => list.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    }
}
