//! What the arena writes to a bot.

use crate::json::{push_number, push_text};
use crate::limits::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

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
        if is_turn(line) {
            return Turn::read(line).map(ToBot::Turn).map(Some);
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

/// Turns are by far the most frequent lines, and begin like this when the arena writes them.
pub fn is_turn(line: &[u8]) -> bool {
    line.starts_with(br#"{"type":"turn","#)
}

/// Looking for foreign bytes once is quicker than in every text of a line.
fn read_json<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, serde_json::Error> {
    match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(line),
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
    pub fn read(line: &[u8]) -> Result<Turn, serde_json::Error> {
        read_json(line)
    }

    /// The view as a value to look into.
    pub fn view(&self) -> Value {
        serde_json::from_str(self.view.get()).unwrap_or_default()
    }
}

/// What a bot needs of a turn that only picks from the list of legal moves. It is read without a copy.
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
            None => read_json(line),
        }
    }

    /// Reads the beginning of a line, as [`write_turn`] writes it; moves are plain texts. What comes after the list
    /// of moves, most of the line, is not looked at.
    fn skim(line: &'a str) -> Option<Choice<'a>> {
        let (id, rest) = line.strip_prefix(r#"{"type":"turn","id":"#)?.split_once(',')?;
        let (_, list) = rest.split_once(r#""legal":[""#)?;
        let (list, _) = list.split_once(r#""]"#)?;
        if list.contains('\\') {
            return None;
        }
        Some(Choice { id: id.parse().ok()?, legal: list.split(r#"",""#).collect() })
    }
}

/// A [`Turn`] as the arena has it at hand. What changes rarely, or is written by somebody else, is JSON already.
#[derive(Clone, Copy)]
pub struct TurnParts<'a> {
    pub id: u64,
    pub ply: u32,
    pub simultaneous: bool,
    /// Appends a list of texts.
    pub legal: &'a dyn Fn(&mut String),
    pub view: &'a str,
    /// Appends, by [`write_event`], what is in the list.
    pub events: &'a dyn Fn(&mut String),
    /// A [`Clock`].
    pub clock: &'a str,
}

/// Appends a [`Turn`] with its newline.
pub fn write_turn(line: &mut String, turn: &TurnParts<'_>) {
    line.push_str(r#"{"type":"turn","id":"#);
    push_number(line, turn.id);
    line.push_str(r#","ply":"#);
    push_number(line, turn.ply.into());
    if turn.simultaneous {
        line.push_str(r#","simultaneous":true"#);
    }
    line.push_str(r#","legal":"#);
    (turn.legal)(line);
    line.push_str(r#","view":"#);
    line.push_str(turn.view);
    line.push_str(r#","events":["#);
    (turn.events)(line);
    line.push_str(r#"],"clock":"#);
    line.push_str(turn.clock);
    line.push_str("}\n");
}

/// Appends a move to a list of [`Event`]s that has been opened with `[`.
pub fn write_event(list: &mut String, seat: u8, mv: &str) {
    list.push_str(if list.ends_with('[') {
        r#"{"kind":"move","seat":"#
    } else {
        r#",{"kind":"move","seat":"#
    });
    push_number(list, seat.into());
    list.push_str(r#","move":"#);
    push_text(list, mv);
    list.push('}');
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

/// Your line was not accepted. When that cost the game, `quit` follows.
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
        let line = r#"{"type":"turn","id":3,"ply":4,"simultaneous":true,"legal":["a1","b2"],"view":{"x":[1]},"events":[{"kind":"move","seat":1,"move":"c3"},{"kind":"move","seat":0,"move":"a\\u0001"}],"clock":{"move_ms":1,"bank_ms":2,"increment_ms":3,"startup_ms":4,"measured":"cpu"}}"#;
        let Ok(Some(ToBot::Turn(turn))) = ToBot::read(line.as_bytes()) else { panic!() };
        assert_eq!(serde_json::to_string(&ToBot::Turn(turn.clone())).unwrap(), line);
        let legal = serde_json::to_string(&turn.legal).unwrap();
        let mut quick = String::new();
        let parts = TurnParts {
            id: turn.id,
            ply: turn.ply,
            simultaneous: true,
            legal: &|line| line.push_str(&legal),
            view: turn.view.get(),
            events: &|line| turn.events.iter().for_each(|event| write_event(line, event.seat, &event.mv)),
            clock: &serde_json::to_string(&turn.clock).unwrap(),
        };
        write_turn(&mut quick, &parts);
        assert_eq!(quick, format!("{line}\n"));
        let choice = Choice::read(line.as_bytes()).unwrap();
        assert_eq!((choice.id, choice.legal), (3, vec!["a1", "b2"]));
        let spaced = line.replace(':', ": ").replace("b2", "b\\\\2");
        assert!(Choice::skim(&spaced).is_none());
        assert!(matches!(ToBot::read(br#"{"x":1,"type":"quit"}"#), Ok(Some(ToBot::Quit))));
        assert!(matches!(ToBot::read(br#"{"type":"novelty"}"#), Ok(None)));
        assert!(ToBot::read(b"{}").is_err());
    }
}
