//! Text that a submission may have written, made harmless before it goes anywhere.
//!
//! No control characters or terminal commands, nothing that turns the direction of writing, and nothing that a
//! line-reading service would take for a command: GitHub obeys `::error::` at the start of a line and `##[error]`
//! anywhere in it.

/// As one line.
pub fn line_of(text: &str) -> String {
    let cleaned = text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c });
    let line: String = cleaned.filter(|c| !is_dangerous(*c)).collect();
    disarmed(line.trim())
}

/// As lines, at most so many of them, and none too long to be looked at.
pub fn lines_of(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| cut(&line_of(line), 300)).collect();
    if lines.len() > most {
        let dropped = lines.len() - most;
        lines.truncate(most);
        lines.push(format!("(and {dropped} more lines)"));
    }
    lines
}

fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn disarmed(line: &str) -> String {
    let line = line.replace("##[", "## [");
    if line.starts_with("::") { format!("| {line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_dangerous_is_left() {
        for (text, line) in [
            ("plain text", "plain text"),
            ("std::vector", "std::vector"),
            ("::error::forged", "| ::error::forged"),
            ("  ::error::forged", "| ::error::forged"),
            ("\u{1b}[31mred", "[31mred"),
            ("a\nb\r\0c", "a bc"),
            ("x ##[error] y", "x ## [error] y"),
            ("\u{202e}gpj.exe", "gpj.exe"),
            ("\u{feff}::notice::x", "| ::notice::x"),
        ] {
            assert_eq!(line_of(text), line);
        }
        assert_eq!(lines_of("a\n::b\nc", 2), ["a", "| ::b", "(and 1 more lines)"]);
    }
}
