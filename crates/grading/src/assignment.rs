//! What an instructor asks for.

use super::credit::Credit;
use referee::clock::ClockRules;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An assignment that can be graded.
pub struct Assignment {
    pub title: String,
    pub game: GameSpec,
    pub seed: RootSeed,
    pub clock: ClockRules,
    pub memory_bytes: Option<u64>,
    pub items: Vec<Item>,
}

/// One thing that earns points.
pub struct Item {
    /// Counted from 1.
    pub number: usize,
    /// Where the item is written: `nim.toml:12`
    pub place: String,
    pub name: String,
    pub points: f64,
    pub visibility: Visibility,
    pub credit: Credit,
    pub task: Task,
}

/// Who may see what of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    Visible,
    /// The points, but neither positions nor games.
    Score,
    AfterDueDate,
    AfterPublished,
    Hidden,
}

impl Visibility {
    /// May the student see the points before everything is published?
    pub fn shows_points(self) -> bool {
        matches!(self, Visibility::Visible | Visibility::Score)
    }
}

/// What is measured, from 0 to 1.
pub enum Task {
    /// The share of the named checks that are passed.
    Check,
    /// The share of games without a fault.
    NoFaults(Match),
    /// The mean result of the games.
    Beats(Match, Option<Test>),
    /// The share of positions in which the move keeps what can be had.
    Optimal { positions: Positions, horizon: Option<u32> },
    /// The share of positions in which the reported value is that of minimax.
    Value { positions: Positions, depth: u32, compare: Compare },
    /// The share of positions with fewer nodes than `ratio` times what minimax needs.
    FewerNodes { positions: Positions, depth: u32, ratio: f64 },
    /// The share of moves within the limits.
    Budget { games: Match, cpu: Option<Duration>, nodes: Option<u64> },
    /// The share of the rungs climbed, from the first on.
    Ladder { rungs: Vec<BotSpec>, games: Games, reach: f64 },
}

pub struct Match {
    pub against: BotSpec,
    pub games: Games,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Games {
    /// Each deal is played from every seat.
    pub deals: u64,
    /// Random plies at the beginning of every deal.
    pub openings: u32,
    /// Deals and openings are drawn from it.
    pub seed: RootSeed,
}

/// A sequential test between two mean results of a game: is it `below`, or is it `above`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// A bot that scores only this much fails…
    pub below: f64,
    /// … and one that scores this much passes…
    pub above: f64,
    /// … each with this probability at least.
    pub confidence: f64,
}

/// Where positions come from. A position is the list of moves that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Positions {
    Listed(Vec<Vec<String>>),
    /// So many, each after a random number of random plies within the range.
    Random {
        count: usize,
        plies: (u32, u32),
        seed: RootSeed,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Who wins: the sign of the score, or `proven`.
    #[default]
    Sign,
    /// The number itself, for a bot that uses the arena's own evaluation.
    Number,
}
