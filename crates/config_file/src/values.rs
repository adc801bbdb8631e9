//! Values that a config may have: words, numbers within limits, pairs, and values that are a text
//! or a table.

use super::At;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The word that a config has for a value of an enum.
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

/// A number from LOW to HIGH, both in millionths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number<const LOW: u64, const HIGH: u64>(f64);

impl<const LOW: u64, const HIGH: u64> Number<LOW, HIGH> {
    const ENDS: [f64; 2] = [LOW as f64 / 1e6, HIGH as f64 / 1e6];

    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de, const LOW: u64, const HIGH: u64> Deserialize<'de> for Number<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(NumberVisitor)
    }
}

struct NumberVisitor<const LOW: u64, const HIGH: u64>;

impl<const LOW: u64, const HIGH: u64> Visitor<'_> for NumberVisitor<LOW, HIGH> {
    type Value = Number<LOW, HIGH>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = Self::Value::ENDS;
        write!(f, "a number from {low} to {high}")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        let [low, high] = Self::Value::ENDS;
        let fits = (low..=high).contains(&number);
        if fits { Ok(Number(number)) } else { Err(E::invalid_value(Unexpected::Float(number), &self)) }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.visit_f64(number as f64)
    }
}

/// A pair: `[2, 6]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Two<T>(pub T, pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Two<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Two<T>, D::Error> {
        deserializer.deserialize_seq(TwoVisitor(PhantomData))
    }
}

struct TwoVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TwoVisitor<T> {
    type Value = Two<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two numbers in [ ]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Two<T>, A::Error> {
        match (list.next_element()?, list.next_element()?, list.next_element::<T>()?) {
            (Some(first), Some(second), None) => Ok(Two(first, second)),
            (first, second, third) => {
                let count = [first.is_some(), second.is_some(), third.is_some()];
                Err(A::Error::invalid_length(count.into_iter().filter(|is_there| *is_there).count(), &self))
            }
        }
    }
}

/// A table whose keys the user chooses. Keeps the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyed<T>(pub Vec<(At<String>, T)>);

impl<T> Default for Keyed<T> {
    fn default() -> Keyed<T> {
        Keyed(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keyed<T>, D::Error> {
        deserializer.deserialize_map(KeyedVisitor(PhantomData))
    }
}

struct KeyedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for KeyedVisitor<T> {
    type Value = Keyed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keyed<T>, A::Error> {
        let entries = std::iter::from_fn(|| map.next_entry().transpose());
        entries.collect::<Result<_, _>>().map(Keyed)
    }
}

/// A value that may be written as a text, or as a table with more details.
pub enum TextOr<T> {
    Text(String),
    Table(T),
}

/// The words for a value in a message: `a bot: "builtin:first", or { … }`.
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
