//! `CodeGrade` `AutoTest` 2: a JSON line with the tests, and a JSON line with the share of the
//! points.

use super::finding_lines;
use crate::result::{Grade, Graded, Status};
use serde_json::{Value, json};

pub fn lines(grade: &Grade) -> String {
    let weight: f64 = grade.items.iter().map(|item| item.max_points).sum();
    let suite = json!({
        "id": grade.game,
        "name": grade.assignment,
        "weight": weight,
        "testCases": grade.items.iter().map(case).collect::<Vec<_>>(),
    });
    let tests = json!({ "tag": "unit-test", "results": [suite] });
    format!("{tests}\n{}\n", json!({ "tag": "points", "points": grade.share() }))
}

fn case(item: &Graded) -> Value {
    let status = match item.status {
        Status::Passed => "success",
        Status::Partial | Status::Failed => "failure",
        Status::Ungraded => "skipped",
    };
    let text: Vec<String> =
        item.findings_shown().iter().map(|finding| finding_lines(finding).join("\n")).collect();
    json!({
        "name": item.name,
        "status": status,
        "description": item.rule,
        "weight": item.max_points,
        "reason": format!("{} of {} points: {}", item.points, item.max_points, item.summary_shown()),
        "stdout": text.join("\n\n"),
        "stderr": "",
    })
}
