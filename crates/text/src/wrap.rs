//! Text for a terminal of 80 columns.

/// A paragraph behind its title, broken at 80 columns.
pub fn indented(title: &str, text: &str) -> String {
    let width = 80 - title.chars().count();
    let mut rows = Vec::new();
    for line in text.lines() {
        rows.extend(broken(line, width));
    }
    let blank = " ".repeat(title.chars().count());
    let row = |(at, row): (usize, &String)| format!("{}{row}\n", if at == 0 { title } else { &blank });
    rows.iter().enumerate().map(row).collect()
}

/// Somebody's words in rows that begin with a bar, so that none of them is taken for ours.
pub fn barred(margin: &str, text: &str) -> String {
    let width = 78 - margin.chars().count();
    broken(text, width).iter().map(|row| format!("{margin}| {row}\n")).collect()
}

/// Broken at blanks where there are any.
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
        assert_eq!(barred("  ", &"x".repeat(77)), format!("  | {}\n  | x\n", "x".repeat(76)));
    }
}
