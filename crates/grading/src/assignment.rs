//! The assignment of an instructor, read and checked.

use super::credit::Credit;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::process::Sandbox;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// An assignment that can be graded.
pub struct Assignment {
    pub title: String,
    pub game: GameSpec,
    pub seed: RootSeed,
    pub clock: ClockRules,
    pub memory_bytes: Option<u64>,
    /// May bots explore?
    pub explore: ExploreRules,
    pub sandbox: Arc<Sandbox>,
    /// Should transcripts of the games be kept?
    pub transcript: bool,
    pub items: Vec<Item>,
}

/// A part of an assignment that earns points.
pub struct Item {
    /// Counted from 1.
    pub number: usize,
    /// The file and line of the item: `nim.toml:12`
    pub place: String,
    pub name: String,
    pub points: f64,
    pub visibility: Visibility,
    pub credit: Credit,
    pub task: Task,
}

impl Item {
    /// Does the arena count the nodes that a bot explores?
    pub fn counts_explored(&self) -> bool {
        matches!(
            self.task,
            Task::FewerNodes { counted: Counted::Explored, .. }
                | Task::Budget { counted: Counted::Explored, .. }
        )
    }
}

/// How much of an item the student may see, and when.
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

/// What an item measures, from 0 to 1.
pub enum Task {
    /// The share of the checks of `arena check` that are passed.
    Check,
    /// The share of games without a fault.
    NoFaults(Match),
    /// The mean result of the games.
    Beats(Match, Option<Test>),
    /// The share of positions in which the move keeps the best possible result.
    Optimal { positions: Positions, horizon: Option<u32> },
    /// The share of positions in which the reported value is the value of minimax.
    Value { positions: Positions, depth: u32, compare: Compare },
    /// The share of positions in which the search needs fewer than `ratio` times the nodes of
    /// minimax.
    FewerNodes { positions: Positions, depth: u32, ratio: f64, counted: Counted },
    /// The share of moves within the limits.
    Budget { games: Match, cpu: Option<Duration>, nodes: Option<u64>, counted: Counted },
    /// The share of the rungs reached, from the first rung on.
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
    /// The number of random plies at the beginning of every deal.
    pub openings: u32,
    /// The seed of deals and openings.
    pub seed: RootSeed,
}

/// A sequential test between two mean results: is the result `below`, or is it `above`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// A bot with this mean result should fail.
    pub below: f64,
    /// A bot with this mean result should pass.
    pub above: f64,
    /// The smallest probability that such a bot gets the right verdict.
    pub confidence: f64,
}

/// The positions of an item. A position is the list of moves that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Positions {
    Listed(Vec<Vec<String>>),
    /// Positions after random plies. The number of plies is random too, within the range.
    Random {
        count: usize,
        plies: (u32, u32),
        seed: RootSeed,
    },
}

/// Who counts the nodes of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// The bot, which reports them in `info.nodes`.
    #[default]
    Reported,
    /// The arena, which has answered for each node that the bot has explored.
    Explored,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Compares who wins: the sign of the score, or `proven`.
    #[default]
    Sign,
    /// Compares the number, for a bot that uses the arena's own evaluation.
    Number,
}
