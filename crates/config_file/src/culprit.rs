//! Finds the part of a document that is wrong, takes the part out, and explains the mistake.

use super::{Home, Origin};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// The most characters of a value that a message repeats.
const LONGEST: usize = 60;
/// The beginning of a message of serde.
pub(super) const UNKNOWN_KEY: &str = "unknown field `";
/// The beginnings of other messages of serde.
const MISSING_KEY: &str = "missing field `";
const UNKNOWN_WORD: &str = "unknown variant `";

/// The part of a document that is wrong.
pub(super) struct Culprit<'i> {
    /// The keys that lead to the part, each with its table.
    pub path: Vec<(Origin, String)>,
    value: DeValue<'i>,
    /// Is the key wrong, and not its value?
    is_key: bool,
    /// Is the part an element of a list?
    is_element: bool,
    /// The tables and lists that contain the part.
    pub inside: Vec<Range<usize>>,
}

/// Removes the part of a table that stands at `span`.
pub(super) fn take_out<'i>(
    table: &mut DeTable<'i>,
    place: &Origin,
    span: &Range<usize>,
) -> Option<Culprit<'i>> {
    let inner = table.iter_mut().find_map(|(key, item)| {
        let mut culprit = take_out_of(item, span)?;
        culprit.path.insert(0, (place.clone(), key.get_ref().to_string()));
        Some(culprit)
    });
    if inner.is_some() {
        return inner;
    }
    let (key, item) = table.iter().find(|(key, item)| [key.span(), item.span()].contains(span))?;
    let (name, value, is_key) = (key.get_ref().to_string(), item.get_ref().clone(), key.span() == *span);
    table.remove(name.as_str());
    Some(Culprit { path: vec![(place.clone(), name)], value, is_key, is_element: false, inside: Vec::new() })
}

fn take_out_of<'i>(item: &mut Spanned<DeValue<'i>>, span: &Range<usize>) -> Option<Culprit<'i>> {
    let around = item.span();
    let mut culprit = match item.get_mut() {
        DeValue::Table(table) => take_out(table, &Origin::Byte(around.start), span)?,
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
    Some(Culprit { path: Vec::new(), value: taken?, is_key: false, is_element: true, inside: Vec::new() })
}

impl Culprit<'_> {
    fn key(&self) -> &str {
        self.path.last().map_or("", |(_, key)| key)
    }

    /// The known key that the author of the file probably meant by an unknown key.
    pub fn meant<'m>(&self, message: &'m str) -> Option<(Origin, &'m str)> {
        let (table, _) = self.path.last().filter(|_| self.is_key && message.starts_with(UNKNOWN_KEY))?;
        Some((table.clone(), meant(self.key(), &quoted(message))?))
    }

    pub fn explain(&self, message: &str, homes: &[Home]) -> String {
        let key = self.key();
        if self.is_key && message.starts_with(UNKNOWN_KEY) {
            return unknown_key(key, &quoted(message), homes);
        }
        let found = short(&self.value);
        if message.starts_with(UNKNOWN_WORD) {
            let word = self.value.as_str().unwrap_or_default();
            return unknown_word(&format!("`{key}` can't be {found}"), word, &quoted(message));
        }
        let expected = match message.split_once(", expected ") {
            Some((_, expected)) if message.starts_with("invalid ") => expected,
            // The value should be one of an enum's words, but is not a text.
            None if message.starts_with("wanted string") => "a string",
            // The TOML reader reads at most 128 bits.
            None if message.contains(" number overflowed") => "a smaller number",
            _ => {
                let table = if self.is_element { "this table of " } else { "" };
                let is_missing = message.starts_with(MISSING_KEY);
                let who = if is_missing { format!("{table}`{key}` ") } else { String::new() };
                return format!("{who}{}", in_words(message));
            }
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
        Some(home) => format!("there is no key `{key}` here; it belongs in {}", home.table),
        None => no_such("key", key, known),
    }
}

/// Says that there is no such thing. Suggests a similar word, and lists all words.
pub fn no_such(what: &str, written: &str, known: &[&str]) -> String {
    let escaped = in_json(written);
    unknown_word(&format!("there is no {what} `{}`", escaped.trim_matches('"')), written, known)
}

/// A text in quotation marks, escaped as JSON escapes texts.
fn in_json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// States a problem, suggests a similar word, and lists all words.
pub fn unknown_word(problem: &str, written: &str, known: &[&str]) -> String {
    let meant = meant(written, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("{problem}{meant}{} known: {}", if meant.is_empty() { ";" } else { "" }, known.join(", "))
}

fn meant<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let near = rules::meant(written, known)?;
    known.iter().find(|word| **word == near).copied()
}

pub(super) fn in_words(message: &str) -> String {
    let missing = message.strip_prefix(MISSING_KEY).and_then(|rest| rest.strip_suffix('`'));
    missing.map_or_else(|| message.to_owned(), |key| format!("needs the key `{key}`"))
}

/// What serde expected, in plain words.
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
        DeValue::String(text) => in_json(text),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(list) => {
            let items: Vec<String> = list.iter().map(|item| shown(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// A value for a message, cut if it is long.
fn short(value: &DeValue) -> String {
    let shown = shown(value);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}
