//! What is wrong with a line that is not JSON, in words for people who have never seen a parser.

use crate::read::Problem;
use serde_json::Error;

/// Says where the line stops being JSON, and what would help.
pub(crate) fn not_json(line: &[u8], error: &Error) -> Problem {
    Problem {
        code: "bad_json",
        message: format!("this line is not JSON: {} (column {})", in_words(error), error.column()),
        column: Some(error.column()),
        hint: Some(hint(line, error).to_owned()),
    }
}

/// What the reader of JSON says, which is meant for those who write such readers, and what it means.
const WORDS: [(&str, &str); 16] = [
    ("EOF while parsing a list", "it ends in the middle of a list"),
    ("EOF while parsing an object", "it ends in the middle of an object"),
    ("EOF while parsing a string", "it ends in the middle of a text"),
    ("EOF while parsing a value", "it ends where a value should be"),
    ("expected `:`", "a colon is missing after the name of a field"),
    ("expected `,` or `]`", "a comma or a closing ] is missing"),
    ("expected `,` or `}`", "a comma or a closing } is missing"),
    ("expected ident", "there is a word that is not in quotation marks"),
    ("expected value", "there should be a value: a text in quotation marks, a number, a list or an object"),
    ("invalid escape", "a backslash in a text is followed by a letter that means nothing there"),
    ("invalid number", "a number is not written as JSON writes numbers"),
    ("control character", "a text has a control character in it, such as a tab, which has to be written \\t"),
    ("key must be a string", "the name of a field is not in double quotation marks"),
    ("trailing comma", "a comma stands before a closing bracket"),
    ("trailing characters", "it goes on after its end"),
    ("recursion limit exceeded", "it has more than 127 levels of brackets"),
];

/// All others are about half letters and bytes that are none.
fn in_words(error: &Error) -> &'static str {
    let said = error.to_string();
    let found = WORDS.iter().find(|(jargon, _)| said.starts_with(jargon));
    found.map_or("a text has a letter in it that is not Unicode", |(_, words)| words)
}

/// The classic slips, most telling first.
fn hint(line: &[u8], error: &Error) -> &'static str {
    let text = String::from_utf8_lossy(line);
    let trimmed = text.trim();
    if line.starts_with(b"\xef\xbb\xbf") || line.starts_with(b"\xff\xfe") || line.contains(&0) {
        "write UTF-8 without a byte order mark (this looks like UTF-16, or begins with a BOM)"
    } else if std::str::from_utf8(line).is_err() {
        "write UTF-8: this line is not"
    } else if trimmed.starts_with('{') && trimmed.contains('\'') && !trimmed.contains('"') {
        "this looks like a printed Python dict: use print(json.dumps({...}), flush=True)"
    } else if trimmed.starts_with('{') && has_no_number(trimmed) {
        "NaN and Infinity are not JSON: leave the number out, or send a large one"
    } else if trimmed.starts_with('{') && error.to_string().starts_with("trailing characters") {
        "one object per line: end each with a newline"
    } else if error.is_eof() {
        "the object is not finished: a missing }, or a newline inside it"
    } else if trimmed.starts_with('{') {
        "this begins like JSON but is not: use your language's JSON library to write it"
    } else if trimmed.contains('{') {
        "this looks like debug output on standard output: print that to standard error"
    } else if trimmed.split_whitespace().count() <= 4 && trimmed.len() <= 20 {
        "bare text is not a message: if this is your move, wrap it as {\"move\":\"…\"}; if not, print it to standard error"
    } else {
        "this looks like debug output on standard output: print that to standard error"
    }
}

/// Is there one of the words for what is not a number, as a whole word and outside quotation marks?
fn has_no_number(line: &str) -> bool {
    let mut outside = line.split('"').step_by(2).flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    outside.any(|word| ["nan", "inf", "infinity"].iter().any(|none| none.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_to_know_the_words_of_a_parser() {
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
            ("[1,]", "a comma stands before"),
            ("{} {}", "goes on after its end"),
            (r#""\ud800 ""#, "not Unicode"),
            (&"[".repeat(200), "127 levels"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(line).unwrap_err();
            let Problem { message, .. } = not_json(line.as_bytes(), &error);
            assert!(message.contains(words), "{line}: {message}");
        }
    }
}
