//! The kinds of items, one file for each kind.

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

use super::assignment::{Assignment, Item, Task};
use super::credit::round;
use super::grader::{Grader, NotGraded};
use super::result::Finding;
use referee::record::Record;
use text::Ticker;

/// The result of an item.
pub struct Measured {
    /// From 0 to 1.
    pub number: f64,
    /// The share of the points, if the credit rule of the item does not decide.
    pub share: Option<f64>,
    pub summary: String,
    pub findings: Vec<Finding>,
    pub records: Vec<Record>,
    /// The submission was asked twice and moved differently.
    pub unsteady: bool,
}

/// The most findings of one kind that are shown.
const SHOWN: usize = 3;

/// An item that is ready to be graded.
pub type Exam<'a> = Box<dyn FnOnce(&Grader) -> Result<Measured, NotGraded> + 'a>;

/// Prepares an item: finds its positions, if it has any. The error says what is wrong with the
/// assignment.
pub fn prepare<'a>(assignment: &'a Assignment, item: &'a Item, ticker: &Ticker) -> Result<Exam<'a>, String> {
    Ok(match &item.task {
        Task::Check => Box::new(check::measure),
        Task::NoFaults(games) => Box::new(move |grader| no_faults::measure(grader, item, games)),
        Task::Beats(games, test) => {
            Box::new(move |grader| beats::measure(grader, item, games, test.as_ref()))
        }
        Task::Optimal { positions, horizon } => {
            let asked = optimal::find(assignment, item, positions, *horizon, ticker)?;
            Box::new(move |grader| optimal::measure(grader, item, asked, *horizon))
        }
        Task::Value { positions, depth, compare } => {
            let asked = value::find(assignment, item, positions, (*depth, *compare), ticker)?;
            Box::new(move |grader| value::measure(grader, item, asked, *depth, *compare))
        }
        Task::FewerNodes { positions, depth, ratio, counted } => {
            let asked = fewer_nodes::find(assignment, item, positions, *depth, ticker)?;
            Box::new(move |grader| fewer_nodes::measure(grader, item, asked, (*depth, *ratio), *counted))
        }
        Task::Budget { games, cpu, nodes, counted } => {
            let limit = budget::Limit { cpu: *cpu, nodes: *nodes, counted: *counted };
            Box::new(move |grader| budget::measure(grader, item, games, &limit))
        }
        Task::Ladder { rungs, games, reach } => {
            Box::new(move |grader| ladder::measure(grader, item, rungs, *games, *reach))
        }
    })
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

/// The rule for the points of an item, in words.
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
