//! `JUnit` XML, which GitLab, Jenkins and most CI systems read. There are two descriptions of the
//! format, `junit-10.xsd` of Jenkins and `JUnit.xsd` of Windy Road. This file satisfies both.
//! Neither has points, so the points are in the properties of the suite and in the texts.

use super::{finding_lines, points};
use crate::result::{Grade, Graded, Status};
use humantime::format_rfc3339_seconds;
use std::fmt::Write as _;
use std::time::{Duration, UNIX_EPOCH};
use text::markup::xml;

pub fn junit(grade: &Grade) -> String {
    let count = |wanted: &[Status]| grade.items.iter().filter(|item| wanted.contains(&item.status)).count();
    let began = format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(grade.started)).to_string();
    let name = xml(&grade.assignment);
    let mut file = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" package=\"{}\" id=\"0\" \
        hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{}\" timestamp=\"{}\">\n",
        xml(&grade.game),
        grade.items.len(),
        count(&[Status::Failed, Status::Partial]),
        count(&[Status::Ungraded]),
        grade.seconds,
        began.trim_end_matches('Z'),
    );
    file.push_str(&properties(grade));
    for item in &grade.items {
        file.push_str(&case(item, &name));
    }
    let _ = write!(file, "    <system-out>{}</system-out>\n    <system-err/>\n", xml(&overview(grade)));
    file + "  </testsuite>\n</testsuites>\n"
}

/// The points of the grade, and of each item by its number.
fn properties(grade: &Grade) -> String {
    let mut values = vec![
        ("points".to_owned(), points(grade.score)),
        ("max_points".to_owned(), points(grade.max_score)),
        ("submission".to_owned(), grade.submission.clone()),
    ];
    for item in &grade.items {
        values.push((format!("item.{}.points", item.number), points(item.points)));
        values.push((format!("item.{}.max_points", item.number), points(item.max_points)));
    }
    let property = |(name, value): &(String, String)| {
        format!("      <property name=\"{name}\" value=\"{}\"/>\n", xml(value))
    };
    let properties: String = values.iter().map(property).collect();
    format!("    <properties>\n{properties}    </properties>\n")
}

/// A line for each item, then the notes and warnings.
fn overview(grade: &Grade) -> String {
    let mut lines: Vec<String> =
        grade.items.iter().map(|item| format!("{}: {}", item.name, worth(item))).collect();
    lines.extend(grade.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(grade.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n")
}

fn worth(item: &Graded) -> String {
    format!("{} of {} points, {}", points(item.points), points(item.max_points), item.summary_shown())
}

fn case(item: &Graded, suite: &str) -> String {
    // GitLab shows the class as the suite.
    let head =
        format!("    <testcase classname=\"{suite}\" name=\"{}\" time=\"{}\"", xml(&item.name), item.seconds);
    let message = xml(&worth(item));
    let text: Vec<String> =
        item.findings_shown().iter().map(|finding| finding_lines(finding).join("\n")).collect();
    let text = xml(&if text.is_empty() { format!("Rule: {}", item.rule) } else { text.join("\n\n") });
    match item.status {
        Status::Passed => format!("{head}/>\n"),
        Status::Ungraded => format!("{head}>\n      <skipped message=\"{message}\"/>\n    </testcase>\n"),
        Status::Failed | Status::Partial => format!(
            "{head}>\n      <failure type=\"{}\" message=\"{message}\">{text}</failure>\n    </testcase>\n",
            item.kind
        ),
    }
}
