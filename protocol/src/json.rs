//! Writing JSON into a text. The arena writes so many small pieces of it that the general way shows.

use serde_json::Value;
use std::fmt::Write as _;

/// Appends a value, byte for byte as `serde_json` writes it.
pub(crate) fn push_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => match number.as_u64() {
            Some(number) => push_number(out, number),
            None => push_any(out, value),
        },
        Value::String(text) => push_text(out, text),
        Value::Array(items) => {
            push_list(out, ['[', ']'], items, push_value);
        }
        Value::Object(fields) => push_list(out, ['{', '}'], fields, |out, (key, value)| {
            push_text(out, key);
            out.push(':');
            push_value(out, value);
        }),
    }
}

fn push_list<T>(
    out: &mut String,
    brackets: [char; 2],
    items: impl IntoIterator<Item = T>,
    push: impl Fn(&mut String, T),
) {
    out.push(brackets[0]);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push(out, item);
    }
    out.push(brackets[1]);
}

/// Appends a text in quotation marks.
pub(crate) fn push_text(out: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        return push_any(out, text);
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// Appends a whole number, most of which have one digit.
pub(crate) fn push_number(out: &mut String, number: u64) {
    match number {
        0..10 => out.push(char::from(b'0' + number as u8)),
        _ => {
            let _ = write!(out, "{number}");
        }
    }
}

/// The general way.
fn push_any(out: &mut String, value: &(impl serde::Serialize + ?Sized)) {
    out.push_str(&serde_json::to_string(value).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_serde_json_writes_them() {
        let value = json!({
            "plain": "aé→", "escaped": "\"\\\n\u{1}/\u{7f}", "key \"\t": [], "empty": {},
            "numbers": [0, 9, 10, -1, 1.5, 1e300, u64::MAX], "rest": [null, true, false, ["x", {"y": 1}]],
        });
        let mut text = String::new();
        push_value(&mut text, &value);
        assert_eq!(text, serde_json::to_string(&value).unwrap());
    }
}
