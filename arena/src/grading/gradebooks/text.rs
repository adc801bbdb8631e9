//! For the terminal, at 80 columns.

use super::{finding_lines, points};
use crate::grading::result::{Grade, Graded};
use std::fmt::Write as _;

pub fn text(grade: &Grade) -> String {
    let mut text = format!("{}\nsubmission {}, seed {}\n\n", grade.assignment, grade.submission, grade.seed);
    for item in &grade.items {
        let share = format!("{}/{}", points(item.points), points(item.max_points));
        let _ = writeln!(text, "{:>9}  {:<10}  {}. {}", share, item.status.word(), item.number, item.name);
        let _ = writeln!(text, "{:>9}  {}", "", item.summary_shown());
    }
    let unfinished = if grade.complete { "" } else { " (not everything is graded)" };
    let _ = writeln!(
        text,
        "{:>9}  total{unfinished}",
        format!("{}/{}", points(grade.score), points(grade.max_score))
    );
    for warning in &grade.warnings {
        let _ = writeln!(text, "\nwarning: {warning}");
    }
    for item in grade.items.iter().filter(|item| !item.findings_shown().is_empty()) {
        feedback(&mut text, item);
    }
    text
}

fn feedback(text: &mut String, item: &Graded) {
    let _ = writeln!(text, "\n{}. {} ({})", item.number, item.name, item.rule);
    for finding in item.findings_shown() {
        let mut lines = finding_lines(finding).into_iter();
        let _ = writeln!(text, "  - {}", lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
}
