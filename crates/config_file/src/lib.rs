//! Files that people write: all mistakes at once, each with its line, what was expected, and what was probably meant.
//!
//! A config is a struct with `#[derive(Deserialize)]` and `deny_unknown_fields`. Serde stops at the first mistake. So
//! that mistake is noted, what is wrong is taken out of the document, and the rest is read again.

mod culprit;
mod values;

pub use culprit::unknown_word;
pub use values::{Described, TextOr, Whole, word};

use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Deserializer};
use std::fmt;
use text::harmless;
use toml::Spanned;
use toml::de::DeTable;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file (or the command line) as a whole.
    Whole,
    /// So many bytes from the beginning of the file.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub origin: Origin,
    pub problem: String,
}

/// All that is wrong with a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    file: String,
    /// Where its lines begin.
    lines: Vec<usize>,
    list: Vec<Mistake>,
    /// Keys at the top of the file that were not understood, wholly or in part.
    unsure: Vec<String>,
    /// Lines that are not TOML. Any key may have been missed there.
    torn: Vec<usize>,
}

impl Mistakes {
    /// None so far. A mistake without a line is said to be in `file`.
    pub fn none_in(file: &str, text: &str) -> Mistakes {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Mistakes { file: file.to_owned(), lines, ..Mistakes::default() }
    }

    /// What is said of a line that is not even TOML may be wrong, and is left out.
    pub fn add(&mut self, mistake: Mistake) {
        let torn = matches!(mistake.origin, Origin::Byte(byte) if self.torn.contains(&self.line(byte)));
        if !torn && !self.list.contains(&mistake) {
            self.list.push(mistake);
        }
    }

    /// A mistake of the whole file.
    pub fn add_missing(&mut self, problem: &str) {
        self.add(Mistake { origin: Origin::Whole, problem: problem.to_owned() });
    }

    /// The value, or one mistake more.
    pub fn note<T>(&mut self, result: Result<T, Mistake>) -> Option<T> {
        result.map_err(|mistake| self.add(mistake)).ok()
    }

    /// Is what was read under this key all that was written there?
    pub fn sure_of(&self, key: &str) -> bool {
        self.torn.is_empty() && self.unsure.iter().all(|unsure| unsure != key)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn line(&self, byte: usize) -> usize {
        self.lines.partition_point(|&begin| begin <= byte).max(1)
    }

    fn place(&self, origin: &Origin) -> String {
        match origin {
            Origin::Whole => self.file.clone(),
            Origin::Byte(byte) => format!("{}:{}", self.file, self.line(*byte)),
            Origin::Flag(flag) => (*flag).to_owned(),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list: Vec<&Mistake> = self.list.iter().collect();
        list.sort_by_key(|mistake| match mistake.origin {
            Origin::Whole | Origin::Flag(_) => 0,
            Origin::Byte(byte) => 1 + self.line(byte),
        });
        let lines: Vec<String> = list
            .iter()
            .map(|mistake| format!("{}: {}", self.place(&mistake.origin), harmless::line(&mistake.problem)))
            .collect();
        match &lines[..] {
            [line] => f.write_str(line),
            lines => write!(f, "{} has {} mistakes:\n{}", self.file, lines.len(), lines.join("\n")),
        }
    }
}

impl std::error::Error for Mistakes {}

/// A table of a config, for a key that stands in the wrong one.
pub struct Home {
    /// `[clock]`
    pub table: &'static str,
    knows: fn(&str) -> bool,
}

impl Home {
    pub const fn of<T: DeserializeOwned>(table: &'static str) -> Home {
        Home { table, knows: knows::<T> }
    }
}

fn knows<T: DeserializeOwned>(key: &str) -> bool {
    let one = MapDeserializer::new(std::iter::once((key, ())));
    let read: Result<T, serde::de::value::Error> = T::deserialize(one);
    !read.is_err_and(|error| error.to_string().starts_with(culprit::UNKNOWN_KEY))
}

/// Reads a file. What is wrong is left out of the result; there is none if a key is missing that must be there.
pub fn read<T: DeserializeOwned>(file: &str, text: &str, homes: &[Home]) -> (Option<T>, Mistakes) {
    let mut mistakes = Mistakes::none_in(file, text);
    let (mut document, mut errors) = DeTable::parse_recoverable(text);
    let byte_of = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
    // One mistake of a line is enough, and one that spoils the lines after it says most.
    errors.sort_by_key(|error| (mistakes.line(byte_of(error)), !is_inside(error.message())));
    for error in &errors {
        let byte = byte_of(error);
        let problem = not_toml(error.message(), text.get(byte..).unwrap_or_default());
        mistakes.add(Mistake { origin: Origin::Byte(byte), problem });
        let line = mistakes.line(byte);
        let last = if is_inside(error.message()) { mistakes.lines.len() } else { line };
        mistakes.torn.extend(line..=last);
    }
    let mut cut = Vec::new();
    loop {
        let error = match T::deserialize(toml::de::Deserializer::from(document.clone())) {
            Ok(value) => return (Some(value), mistakes),
            Err(error) => error,
        };
        let span = error.span().unwrap_or(0..0);
        let Some(culprit) = culprit::take_out(document.get_mut(), &span) else {
            mistakes.add_missing(&culprit::in_words(error.message()));
            return (None, mistakes);
        };
        mistakes.unsure.extend(culprit.path.first().cloned());
        // What a table lacks may be what was misspelt in it.
        if !cut.contains(&span) {
            let problem = culprit.explain(error.message(), homes);
            mistakes.add(Mistake { origin: Origin::Byte(span.start), problem });
        }
        cut.extend(culprit.inside);
    }
}

/// Was a bracket left open, so that all lines after it make no sense?
fn is_inside(message: &str) -> bool {
    [" in array", " in inline table"].iter().any(|inside| message.contains(inside))
}

/// What is wrong where the rest of the text begins.
fn not_toml(message: &str, rest: &str) -> String {
    let rest_of_line = rest.lines().next().unwrap_or_default().trim();
    if message.starts_with("string values must be quoted") && rest_of_line.is_empty() {
        return "not TOML: there is no value after the `=`".to_owned();
    }
    let hint =
        if is_inside(message) { "; is a bracket open that should be closed before this line?" } else { "" };
    format!("not TOML: {message}{hint}")
}
