//! What the arena writes to a bot.

use crate::limits::Limits;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A line from the arena to a bot. Only `turn` needs an answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToBot {
    Hello(Hello),
    Start(Start),
    Turn(Turn),
    Node(Node),
    Error(Error),
    End(End),
    Quit,
}

/// The `type` of a line, if the line has a type.
pub fn kind(line: &[u8]) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Typed<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
    }
    // The arena begins its lines like this, and no type contains an escape.
    let quick = line.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|&byte| byte == b'"').next());
    let quick = quick.and_then(|kind| std::str::from_utf8(kind).ok()).filter(|kind| !kind.contains('\\'));
    quick.map(Cow::Borrowed).or_else(|| serde_json::from_slice::<Typed>(line).ok().map(|typed| typed.kind))
}

/// Reads a line of a known type. Checking the whole line for UTF-8 once is faster than checking
/// each text.
pub fn read_message<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, serde_json::Error> {
    match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(line),
    }
}

/// The first line of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hello {
    pub protocol: u32,
    /// The program and its version.
    pub arena: String,
    pub limits: Limits,
}

/// A game begins. Forget the last game: a process may play many games, one after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Start {
    /// The name of this game in the records.
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
    /// Seats that win and lose together. Absent if every seat plays alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Vec<Vec<u8>>>,
    pub clock: Clock,
    /// How much this seat may explore. Absent if it may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explore: Option<Exploring>,
    /// A seed for your own random choices, so that a game can be repeated. It says nothing about
    /// the deal.
    pub bot_seed: u64,
}

/// What a seat may explore in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exploring {
    /// The most moves played and positions imagined.
    pub nodes: u64,
    /// The most bytes of requests.
    pub bytes: u64,
    /// The longest path.
    pub depth: u32,
    /// Must the seat imagine a position before it can walk?
    pub imagine: bool,
    /// Does the arena evaluate positions?
    pub evaluate: bool,
}

/// You must decide: answer with one `move`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Turn {
    /// The number of your turn in this game, from 1.
    pub id: u64,
    /// The game's id, as in `start`.
    pub game: String,
    /// Your seat, as in `start`.
    pub seat: u8,
    /// The number of decisions made so far, by all seats.
    pub ply: u32,
    /// Other seats decide at the same time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simultaneous: bool,
    /// Every legal move, in a stable order.
    pub legal: Vec<String>,
    /// All that this seat may know of the position. `arena rules GAME` shows an example.
    #[cfg_attr(test, schemars(with = "Value"))]
    pub view: Box<RawValue>,
    /// The moves since the last turn of this seat, with its own move, as far as this seat may know
    /// them.
    pub events: Vec<Event>,
    pub clock: Clock,
}

impl Turn {
    /// The view, parsed.
    pub fn view(&self) -> Value {
        serde_json::from_str(self.view.get()).unwrap_or_default()
    }
}

/// The part of a turn that a bot needs if it only picks from the list of legal moves. Reading
/// copies no text.
#[derive(Clone, Debug, Deserialize)]
pub struct Choice<'a> {
    pub id: u64,
    #[serde(borrow)]
    pub legal: Vec<&'a str>,
}

impl<'a> Choice<'a> {
    pub fn read(line: &'a [u8]) -> Result<Choice<'a>, serde_json::Error> {
        match std::str::from_utf8(line).ok().and_then(Choice::skim) {
            Some(choice) => Ok(choice),
            None => read_message(line),
        }
    }

    /// Reads the beginning of a line that [`write_turn`](crate::write_turn) wrote, up to the list
    /// of moves. The rest, most of the line, is not read.
    fn skim(line: &'a str) -> Option<Choice<'a>> {
        let (id, rest) = line.strip_prefix(r#"{"type":"turn","id":"#)?.split_once(',')?;
        let (before, rest) = rest.split_once('[')?;
        let (list, _) = rest.split_once(']')?;
        if !before.ends_with(r#""legal":"#) || list.contains('\\') {
            return None;
        }
        // A move that contains a comma or a bracket leaves pieces without quotation marks around
        // them.
        let mut legal = Vec::with_capacity(list.len() / 4);
        let commas = list.bytes().enumerate().filter(|(_, byte)| *byte == b',').map(|(at, _)| at);
        let mut from = 0;
        for to in commas.chain([list.len()]) {
            legal.push(list[from..to].strip_prefix('"')?.strip_suffix('"')?);
            from = to + 1;
        }
        Some(Choice { id: id.parse().ok()?, legal })
    }
}

/// The answer to an `explore`: a node of the game tree, or a problem.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Node {
    /// As in the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<u64>,
    /// How far below the root the walk stands now.
    pub depth: u32,
    /// The seat that decides here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u8>,
    /// Other seats decide at the same time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simultaneous: bool,
    /// The legal moves of the seat that decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// How many they are, if the request asked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The game is over, for this reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The result for you: 1, 0 or -1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// As in `end`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<u8>>,
    /// As in `end`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<f64>>,
    /// The arena's estimate of an open position, from your point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<i32>,
    /// As in `turn`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Value>"))]
    pub view: Option<Box<RawValue>>,
    /// Why the request was not carried out, in one word. Only `message` and `near` follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The legal move that looks most like yours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
}

/// Something that happened. `kind` is `move`. Other kinds may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Event {
    pub kind: Cow<'static, str>,
    pub seat: u8,
    #[serde(rename = "move")]
    pub mv: String,
}

/// Time limits in milliseconds. In `turn`, `bank_ms` is what is left of the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Clock {
    /// For every move. The bank is not charged for this time.
    pub move_ms: u64,
    /// The bank: for all moves of the game together, used when a move takes longer than `move_ms`.
    pub bank_ms: u64,
    /// Added to the bank after every move.
    pub increment_ms: u64,
    /// Extra time for the first move of a process.
    pub startup_ms: u64,
    pub measured: Measured,
}

/// Which time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Measured {
    /// From the arena's last byte of the question to the newline of the answer.
    Wall,
    /// Processor time of the bot's process between these two moments.
    Cpu,
}

/// Your line was not accepted. If that costs the game, `quit` follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Error {
    /// One word, such as `illegal_move`.
    pub code: String,
    /// Does the fault cost the game?
    pub fatal: bool,
    /// What was wrong, in a sentence.
    pub message: String,
    /// The `id` of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The number of your line, counted from 1 since the game's `start`. A `ready` is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The column in that line, for JSON errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Your line, at most 200 bytes, with control characters escaped.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct End {
    #[serde(rename = "match")]
    pub match_id: String,
    /// The place of each seat. 1 is best, and equal seats share a place.
    pub places: Vec<u8>,
    /// The points of each seat, as the game counts them.
    pub scores: Vec<f64>,
    /// One word, such as `line`, `no_moves`, `repetition` or `forfeit`.
    pub reason: String,
    /// The result for you.
    pub you: You,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    fn the_type_of_a_line_is_found_wherever_it_stands() {
        for (line, expected) in [
            (r#"{"type":"turn","id":1}"#, Some("turn")),
            (r#"{"x":1,"type":"quit"}"#, Some("quit")),
            (r#" { "type" : "novelty" }"#, Some("novelty")),
            (r#"{"type":"tu\u0072n"}"#, Some("turn")),
            (r#"{"type":1}"#, None),
            ("{}", None),
            ("type", None),
        ] {
            assert_eq!(kind(line.as_bytes()).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn the_quick_reader_of_choices_agrees_with_serde() {
        let line = |legal: &str| {
            format!(
                r#"{{"type":"turn","id":12,"game":"nim","seat":1,"ply":4,"simultaneous":true,"legal":[{legal}],"view":{{"x":["y"]}},"events":[]}}"#
            )
        };
        for (legal, quick) in [
            (r#""a1","b2""#, true),
            (r#""a1""#, true),
            (r#""put 2C 6H","pass""#, true),
            (r#""a,b","c""#, false),
            (r#""a]","]""#, false),
            (r#""a\\b""#, false),
            ("", false),
        ] {
            let line = line(legal);
            assert_eq!(Choice::skim(&line).is_some(), quick, "{line}");
            let (choice, long) = (Choice::read(line.as_bytes()), read_message::<Choice>(line.as_bytes()));
            match (choice, long) {
                (Ok(choice), Ok(long)) => assert_eq!((choice.id, choice.legal), (12, long.legal)),
                // A text with an escape can't be borrowed; no game has such moves.
                (choice, long) => assert!(choice.is_err() && long.is_err() && legal.contains('\\')),
            }
        }
    }
}
