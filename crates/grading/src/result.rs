//! The result of grading. Every gradebook is written from this result.

use super::assignment::Visibility;
use super::credit::round;
use referee::process::SandboxReport;
use referee::seeds::RootSeed;
use serde::Serialize;

/// The version of the format of `grade.json`.
pub const FORMAT: u32 = 1;

/// A grade, complete or in progress.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grade {
    #[serde(rename = "ludus_grade")]
    pub format: u32,
    pub assignment: String,
    pub game: String,
    pub submission: String,
    pub seed: RootSeed,
    /// What held the submission.
    pub sandbox: SandboxReport,
    /// Have all items been graded?
    pub complete: bool,
    pub score: f64,
    pub max_score: f64,
    pub items: Vec<Graded>,
    /// Notes about the grade, for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Warnings for the instructor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The files of this grade in the folder of the results. They are removed when the next
    /// submission is graded there.
    pub files: Vec<String>,
    /// When grading began, in seconds since 1970. Only `started` and `seconds` differ between two
    /// runs.
    pub started: u64,
    /// How long grading took.
    pub seconds: f64,
}

/// An item with its points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graded {
    pub number: usize,
    pub name: String,
    pub kind: &'static str,
    pub status: Status,
    pub points: f64,
    pub max_points: f64,
    pub visibility: Visibility,
    /// The measured number, from 0 to 1.
    pub measured: f64,
    /// The result in one sentence.
    pub summary: String,
    /// The rule for the points.
    pub rule: String,
    pub findings: Vec<Finding>,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// All points.
    Passed,
    /// Some points.
    Partial,
    Failed,
    /// Not graded yet, or not possible without any fault of the submission. The item does not
    /// count.
    Ungraded,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Partial => "partly",
            Status::Failed => "failed",
            Status::Ungraded => "not graded",
        }
    }
}

/// Something that cost points, with everything that helps to correct it. Text of the submission has
/// been made harmless.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// What happened, in one sentence.
    pub what: String,
    /// A drawing of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// The right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// All moves of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
    /// What to change in the bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// The last lines exchanged: `>` from the arena, `<` from the submission.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What the submission wrote to standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<String>,
    /// The file of records, relative to the folder of the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The command that shows or repeats what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// The command that gives the submission the same input by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_hand: Option<String>,
}

impl Grade {
    /// Adds up the points of the items.
    pub fn add_up(&mut self) {
        let counted = || self.items.iter().filter(|item| item.status != Status::Ungraded);
        self.score = round(counted().map(|item| item.points).sum());
        self.max_score = round(counted().map(|item| item.max_points).sum());
        self.complete = self.items.iter().all(|item| item.status != Status::Ungraded);
    }

    /// The share of the points, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.max_score > 0.0 { self.score / self.max_score } else { 0.0 }
    }

    pub fn passed(&self) -> bool {
        self.complete && self.score >= self.max_score
    }

    /// Numbers for a leaderboard, which the whole class can see. Results of hidden items are left
    /// out.
    pub fn leaderboard(&self) -> Vec<(String, f64)> {
        let open = self.items.iter().filter(|item| item.visibility.shows_points());
        let score = round(open.map(|item| item.points).sum());
        let strength = self.items.iter().filter(|item| ["beats", "ladder", "optimal"].contains(&item.kind));
        let shown = strength.filter(|item| item.visibility == Visibility::Visible);
        let rows = shown.map(|item| (format!("{} %", item.name), round(item.measured * 100.0)));
        std::iter::once(("Score".to_owned(), score)).chain(rows).collect()
    }
}

impl Graded {
    /// The findings that the student may read.
    pub fn findings_shown(&self) -> &[Finding] {
        if self.visibility == Visibility::Visible { &self.findings } else { &[] }
    }

    /// The summary that the student may read.
    pub fn summary_shown(&self) -> &str {
        if self.visibility.shows_points() { &self.summary } else { "graded with hidden tests" }
    }
}
