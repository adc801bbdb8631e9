//! Grades the items of an assignment, one after another.

use super::assignment::{Assignment, Item, Visibility};
use super::credit::round;
use super::files::Results;
use super::items::{self, Exam, Measured};
use super::result::{FORMAT, Grade, Graded, Status};
use referee::record::Record;
use referee::spec::BotSpec;
use referee::transcript;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use text::{Ticker, harmless};

/// Why an item could not be graded. The reason is never a fault of the submission or of the
/// assignment.
#[derive(Clone, Debug)]
pub struct NotGraded(pub String);

/// Everything that is needed to grade an item.
pub struct Grader<'a> {
    pub assignment: &'a Assignment,
    pub submission: BotSpec,
    /// The name of the submission in the results, on one line.
    pub name: String,
    /// The folder of the results, as the user typed it.
    pub folder: PathBuf,
    pub concurrency: usize,
    pub commands: Commands,
    pub ticker: Ticker,
    /// The folder for transcripts, if they are wanted.
    pub transcripts: Option<PathBuf>,
    /// The number of the item that is being graded.
    pub item: Cell<usize>,
    /// Has the arena checked whether the submission repeats its moves?
    pub probed: Cell<bool>,
}

/// The commands that repeat a grade.
pub struct Commands {
    /// The bot on the student's machine: `.` if the submission is a folder or an archive.
    pub bot: String,
    /// What the student types: `arena grade nim.toml --submission .`
    pub student: String,
    /// What the instructor types, with the file of hidden items.
    pub instructor: String,
}

/// The items to grade, each with everything that must be known before a bot is started.
pub struct Exams<'a>(Vec<(&'a Item, Exam<'a>)>);

impl<'a> Exams<'a> {
    /// Prepares all items, or only one. The error names every item that can't be graded for any
    /// submission.
    pub fn prepare(
        assignment: &'a Assignment,
        only: Option<usize>,
        ticker: &Ticker,
    ) -> Result<Exams<'a>, String> {
        let (mut exams, mut problems) = (Vec::new(), Vec::new());
        for item in wanted(assignment, only) {
            ticker.begin(format!("preparing item {}, {}", item.number, item.name));
            match items::prepare(assignment, item, ticker) {
                Ok(exam) => exams.push((item, exam)),
                Err(problem) => problems.push(format!("{}: item `{}`: {problem}", item.place, item.name)),
            }
        }
        if problems.is_empty() { Ok(Exams(exams)) } else { Err(problems.join("\n")) }
    }
}

fn wanted(assignment: &Assignment, only: Option<usize>) -> impl Iterator<Item = &Item> {
    assignment.items.iter().filter(move |item| only.is_none_or(|number| number == item.number))
}

/// Writes all files of a grade. `pages` makes the files.
fn write(
    grade: &Grade,
    results: &mut Results,
    pages: &impl Fn(&Grade) -> Vec<(PathBuf, String)>,
) -> io::Result<()> {
    pages(grade).into_iter().try_for_each(|(path, text)| results.write(&path, text))
}

/// Writes the first version of a grade, with the list of all its files.
fn begin(
    grade: &mut Grade,
    results: &mut Results,
    pages: &impl Fn(&Grade) -> Vec<(PathBuf, String)>,
) -> io::Result<()> {
    grade.files = pages(grade).iter().filter_map(|(path, _)| results.name_of(path)).collect();
    grade.files.sort();
    // The list comes first, so that a later grade can find and remove every file after it.
    for (path, text) in pages(grade).into_iter().rev() {
        results.write(&path, text)?;
    }
    Ok(())
}

/// The grade of a submission that can't be used: no points, and the reason in every file.
pub fn refuse(
    assignment: &Assignment,
    only: Option<usize>,
    (name, reason): (&str, &str),
    results: &mut Results,
    pages: impl Fn(&Grade) -> Vec<(PathBuf, String)>,
) -> io::Result<Grade> {
    let reason = harmless::sentence(reason);
    let mut grade = blank(assignment, only, name);
    for item in &mut grade.items {
        item.status = Status::Failed;
        item.summary = format!("the submission can't be used: {reason}");
    }
    if !grade.items.iter().any(|item| item.visibility.shows_points()) {
        grade.notes.push(format!("The submission can't be used: {reason}"));
    }
    grade.add_up();
    begin(&mut grade, results, &pages)?;
    Ok(grade)
}

impl Grader<'_> {
    /// Grades the items. The files that `pages` makes are written before the first item and after
    /// each item.
    pub fn grade(
        &self,
        only: Option<usize>,
        exams: Exams,
        results: &mut Results,
        pages: impl Fn(&Grade) -> Vec<(PathBuf, String)>,
    ) -> io::Result<(Grade, Vec<NotGraded>)> {
        let began = Instant::now();
        let mut grade = blank(self.assignment, only, &self.name);
        let (mut troubles, mut changes) = (Vec::new(), Changes::default());
        begin(&mut grade, results, &pages)?;
        let count = exams.0.len();
        for (at, (item, exam)) in exams.0.into_iter().enumerate() {
            let start = Instant::now();
            self.ticker.begin(format!("item {} of {count}, {}", at + 1, item.name));
            self.item.set(item.number);
            let measured = exam(self);
            // No process of the submission is alive here.
            for file in results.restore()? {
                changes.0.entry(harmless::line(&file)).or_default().insert(item.number);
            }
            grade.warnings = changes.warning().into_iter().collect();
            match measured {
                Ok(measured) => {
                    if measured.unsteady && grade.notes.is_empty() {
                        grade.notes.push(UNSTEADY.to_owned());
                    }
                    if !measured.records.is_empty() {
                        let file = self.record_file(item.number);
                        results.write(Path::new(&file), lines(&measured.records))?;
                        grade.files.push(file);
                        for (file, input) in self.inputs(item.number, &measured.records) {
                            results.write(Path::new(&file), input.to_owned())?;
                            grade.files.push(file);
                        }
                        grade.files.sort();
                    }
                    fill_in(&mut grade.items[at], item, measured);
                }
                Err(trouble) => {
                    grade.items[at].summary =
                        format!("not graded, which costs no points: {}", harmless::line(&trouble.0));
                    troubles.push(trouble);
                }
            }
            grade.items[at].seconds = round(start.elapsed().as_secs_f64());
            grade.add_up();
            grade.seconds = round(began.elapsed().as_secs_f64());
            write(&grade, results, &pages)?;
        }
        Ok((grade, troubles))
    }

    /// May the student see everything of this item?
    pub fn is_visible(&self, number: usize) -> bool {
        let item = self.assignment.items.iter().find(|item| item.number == number);
        item.is_some_and(|item| item.visibility == Visibility::Visible)
    }

    /// The folder for the transcripts of the item that is being graded. Those of hidden items are
    /// apart.
    pub fn transcript_folder(&self) -> Option<PathBuf> {
        let folder = self.transcripts.as_ref()?;
        let number = self.item.get();
        let hidden = if self.is_visible(number) { "" } else { "hidden" };
        Some(folder.join(hidden).join(format!("{number:02}")))
    }

    /// The file with all that the submission was sent in a game that ended with its fault.
    pub fn input_file(&self, number: usize, record: &Record, seat: u8) -> Option<String> {
        transcript::input_of(record, seat)?;
        let folder = if self.is_visible(number) { "inputs" } else { "hidden" };
        let name = transcript::input_name(&format!("{number:02}-{}", record.match_id), record, seat);
        Some(format!("{folder}/{name}"))
    }

    /// The inputs of the first fault of each kind, each with its file.
    fn inputs<'r>(&self, number: usize, records: &'r [Record]) -> Vec<(String, &'r str)> {
        let mut codes = BTreeSet::new();
        let faults = records.iter().flat_map(|record| record.faults.iter().map(move |fault| (record, fault)));
        let own = faults.filter(|(record, fault)| record.bots.get(fault.seat as usize) == Some(&self.name));
        own.filter(|(_, fault)| codes.insert(fault.fault.code))
            .filter_map(|(record, fault)| {
                let file = self.input_file(number, record, fault.seat)?;
                Some((file, transcript::input_of(record, fault.seat)?))
            })
            .collect()
    }

    /// The file with the records of an item. Records of hidden items are in a folder of their own.
    pub fn record_file(&self, number: usize) -> String {
        format!("{}/{number:02}.jsonl", if self.is_visible(number) { "records" } else { "hidden" })
    }
}

/// The note about a bot that does not repeat its moves.
const UNSTEADY: &str = "This grade can change: in the same game with the same bot_seed, the submission moved \
    differently the second time. To get the same grade every time, seed the random numbers with the bot_seed of \
    every `start`, and let no clock decide a move";

fn blank(assignment: &Assignment, only: Option<usize>, name: &str) -> Grade {
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
        assignment: assignment.title.clone(),
        game: assignment.game.id().to_owned(),
        submission: name.to_owned(),
        seed: assignment.seed,
        sandbox: assignment.sandbox.report(),
        complete: false,
        score: 0.0,
        max_score: 0.0,
        items: wanted(assignment, only).map(blank).collect(),
        notes: Vec::new(),
        warnings: Vec::new(),
        files: Vec::new(),
        started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        seconds: 0.0,
    }
}

fn lines(records: &[Record]) -> String {
    records.iter().map(|record| record.to_line() + "\n").collect()
}

/// The files that were changed, each with the items during which they were changed.
#[derive(Default)]
struct Changes(BTreeMap<String, BTreeSet<usize>>);

impl Changes {
    fn warning(&self) -> Option<String> {
        let files: Vec<String> = self.0.keys().map(|file| format!("`{file}`")).collect();
        let items: BTreeSet<usize> = self.0.values().flatten().copied().collect();
        let items: Vec<String> = items.iter().map(usize::to_string).collect();
        let (was, restored) =
            if files.len() == 1 { ("was", "the file was") } else { ("were", "the files were") };
        let (word, were) = if items.len() == 1 { ("item", "was") } else { ("items", "were") };
        (!files.is_empty()).then(|| {
            format!(
                "{} {was} changed while {word} {} {were} graded, probably by the submission; {restored} restored",
                files.join(", "),
                items.join(", ")
            )
        })
    }
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
