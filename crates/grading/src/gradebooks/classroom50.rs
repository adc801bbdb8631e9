//! Classroom 50: `result.json`. Its points are whole numbers, so fractions are rounded down.
//! `exact-score` has the exact points.

use crate::result::{Grade, Graded, Status};
use humantime::format_rfc3339_seconds;
use serde_json::{Value, json};
use std::time::{Duration, UNIX_EPOCH};

pub fn result(grade: &Grade) -> String {
    let said = |name: &str| std::env::var(name).unwrap_or_default();
    let counted = || grade.items.iter().filter(|item| item.status != Status::Ungraded);
    let result = json!({
        "schema": "classroom50/result/v1",
        "classroom": said("CLASSROOM"),
        "assignment": said("ASSIGNMENT"),
        "submission": said("SUBMISSION_TAG"),
        "commit": said("COMMIT_URL"),
        "release": said("RELEASE_URL"),
        "review": said("REVIEW_URL"),
        "datetime": format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(grade.started)).to_string(),
        "score": counted().map(|item| whole(item.points)).sum::<u64>(),
        "max-score": counted().map(|item| whole(item.max_points)).sum::<u64>(),
        "exact-score": grade.score,
        "notes": grade.notes,
        "tests": counted().map(test).collect::<Vec<_>>(),
    });
    format!("{result:#}\n")
}

fn test(item: &Graded) -> Value {
    json!({
        "test-name": item.name,
        "passed": item.status == Status::Passed,
        "score": whole(item.points),
        "max-score": whole(item.max_points),
        "exact-score": item.points,
        "summary": item.summary_shown(),
        "first": item.findings_shown().first().map(|finding| &finding.what),
        "replay": item.findings_shown().first().and_then(|finding| finding.replay.as_ref()),
    })
}

fn whole(points: f64) -> u64 {
    (points + 1e-9).floor() as u64
}
