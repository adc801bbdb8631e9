//! Breaks paragraphs into rows: 80 columns, or fewer on a narrow terminal.

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

/// Rows of at most `width` characters, broken at a blank if the second half of a row has one.
pub fn broken(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > width {
        let blank = rest[..=width].iter().rposition(|&c| c == ' ').filter(|&at| at > width / 2);
        let next = rest.split_off(blank.map_or(width, |at| at + 1));
        rows.push(rest.iter().collect::<String>().trim_end().to_owned());
        rest = next;
    }
    rows.push(rest.into_iter().collect());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("unbreakable", 6), ["unbrea", "kable"]);
        assert_eq!(indented("a: ", "b\nc"), "a: b\n   c\n");
    }

    #[test]
    fn rows_fit_the_terminal() {
        for (columns, width) in [(80, 80), (200, 80), (60, 60), (0, 40)] {
            fit_to(columns);
            let rows = barred("  ", &"x".repeat(77));
            assert_eq!(rows.lines().next().map(|row| row.chars().count()), Some(width), "{columns}");
        }
        fit_to(80);
        assert_eq!(barred("  ", &"x".repeat(77)), format!("  | {}\n  | x\n", "x".repeat(76)));
    }
}
