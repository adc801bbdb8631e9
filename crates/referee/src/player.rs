//! Who can sit at a table: the referee's side of a bot, without the process.

use crate::clock::ClockRules;
use crate::explorer::Explorable;
use crate::fault::Fault;
use crate::process::FaultEvidence;
use crate::transcript::Transcript;
use protocol::Search;
use rules::Table;
use std::time::Duration;

/// Somebody who reads the lines of a game and answers its questions.
///
/// A game calls `begin_game` once, then writes lines into the outbox and asks. The lines go out
/// with the next question. A player that has failed is dismissed. Every other player is free for
/// another game.
pub trait Player {
    /// Forgets what belongs to the last game. Lines in the outbox stay: they have not gone out yet.
    fn begin_game(&mut self);

    /// Lines that go out with the next question: waking a process for what it need not answer costs
    /// as much as a move.
    fn outbox(&mut self) -> &mut String;

    /// Sends the outbox, whose last line is the question, and waits for the answer as long as the
    /// clock allows.
    fn ask(&mut self, request: &MoveRequest<'_>) -> impl Future<Output = Result<MoveReply, Box<Fault>>>;

    /// Stops the player while others think, or lets the player go on.
    fn freeze(&mut self, frozen: bool);

    /// Others think, and take longer than a moment. Stops the player until its next question if it
    /// keeps the core from them. True if it was stopped just now.
    fn calm(&mut self) -> bool {
        false
    }

    /// Shows the table before each round of questions, and after the last move. A bot reads lines
    /// and needs no more. A person looks at a picture of what their own seat sees.
    fn watch(&mut self, _table: &dyn Table) {}

    /// What the player has used in this game, where somebody knows.
    fn used(&mut self) -> Option<ResourceUse> {
        None
    }

    /// What was said in this game, up to the lines that have not gone out yet, if that is kept.
    fn transcript(&mut self) -> Option<Box<Transcript>> {
        None
    }

    /// Tells the player why the game is lost for them, and sends them away. The verdict comes back,
    /// because the machine may turn out to be the culprit, together with all that is known about
    /// the failure.
    fn dismiss(self, fault: Fault) -> impl Future<Output = (Fault, FaultEvidence)>;
}

/// What a player has used in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceUse {
    /// The processor time of the bot's own process.
    pub cpu: Duration,
    /// The most memory up to now.
    pub memory_kib: u64,
}

/// A question whose line is in the player's outbox, and the time for its answer.
pub struct MoveRequest<'a> {
    pub id: u64,
    pub clock: &'a ClockRules,
    pub bank: Duration,
    /// May the player block this thread for a moment? Not if somebody else is asked at the same
    /// time.
    pub may_block: bool,
    /// What the player may explore meanwhile.
    pub explore: Explorable<'a>,
    /// Calms the others. True if one of them was stopped just now.
    pub calm_others: Option<&'a dyn Fn() -> bool>,
}

/// A player's answer, before the rules have seen it.
#[derive(Clone, Debug, Default)]
pub struct MoveReply {
    pub mv: String,
    pub info: Option<Box<Search>>,
    /// The texts of the player's `log` messages since their last move.
    pub log: Vec<String>,
    /// What the clock counts.
    pub taken: Duration,
    /// The number of the line with the move, and the line.
    pub line: u64,
    pub text: Vec<u8>,
    /// Lines that were not for this turn, and fields of `info` that were wrong.
    pub ignored: u64,
    /// The nodes that the player has explored in this turn.
    pub explored: u64,
}
