//! Needs fewer nodes than minimax, and the numbers it reports can be true.

use super::survey::{Asked, Survey, find_positions};
use super::{Measured, feedback};
use crate::assignment::{Assignment, Item, Positions};
use crate::desk::Reply;
use crate::examiner::{Examiner, Judged, Reference};
use crate::grader::{Grader, NotGraded};
use crate::result::Finding;
use crate::ticker::Ticker;
use search::WIN;

/// No program visits more nodes than this in a microsecond.
const NODES_PER_MICROSECOND: f64 = 1_000.0;

pub fn find(
    assignment: &Assignment,
    item: &Item,
    positions: &Positions,
    depth: u32,
    ticker: &Ticker,
) -> Result<Asked<Known>, String> {
    find_positions(assignment, item, positions, ticker, |examiner, moves| {
        let both = examiner.reference(moves, depth).zip(examiner.judge(moves, Some(depth)));
        both.map(|(truth, judged)| Known { truth, judged }).ok_or("is too large for minimax at this `depth`")
    })
}

pub fn measure(
    grader: &Grader,
    item: &Item,
    asked: Asked<Known>,
    depth: u32,
    ratio: f64,
) -> Result<Measured, NotGraded> {
    let survey = Survey::take(grader, item, asked)?;
    let used: u64 = survey.answers().filter_map(|(_, reply)| reply.info.nodes).sum();
    let full: u64 = survey.answers().map(|(known, _)| known.truth.nodes).sum();
    let objection =
        |_: &mut Examiner, _: &[String], known: &Known, reply: &Reply| known.objection(reply, depth, ratio);
    Ok(survey.measured(Some(depth), objection, |good, total| {
        let compared = if full > 0 { format!("; {used} nodes, minimax {full}") } else { String::new() };
        format!("few enough nodes in {good} of {total} positions{compared}")
    }))
}

/// What is known about a position.
pub struct Known {
    truth: Reference,
    judged: Judged,
}

impl Known {
    /// What speaks against a report.
    fn objection(&self, reply: &Reply, depth: u32, ratio: f64) -> Option<Finding> {
        let full = self.truth.nodes;
        let enough = format!("fewer than {:.0} nodes: minimax needs {full}", full as f64 * ratio);
        let objection = |what: String, right: String, why: &str| {
            Some(Finding {
                what,
                played: Some(reply.mv.clone()),
                right: Some(right),
                why: Some(why.to_owned()),
                ..Finding::default()
            })
        };
        let Some(nodes) = reply.info.nodes else {
            let right = format!("`\"info\":{{\"nodes\":…,\"depth\":{depth}}}` beside the `move`");
            return objection(
                "it reported no `info.nodes`".to_owned(),
                right,
                "without a count nothing can be compared",
            );
        };
        if let Some(claimed) = reply.info.depth.filter(|claimed| *claimed != depth) {
            let right = format!("a search to depth {depth}");
            return objection(
                format!("it searched to depth {claimed}"),
                right,
                "both must look equally far to be compared",
            );
        }
        if nodes as f64 >= full as f64 * ratio {
            return objection(
                format!("it needed {nodes} nodes"),
                enough,
                "a move that can't change the result any more need not be looked at",
            );
        }
        let fewest = self.fewest(depth);
        if nodes < fewest {
            let what = format!("{nodes} nodes can't be true");
            let why = format!(
                "every search to depth {depth} visits {fewest} or more; count the root and every position generated"
            );
            return objection(what, enough, &why);
        }
        if nodes as f64 > NODES_PER_MICROSECOND * (reply.taken.as_micros() + 1_000) as f64 {
            let what = format!("{nodes} nodes can't be true");
            return objection(what, enough, "no program visits so many in the time that it took");
        }
        let lost = self.judged.worth_of(&reply.mv).is_some_and(|worth| worth < self.judged.worth);
        let what = format!("`{}` is worse than what minimax finds", reply.mv);
        let right = feedback::listed(&self.judged.keeping());
        lost.then(|| objection(what, right, "something was cut that matters"))?
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
