//! The tables of an assignment, read key by key. What is wrong is noted with its line, and reading
//! goes on.

use rules::nearest;
use serde::Deserialize;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::ops::RangeInclusive;
use text::harmless;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue, ValueDeserializer};

/// The longest piece of a file that is repeated in a message, in characters.
const QUOTED: usize = 60;

/// All mistakes in an assignment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct AssignmentErrors(pub Vec<String>);

/// A file that is being read, and what is wrong with it.
pub struct Sheet<'a> {
    pub file: &'a str,
    pub text: &'a str,
    mistakes: RefCell<Vec<(usize, String)>>,
}

impl<'a> Sheet<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Sheet<'a> {
        Sheet { file, text, mistakes: RefCell::default() }
    }

    /// The whole file; an empty table if it is no TOML.
    pub fn parse(&self) -> DeTable<'a> {
        match DeTable::parse(self.text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                self.note(at, error.message().trim().replace('\n', ", "));
                DeTable::new()
            }
        }
    }

    /// Something is wrong at this place.
    pub fn note(&self, at: usize, problem: impl Into<String>) {
        self.mistakes.borrow_mut().push((at, problem.into()));
    }

    /// `nim.toml:7`
    pub fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        format!("{}:{}", self.file, 1 + before.matches('\n').count())
    }

    /// Every mistake, from the top of the file to its end.
    pub fn mistakes(&self) -> Vec<String> {
        let mut mistakes = self.mistakes.borrow().clone();
        mistakes.sort_by_key(|(at, _)| *at);
        mistakes
            .into_iter()
            .map(|(at, problem)| format!("{}: {}", self.place(at), harmless::sentence(&problem)))
            .collect()
    }
}

/// A value with its place.
#[derive(Clone, Copy)]
pub struct Written<T> {
    pub value: T,
    pub at: usize,
}

/// One table.
pub struct Fields<'p, 'i> {
    pub sheet: &'p Sheet<'i>,
    pub table: &'p DeTable<'i>,
    /// Where to point if something is missing.
    pub at: usize,
    /// What the table is: `an assignment`
    pub what: String,
}

impl<'p, 'i> Fields<'p, 'i> {
    /// Notes every key that is not among these. Of a key that means something elsewhere,
    /// `elsewhere` says so.
    pub fn only(&self, known: &[&str], elsewhere: impl Fn(&str) -> Option<String>) {
        for key in self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let got = key.get_ref();
            if let Some(problem) = elsewhere(got) {
                self.sheet.note(key.span().start, problem);
                continue;
            }
            let near = nearest(got, known).unwrap_or_default();
            let problem = format!(
                "there is no key `{}` in {}; did you mean `{near}`? known: {}",
                harmless::line(got),
                self.what,
                known.join(", ")
            );
            self.sheet.note(key.span().start, problem);
        }
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Where a key's value stands; else where the table does.
    pub fn place_of(&self, key: &str) -> usize {
        self.table.get(key).map_or(self.at, |value| value.span().start)
    }

    /// The value of a key that must be there.
    pub fn needed<T>(&self, key: &str, found: Option<T>, example: &str) -> Option<T> {
        if !self.has(key) {
            self.sheet.note(self.at, format!("{} needs the key `{key}`: {example}", self.what));
        }
        found
    }

    /// Reads a value; notes what was expected if that fails.
    fn read<T>(
        &self,
        key: &str,
        expected: &dyn fmt::Display,
        read: impl FnOnce(&'p DeValue<'i>) -> Option<T>,
    ) -> Option<T> {
        let value = self.table.get(key)?;
        let found = read(value.get_ref());
        if found.is_none() {
            self.refuse(key, value, expected);
        }
        found
    }

    fn refuse(&self, key: &str, value: &Spanned<DeValue<'i>>, expected: &dyn fmt::Display) {
        let written = harmless::line(self.sheet.text.get(value.span()).unwrap_or_default());
        let short: String = written.chars().take(QUOTED).collect();
        let cut = if short.len() < written.len() { "…" } else { "" };
        self.sheet.note(value.span().start, format!("{key}: expected {expected}, not {short}{cut}"));
    }

    pub fn text(&self, key: &str) -> Option<Written<&'p str>> {
        let at = self.place_of(key);
        self.read(key, &"a text between quotation marks", DeValue::as_str).map(|value| Written { value, at })
    }

    /// A text with something in it.
    pub fn title(&self, key: &str) -> Option<String> {
        let read =
            |value: &'p DeValue<'i>| value.as_str().map(harmless::line).filter(|text| !text.is_empty());
        self.read(key, &"a text with at least one letter", read)
    }

    pub fn whole(&self, key: &str, range: RangeInclusive<u64>) -> Option<u64> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &expected, |value| whole(value).filter(|number| range.contains(number)))
    }

    pub fn number(&self, key: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        self.read(key, &expected, |value| number(value).filter(|number| range.contains(number)))
    }

    /// Two numbers.
    pub fn pair(&self, key: &str, range: RangeInclusive<f64>, example: &str) -> Option<[f64; 2]> {
        let expected = format!("two numbers from {} to {} such as {example}", range.start(), range.end());
        self.read(key, &expected, |value| pair(value, &range))
    }

    /// Pairs of numbers.
    pub fn pairs(&self, key: &str, range: RangeInclusive<f64>, example: &str) -> Option<Vec<[f64; 2]>> {
        let expected =
            format!("pairs of numbers from {} to {} such as {example}", range.start(), range.end());
        self.read(key, &expected, |value| {
            value.as_array()?.iter().map(|value| pair(value.get_ref(), &range)).collect()
        })
    }

    /// One of several words.
    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let written = self.text(key)?;
        let found = words.iter().find(|(word, _)| *word == written.value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let near = nearest(written.value, &known).unwrap_or_default();
            let problem = format!(
                "there is no {key} `{}`; did you mean `{near}`? known: {}",
                harmless::line(written.value),
                known.join(", ")
            );
            self.sheet.note(written.at, problem);
        }
        found.map(|(_, value)| *value)
    }

    /// A list of texts.
    pub fn texts(&self, key: &str) -> Option<Vec<Written<&'p str>>> {
        self.read(key, &"a list of texts such as [\"…\", \"…\"]", |value| {
            let text = |value: &'p Spanned<DeValue<'i>>| {
                Some(Written { value: value.get_ref().as_str()?, at: value.span().start })
            };
            value.as_array()?.iter().map(text).collect()
        })
    }

    /// A table inside this one.
    pub fn table(&self, key: &str, what: &str) -> Option<Fields<'p, 'i>> {
        let at = self.place_of(key);
        let table = self.read(key, &"a table of keys and values", DeValue::as_table)?;
        Some(Fields { sheet: self.sheet, table, at, what: what.to_owned() })
    }

    /// The tables of a list, `[[item]]`.
    pub fn tables(&self, key: &str, what: &str) -> Vec<Fields<'p, 'i>> {
        let expected = format!("tables that begin with [[{key}]]");
        let tables = self.read(key, &expected, |value| {
            let fields = |value: &'p Spanned<DeValue<'i>>| {
                let table = value.get_ref().as_table()?;
                Some(Fields { sheet: self.sheet, table, at: value.span().start, what: what.to_owned() })
            };
            value.as_array()?.iter().map(fields).collect()
        });
        tables.unwrap_or_default()
    }

    /// A table whose keys are not ours, as JSON.
    pub fn json(&self, key: &str) -> Option<serde_json::Map<String, Value>> {
        let value = self.table.get(key)?;
        let json = Value::deserialize(ValueDeserializer::from(value.clone()));
        let fields = json.ok().and_then(|json| json.as_object().cloned());
        if fields.is_none() {
            self.refuse(key, value, &"a table of parameters");
        }
        fields
    }
}

fn whole(value: &DeValue<'_>) -> Option<u64> {
    let integer = value.as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    let of_integer = |integer: &DeInteger<'_>| {
        i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|number| number as f64)
    };
    match value {
        DeValue::Integer(integer) => of_integer(integer),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

fn pair(value: &DeValue<'_>, range: &RangeInclusive<f64>) -> Option<[f64; 2]> {
    let numbers: Option<Vec<f64>> =
        value.as_array()?.iter().map(|value| number(value.get_ref()).filter(|x| range.contains(x))).collect();
    numbers?.try_into().ok()
}
