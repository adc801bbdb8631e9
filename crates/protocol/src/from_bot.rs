//! What a bot writes to the arena.

use crate::object;
use serde::{Deserialize, Serialize};

/// A line from a bot. Only `move` is needed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FromBot {
    Move(Move),
    Ready(Ready),
    Info(Info),
    Log(Log),
    Explore(Explore),
    /// A type that this version does not know. The arena counts and ignores the line.
    #[cfg_attr(test, schemars(skip))]
    Unknown(String),
}

/// The answer to a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Move {
    /// May be left out.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<MoveTag>,
    /// The `id` of the turn. May be left out. A line with another `id` counts as a late line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// One of `legal`.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(length(min = 1, max = 512)))]
    pub mv: String,
    /// What the search found.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object::optional")]
    pub info: Option<Box<Search>>,
    /// The number of wrong fields of `info`, which were left out.
    #[serde(skip)]
    pub slips: u64,
}

impl Move {
    pub fn new(mv: impl Into<String>) -> Move {
        Move { kind: None, id: None, mv: mv.into(), info: None, slips: 0 }
    }
}

/// Optional, once, before the first move: who is playing. The start-up time ends when this line
/// arrives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ready {
    #[serde(rename = "type")]
    pub kind: ReadyTag,
    /// 1, or left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// Search results before the move. The last `info` counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Info {
    #[serde(rename = "type")]
    pub kind: InfoTag,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(flatten)]
    pub search: Search,
    /// The number of wrong fields, which were left out.
    #[serde(skip)]
    pub slips: u64,
}

/// Free text. The record keeps the text with the next move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Log {
    #[serde(rename = "type")]
    pub kind: LogTag,
    pub text: String,
}

/// A step through the game tree during the own turn, answered by a node. Every field is optional.
/// The order of the fields is the order in which the arena carries them out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explore {
    #[serde(rename = "type")]
    pub kind: ExploreTag,
    /// The `match` of `start`, with the first request of a game.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<String>,
    /// The `id` of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Draw a new root from this seed, and go there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imagine: Option<u64>,
    /// Go back to this depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// Play these moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Steps>,
    /// Shall the answer have the legal moves?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Listing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Viewer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<bool>,
    /// The answer repeats this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<u64>,
    /// Which field has a value of a wrong type.
    #[serde(skip)]
    pub problem: Option<String>,
}

impl Explore {
    /// The moves to play.
    pub fn moves(&self) -> &[String] {
        match &self.play {
            None => &[],
            Some(Steps::One(mv)) => std::slice::from_ref(mv),
            Some(Steps::Several(moves)) => moves,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Steps {
    One(String),
    /// One after another.
    Several(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Listing {
    /// All of them, or nothing.
    Moves(bool),
    Count(CountTag),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Viewer {
    /// The seat that decides, or nobody.
    Decider(bool),
    Seat(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum CountTag {
    #[serde(rename = "count")]
    Count,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ExploreTag {
    #[default]
    #[serde(rename = "explore")]
    Explore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum MoveTag {
    #[serde(rename = "move")]
    Move,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ReadyTag {
    #[default]
    #[serde(rename = "ready")]
    Ready,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum InfoTag {
    #[serde(rename = "info")]
    Info,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum LogTag {
    #[serde(rename = "log")]
    Log,
}

/// What a search may report about a move. Every field is optional.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Search {
    /// Plies looked ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Positions evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<u64>,
    /// Branches cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoffs: Option<u64>,
    /// The value found, from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The result with best play, if the search has proved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The expected continuation, which begins with this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Notes on cells of the board, for a viewer.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object::list")]
    pub marks: Option<Vec<Mark>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Proven {
    Win,
    Draw,
    Loss,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    pub cell: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// From 0 (cold) to 1 (hot).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub heat: Option<f64>,
}
