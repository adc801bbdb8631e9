//! The page of a class: points of every student in every item, and mistakes that many made.

use maud::{Markup, html};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use text::harmless;

/// The most mistakes that the page lists.
const MOST_MISTAKES: usize = 30;
/// The most students that are named for one mistake.
const MOST_NAMES: usize = 12;

/// What the page needs of a `grade.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct StudentGrade {
    #[serde(rename = "ludus_grade")]
    pub format: u32,
    pub assignment: String,
    pub submission: String,
    pub score: f64,
    pub max_score: f64,
    pub complete: bool,
    pub items: Vec<StudentItem>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct StudentItem {
    pub name: String,
    pub status: String,
    pub points: f64,
    pub max_points: f64,
    #[serde(default)]
    pub summary: String,
    #[serde(default)]
    pub findings: Vec<StudentFinding>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct StudentFinding {
    pub what: String,
    #[serde(default)]
    pub position: Option<String>,
    #[serde(default)]
    pub right: Option<String>,
}

/// Why a grade can't be read.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    #[error("{0}: {1}")]
    Unreadable(PathBuf, io::Error),
    #[error("{0}: not a grade: {1}")]
    Bad(PathBuf, serde_json::Error),
}

/// The grade in a file. `None` if the file has something else, such as records.
pub fn read_grade(path: &Path) -> Result<Option<StudentGrade>, GradeError> {
    let unreadable = |error| GradeError::Unreadable(path.to_owned(), error);
    let mut start = String::new();
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    // A journal may have very long lines, and is read by somebody else.
    while start.len() < 200 && reader.read_line(&mut start).is_ok_and(|read| read > 0) {}
    if !start.contains("\"ludus_grade\"") {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    serde_json::from_str(&text).map(Some).map_err(|error| GradeError::Bad(path.to_owned(), error))
}

/// Are students named, or numbered so that the page can be shown to the class?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    Names,
    Pseudonyms,
}

/// The body of the page. Students come in the order of their names, or of their points if they are
/// numbered, because the order of names would give them away.
pub fn class_page(grades: &[StudentGrade], naming: Naming) -> Markup {
    let mut grades: Vec<&StudentGrade> = grades.iter().collect();
    match naming {
        Naming::Names => grades.sort_by(|a, b| a.submission.cmp(&b.submission)),
        Naming::Pseudonyms => grades.sort_by(|a, b| b.score.total_cmp(&a.score)),
    }
    let name = |at: usize| match naming {
        Naming::Names => harmless::line(&grades[at].submission),
        Naming::Pseudonyms => format!("student {}", at + 1),
    };
    let items = item_names(&grades);
    html! {
        p { (words(&grades)) }
        section #points {
            h2 { "Points" }
            div.wide {
                table.crosstable.sortable {
                    thead { tr {
                        th { "student" }
                        @for item in &items { th scope="col" { (harmless::line(item)) } }
                        th.number { "sum" } th.number { "of" }
                    } }
                    tbody {
                        @for (at, grade) in grades.iter().enumerate() {
                            tr {
                                th scope="row" { (name(at)) }
                                @for item in &items { (cell(grade, item)) }
                                td.number { (points(grade.score)) @if !grade.complete { abbr title="not complete" { "?" } } }
                                td.number { (points(grade.max_score)) }
                            }
                        }
                    }
                    tfoot { tr {
                        th scope="row" { "mean" }
                        @for item in &items { td.number { (mean(&grades, item)) } }
                        td.number { (points(grades.iter().map(|grade| grade.score).sum::<f64>() / grades.len().max(1) as f64)) }
                        td {}
                    } }
                }
            }
        }
        (shared_mistakes(&grades, &name))
    }
}

fn words(grades: &[&StudentGrade]) -> String {
    let full = grades.iter().filter(|grade| grade.complete && grade.score >= grade.max_score).count();
    let none = grades.iter().filter(|grade| grade.score <= 0.0).count();
    let students = crate::sections::counted(grades.len() as u64, "submission");
    format!("{students}: {full} with all points, {none} without points. This page shows hidden items too.")
}

/// Names of all items, in the order in which they are first seen.
fn item_names<'a>(grades: &[&'a StudentGrade]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for item in grades.iter().flat_map(|grade| &grade.items) {
        if !names.contains(&item.name.as_str()) {
            names.push(&item.name);
        }
    }
    names
}

fn cell(grade: &StudentGrade, item: &str) -> Markup {
    let Some(item) = grade.items.iter().find(|graded| graded.name == item) else {
        return html! { td.none {} };
    };
    if item.status == "ungraded" {
        return html! { td.none title="not graded" { "–" } };
    }
    let share = if item.max_points > 0.0 { (item.points / item.max_points).clamp(0.0, 1.0) } else { 1.0 };
    html! {
        td class=(format!("number s{}", (share * 4.0).round() as u8)) title=(harmless::line(&item.summary)) {
            (points(item.points)) small { "/" (points(item.max_points)) }
        }
    }
}

fn mean(grades: &[&StudentGrade], item: &str) -> String {
    let graded = grades.iter().flat_map(|grade| &grade.items);
    let found: Vec<f64> = graded
        .filter(|graded| graded.name == item && graded.status != "ungraded")
        .map(|graded| graded.points)
        .collect();
    if found.is_empty() { String::new() } else { points(found.iter().sum::<f64>() / found.len() as f64) }
}

/// Findings that several students share: the same item, and the same words or the same position.
fn shared_mistakes(grades: &[&StudentGrade], name: &dyn Fn(usize) -> String) -> Markup {
    type Mistake<'a> = (&'a str, &'a str, Option<&'a str>);
    let mut mistakes: BTreeMap<Mistake<'_>, (Vec<usize>, Option<&str>)> = BTreeMap::new();
    for (at, grade) in grades.iter().enumerate() {
        for item in &grade.items {
            for finding in &item.findings {
                // In the same position, different moves are the same mistake.
                let what = if finding.position.is_some() { "" } else { finding.what.as_str() };
                let key = (item.name.as_str(), what, finding.position.as_deref());
                let entry = mistakes.entry(key).or_insert_with(|| (Vec::new(), finding.right.as_deref()));
                if entry.0.last() != Some(&at) {
                    entry.0.push(at);
                }
            }
        }
    }
    let mut shared: Vec<_> = mistakes.into_iter().filter(|(_, (who, _))| who.len() > 1).collect();
    shared.sort_by_key(|(_, (who, _))| std::cmp::Reverse(who.len()));
    html! {
        section #mistakes {
            h2 { "Mistakes that several made" }
            @if shared.is_empty() { p { "No two submissions made the same mistake." } }
            @for ((item, what, position), (who, right)) in shared.iter().take(MOST_MISTAKES) {
                article.mistake {
                    h3 { (harmless::line(item)) ": " (who.len()) " submissions" }
                    @if !what.is_empty() { p { (harmless::line(what)) } }
                    @if let Some(position) = position { pre { (harmless::lines(position, 40).join("\n")) } }
                    @if let Some(right) = right { p { "Right: " (harmless::line(right)) } }
                    p.note { (names(who, name)) }
                }
            }
            @if shared.len() > MOST_MISTAKES { p.note { (shared.len() - MOST_MISTAKES) " more are left out." } }
        }
    }
}

fn names(who: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let shown: Vec<String> = who.iter().take(MOST_NAMES).map(|&at| name(at)).collect();
    let more = who.len().saturating_sub(MOST_NAMES);
    shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(submission: &str, score: f64, what: &str) -> StudentGrade {
        let finding = StudentFinding { what: what.to_owned(), position: None, right: Some("b2".to_owned()) };
        let item = StudentItem {
            name: "mate <b>".to_owned(),
            status: "partial".to_owned(),
            points: score,
            max_points: 2.0,
            summary: String::new(),
            findings: vec![finding.clone(), finding],
        };
        StudentGrade {
            format: 1,
            assignment: "a".to_owned(),
            submission: submission.to_owned(),
            score,
            max_score: 2.0,
            complete: true,
            items: vec![item],
        }
    }

    #[test]
    fn a_mistake_of_two_students_is_told_once() {
        let grades = [grade("zoe", 1.0, "lost"), grade("adam", 2.0, "lost"), grade("<i>", 0.0, "other")];
        let page = class_page(&grades, Naming::Names).into_string();
        assert!(page.contains("mate &lt;b&gt;: 2 submissions"), "{page}");
        assert_eq!(page.matches("lost").count(), 1, "{page}");
        assert!(page.contains("&lt;i&gt;") && !page.contains("<i>") && page.contains("adam, zoe"), "{page}");
    }

    #[test]
    fn pseudonyms_give_nobody_away() {
        let grades = [grade("zoe", 1.0, "lost"), grade("adam", 2.0, "lost")];
        let page = class_page(&grades, Naming::Pseudonyms).into_string();
        assert!(!page.contains("zoe") && !page.contains("adam") && page.contains("student 2"), "{page}");
    }
}
