//! JSON as text. A view is written once and sent on as it is, so that no tree of values is ever built for it.

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

    /// An object without keys.
    pub fn object() -> Json {
        let mut text = Vec::with_capacity(256);
        text.extend_from_slice(b"{}");
        Json(text)
    }

    /// Adds a key to an object that does not have it. It needs no escapes.
    pub fn put(&mut self, key: &str, value: &(impl Piece + ?Sized)) {
        self.0.pop();
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
        value.write(&mut self.0);
        self.0.push(b'}');
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("null")
    }

    /// As a tree to look into.
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.0).unwrap_or_default()
    }
}

/// What can be put into a view: anything that can be serialized, and the rows of a board, which have a quicker way.
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

/// An object as `json!` of `serde_json` takes it, but straight to text: `view!({ "to_move": seat, "board": rows })`.
macro_rules! view {
    ({ $($key:literal: $value:expr),* $(,)? }) => {{
        let mut object = $crate::json::Json::object();
        $(object.put($key, &$value);)*
        object
    }};
}

pub(crate) use view;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_read_back_as_what_was_put_in() {
        let mut view = view!({ "to_move": 1, "board": ["X\"", ".."] });
        view.put("trump", &None::<u8>);
        assert_eq!(view.text(), r#"{"to_move":1,"board":["X\"",".."],"trump":null}"#);
        assert_eq!(view.value(), json!({ "to_move": 1, "board": ["X\"", ".."], "trump": null }));
        assert_eq!(Json::object().text(), "{}");
        assert_eq!(Json::of(&[1, 2]).to_string(), "[1,2]");
    }
}
