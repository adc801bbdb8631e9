//! Reads a file, and collects its mistakes one after the other.

use super::culprit;
use super::{Mistake, Mistakes, Origin};
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use toml::de::DeTable;

/// A table of a config. If a key stands in the wrong table, a message names the right one.
pub struct Home {
    /// `[clock]`
    pub table: &'static str,
    pub(super) knows: fn(&str) -> bool,
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

/// Reads a file. Wrong parts are left out of the result. There is no result if a key is missing
/// that serde requires.
pub fn read<T: DeserializeOwned>(file: &str, text: &str, homes: &[Home]) -> (Option<T>, Mistakes) {
    let mut mistakes = Mistakes::none_in(file, text);
    let (mut document, mut errors) = DeTable::parse_recoverable(text);
    let byte_of = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
    // One mistake per line is enough. A bracket that was left open comes first, because it says
    // most.
    errors.sort_by_key(|error| (mistakes.line(byte_of(error)), !is_inside(error.message())));
    for error in &errors {
        let byte = byte_of(error);
        let problem = not_toml(error.message(), text.get(byte..).unwrap_or_default());
        mistakes.add(Mistake { origin: Origin::Byte(byte), problem });
        mistakes.tear(byte, is_inside(error.message()));
    }
    let mut cut = Vec::new();
    loop {
        let error = match T::deserialize(toml::de::Deserializer::from(document.clone())) {
            Ok(value) => return (Some(value), mistakes),
            Err(error) => error,
        };
        let span = error.span().unwrap_or(0..0);
        let Some(culprit) = culprit::take_out(document.get_mut(), &Origin::Whole, &span) else {
            mistakes.add_missing(&culprit::in_words(error.message()));
            return (None, mistakes);
        };
        for (table, key) in &culprit.path {
            mistakes.doubt(table.clone(), key);
        }
        if let Some((table, key)) = culprit.meant(error.message()) {
            mistakes.doubt(table, key);
        }
        // A key that a table lacks may be the key that was misspelt there.
        if !cut.contains(&span) {
            let problem = culprit.explain(error.message(), homes);
            mistakes.add(Mistake { origin: Origin::Byte(span.start), problem });
        }
        cut.extend(culprit.inside);
    }
}

/// Was a bracket left open, so that no line after it can be read?
fn is_inside(message: &str) -> bool {
    [" in array", " in inline table"].iter().any(|inside| message.contains(inside))
}

/// Explains an error of the TOML reader. `rest` is the text from the error on.
fn not_toml(message: &str, rest: &str) -> String {
    let rest_of_line = rest.lines().next().unwrap_or_default().trim();
    if message.starts_with("string values must be quoted") && rest_of_line.is_empty() {
        return "not TOML: there is no value after the `=`".to_owned();
    }
    let hint =
        if is_inside(message) { "; is a bracket missing that should close a list or a table?" } else { "" };
    format!("not TOML: {message}{hint}")
}
