//! What a solver says.

use rules::{MoveError, ParamError};
use serde::Serialize;
use std::fmt;

/// How a game ends for the player to move when both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    Loss,
    Draw,
    Win,
}

impl Value {
    pub fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }

    /// For the other side.
    #[must_use]
    pub fn turned(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a position was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The game can't return to a position: a search that remembers every position it has seen.
    Search,
    /// The game can go in circles: all positions that can be reached, valued backwards from the ends.
    Retrograde,
    /// A sum of games in which both sides have the same moves: the theory of nim values. It knows no distances.
    NimValues,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// For the player to move.
    pub value: Value,
    /// The points by which the player to move wins, where points decide.
    pub margin: Option<i32>,
    /// How long the game lasts when the winner hurries and the loser delays; none for a draw, unless every game
    /// lasts as long, and none where only the value could be found.
    pub plies: Option<u32>,
}

impl Verdict {
    /// Is it known how long the game lasts, if that can be said at all?
    pub fn is_timed(&self) -> bool {
        self.plies.is_some() || self.value == Value::Draw
    }
}

/// Who wins a position, and nothing else about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueAlone {
    /// For the player to move.
    pub value: Value,
    /// Positions that had to be remembered.
    pub states: u64,
    pub method: Method,
}

/// Everything about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solution {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The moves that keep the value and the margin with the best distance: the quickest win, the slowest loss. All
    /// that keep the value, where the distance is not known.
    pub best: Vec<String>,
    /// All moves that keep the value.
    pub keeping: Vec<String>,
    /// Best play of both sides; the first of equally good moves. Empty where a search found the value alone.
    pub line: Vec<String>,
    /// Positions that had to be remembered.
    pub states: u64,
    pub method: Method,
}

/// What is known about a position that was too large.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Partial {
    /// Proven: the player to move gets at least this.
    pub at_least: Value,
    /// Proven: the player to move gets at most this.
    pub at_most: Value,
    /// Positions that were remembered before it had to stop.
    pub states: u64,
    /// Why it stopped.
    pub stopped: Stopped,
    /// Not proven: what a search to this depth advises.
    pub advice: Option<String>,
    pub advice_depth: u32,
}

/// Why a solver stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The memory that was allowed is full.
    Memory,
    /// Whoever asked did not want to wait any longer.
    Asked,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stopped::Memory => "too large to solve with this much memory",
            Stopped::Asked => "not solved in time",
        })
    }
}

/// Why there is no solution.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("{game} can't be solved: something is hidden or left to chance")]
    NotADuel { game: String },
    #[error(
        "{game} with these parameters is no sum of heaps or rows, so that the theory of nim values says nothing"
    )]
    NoSum { game: String },
    #[error(transparent)]
    Params(#[from] ParamError),
    #[error("move {number}, `{got}`: {error}")]
    Move { number: usize, got: String, error: MoveError },
    #[error("the game is over: {0}")]
    Over(String),
    #[error("{0}")]
    Saved(String),
    #[error("{}", .0.stopped)]
    TooLarge(Partial),
}
