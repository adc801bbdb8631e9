//! A small writer for each format of a gradebook. All writers read the same [`Grade`] and nothing
//! else.

mod autolab;
mod classroom50;
mod codegrade;
mod csv;
mod github;
mod gradescope;
mod junit;
mod markdown;
mod prairielearn;
mod text;

use super::result::{Finding, Grade};

pub use github::{annotations, base64, silence};
pub use text::text;

/// A format of `--format`.
pub struct GradebookFormat {
    pub name: &'static str,
    /// The file, relative to the folder of the results.
    pub file: &'static str,
    pub write: fn(&Grade) -> String,
}

pub static FORMATS: &[GradebookFormat] = &[
    GradebookFormat { name: "json", file: "grade.json", write: json },
    GradebookFormat { name: "markdown", file: "grade.md", write: markdown::markdown },
    GradebookFormat { name: "csv", file: "grade.csv", write: csv::csv },
    GradebookFormat { name: "junit", file: "junit.xml", write: junit::junit },
    GradebookFormat { name: "gradescope", file: "gradescope/results.json", write: gradescope::results },
    GradebookFormat { name: "classroom50", file: "classroom50/result.json", write: classroom50::result },
    GradebookFormat { name: "github-classroom", file: "github-classroom.json", write: github::classroom },
    GradebookFormat { name: "github-summary", file: "github-summary.md", write: github::summary },
    GradebookFormat {
        name: "github-annotations",
        file: "github-annotations.txt",
        write: github::annotations,
    },
    GradebookFormat { name: "prairielearn", file: "prairielearn/results.json", write: prairielearn::results },
    GradebookFormat { name: "autolab", file: "autolab.json", write: autolab::line },
    GradebookFormat { name: "codegrade", file: "codegrade.jsonl", write: codegrade::lines },
];

/// The format with this name. The error suggests a similar name.
pub fn find(name: &str) -> Result<&'static GradebookFormat, String> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        config_file::no_such("format", name, &names)
    })
}

fn json(grade: &Grade) -> String {
    serde_json::to_string_pretty(grade).unwrap_or_default() + "\n"
}

/// A finding as lines of plain text. Text of the submission follows a bar, so that nobody takes it
/// for text of the arena.
fn finding_lines(finding: &Finding) -> Vec<String> {
    let mut lines = vec![finding.what.clone()];
    if let Some(position) = &finding.position {
        lines.extend(position.lines().map(|line| format!("    {line}")));
    }
    let labelled = [
        ("right", &finding.right),
        ("why", &finding.why),
        ("change", &finding.change),
        ("moves", &finding.moves),
    ];
    lines.extend(
        labelled.into_iter().filter_map(|(label, text)| Some(format!("{label}: {}", text.as_ref()?))),
    );
    lines.extend(finding.lines.iter().chain(&finding.quoted).map(|line| format!("| {line}")));
    let labelled = [("record", &finding.record), ("replay", &finding.replay), ("by hand", &finding.by_hand)];
    lines.extend(
        labelled.into_iter().filter_map(|(label, text)| Some(format!("{label}: {}", text.as_ref()?))),
    );
    lines
}

/// Points with as few digits as possible: `7.5`, `7`.
fn points(number: f64) -> String {
    format!("{number}")
}
