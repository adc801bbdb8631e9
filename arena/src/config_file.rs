//! Files that people write: all mistakes at once, each with its line, what was expected, and what was probably meant.
//!
//! A config is a struct with `#[derive(Deserialize)]` and `deny_unknown_fields`. Serde stops at the first mistake. So
//! that mistake is noted, what is wrong is taken out of the document, and the rest is read again.

use rules::nearest;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{DeserializeOwned, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

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
            .map(|mistake| format!("{}: {}", self.place(&mistake.origin), mistake.problem))
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
    !read.is_err_and(|error| error.to_string().starts_with(UNKNOWN_KEY))
}

/// What serde says.
const UNKNOWN_KEY: &str = "unknown field `";
const UNKNOWN_WORD: &str = "unknown variant `";

/// Reads a file. What is wrong is left out of the result; there is none if a key is missing that must be there.
pub fn read<T: DeserializeOwned>(file: &str, text: &str, homes: &[Home]) -> (Option<T>, Mistakes) {
    let mut mistakes = Mistakes::none_in(file, text);
    let (mut document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        // After a list that is not closed every line is said to lack a comma.
        if !mistakes.torn.is_empty() && error.message().starts_with("missing comma") {
            continue;
        }
        let byte = error.span().map_or(0, |span| span.start);
        let problem = format!("not TOML: {}", error.message());
        mistakes.add(Mistake { origin: Origin::Byte(byte), problem });
        mistakes.torn.push(mistakes.line(byte));
    }
    let mut cut = Vec::new();
    loop {
        let error = match T::deserialize(toml::de::Deserializer::from(document.clone())) {
            Ok(value) => return (Some(value), mistakes),
            Err(error) => error,
        };
        let span = error.span().unwrap_or(0..0);
        let Some(culprit) = take_out(document.get_mut(), &span) else {
            mistakes.add_missing(&in_words(error.message()));
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

/// The part of a document that a mistake is about.
struct Culprit<'i> {
    /// The keys that lead to it.
    path: Vec<String>,
    value: DeValue<'i>,
    /// The key itself is wrong, and not its value.
    is_key: bool,
    /// The tables and lists around it.
    inside: Vec<Range<usize>>,
}

/// Removes what stands there.
fn take_out<'i>(table: &mut DeTable<'i>, span: &Range<usize>) -> Option<Culprit<'i>> {
    let inner = table.iter_mut().find_map(|(key, item)| {
        let mut culprit = take_out_of(item, span)?;
        culprit.path.insert(0, key.get_ref().to_string());
        Some(culprit)
    });
    if inner.is_some() {
        return inner;
    }
    let (key, item) = table.iter().find(|(key, item)| [key.span(), item.span()].contains(span))?;
    let (name, value, is_key) = (key.get_ref().to_string(), item.get_ref().clone(), key.span() == *span);
    table.remove(name.as_str());
    Some(Culprit { path: vec![name], value, is_key, inside: Vec::new() })
}

fn take_out_of<'i>(item: &mut Spanned<DeValue<'i>>, span: &Range<usize>) -> Option<Culprit<'i>> {
    let around = item.span();
    let mut culprit = match item.get_mut() {
        DeValue::Table(table) => take_out(table, span)?,
        DeValue::Array(list) => match list.iter_mut().find_map(|item| take_out_of(item, span)) {
            Some(culprit) => culprit,
            None => take_element(list, span)?,
        },
        _ => return None,
    };
    culprit.inside.push(around);
    Some(culprit)
}

fn take_element<'i>(list: &mut DeArray<'i>, span: &Range<usize>) -> Option<Culprit<'i>> {
    let mut taken = None;
    let mut rest = DeArray::new();
    for item in std::mem::replace(list, DeArray::new()) {
        if item.span() == *span && taken.is_none() {
            taken = Some(item.into_inner());
        } else {
            rest.push(item);
        }
    }
    *list = rest;
    Some(Culprit { path: Vec::new(), value: taken?, is_key: false, inside: Vec::new() })
}

impl Culprit<'_> {
    fn explain(&self, message: &str, homes: &[Home]) -> String {
        let key = self.path.last().map_or("", String::as_str);
        if self.is_key && message.starts_with(UNKNOWN_KEY) {
            return unknown_key(key, &quoted(message), homes);
        }
        let found = shown(&self.value);
        if message.starts_with(UNKNOWN_WORD) {
            let word = self.value.as_str().unwrap_or_default();
            return unknown_word(&format!("`{key}` can't be {found}"), word, &quoted(message));
        }
        let expected = match message.split_once(", expected ") {
            Some((_, expected)) if message.starts_with("invalid ") => expected,
            // An enum that is no text.
            None if message.starts_with("wanted string") => "a string",
            _ => return in_words(message),
        };
        format!("`{key}` must be {}, not {found}", plain(expected))
    }
}

/// The words that serde lists as known.
fn quoted(message: &str) -> Vec<&str> {
    let known = message.rsplit_once("`, expected ").map_or("", |(_, known)| known);
    known.split('`').skip(1).step_by(2).collect()
}

fn unknown_key(key: &str, known: &[&str], homes: &[Home]) -> String {
    match homes.iter().find(|home| (home.knows)(key)) {
        Some(home) => format!("there is no key `{key}` here; it belongs into {}", home.table),
        None => unknown_word(&format!("there is no key `{key}`"), key, known),
    }
}

/// The problem, the word that was probably meant, and all words that there are.
pub fn unknown_word(problem: &str, written: &str, known: &[&str]) -> String {
    let meant = nearest(written, known).filter(|near| looks_like(written, near));
    let meant = meant.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("{problem}{meant}{} known: {}", if meant.is_empty() { ";" } else { "" }, known.join(", "))
}

/// Have the words at least half of their letters in common?
fn looks_like(a: &str, b: &str) -> bool {
    let mut left: Vec<char> = b.chars().collect();
    let longer = left.len().max(a.chars().count());
    let shared = a.chars().filter(|letter| {
        let at = left.iter().position(|other| other == letter);
        at.map(|at| left.swap_remove(at)).is_some()
    });
    2 * shared.count() >= longer
}

fn in_words(message: &str) -> String {
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    missing.map_or_else(|| message.to_owned(), |key| format!("the key `{key}` is missing here"))
}

/// What serde expected, for people.
fn plain(expected: &str) -> &str {
    match expected {
        "a string" | "a borrowed string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a map" => "a table",
        "f64" => "a number",
        struct_or_own if struct_or_own.starts_with("struct ") => "a table",
        own => own,
    }
}

fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

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
