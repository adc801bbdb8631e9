//! GitHub: the job summary, annotations, and the result for the autograding actions of GitHub
//! Classroom.

use super::{finding_lines, markdown};
use crate::result::{Grade, Graded, Status};
use serde_json::{Value, json};

/// The longest summary. GitHub accepts 1 MiB for one step.
const SUMMARY_BYTES: usize = 1_000_000;
/// The most annotations of one kind. GitHub silently drops more.
const ANNOTATIONS: usize = 9;

pub fn summary(grade: &Grade) -> String {
    let mut text = markdown::markdown(grade);
    if text.len() > SUMMARY_BYTES {
        let end = (0..=SUMMARY_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push_str("\n\n(cut)\n");
    }
    text
}

/// Workflow commands that report failed items and the points.
pub fn annotations(grade: &Grade) -> String {
    let lost = grade.items.iter().filter(|item| matches!(item.status, Status::Failed | Status::Partial));
    let mut lines: Vec<String> = lost.take(ANNOTATIONS).map(annotation).collect();
    lines.extend(grade.notes.iter().take(1).map(|note| command("notice", "About this grade", note)));
    lines.extend(
        grade.warnings.iter().take(1).map(|warning| command("warning", "Results were changed", warning)),
    );
    let points = json!({ "totalPoints": grade.score, "maxPoints": grade.max_score });
    lines.push(command(
        "notice",
        "Autograding complete",
        &format!("Points {}/{}", grade.score, grade.max_score),
    ));
    lines.push(command("notice", "Autograding report", &points.to_string()));
    lines.join("\n") + "\n"
}

fn annotation(item: &Graded) -> String {
    let kind = if item.status == Status::Failed { "error" } else { "warning" };
    let mut text = vec![item.summary_shown().to_owned()];
    text.extend(item.findings_shown().first().map(|finding| finding_lines(finding).join("\n")));
    let title = format!("{} ({} of {} points)", item.name, item.points, item.max_points);
    command(kind, &title, &text.join("\n"))
}

fn command(kind: &str, title: &str, message: &str) -> String {
    let message = message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = title.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    format!("::{kind} title={}::{message}", title.replace(':', "%3A").replace(',', "%2C"))
}

/// The commands that switch workflow commands off and on again.
pub fn silence(token: &str) -> [String; 2] {
    [format!("::stop-commands::{token}\n"), format!("::{token}::\n")]
}

/// The output of a grading step of GitHub Classroom, before it is encoded.
pub fn classroom(grade: &Grade) -> String {
    let counted = || grade.items.iter().filter(|item| item.status != Status::Ungraded);
    let status = match (grade.complete, grade.passed()) {
        (false, _) => "error",
        (true, true) => "pass",
        (true, false) => "fail",
    };
    let result = json!({
        "version": 1,
        "status": status,
        "max_score": grade.max_score,
        "tests": counted().map(test).collect::<Vec<_>>(),
    });
    format!("{result}\n")
}

fn test(item: &Graded) -> Value {
    let passed = item.status == Status::Passed;
    json!({
        "name": item.name,
        "status": if passed { "pass" } else { "fail" },
        "score": item.points,
        "message": (!passed).then(|| item.summary_shown()),
        "test_code": format!("item {}: {}", item.number, item.rule),
        "filename": "",
        "line_no": 0,
        "execution_time": format!("{}s", item.seconds),
    })
}

/// Base64 with the usual alphabet and padding.
pub fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * digit) & 63) as usize] as char;
            text.push(if digit <= chunk.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_padding() {
        for (text, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn texts_in_commands_are_escaped() {
        assert_eq!(
            command("error", "a: 50 %, b", "one\n::error::two"),
            "::error title=a%3A 50 %25%2C b::one%0A::error::two"
        );
    }
}
