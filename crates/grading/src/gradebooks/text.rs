//! A grade as text for a terminal.

use super::{finding_lines, points};
use crate::result::{Grade, Graded, Status};
use std::fmt::Write as _;
use text::wrap::{barred, fits, indented};

pub fn text(grade: &Grade) -> String {
    let mut text = format!("{}\nsubmission {}, seed {}\n\n", grade.assignment, grade.submission, grade.seed);
    let mut before = "";
    for item in &grade.items {
        let share = format!("{}/{}", points(item.points), points(item.max_points));
        let _ = writeln!(text, "{:>9}  {:<10}  {}. {}", share, item.status.word(), item.number, item.name);
        // If several items in a row failed for the same reason, the reason is shown once.
        if item.status != Status::Failed || item.summary_shown() != before {
            text.push_str(&indented(&" ".repeat(11), item.summary_shown()));
        }
        before = item.summary_shown();
    }
    let unfinished = if grade.complete { "" } else { " (some items are not graded)" };
    let _ = writeln!(
        text,
        "{:>9}  total{unfinished}",
        format!("{}/{}", points(grade.score), points(grade.max_score))
    );
    for (label, lines) in [("note: ", &grade.notes), ("warning: ", &grade.warnings)] {
        for line in lines {
            let _ = write!(text, "\n{}", indented(label, line));
        }
    }
    for item in grade.items.iter().filter(|item| !item.findings_shown().is_empty()) {
        feedback(&mut text, item);
    }
    text
}

fn feedback(text: &mut String, item: &Graded) {
    text.push('\n');
    text.push_str(&indented(&format!("{}. ", item.number), &format!("{} ({})", item.name, item.rule)));
    for finding in item.findings_shown() {
        for (at, line) in finding_lines(finding).into_iter().enumerate() {
            let margin = if at == 0 { "  - " } else { "    " };
            let whole = format!("{margin}{line}");
            // A drawing and a command to copy are not broken into rows.
            let command = ["replay", "by hand"]
                .iter()
                .find_map(|label| Some((label, line.strip_prefix(label)?.strip_prefix(": ")?)));
            let shown = match (command, line.strip_prefix("| ")) {
                (Some((label, command)), _) if !fits(&whole) => format!("{margin}{label}:\n{command}\n"),
                (Some(_), _) => format!("{whole}\n"),
                _ if line.starts_with("    ") => format!("{whole}\n"),
                (None, Some(quoted)) => barred("    ", quoted),
                (None, None) => indented(margin, &line),
            };
            text.push_str(&shown);
        }
    }
}
