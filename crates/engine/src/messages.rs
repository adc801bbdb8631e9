//! What coordinators and workers tell each other, and whoever asks how things stand.

use serde::{Deserialize, Serialize};

/// What a worker says about itself, every few seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerPresence {
    /// `USER.INSTANCE`, as in subjects.
    pub worker: String,
    pub host: String,
    pub class: String,
    /// The number of games that the worker plays at the same time.
    pub slots: usize,
    /// The number of slots that play.
    pub busy: usize,
    /// The program and its rules. Only workers with the coordinator's build get its work.
    pub build: String,
    /// How bots are held: `strict`.
    pub sandbox: String,
    /// Plays of a fixed search in each second on one core.
    pub speed: f64,
    pub games: u64,
    pub batches: u64,
    /// The number of games in which a bot failed.
    pub faults: u64,
    /// Milliseconds since 1970 at the start, by the clock of the worker.
    pub started_ms: u64,
    /// Grows with each message, so that nobody has to compare clocks.
    pub beat: u64,
    /// The worker ends its games and leaves.
    pub draining: bool,
}

/// How a tournament stands, as its coordinator sees the tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TournamentStatus {
    pub tid: String,
    pub name: String,
    pub format: String,
    pub build: String,
    /// The number of games in the journal.
    pub games: u64,
    /// The number of games in the end, with `at most` or `at least` before it if it is not exact.
    pub expected: u64,
    pub expected_words: String,
    /// Games in each second, over the last minute.
    pub rate: f64,
    /// Seconds until the end at this rate.
    pub eta: Option<f64>,
    /// Batches that are offered or played.
    pub outstanding: usize,
    /// Games that came twice. The first one counted.
    pub duplicates: u64,
    /// Matches whose two records differ, besides the times.
    pub differing: Vec<String>,
    /// Blocks that were played on a second worker and compared.
    pub audited: u64,
    pub suspects: Vec<Suspect>,
    pub workers: Vec<WorkerTally>,
    /// Milliseconds since 1970, by the clock of the coordinator.
    pub started_ms: u64,
    pub finished: bool,
    /// Grows with each message.
    pub beat: u64,
}

/// A worker that is set aside, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    pub worker: String,
    pub host: String,
    pub reason: String,
}

/// What a worker has done for a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerTally {
    pub worker: String,
    pub host: String,
    pub games: u64,
    pub faults: u64,
    pub audited: u64,
    pub refused: u64,
}
