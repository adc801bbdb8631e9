//! One file for each idea of what may earn points.

mod beats;
mod budget;
mod check;
pub mod feedback;
mod fewer_nodes;
mod ladder;
mod no_faults;
mod optimal;
mod survey;
mod value;

use super::assignment::{Item, Task};
use super::credit::round;
use super::grader::{Grader, Trouble};
use super::result::Finding;
use crate::record::Record;

/// What came out of an item.
pub struct Measured {
    /// From 0 to 1.
    pub number: f64,
    /// The share of the points, where no formula decides.
    pub share: Option<f64>,
    pub summary: String,
    pub findings: Vec<Finding>,
    pub records: Vec<Record>,
}

/// Findings that are shown in full; more of the same would only tire.
const SHOWN: usize = 3;

pub fn measure(grader: &Grader, item: &Item) -> Result<Measured, Trouble> {
    match &item.task {
        Task::Check => check::measure(grader),
        Task::NoFaults(games) => no_faults::measure(grader, item, games),
        Task::Beats(games, test) => beats::measure(grader, item, games, test.as_ref()),
        Task::Optimal { positions, horizon } => optimal::measure(grader, item, positions, *horizon),
        Task::Value { positions, depth, compare } => {
            value::measure(grader, item, positions, *depth, *compare)
        }
        Task::FewerNodes { positions, depth, ratio } => {
            fewer_nodes::measure(grader, item, positions, *depth, *ratio)
        }
        Task::Budget { games, cpu, nodes } => budget::measure(grader, item, games, *cpu, *nodes),
        Task::Ladder { rungs, games, reach } => ladder::measure(grader, item, rungs, *games, *reach),
    }
}

pub fn kind(task: &Task) -> &'static str {
    match task {
        Task::Check => "check",
        Task::NoFaults(_) => "no-faults",
        Task::Beats(..) => "beats",
        Task::Optimal { .. } => "optimal",
        Task::Value { .. } => "value",
        Task::FewerNodes { .. } => "fewer-nodes",
        Task::Budget { .. } => "budget",
        Task::Ladder { .. } => "ladder",
    }
}

/// What it takes, in words.
pub fn rule(item: &Item) -> String {
    match &item.task {
        Task::Beats(_, Some(test)) => format!(
            "decided between {} % and {} % with {} % confidence",
            round(test.below * 100.0),
            round(test.above * 100.0),
            round(test.confidence * 100.0)
        ),
        _ => item.credit.words(),
    }
}
