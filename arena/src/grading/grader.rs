//! Goes through the items of an assignment, one after another.

use super::assignment::{Assignment, Item, Visibility};
use super::credit::round;
use super::files::Results;
use super::items::{self, Measured};
use super::result::{FORMAT, Grade, Graded, Status};
use crate::record::Record;
use crate::spec::BotSpec;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Why an item could not be graded. Never the submission's fault.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The assignment asks for something impossible.
    Config(String),
    Ours(String),
}

/// Everything an item needs to be graded.
pub struct Grader<'a> {
    pub assignment: &'a Assignment,
    pub submission: BotSpec,
    /// How the submission is called in results, on one line.
    pub name: String,
    /// Where the results are, as the user calls it.
    pub folder: PathBuf,
    pub concurrency: usize,
    /// What the student types to grade again: `arena grade nim.toml --submission .`
    pub command: String,
    /// The file of hidden items.
    pub hidden: Option<String>,
}

impl Grader<'_> {
    /// Grades all items, or only one. The grade so far is written before the first item and after each, as the files
    /// that `pages` makes of it.
    pub fn grade(
        &self,
        only: Option<usize>,
        results: &mut Results,
        pages: impl Fn(&Grade) -> Vec<(PathBuf, String)>,
    ) -> io::Result<(Grade, Vec<Trouble>)> {
        let write = |grade: &Grade, results: &mut Results| {
            pages(grade).into_iter().try_for_each(|(path, text)| results.write(&path, text))
        };
        let began = Instant::now();
        let wanted = |item: &&Item| only.is_none_or(|number| number == item.number);
        let mut grade = self.blank(self.assignment.items.iter().filter(wanted));
        let mut troubles = Vec::new();
        write(&grade, results)?;
        for (at, item) in self.assignment.items.iter().filter(wanted).enumerate() {
            let start = Instant::now();
            let measured = items::measure(self, item);
            // No process of the submission is alive any more.
            grade.warnings.extend(results.restore()?.iter().map(|file| changed(file, item)));
            let graded = &mut grade.items[at];
            match measured {
                Ok(measured) => {
                    if !measured.records.is_empty() {
                        let file = self.record_file(item.number);
                        results.write(Path::new(&file), lines(&measured.records))?;
                    }
                    fill_in(graded, item, measured);
                }
                Err(trouble) => {
                    let (Trouble::Config(problem) | Trouble::Ours(problem)) = &trouble;
                    graded.summary = format!("not graded, and no points lost: {}", super::line_of(problem));
                    troubles.push(trouble);
                }
            }
            graded.seconds = round(start.elapsed().as_secs_f64());
            grade.add_up();
            grade.seconds = round(began.elapsed().as_secs_f64());
            write(&grade, results)?;
        }
        Ok((grade, troubles))
    }

    fn blank<'i>(&self, items: impl Iterator<Item = &'i Item>) -> Grade {
        let blank = |item: &Item| Graded {
            number: item.number,
            name: item.name.clone(),
            kind: items::kind(&item.task),
            status: Status::Ungraded,
            points: 0.0,
            max_points: item.points,
            visibility: item.visibility,
            measured: 0.0,
            summary: "not graded yet".to_owned(),
            rule: items::rule(item),
            findings: Vec::new(),
            seconds: 0.0,
        };
        Grade {
            format: FORMAT,
            assignment: super::line_of(&self.assignment.title),
            game: self.assignment.game.about.id.to_owned(),
            submission: self.name.clone(),
            seed: self.assignment.seed,
            complete: false,
            score: 0.0,
            max_score: 0.0,
            items: items.map(blank).collect(),
            warnings: Vec::new(),
            started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            seconds: 0.0,
        }
    }

    /// The file of an item's records. Those of hidden items are kept apart.
    pub fn record_file(&self, number: usize) -> String {
        let item = self.assignment.items.iter().find(|item| item.number == number);
        let hidden = item.is_some_and(|item| item.visibility != Visibility::Visible);
        format!("{}/{number:02}.jsonl", if hidden { "hidden" } else { "records" })
    }
}

fn lines(records: &[Record]) -> String {
    records.iter().map(|record| record.to_line() + "\n").collect()
}

fn changed(file: &str, item: &Item) -> String {
    format!(
        "`{}` was changed while item {} was graded, by the submission if by nobody else; it was restored",
        super::line_of(file),
        item.number
    )
}

fn fill_in(graded: &mut Graded, item: &Item, measured: Measured) {
    let share = measured.share.unwrap_or_else(|| item.credit.share(measured.number));
    graded.points = round(item.points * share);
    graded.measured = round(measured.number * 100.0) / 100.0;
    graded.status = match share {
        share if share >= 1.0 => Status::Passed,
        share if share > 0.0 => Status::Partial,
        _ => Status::Failed,
    };
    graded.summary = measured.summary;
    graded.findings = measured.findings;
}
