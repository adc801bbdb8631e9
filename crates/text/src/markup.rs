//! Escapes strange text for CSV, Markdown and XML, so that none of it acts as a formula or as markup.

use crate::harmless;

/// A cell of a CSV file. Text that a spreadsheet would run as a formula gets an apostrophe in
/// front. Numbers stay as they are.
pub fn csv_cell(text: &str) -> String {
    let text = harmless::line(text);
    let armed = text.trim_start().starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    let text = if armed { format!("'{text}") } else { text };
    if text.contains(['"', ',', '\'', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Plain words in Markdown. The backticks of the arena's own sentences become apostrophes.
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

/// A code span of Markdown. Its fence is longer than any run of backticks in the text.
pub fn markdown_code(text: &str) -> String {
    let text = harmless::line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text or the value of an attribute in XML, SVG or HTML. Drops characters that XML does not allow.
pub fn xml(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars().filter(|c| *c == '\n' || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')))
    {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(markdown("<img src=x> [a](b) | `c`\n# d"), "&lt;img src=x&gt; \\[a\\](b) \\| 'c' \\# d");
        assert_eq!(markdown_code("plain"), "`plain`");
        assert_eq!(markdown_code("a`b"), "`` a`b ``");
        assert_eq!(markdown_code("a``b"), "``` a``b ```");
    }

    #[test]
    fn no_text_breaks_out_of_xml() {
        assert_eq!(xml("</a><b>\"c\" & 'd'"), "&lt;/a&gt;&lt;b&gt;&quot;c&quot; &amp; &apos;d&apos;");
        assert_eq!(xml("a\u{0}\u{1b}\u{ffff}b]]>"), "ab]]&gt;");
    }

    #[test]
    fn formulas_get_an_apostrophe() {
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
