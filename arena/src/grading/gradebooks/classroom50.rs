//! Classroom 50: `result.json`. Its points are whole numbers, so that a fraction is rounded down; the exact points
//! stand beside them.

use crate::grading::result::{Grade, Graded, Status};
use serde_json::{Value, json};

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
        "datetime": date_time(grade.started),
        "score": counted().map(|item| whole(item.points)).sum::<u64>(),
        "max-score": counted().map(|item| whole(item.max_points)).sum::<u64>(),
        "exact-score": grade.score,
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

/// Seconds since 1970 as `2026-11-15T10:01:30Z` (the calendar of Howard Hinnant's `civil_from_days`).
fn date_time(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `date -u -d @SECONDS +%FT%TZ`
    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_794_736_890, "2026-11-15T10:01:30Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!(date_time(seconds), text);
        }
    }
}
