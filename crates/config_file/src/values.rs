//! Values that a config may have: words, whole numbers within limits, and what is a text or a table.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The word of a config for one of an enum's values.
pub fn word(value: impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

/// A whole number from LOW to HIGH, in a config or on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const LOW: u64, const HIGH: u64>(u64);

impl<const LOW: u64, const HIGH: u64> Whole<LOW, HIGH> {
    pub fn get(self) -> u64 {
        self.0
    }

    fn of(number: u64) -> Option<Self> {
        (LOW..=HIGH).contains(&number).then_some(Whole(number))
    }

    fn expected() -> String {
        format!("a whole number from {LOW} to {HIGH}")
    }
}

impl<const LOW: u64, const HIGH: u64> FromStr for Whole<LOW, HIGH> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().and_then(Self::of);
        number.ok_or_else(|| format!("expected {}", Self::expected()))
    }
}

impl<'de, const LOW: u64, const HIGH: u64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeVisitor)
    }
}

struct WholeVisitor<const LOW: u64, const HIGH: u64>;

impl<const LOW: u64, const HIGH: u64> Visitor<'_> for WholeVisitor<LOW, HIGH> {
    type Value = Whole<LOW, HIGH>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::Value::expected())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Whole::of(number).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        let whole = u64::try_from(number).ok().and_then(Whole::of);
        whole.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

/// What may be written as a text, or as a table with more to say.
pub enum TextOr<T> {
    Text(String),
    Table(T),
}

/// What a table stands for, in an error: `a bot: "builtin:first", or { … }`.
pub trait Described {
    const EXPECTED: &'static str;
}

impl<'de, T: Deserialize<'de> + Described> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextOr<T>, D::Error> {
        deserializer.deserialize_any(TextOrTable(PhantomData))
    }
}

struct TextOrTable<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Described> Visitor<'de> for TextOrTable<T> {
    type Value = TextOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E>(self, text: &str) -> Result<TextOr<T>, E> {
        Ok(TextOr::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TextOr<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TextOr::Table)
    }
}
