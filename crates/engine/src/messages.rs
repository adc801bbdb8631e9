//! What coordinators and workers tell each other, and whoever asks how things stand.

use referee::seeds::RootSeed;
use serde::{Deserialize, Serialize};
use tournament::journal::JournalHeader;
use tournament::travel::{BotTicket, Unit};

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

/// A tournament, as workers need it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Offer {
    pub build: String,
    pub header: JournalHeader,
    /// The secret behind the commitment of the header.
    pub seed: RootSeed,
    pub transcripts: bool,
    pub bots: Vec<OfferedBot>,
}

/// A bot, and where its files are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedBot {
    pub ticket: BotTicket,
    /// The hash and the number of parts of its bundle. A built-in bot has none.
    pub bundle: Option<(String, usize)>,
    /// The words of a command, among the files of its bundle.
    pub words: Option<Vec<String>>,
}

/// Games for one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub tid: String,
    /// The name of the batch.
    pub batch: String,
    /// The number of bots that the batch knows. An older offer may have fewer.
    pub bots: usize,
    /// How long the batch takes, as far as the coordinator can tell.
    pub expected_ms: f64,
    /// Workers that have played these games already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not: Vec<String>,
    pub units: Vec<Unit>,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerOrder {
    /// To everybody: the tournament needs no more games.
    Stop,
    /// To a worker: end your games and leave.
    Drain,
    /// To a worker: leave at once, for this reason.
    Ban(String),
}

/// Who coordinates a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    pub owner: String,
    pub host: String,
    pub process: u32,
    pub beat: u64,
}
