//! What the arena writes to a bot.

use crate::limits::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::Write as _;

/// A line from the arena to a bot. Only `turn` asks for an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToBot {
    Hello(Hello),
    Start(Start),
    Turn(Turn),
    Error(Error),
    End(End),
    Quit,
}

impl ToBot {
    /// Reads a line of the arena; `None` for a type that this version does not know.
    pub fn read(line: &[u8]) -> Result<Option<ToBot>, serde_json::Error> {
        #[derive(Deserialize)]
        struct Type<'a> {
            #[serde(rename = "type", borrow)]
            kind: Cow<'a, str>,
        }
        // Turns are by far the most frequent, and begin like this when the arena writes them.
        if line.starts_with(br#"{"type":"turn","#) {
            return serde_json::from_slice(line).map(ToBot::Turn).map(Some);
        }
        let message = match &*serde_json::from_slice::<Type>(line)?.kind {
            "hello" => ToBot::Hello(serde_json::from_slice(line)?),
            "start" => ToBot::Start(serde_json::from_slice(line)?),
            "turn" => ToBot::Turn(serde_json::from_slice(line)?),
            "error" => ToBot::Error(serde_json::from_slice(line)?),
            "end" => ToBot::End(serde_json::from_slice(line)?),
            "quit" => ToBot::Quit,
            _ => return Ok(None),
        };
        Ok(Some(message))
    }
}

/// The first line of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    pub protocol: u32,
    /// The program and its version.
    pub arena: String,
    pub limits: Limits,
}

/// A game begins. A process may play many, one after another; forget everything of the last one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// Names this game in the records.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The game's id, such as `tic-tac-toe`.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// Every parameter, with defaults filled in.
    pub params: Value,
    /// Your seat, counted from 0.
    pub seat: u8,
    /// How many seats there are.
    pub seats: u8,
    /// Seats that win and lose together; absent when everybody plays alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Vec<Vec<u8>>>,
    pub clock: Clock,
    /// For your own random choices, so that a game can be repeated. It has nothing to do with the deal.
    pub bot_seed: u64,
}

/// A decision is due: answer with one `move`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Counts the questions of this game put to this seat, from 1.
    pub id: u64,
    /// Decisions made in the game so far, by all seats.
    pub ply: u32,
    /// Others are deciding at the same time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simultaneous: bool,
    /// Every legal move, in a stable order.
    pub legal: Vec<String>,
    /// What this seat may know of the position: `arena rules GAME` shows an example.
    #[schemars(with = "Value")]
    pub view: Box<RawValue>,
    /// The moves made since the last turn of this seat, its own included, as far as this seat may know them.
    pub events: Vec<Event>,
    pub clock: Clock,
}

impl Turn {
    /// The view as a value to look into.
    pub fn view(&self) -> Value {
        serde_json::from_str(self.view.get()).unwrap_or_default()
    }
}

/// Writes a [`Turn`] with its newline, without copying what the arena has at hand. `legal` is a JSON list of
/// texts, `number` the id and the ply.
pub fn write_turn(
    number: (u64, u32),
    simultaneous: bool,
    legal: &str,
    view: &Value,
    events: &[Event],
    clock: &Clock,
) -> Vec<u8> {
    let mut line = Vec::with_capacity(1_024);
    let (id, ply) = number;
    let together = if simultaneous { r#","simultaneous":true"# } else { "" };
    let written = write!(line, r#"{{"type":"turn","id":{id},"ply":{ply}{together},"legal":{legal},"view":"#)
        .and_then(|()| Ok(serde_json::to_writer(&mut line, view)?))
        .and_then(|()| line.write_all(br#","events":"#))
        .and_then(|()| Ok(serde_json::to_writer(&mut line, events)?))
        .and_then(|()| line.write_all(br#","clock":"#))
        .and_then(|()| Ok(serde_json::to_writer(&mut line, clock)?))
        .and_then(|()| line.write_all(b"}\n"));
    debug_assert!(written.is_ok(), "nothing fails to be written to memory");
    line
}

/// Something that happened. `kind` is `move`; others may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    pub kind: Cow<'static, str>,
    pub seat: u8,
    #[serde(rename = "move")]
    pub mv: String,
}

/// Time limits in milliseconds. In `turn` they are what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// For every move, free of charge.
    pub move_ms: u64,
    /// For all moves of the game together, used when a move takes longer than `move_ms`.
    pub bank_ms: u64,
    /// Added to the bank after every move.
    pub increment_ms: u64,
    /// In addition, for the first move after the process started.
    pub startup_ms: u64,
    pub measured: Measured,
}

/// Which time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Measured {
    /// From the arena's last byte of the question to the newline of the answer.
    Wall,
    /// Processor time of the bot's process between these two moments.
    Cpu,
}

/// Your line was not accepted. Sent before `end` when that cost the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Error {
    /// One word, such as `illegal_move`.
    pub code: String,
    /// Did it cost the game?
    pub fatal: bool,
    /// What was wrong, in a sentence.
    pub message: String,
    /// The turn that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The number of your line, counted from 1 since the process started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The column in that line, for JSON errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Your line, cut and escaped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The legal move that looks most like yours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    #[serde(rename = "match")]
    pub match_id: String,
    /// By seat; 1 is best, equal seats share a place.
    pub places: Vec<u8>,
    /// By seat, in the game's own points.
    pub scores: Vec<f64>,
    /// One word, such as `line`, `no_moves`, `repetition` or `forfeit`.
    pub reason: String,
    /// What that means for you.
    pub you: You,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum You {
    Win,
    Draw,
    Loss,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_to_write_a_turn_writes_the_same_line() {
        let line = r#"{"type":"turn","id":3,"ply":4,"simultaneous":true,"legal":["a1","b2"],"view":{"x":[1]},"events":[{"kind":"move","seat":1,"move":"c3"}],"clock":{"move_ms":1,"bank_ms":2,"increment_ms":3,"startup_ms":4,"measured":"cpu"}}"#;
        let Ok(Some(ToBot::Turn(turn))) = ToBot::read(line.as_bytes()) else { panic!() };
        assert_eq!(serde_json::to_string(&ToBot::Turn(turn.clone())).unwrap(), line);
        let legal = serde_json::to_string(&turn.legal).unwrap();
        let quick = write_turn((turn.id, turn.ply), true, &legal, &turn.view(), &turn.events, &turn.clock);
        assert_eq!(String::from_utf8(quick).unwrap(), format!("{line}\n"));
        assert!(matches!(ToBot::read(br#"{"x":1,"type":"quit"}"#), Ok(Some(ToBot::Quit))));
        assert!(matches!(ToBot::read(br#"{"type":"novelty"}"#), Ok(None)));
        assert!(ToBot::read(b"{}").is_err());
    }
}
