//! The answers of the solver: values, verdicts, solutions and refusals.

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

    /// The same result, for the other side.
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
    /// For games that can't return to a position: a search that remembers every position it has
    /// seen.
    Search,
    /// For games with loops: all reachable positions, valued backwards from the ends.
    Retrograde,
    /// For sums of games in which both sides have the same moves: the theory of nim values. The
    /// theory gives no distances.
    NimValues,
}

/// Who wins a position, by how much, and how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// For the player to move.
    pub value: Value,
    /// The points by which the player to move wins, where points decide.
    pub margin: Option<i32>,
    /// The length of the game when the winner hurries and the loser delays. `None` where only the
    /// value was found. A draw has a length only where all games have the same length.
    pub plies: Option<u32>,
}

impl Verdict {
    /// Whether everything about the length is known. A draw needs no length.
    pub fn is_timed(&self) -> bool {
        self.plies.is_some() || self.value == Value::Draw
    }
}

/// Who wins a position, and nothing else about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueAlone {
    /// For the player to move.
    pub value: Value,
    /// The number of remembered positions.
    pub states: u64,
    pub method: Method,
}

/// The value of a position, its good moves, and a line of best play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solution {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The moves that keep the value and the margin with the best distance: the quickest win or the
    /// slowest loss. Where the distance is unknown, all moves that keep the value.
    pub best: Vec<String>,
    /// All moves that keep the value.
    pub keeping: Vec<String>,
    /// Best play of both sides. Of equally good moves the first is taken. Empty where a search
    /// found only the value.
    pub line: Vec<String>,
    /// The number of remembered positions.
    pub states: u64,
    pub method: Method,
}

/// What is known about a position that could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Partial {
    /// Proven: the player to move gets at least this.
    pub at_least: Value,
    /// Proven: the player to move gets at most this.
    pub at_most: Value,
    /// The number of positions remembered before the solver stopped.
    pub states: u64,
    pub stopped: Stopped,
    /// The move that a search of `advice_depth` plies prefers. The advice is not proven.
    pub advice: Option<String>,
    pub advice_depth: u32,
}

/// Why a solver stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The allowed memory is full.
    Memory,
    /// The listener said no.
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
        "{game} with these parameters is not a sum of heaps or rows, so the theory of nim values does not apply"
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
