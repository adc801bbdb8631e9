//! Makes text of strangers safe to print on a terminal and in the log of a CI service.
//!
//! Strangers are bots, archives, `bot.toml`, names, and files that somebody may have edited. Their
//! text must not move the cursor, change the direction of writing, hide, look like a line of the
//! arena, or act as a command. GitHub obeys `::error::` at the start of a line and `##[error]`
//! anywhere in a line. Azure obeys `##vso[…]`, and other services obey commands like
//! `##teamcity[…]`.
//!
//! Everything that is printed goes through [`page`] (see `console`). Strange text inside a sentence
//! or a table goes through [`line()`] first, because `page` can't tell its newlines from the
//! arena's own. Characters are escaped as JSON escapes them, so that JSON stays JSON with the same
//! meaning.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Stands before a line that would be a command to a CI service.
pub(crate) const COLON_MARK: &str = "| ";
/// The most characters that [`line()`] returns.
const LINE: usize = 500;
/// The most characters that [`sentence`] returns.
const SENTENCE: usize = 2_000;

/// Strange text as a part of one line. A long text is cut.
pub fn line(text: &str) -> String {
    within(text, LINE)
}

/// A sentence of the arena that contains strange words, as one line. A very long sentence is cut.
pub fn sentence(text: &str) -> String {
    within(text, SENTENCE)
}

fn within(text: &str, most: usize) -> String {
    let text = text.trim_end();
    // Escaping never makes a text shorter, so nothing after these characters is ever shown.
    let start: String = text.chars().take(most + 1).map(|c| if is_newline(c) { ' ' } else { c }).collect();
    let line = visible(&start);
    // 40 characters are room for the words at the end. So a text that was cut once is not cut
    // again.
    match line.char_indices().nth(most - 40) {
        Some((end, _)) if line.chars().count() > most => {
            format!("{}… ({} bytes)", line[..end].trim_end(), text.len())
        }
        _ => line,
    }
}

/// Strange text as at most `most` lines, and a note about the lines that were dropped.
pub fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(line).collect();
    if lines.len() > most {
        let dropped = lines.len() - most;
        lines.truncate(most);
        lines.push(format!("({dropped} more {})", if dropped == 1 { "line" } else { "lines" }));
    }
    lines
}

/// A whole text whose newlines are the arena's own.
pub fn page(text: &str) -> Cow<'_, str> {
    let is_fine = |line: &str| !line.contains(is_strange) && !line.contains("##") && !is_colon_command(line);
    if text.split('\n').all(is_fine) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    Cow::Owned(lines.join("\n"))
}

/// One line in which every character that would do more than be read is escaped.
fn visible(line: &str) -> String {
    let mut visible = String::with_capacity(line.len() + 2);
    for (at, c) in line.char_indices() {
        match c {
            '\t' => visible.push_str("    "),
            '#' if is_marked_command(&visible, &line[at + 1..]) => push_escaped(&mut visible, c),
            c if is_strange(c) => push_escaped(&mut visible, c),
            c => visible.push(c),
        }
    }
    if is_colon_command(&visible) {
        let margin = visible.len() - visible.trim_start().len();
        visible.insert_str(margin, COLON_MARK);
    }
    visible
}

fn push_escaped(text: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(text, "\\u{unit:04x}");
    }
}

fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Control characters, invisible characters, and characters that change the direction of writing.
fn is_strange(c: char) -> bool {
    c.is_control() || (c >= '\u{ad}' && UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&c)))
}

/// Default ignorable characters, format characters, line separators, and code points that are not
/// characters.
const UNSEEN: [(char, char); 29] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fdd0}', '\u{fdef}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{fffe}', '\u{ffff}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{1fffe}', '\u{1ffff}'),
    ('\u{e0000}', '\u{e0fff}'),
    ('\u{10fffe}', '\u{10ffff}'),
];

/// Is the line a command like `::error::`, perhaps after blanks?
pub(crate) fn is_colon_command(line: &str) -> bool {
    line.trim_start().starts_with("::")
}

/// Is the `#` between these two texts the second `#` of a command like `##[error]` or `##vso[…]`?
fn is_marked_command(before: &str, after: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    before.ends_with('#') && after.trim_start_matches(word).starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangerous_characters_are_escaped() {
        for (text, shown) in [
            ("plain text", "plain text"),
            ("Ádám 碁 👍", "Ádám 碁 👍"),
            ("std::vector", "std::vector"),
            ("::error::forged", "| ::error::forged"),
            ("  ::error::forged", "  | ::error::forged"),
            ("\u{a0}\u{3000}::error::forged", "\u{a0}\u{3000}| ::error::forged"),
            ("\u{1b}[31mred\u{9b}0m\u{7f}", "\\u001b[31mred\\u009b0m\\u007f"),
            ("a\nb\0c\n", "a b\\u0000c"),
            ("a\r\nb\tc", "a  b    c"),
            ("  indented", "  indented"),
            ("x ##[error] y", "x #\\u0023[error] y"),
            ("##vso[task.complete]", "#\\u0023vso[task.complete]"),
            ("####[x] [y]", "###\\u0023[x] [y]"),
            ("# [x] ## [y]", "# [x] ## [y]"),
            ("\u{202e}gpj.exe\u{2066}\u{2028}.", "\\u202egpj.exe\\u2066\\u2028."),
            ("\u{feff}::notice::x", "\\ufeff::notice::x"),
            ("\u{e0041}", "\\udb40\\udc41"),
            ("a\u{3164}\u{115f}\u{ffa0}b", "a\\u3164\\u115f\\uffa0b"),
            ("\u{34f}\u{17b4}\u{600}\u{fe0f}", "\\u034f\\u17b4\\u0600\\ufe0f"),
            ("\u{1d173}\u{1bca0}\u{13430}", "\\ud834\\udd73\\ud82f\\udca0\\ud80d\\udc30"),
        ] {
            assert_eq!(line(text), shown);
            assert_eq!(line(&line(text)), shown, "a second pass changes nothing");
        }
        assert_eq!(lines("a\n  ::b\nc", 2), ["a", "  | ::b", "(1 more line)"]);
        assert_eq!(lines("a\nb\nc", 1), ["a", "(2 more lines)"]);
    }

    #[test]
    fn long_lines_are_cut() {
        for text in ["x".repeat(40_000), "\u{1b}".repeat(40_000), "á".repeat(501), "a\n".repeat(300)] {
            let shown = line(&text);
            assert!(shown.chars().count() <= LINE, "{shown}");
            assert!(shown.ends_with(&format!("… ({} bytes)", text.trim_end().len())), "{shown}");
            assert_eq!(line(&shown), shown);
        }
        assert_eq!(line(&"x".repeat(500)), "x".repeat(500));
    }

    #[test]
    fn a_page_keeps_its_lines() {
        for (text, shown) in [
            ("# a\n\n## b\n| c |\n", "# a\n\n## b\n| c |\n"),
            ("one\n ::two\nthree\u{1b}", "one\n | ::two\nthree\\u001b"),
            ("\r\n", "\\u000d\n"),
        ] {
            assert_eq!(page(text), shown);
            assert_eq!(page(&page(text)), shown);
        }
        assert!(matches!(page("a\nb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_keeps_its_meaning() {
        let value = serde_json::json!({ "##[x": "::\u{9b}\u{202e}\u{7f}\n##vso[y]\u{e0041}\t" });
        for text in [value.to_string(), format!("{value:#}")] {
            let shown = page(&text);
            assert!(shown.chars().all(|c| c == '\n' || !is_strange(c)) && !shown.contains("##["), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }
}
