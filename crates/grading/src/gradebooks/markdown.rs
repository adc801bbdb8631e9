//! Markdown. Text of a submission is put into code, where it can't act as markup.

use super::points;
use crate::result::{Finding, Grade, Graded};
use std::fmt::Write as _;
use text::markup::{markdown as escaped, markdown_code as code};

pub fn markdown(grade: &Grade) -> String {
    let mut text = format!(
        "# {}: {} of {} points\n\nSubmission {}, game {}, seed {}.\n\n",
        escaped(&grade.assignment),
        points(grade.score),
        points(grade.max_score),
        code(&grade.submission),
        grade.game,
        grade.seed
    );
    text.push_str("| # | item | points | result |\n| ---: | --- | ---: | --- |\n");
    for item in &grade.items {
        let _ = writeln!(
            text,
            "| {} | {} | {}/{} | {}: {} |",
            item.number,
            escaped(&item.name),
            points(item.points),
            points(item.max_points),
            item.status.word(),
            escaped(item.summary_shown())
        );
    }
    for note in &grade.notes {
        let _ = writeln!(text, "\n**Note:** {}.", escaped(note));
    }
    for warning in &grade.warnings {
        let _ = writeln!(text, "\n**Warning:** {}.", escaped(warning));
    }
    for item in grade.items.iter().filter(|item| !item.findings_shown().is_empty()) {
        let _ = writeln!(text, "\n## {}. {}\n\nRule: {}.", item.number, escaped(&item.name), item.rule);
        text.push_str(&feedback(item));
    }
    text
}

/// The findings of an item.
pub fn feedback(item: &Graded) -> String {
    item.findings_shown().iter().map(one).collect()
}

fn one(finding: &Finding) -> String {
    let mut text = format!("\n- {}\n", escaped(&finding.what));
    if let Some(position) = &finding.position {
        text.push_str(&block(position.lines()));
    }
    let labelled = [
        ("Right", &finding.right),
        ("Why", &finding.why),
        ("Change", &finding.change),
        ("Moves", &finding.moves),
    ];
    for (label, part) in labelled {
        if let Some(part) = part {
            let _ = writeln!(text, "\n  {label}: {}", escaped(part));
        }
    }
    for (title, lines) in [
        ("The last lines, to the bot (`>`) and from the bot (`<`):", &finding.lines),
        ("The bot wrote to standard error:", &finding.quoted),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n  {title}");
            text.push_str(&block(lines.iter().map(String::as_str)));
        }
    }
    if let Some(record) = &finding.record {
        let _ = writeln!(text, "\n  Record: {}", code(record));
    }
    if let Some(replay) = &finding.replay {
        let _ = writeln!(text, "\n  Repeat with: {}", code(replay));
    }
    if let Some(by_hand) = &finding.by_hand {
        let _ = writeln!(text, "\n  Repeat by hand: {}", code(by_hand));
    }
    text
}

/// A code block inside a list item, indented by four blanks more than the text of the item. Such a
/// block has no fence that a submission could close.
fn block<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: String = lines.map(|line| format!("      {line}\n")).collect();
    format!("\n{lines}")
}
