//! Strange text in formats that have a meaning of their own: harmless, and nothing in it is markup or a formula.

use crate::harmless;

/// A cell of a CSV file. What a spreadsheet would take for a formula begins with an apostrophe; a number is a number.
pub fn csv_cell(text: &str) -> String {
    let text = harmless::line(text);
    let armed = text.trim_start().starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    let text = if armed { format!("'{text}") } else { text };
    if text.contains(['"', ',', '\'', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Plain words in Markdown, except that code spans of our own sentences become quotes.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for c in harmless::line(text).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '|' | '!' | '~' | '@' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '`' => escaped.push('\''),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A code span of Markdown, with a fence that is longer than any inside.
pub fn markdown_code(text: &str) -> String {
    let text = harmless::line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_disarmed() {
        assert_eq!(markdown("<img src=x> [a](b) | `c`\n# d"), "&lt;img src=x&gt; \\[a\\](b) \\| 'c' \\# d");
        assert_eq!(markdown_code("plain"), "`plain`");
        assert_eq!(markdown_code("a`b"), "`` a`b ``");
        assert_eq!(markdown_code("a``b"), "``` a``b ```");
    }

    #[test]
    fn formulas_are_disarmed() {
        for (text, written) in [
            ("plain", "plain"),
            ("a, b", "\"a, b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            (" +1+1", "\"' +1+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("-2+3", "\"'-2+3\""),
            ("-2.5", "-2.5"),
            ("two\nlines", "two lines"),
        ] {
            assert_eq!(csv_cell(text), written);
        }
    }
}
