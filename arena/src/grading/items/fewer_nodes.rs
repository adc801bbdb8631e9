//! Needs fewer nodes than minimax, and the numbers it reports can be true.

use super::Measured;
use super::survey::Survey;
use crate::grading::assignment::{Item, Positions};
use crate::grading::desk::Reply;
use crate::grading::examiner::{Judged, Reference};
use crate::grading::grader::{Grader, Trouble};
use crate::grading::result::Finding;
use search::WIN;

/// No program visits more nodes than this in a microsecond.
const NODES_PER_MICROSECOND: f64 = 1_000.0;

pub fn measure(
    grader: &Grader,
    item: &Item,
    positions: &Positions,
    depth: u32,
    ratio: f64,
) -> Result<Measured, Trouble> {
    let survey = Survey::take(grader, item, positions, |examiner, moves| {
        let truth = examiner.reference(moves, depth)?;
        let judged = examiner.judge(moves, Some(depth))?;
        Some(Known { truth, judged })
    })?;
    let used: u64 = survey.answers().filter_map(|(_, reply)| reply.info.nodes).sum();
    let full: u64 = survey.answers().map(|(known, _)| known.truth.nodes).sum();
    let objection = |known: &Known, reply: &Reply| {
        known.objection(reply, depth, ratio).map(|what| Finding {
            what,
            right: Some(format!("fewer than {:.0} nodes", known.truth.nodes as f64 * ratio)),
            ..Finding::default()
        })
    };
    Ok(survey.measured(Some(depth), objection, |good, total| {
        let compared = if full > 0 { format!("; {used} nodes, minimax {full}") } else { String::new() };
        format!("few enough nodes in {good} of {total} positions{compared}")
    }))
}

struct Known {
    truth: Reference,
    judged: Judged,
}

impl Known {
    /// What speaks against a report.
    fn objection(&self, reply: &Reply, depth: u32, ratio: f64) -> Option<String> {
        let Some(nodes) = reply.info.nodes else { return Some("it reported no `info.nodes`".to_owned()) };
        if let Some(claimed) = reply.info.depth.filter(|claimed| *claimed != depth) {
            return Some(format!("it searched to depth {claimed}, and depth {depth} is compared"));
        }
        if nodes as f64 >= self.truth.nodes as f64 * ratio {
            return Some(format!("{nodes} nodes, and minimax needs {}", self.truth.nodes));
        }
        let fewest = self.fewest(depth);
        if nodes < fewest {
            return Some(format!(
                "{nodes} nodes can't be true: every search to depth {depth} visits {fewest} or more"
            ));
        }
        if nodes as f64 > NODES_PER_MICROSECOND * (reply.taken.as_micros() + 1_000) as f64 {
            return Some(format!("{nodes} nodes in {} µs can't be true", reply.taken.as_micros()));
        }
        let lost = self.judged.worth_of(&reply.mv).is_some_and(|worth| worth < self.judged.worth);
        lost.then(|| {
            format!("`{}` is worse than what minimax finds: something was cut that matters", reply.mv)
        })
    }

    /// The root and, unless a win ends the search at once, something below each of its moves.
    fn fewest(&self, depth: u32) -> u64 {
        if self.truth.value >= WIN {
            2
        } else {
            (1 + self.truth.moves as u64).min(self.truth.nodes) * u64::from(depth > 0)
        }
    }
}
