//! Reads files that people write. Reports all mistakes at once, each with its line, what was
//! expected, and what was probably meant.
//!
//! A config is a struct with `#[derive(Deserialize)]` and `deny_unknown_fields`. Serde stops at the
//! first mistake. So the reader notes that mistake, removes the wrong part from the document, and
//! reads the rest again.

mod culprit;
mod mistakes;
mod read;
mod values;

pub use culprit::{no_such, unknown_word};
pub use mistakes::{AllMistakes, Mistake, Mistakes};
pub use read::{Home, read};
pub use values::{Described, Keyed, Number, TextOr, Two, Whole, word};

use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file (or the command line) as a whole.
    Whole,
    /// The number of bytes before the place in the file.
    Byte(usize),
    /// A flag of the command line.
    Flag(&'static str),
}

/// A value, and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct At<T> {
    pub value: T,
    pub origin: Origin,
}

impl<T> At<T> {
    pub fn flag(value: T, flag: &'static str) -> At<T> {
        At { value, origin: Origin::Flag(flag) }
    }

    pub fn wrong(&self, problem: impl Into<String>) -> Mistake {
        Mistake { origin: self.origin.clone(), problem: problem.into() }
    }
}

impl<T> From<Spanned<T>> for At<T> {
    fn from(spanned: Spanned<T>) -> At<T> {
        At { origin: Origin::Byte(spanned.span().start), value: spanned.into_inner() }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<At<T>, D::Error> {
        Spanned::deserialize(deserializer).map(At::from)
    }
}
