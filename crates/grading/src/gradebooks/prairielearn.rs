//! `PrairieLearn`: `results.json`.

use super::finding_lines;
use crate::result::{Grade, Graded, Status};
use serde_json::{Value, json};

pub fn results(grade: &Grade) -> String {
    let counted = grade.items.iter().filter(|item| item.status != Status::Ungraded);
    let results = json!({
        // An incomplete grade is not the student's fault, so it does not count as an attempt.
        "gradable": grade.complete,
        "score": grade.share(),
        "message": format!("{}: {} of {} points", grade.assignment, grade.score, grade.max_score),
        "output": grade.notes.join("\n"),
        "tests": counted.map(test).collect::<Vec<_>>(),
    });
    format!("{results:#}\n")
}

fn test(item: &Graded) -> Value {
    let output: Vec<String> =
        item.findings_shown().iter().map(|finding| finding_lines(finding).join("\n")).collect();
    json!({
        "name": item.name,
        "description": item.rule,
        "points": item.points,
        "max_points": item.max_points,
        "message": item.summary_shown(),
        "output": output.join("\n\n"),
    })
}
