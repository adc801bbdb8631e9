//! Explains why a line is not JSON, for people who have never used a parser.

use crate::read::Problem;
use serde_json::Error;

/// Says where the line stops being JSON, and what to change.
pub(crate) fn not_json(line: &[u8], error: &Error) -> Problem {
    Problem {
        code: "bad_json",
        message: format!("this line is not JSON: {}", why_not_json(error)),
        column: Some(error.column()),
        hint: Some(hint(line, error).to_owned()),
    }
}

/// Messages of the JSON reader, each with an explanation for beginners.
const WORDS: [(&str, &str); 16] = [
    ("EOF while parsing a list", "the line ends in the middle of a list"),
    ("EOF while parsing an object", "the line ends in the middle of an object"),
    ("EOF while parsing a string", "the line ends in the middle of a text"),
    ("EOF while parsing a value", "the line ends where a value should be"),
    ("expected `:`", "a colon is missing after the name of a field"),
    ("expected `,` or `]`", "a comma or a closing ] is missing"),
    ("expected `,` or `}`", "a comma or a closing } is missing"),
    ("expected ident", "there is a word that is not in quotation marks"),
    ("expected value", "there should be a value: a text in quotation marks, a number, a list or an object"),
    ("invalid escape", "a backslash in a text is followed by a letter that means nothing there"),
    ("invalid number", "a number is not written as JSON writes numbers"),
    ("control character", "a text contains a control character, such as a tab, which must be written \\t"),
    ("key must be a string", "the name of a field is not in double quotation marks"),
    ("trailing comma", "there is a comma before a closing bracket"),
    ("trailing characters", "there is more text after the end of the value"),
    ("recursion limit exceeded", "there are more than 127 levels of brackets"),
];

/// What is wrong with a text that is not JSON, and where.
pub fn why_not_json(error: &Error) -> String {
    let line = if error.line() > 1 { format!("line {}, ", error.line()) } else { String::new() };
    format!("{} ({line}column {})", in_words(error), error.column())
}

/// Every message that is not in [`WORDS`] is about bytes that are not Unicode.
fn in_words(error: &Error) -> &'static str {
    let said = error.to_string();
    let found = WORDS.iter().find(|(jargon, _)| said.starts_with(jargon));
    found.map_or("a text contains a letter that is not Unicode", |(_, words)| words)
}

/// What to do about the most frequent mistakes. The first test that fits decides.
fn hint(line: &[u8], error: &Error) -> &'static str {
    let text = String::from_utf8_lossy(line);
    let trimmed = text.trim();
    if line.starts_with(b"\xef\xbb\xbf") || line.starts_with(b"\xff\xfe") || line.contains(&0) {
        "write UTF-8 without a byte order mark (this looks like UTF-16, or begins with a BOM)"
    } else if std::str::from_utf8(line).is_err() {
        "write UTF-8: this line is not UTF-8"
    } else if trimmed.starts_with('{') && trimmed.contains('\'') && !trimmed.contains('"') {
        "this looks like a printed Python dict: use print(json.dumps({...}), flush=True)"
    } else if trimmed.starts_with('{') && has_not_a_number(trimmed) {
        "NaN and Infinity are not JSON: leave the number out, or send a large one"
    } else if trimmed.starts_with('{') && error.to_string().starts_with("trailing characters") {
        "one object per line: end each object with a newline"
    } else if error.is_eof() {
        "the object is not finished: the closing } is missing, or there is a newline inside the object"
    } else if trimmed.starts_with('{') {
        "this begins like JSON but is not JSON: let the JSON library of your language write it"
    } else if trimmed.contains('{') {
        "this looks like debug output on standard output: print debug output to standard error"
    } else if trimmed.split_whitespace().count() <= 4 && trimmed.len() <= 20 {
        "bare text is not a message: if this is your move, write {\"move\":\"…\"}; if not, print it to standard error"
    } else {
        "this looks like debug output on standard output: print debug output to standard error"
    }
}

/// Does the line have one of the words `NaN`, `inf` and `infinity` outside quotation marks?
fn has_not_a_number(line: &str) -> bool {
    let mut outside = line.split('"').step_by(2).flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    outside.any(|word| ["nan", "inf", "infinity"].iter().any(|none| none.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_parser_are_explained() {
        for (line, words) in [
            ("thinking", "a word that is not in quotation marks (column 2)"),
            ("{move: 1}", "the name of a field is not in double quotation marks"),
            ("depth 4", "there should be a value"),
            ("[1", "in the middle of a list"),
            (r#"{"a":1"#, "in the middle of an object"),
            (r#"{"a"#, "in the middle of a text"),
            (r#"{"a":"#, "where a value should be"),
            (r#"{"a" 1}"#, "a colon is missing"),
            ("[1 2]", "a comma or a closing ]"),
            (r#"{"a":1 "b":2}"#, "a comma or a closing }"),
            (r#""\q""#, "a backslash"),
            ("-", "where a value should be"),
            ("-x", "a number is not written"),
            ("\"a\tb\"", "written \\t"),
            ("[1,]", "a comma before a closing"),
            ("{} {}", "after the end of the value"),
            (r#""\ud800 ""#, "not Unicode"),
            (&"[".repeat(200), "127 levels"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(line).unwrap_err();
            let Problem { message, .. } = not_json(line.as_bytes(), &error);
            assert!(message.contains(words), "{line}: {message}");
        }
    }
}
