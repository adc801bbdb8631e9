//! `JUnit` XML, as GitLab, Jenkins and most CI systems read it. Points are properties: the format knows none.

use super::{finding_lines, points};
use crate::grading::result::{Grade, Graded, Status};
use std::fmt::Write as _;

pub fn junit(grade: &Grade) -> String {
    let count = |wanted: &[Status]| grade.items.iter().filter(|item| wanted.contains(&item.status)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{}\"",
        grade.items.len(),
        count(&[Status::Failed, Status::Partial]),
        count(&[Status::Ungraded]),
        grade.seconds
    );
    let name = escaped(&grade.assignment);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arena grade\" {counts}>\n  \
        <testsuite name=\"{name}\" {counts}>\n"
    );
    for item in &grade.items {
        xml.push_str(&case(item, &name));
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

fn case(item: &Graded, suite: &str) -> String {
    // The class is what GitLab shows as the suite.
    let mut xml = format!(
        "    <testcase classname=\"{suite}\" name=\"{}\" time=\"{}\">\n      <properties>\n        \
        <property name=\"points\" value=\"{}\"/>\n        <property name=\"max_points\" value=\"{}\"/>\n      \
        </properties>\n",
        escaped(&item.name),
        item.seconds,
        points(item.points),
        points(item.max_points)
    );
    let summary = escaped(item.summary_shown());
    let text: Vec<String> =
        item.findings_shown().iter().map(|finding| finding_lines(finding).join("\n")).collect();
    let text = escaped(&text.join("\n\n"));
    let _ = match item.status {
        Status::Passed => writeln!(xml, "      <system-out>{summary}</system-out>"),
        Status::Ungraded => writeln!(xml, "      <skipped message=\"{summary}\"/>"),
        Status::Failed | Status::Partial => {
            writeln!(xml, "      <failure type=\"{}\" message=\"{summary}\">{text}</failure>", item.kind)
        }
    };
    xml + "    </testcase>\n"
}

/// For text and attributes. Characters that XML can't hold at all are gone already, and again here.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars().filter(|c| *c == '\n' || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')))
    {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
