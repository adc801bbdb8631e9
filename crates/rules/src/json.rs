//! JSON as text. A view is written once and sent on as it is, so that no tree of values is ever
//! built for it.

use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Json(Vec<u8>);

impl Json {
    pub fn of(value: &impl Piece) -> Json {
        let mut json = Json(Vec::with_capacity(256));
        value.write(&mut json.0);
        json
    }

    pub(crate) fn from_text(text: Vec<u8>) -> Json {
        Json(text)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("null")
    }

    /// As a tree to look into.
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.0).unwrap_or_default()
    }
}

/// What can be put into a view: anything that can be serialized, and the rows of a board, which
/// have a quicker way.
pub trait Piece {
    fn write(&self, json: &mut Vec<u8>);
}

impl<T: Serialize + ?Sized> Piece for T {
    /// What games show has a JSON form: numbers, texts, lists, and maps whose keys are texts.
    fn write(&self, json: &mut Vec<u8>) {
        let written = serde_json::to_writer(json, self);
        debug_assert!(written.is_ok(), "{written:?}");
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_back_as_what_was_written() {
        let value = json!({ "to_move": 1, "board": ["X\"", ".."], "trump": null });
        let written = Json::of(&value);
        assert_eq!(written.text(), r#"{"to_move":1,"board":["X\"",".."],"trump":null}"#);
        assert_eq!(written.value(), value);
        assert_eq!(Json::of(&[1, 2]).to_string(), "[1,2]");
    }
}
