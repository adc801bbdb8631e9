//! What is kept of a game: one JSON line with all that is needed to play the game again.

use crate::fault::Fault;
use crate::process::FaultEvidence;
use crate::transcript::Transcript;
use protocol::Search;
use protocol::json::{push_any, push_number, push_numbers, push_text};
use rules::{Outcome, Score, Seat, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The format of the records this program writes.
pub const FORMAT: u32 = 1;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this format.
    pub ludus: u32,
    #[serde(rename = "match")]
    pub match_id: String,
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// Every parameter, with defaults filled in.
    pub params: Arc<Value>,
    /// The seed of the deal, 64 hexadecimal digits. No bot was told.
    pub seed: String,
    /// By seat.
    pub bots: Vec<String>,
    /// In a tournament: games of the same block have the same deal or opening, whoever plays them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// In a tournament, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    pub moves: Vec<PlayedMove>,
    pub result: GameResult,
    /// By seat, what a bot did wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<SeatFault>,
    /// The file with what is known about an abnormal end, from the folder of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What goes into that file.
    #[serde(skip)]
    pub evidence: Vec<FaultEvidence>,
    /// What was said in the game, by seat, if somebody wants to know.
    #[serde(skip)]
    pub transcripts: Vec<(u8, Transcript)>,
    /// All that differs between two runs of the same match.
    pub times: Times,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    pub seat: u8,
    #[serde(rename = "move")]
    pub mv: String,
    /// Played before any bot was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
    /// Played by the arena, for a bot that had failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub substitute: bool,
    /// What the bot sent and is not here: lines that were not for this turn, fields of `info` that
    /// were wrong, and notes for which there was no room.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// How many nodes the bot has explored for this move, as the arena has counted them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub explored: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Box<Search>>,
    /// The texts of the bot's `log` messages since its last move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    pub places: Vec<u8>,
    pub scores: Vec<SeatPoints>,
    #[serde(rename = "reason")]
    pub ending: Ending,
}

impl GameResult {
    /// Does the game not count?
    pub fn is_void(&self) -> bool {
        self.ending == Ending::Void
    }
}

/// What ended a game. A record shows one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Ending {
    /// The rules, for this reason.
    Played(String),
    /// A bot failed and lost.
    Forfeit,
    /// The game does not count: it could not be played, or a bot failed and the policy is to void
    /// it.
    Void,
}

impl Ending {
    pub fn reason(&self) -> &str {
        match self {
            Ending::Played(reason) => reason,
            Ending::Forfeit => "forfeit",
            Ending::Void => "void",
        }
    }
}

impl From<String> for Ending {
    fn from(reason: String) -> Ending {
        match reason.as_str() {
            "forfeit" => Ending::Forfeit,
            "void" => Ending::Void,
            _ => Ending::Played(reason),
        }
    }
}

impl From<Ending> for String {
    fn from(ending: Ending) -> String {
        ending.reason().to_owned()
    }
}

/// Points as JSON has them: `1` or `0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "serde_json::Number", from = "f64")]
pub struct SeatPoints(pub f64);

impl From<f64> for SeatPoints {
    fn from(points: f64) -> SeatPoints {
        SeatPoints(points)
    }
}

impl From<SeatPoints> for serde_json::Number {
    fn from(SeatPoints(points): SeatPoints) -> serde_json::Number {
        match serde_json::Number::from_f64(points) {
            Some(number) if points.fract() != 0.0 => number,
            _ => serde_json::Number::from(points as i64),
        }
    }
}

impl From<&Outcome> for GameResult {
    fn from(outcome: &Outcome) -> GameResult {
        GameResult {
            places: outcome.places().to_vec(),
            scores: outcome.scores().iter().copied().map(Score::as_f64).map(SeatPoints).collect(),
            ending: outcome.reason.to_owned().into(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFault {
    pub seat: u8,
    /// The ply at which the bot failed.
    pub ply: u32,
    #[serde(flatten)]
    pub fault: Fault,
}

/// What differs between two runs of the same game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Milliseconds since 1970 at the start.
    pub started_ms: u64,
    /// Microseconds taken for each move.
    pub moves_us: Vec<u64>,
    /// For each seat, the processor time of the bot's own process in this game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpu_us: Vec<u64>,
    /// For each seat, the most memory that the bot's processes have had up to now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_kib: Vec<u64>,
    /// How often the game was played before and did not count, because the machine was too busy.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replays: u64,
    /// The worker that has played the game, if the tournament runs on several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

/// Why a record can't be what happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("format {0} is newer than this program, which knows {FORMAT}")]
    Format(u32),
    #[error("{0}")]
    NoSuchGame(String),
    #[error("it was played under version {found} of the rules of {game}; this program has {known}")]
    Version { game: String, found: u32, known: u32 },
    #[error("{0}")]
    Params(String),
    #[error("move {at}, `{mv}` of seat {seat}: {problem}")]
    Move { at: usize, seat: u8, mv: String, problem: String },
    #[error("the game goes on after its last recorded move")]
    Unfinished,
    #[error("it says {recorded}, the rules say {replayed}")]
    Result { recorded: String, replayed: String },
}

impl Record {
    /// Refuses what a newer program has written.
    pub fn check_format(&self) -> Result<(), ReplayError> {
        if self.ludus > FORMAT { Err(ReplayError::Format(self.ludus)) } else { Ok(()) }
    }

    /// The position before the first move.
    pub fn start(&self) -> Result<Box<dyn Table>, ReplayError> {
        self.check_format()?;
        let (game, _) =
            rules::parse_name(&self.game).map_err(|error| ReplayError::NoSuchGame(error.to_string()))?;
        if game.about.version != self.rules {
            let known = game.about.version;
            return Err(ReplayError::Version { game: self.game.clone(), found: self.rules, known });
        }
        let seed = self.seed.parse().map_err(ReplayError::Params)?;
        game.start(&self.params, seed).map_err(|error| ReplayError::Params(error.to_string()))
    }

    /// Plays the game again through the rules and compares how it ended.
    pub fn verify(&self) -> Result<(), ReplayError> {
        self.verify_from(&mut *self.start()?)
    }

    /// The same, from a position that is known to be the one before the first move.
    pub fn verify_from(&self, table: &mut dyn Table) -> Result<(), ReplayError> {
        for (at, played) in self.moves.iter().enumerate() {
            let result = table.play(Seat(played.seat), &played.mv);
            result.map_err(|error| ReplayError::Move {
                at: at + 1,
                seat: played.seat,
                mv: played.mv.clone(),
                problem: error.to_string(),
            })?;
        }
        // If a bot failed, the arena has decided what the bot loses, and not the rules.
        if !self.faults.is_empty() {
            return Ok(());
        }
        let outcome = table.outcome().ok_or(ReplayError::Unfinished)?;
        let replayed = GameResult::from(&outcome);
        if replayed == self.result {
            return Ok(());
        }
        let words = |result: &GameResult| serde_json::to_string(result).unwrap_or_default();
        Err(ReplayError::Result { recorded: words(&self.result), replayed: words(&replayed) })
    }

    /// The record as a line of a file, without the newline. Written by hand, because every game
    /// needs it.
    pub fn to_line(&self) -> String {
        let mut line = String::with_capacity(512 + 48 * self.moves.len());
        line.push_str(r#"{"ludus":"#);
        push_number(&mut line, self.ludus.into());
        line.push_str(r#","match":"#);
        push_text(&mut line, &self.match_id);
        line.push_str(r#","game":"#);
        push_text(&mut line, &self.game);
        line.push_str(r#","rules":"#);
        push_number(&mut line, self.rules.into());
        line.push_str(r#","params":"#);
        push_any(&mut line, &self.params);
        line.push_str(r#","seed":"#);
        push_text(&mut line, &self.seed);
        line.push_str(r#","bots":"#);
        push_any(&mut line, &self.bots);
        if let Some(block) = &self.block {
            line.push_str(r#","block":"#);
            push_text(&mut line, block);
        }
        if let Some(round) = self.round {
            line.push_str(r#","round":"#);
            push_number(&mut line, round.into());
        }
        line.push_str(r#","moves":["#);
        for (at, played) in self.moves.iter().enumerate() {
            if at > 0 {
                line.push(',');
            }
            played.write(&mut line);
        }
        line.push_str(r#"],"result":{"places":"#);
        push_numbers(&mut line, self.result.places.iter().map(|&place| place.into()));
        line.push_str(r#","scores":"#);
        push_any(&mut line, &self.result.scores);
        line.push_str(r#","reason":"#);
        push_text(&mut line, self.result.ending.reason());
        line.push('}');
        if !self.faults.is_empty() {
            line.push_str(r#","faults":"#);
            push_any(&mut line, &self.faults);
        }
        if let Some(failure) = &self.failure {
            line.push_str(r#","failure":"#);
            push_text(&mut line, failure);
        }
        line.push_str(r#","times":{"started_ms":"#);
        push_number(&mut line, self.times.started_ms);
        line.push_str(r#","moves_us":"#);
        push_numbers(&mut line, self.times.moves_us.iter().copied());
        for (key, numbers) in [("cpu_us", &self.times.cpu_us), ("memory_kib", &self.times.memory_kib)] {
            if !numbers.is_empty() {
                line.push_str(",\"");
                line.push_str(key);
                line.push_str("\":");
                push_numbers(&mut line, numbers.iter().copied());
            }
        }
        if self.times.replays > 0 {
            line.push_str(r#","replays":"#);
            push_number(&mut line, self.times.replays);
        }
        if let Some(worker) = &self.times.worker {
            line.push_str(r#","worker":"#);
            push_text(&mut line, worker);
        }
        line.push_str("}}");
        line
    }
}

impl PlayedMove {
    fn write(&self, line: &mut String) {
        line.push_str(r#"{"seat":"#);
        push_number(line, self.seat.into());
        line.push_str(r#","move":"#);
        push_text(line, &self.mv);
        if self.opening {
            line.push_str(r#","opening":true"#);
        }
        if self.substitute {
            line.push_str(r#","substitute":true"#);
        }
        if self.ignored > 0 {
            line.push_str(r#","ignored":"#);
            push_number(line, self.ignored);
        }
        if self.explored > 0 {
            line.push_str(r#","explored":"#);
            push_number(line, self.explored);
        }
        if let Some(info) = &self.info {
            line.push_str(r#","info":"#);
            push_any(line, info);
        }
        if !self.log.is_empty() {
            line.push_str(r#","log":"#);
            push_any(line, &self.log);
        }
        line.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Code;

    #[test]
    fn lines_are_what_the_general_way_writes() {
        let plain = |seat, mv: &str| PlayedMove {
            seat,
            mv: mv.to_owned(),
            opening: false,
            substitute: false,
            ignored: 0,
            explored: 0,
            info: None,
            log: Vec::new(),
        };
        let short = Record {
            ludus: FORMAT,
            match_id: "1".to_owned(),
            game: "nim".to_owned(),
            rules: 1,
            params: Arc::new(serde_json::json!({ "heaps": [3, 4], "misere": false })),
            seed: "00".repeat(32),
            bots: vec!["a \"b\"".to_owned(), "builtin:first".to_owned()],
            block: None,
            round: None,
            moves: Vec::new(),
            result: GameResult {
                places: vec![1, 2],
                scores: vec![SeatPoints(0.5), SeatPoints(-12.0)],
                ending: Ending::Played("x".to_owned()),
            },
            faults: Vec::new(),
            failure: None,
            evidence: Vec::new(),
            transcripts: Vec::new(),
            times: Times {
                started_ms: 1_700_000_000_000,
                moves_us: vec![0, 12, 345],
                cpu_us: vec![7, 0],
                memory_kib: vec![900, 1],
                replays: 1,
                worker: Some("anybody.1".to_owned()),
            },
        };
        let info = Search { depth: Some(3), score: Some(0.25), ..Search::default() };
        let moves = vec![
            PlayedMove { opening: true, ..plain(0, "1:1") },
            PlayedMove { substitute: true, ignored: 12, explored: 5_478, ..plain(1, "say \"a\"") },
            PlayedMove { info: Some(info.into()), log: vec!["\"book\"".to_owned()], ..plain(0, "2:4") },
        ];
        let fault = SeatFault { seat: 1, ply: 3, fault: Fault::new(Code::Crashed, "it died") };
        let long = Record {
            block: Some("b 1".to_owned()),
            round: Some(12),
            moves,
            faults: vec![fault],
            failure: Some("failures/1.json".to_owned()),
            ..short.clone()
        };
        for record in [short, long] {
            assert_eq!(record.to_line(), serde_json::to_string(&record).unwrap());
        }
    }

    #[test]
    fn an_ending_is_one_word() {
        for (ending, word) in [
            (Ending::Played("three in a row".to_owned()), "\"three in a row\""),
            (Ending::Forfeit, "\"forfeit\""),
            (Ending::Void, "\"void\""),
        ] {
            assert_eq!(serde_json::to_string(&ending).unwrap(), word);
            assert_eq!(serde_json::from_str::<Ending>(word).unwrap(), ending);
        }
    }
}
