//! Breaks paragraphs into rows: 80 columns, or fewer on a narrow terminal.

use crate::harmless::{COLON_MARK, is_colon_command};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The columns of a row, unless the terminal is narrower.
const WIDEST: usize = 80;
/// Narrower rows would be mostly margin.
const NARROWEST: usize = 40;

static WIDTH: AtomicUsize = AtomicUsize::new(WIDEST);

/// Makes all rows fit a terminal of so many columns. The program calls this once, before it prints.
pub fn fit_to(columns: usize) {
    WIDTH.store(columns.clamp(NARROWEST, WIDEST), Ordering::Relaxed);
}

/// Does this fit into one row?
pub fn fits(row: &str) -> bool {
    row.chars().count() <= WIDTH.load(Ordering::Relaxed)
}

/// The columns that remain beside a margin. A wide margin still leaves room for a word.
fn room(margin: &str) -> usize {
    WIDTH.load(Ordering::Relaxed).saturating_sub(margin.chars().count()).max(NARROWEST / 2)
}

/// A paragraph beside its title, which stands in front of the first row.
pub fn indented(title: &str, text: &str) -> String {
    let width = room(title);
    let mut rows = Vec::new();
    for line in text.lines() {
        rows.extend(broken(line, width));
    }
    let blank = " ".repeat(title.chars().count());
    let row = |(at, row): (usize, &String)| format!("{}{row}\n", if at == 0 { title } else { &blank });
    rows.iter().enumerate().map(row).collect()
}

/// Quoted words in rows that begin with a bar, so that nobody takes them for words of the arena.
pub fn barred(margin: &str, text: &str) -> String {
    let margin = format!("{margin}| ");
    broken(text, room(&margin)).iter().map(|row| format!("{margin}{row}\n")).collect()
}

/// A message whose rows fit the terminal. The margin of a row that was too long is kept, and so is
/// the bar of a quotation.
pub fn folded(text: &str) -> String {
    let rows = text.split('\n').map(|line| {
        let words = line.trim_start_matches(' ');
        let margin = &line[..line.len() - words.len()];
        match words.strip_prefix("| ") {
            _ if fits(line) => line.to_owned(),
            Some(quoted) => barred(margin, quoted).trim_end().to_owned(),
            None => hanging(margin, &format!("{margin}  "), words).trim_end().to_owned(),
        }
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A line after a margin, and the rest of the line after another margin of at least this width.
pub fn hanging(first: &str, more: &str, line: &str) -> String {
    let rows = broken(line, room(more)).into_iter().enumerate();
    rows.map(|(at, row)| format!("{}{row}\n", if at == 0 { first } else { more })).collect()
}

/// A command that people copy, behind a margin. A long command goes on behind a backslash, as a shell
/// reads it. No word is broken, because a shell would read two.
pub fn command(margin: &str, command: &str) -> String {
    const GOES_ON: &str = " \\";
    let mut text = String::new();
    let mut row = margin.to_owned();
    let words = shell_words(command);
    let last = words.len().saturating_sub(1);
    for (at, word) in words.into_iter().enumerate() {
        let end = if at < last { GOES_ON } else { "" };
        if row.trim().is_empty() {
            row += word;
        } else if fits(&format!("{row} {word}{end}")) {
            row += " ";
            row += word;
        } else {
            text += &format!("{row}{GOES_ON}\n");
            row = format!("{margin}  {word}");
        }
    }
    format!("{text}{row}\n")
}

/// The words of a command, with their quotation marks.
fn shell_words(command: &str) -> Vec<&str> {
    let (mut words, mut begun) = (Vec::new(), 0);
    let (mut quote, mut is_escaped) = (None, false);
    for (at, sign) in command.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (quote, sign) {
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            (None, ' ') => {
                words.push(&command[begun..at]);
                begun = at + 1;
            }
            _ => {}
        }
    }
    words.push(&command[begun..]);
    words
}

/// A page of paragraphs and lists, whose lines the author has broken elsewhere. What stands between
/// two rows of backquotes is kept.
pub fn prose(page: &str) -> String {
    let mut text = String::new();
    // What stands before its first row, and its words.
    let mut paragraph: Option<(String, String)> = None;
    let mut is_code = false;
    for line in page.lines() {
        let words = line.trim_start_matches(' ');
        let margin = &line[..line.len() - words.len()];
        let is_fence = words.starts_with("```");
        let is_kept = is_code || is_fence || words.is_empty();
        let sign = if is_kept { "" } else { list_sign(words) };
        let goes_on = |(title, _): &&mut (String, String)| {
            !is_kept && sign.is_empty() && margin.len() == title.chars().count()
        };
        if let Some((_, so_far)) = paragraph.as_mut().filter(goes_on) {
            so_far.push(' ');
            so_far.push_str(words);
            continue;
        }
        text.extend(paragraph.take().map(|(title, words)| indented(&title, &words)));
        if is_kept {
            text.push_str(&format!("{line}\n"));
        } else {
            paragraph = Some((format!("{margin}{sign}"), words[sign.len()..].to_owned()));
        }
        is_code ^= is_fence;
    }
    text.extend(paragraph.map(|(title, words)| indented(&title, &words)));
    text
}

/// What an item of a list begins with: `- `, `12. `
fn list_sign(words: &str) -> &str {
    let number = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_item = words.starts_with("- ") || (number.len() < words.len() && number.starts_with(". "));
    words.find(' ').filter(|_| is_item).map_or("", |end| &words[..=end])
}

/// Items in rows. Two blanks stand before every item.
pub fn rows<S: AsRef<str>>(items: &[S]) -> Vec<&[S]> {
    let (mut rows, mut first, mut used) = (Vec::new(), 0, 0);
    for (at, item) in items.iter().enumerate() {
        let width = 2 + item.as_ref().chars().count();
        if at > first && used + width > room("") {
            rows.push(&items[first..at]);
            (first, used) = (at, 0);
        }
        used += width;
    }
    rows.push(&items[first..]);
    rows
}

/// Signs that stay in the row of the number before them.
const UNITS: [&str; 5] = ["%", "Elo", "s", "ms", "MiB"];

/// Does the blank at this place stand between a number and its unit?
fn is_before_unit(row: &[char], blank: usize) -> bool {
    let word: String = row[blank + 1..].iter().take_while(|c| **c != ' ').collect();
    let unit = word.trim_end_matches(['.', ',', ';', ':', ')']);
    blank > 0 && row[blank - 1].is_ascii_digit() && UNITS.contains(&unit)
}

/// Rows of at most `width` characters. A row ends at a blank if its second half has one, otherwise
/// after a sign that separates the parts of a path or of a list. A number and its unit stay together.
pub fn broken(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > row_width(&rest, width) {
        let width = row_width(&rest, width);
        let mut ends = (width / 2 + 1..=width).rev();
        let mut blanks = ends.clone().filter(|&at| rest[at] == ' ');
        let blank = blanks.clone().find(|&at| !is_before_unit(&rest, at)).or_else(|| blanks.next());
        let end = blank.or_else(|| ends.find(|&at| at < width && ['/', ',', '&'].contains(&rest[at])));
        let next = rest.split_off(end.map_or(width, |at| at + 1));
        rows.push(rest.iter().collect::<String>().trim_end().to_owned());
        rest = next;
    }
    rows.push(rest.into_iter().collect());
    rows
}

/// A row that looks like a command to a CI service gets a mark when it is printed.
fn row_width(row: &[char], width: usize) -> usize {
    let start: String = row.iter().take(width).collect();
    if is_colon_command(&start) { width.saturating_sub(COLON_MARK.len()).max(1) } else { width }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    /// The width belongs to the program, so one test at a time may rely on it.
    static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("unbreakable", 6), ["unbrea", "kable"]);
        assert_eq!(broken("a,b,c,ddd", 6), ["a,b,c,", "ddd"]);
        assert_eq!(broken("::commands", 8), ["::comm", "ands"]);
        assert_eq!(broken("bots draw 10 %.", 13), ["bots draw", "10 %."]);
        assert_eq!(broken("bots draw 10 seeds", 13), ["bots draw 10", "seeds"]);
        assert_eq!(broken("up from 12 Elo, x", 11), ["up from", "12 Elo, x"]);
        assert_eq!(broken("abcdef 12 ms", 10), ["abcdef", "12 ms"]);
        assert_eq!(broken("1 %", 2), ["1", "%"]);
        assert_eq!(indented("a: ", "b\nc"), "a: b\n   c\n");
    }

    #[test]
    fn a_command_that_people_copy_stays_a_command() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let (long, quoted) = ("x".repeat(73), format!("'{}'", "a \\b ".repeat(16)));
        for (line, expected) in [
            ("a  b < c".to_owned(), "  a  b < c\n".to_owned()),
            (format!("a b < {long}"), format!("  a b < \\\n    {long}\n")),
            (format!("{long} {long}"), format!("  {long} \\\n    {long}\n")),
            (format!("a {quoted} b"), format!("  a \\\n    {quoted} \\\n    b\n")),
            (format!("\"a\\\" {long}\" b\\ c"), format!("  \"a\\\" {long}\" \\\n    b\\ c\n")),
        ] {
            assert_eq!(command("  ", &line), expected);
            assert_eq!(expected.replace(" \\\n   ", "").trim(), line);
        }
    }

    #[test]
    fn messages_keep_their_margins() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let (long, word) = ("word ".repeat(20), "x".repeat(77));
        let text = folded(&format!("error: {long}\n  {long}\n  | {word}\nshort"));
        assert!(text.lines().all(fits), "{text}");
        let margins: Vec<&str> = text.lines().map(|line| &line[..4]).collect();
        assert_eq!(margins, ["erro", "  wo", "  wo", "    ", "  | ", "  | ", "shor"]);
        assert_eq!(folded("a\n\n b"), "a\n\n b");
    }

    #[test]
    fn prose_is_broken_again() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let word = "x".repeat(30);
        let page = format!(
            "{word} {word}\n{word}\n\n- {word} {word}\n  {word}\n  - inner\n10. ten\n    more\n```text\na\nb\n```\nend\n"
        );
        let expected = format!(
            "{word} {word}\n{word}\n\n- {word} {word}\n  {word}\n  - inner\n10. ten more\n```text\na\nb\n```\nend\n"
        );
        assert_eq!(prose(&page), expected);
        assert_eq!(prose("one\ntwo\n- a\n- b"), "one two\n- a\n- b\n");
    }

    #[test]
    fn items_stay_whole() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let items: Vec<String> = (0..50).map(|number| format!("guess {number}")).collect();
        let rows = rows(&items);
        assert_eq!(rows.concat(), items);
        assert!(rows.len() > 5 && rows.iter().all(|row| row.join("  ").len() <= 78), "{rows:?}");
    }

    #[test]
    fn rows_fit_the_terminal() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        for (columns, width) in [(80, 80), (200, 80), (60, 60), (0, 40)] {
            fit_to(columns);
            let rows = barred("  ", &"x".repeat(77));
            assert_eq!(rows.lines().next().map(|row| row.chars().count()), Some(width), "{columns}");
        }
        fit_to(80);
        assert_eq!(barred("  ", &"x".repeat(77)), format!("  | {}\n  | x\n", "x".repeat(76)));
    }
}
