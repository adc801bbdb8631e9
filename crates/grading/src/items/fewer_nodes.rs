//! Item kind `fewer-nodes`: the search needs fewer nodes than minimax, and the reported numbers are
//! plausible.

use super::survey::{Asked, Survey, find_positions};
use super::{Measured, feedback};
use crate::assignment::{Assignment, Counted, Item, Positions};
use crate::desk::Reply;
use crate::examiner::{Examiner, Judged, Reference};
use crate::grader::{Grader, NotGraded};
use crate::result::Finding;
use search::WIN;
use text::Ticker;

/// No program visits more nodes in a microsecond.
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
    (depth, ratio): (u32, f64),
    counted: Counted,
) -> Result<Measured, NotGraded> {
    let survey = Survey::take(grader, item, asked)?;
    let used: u64 = survey.answers().filter_map(|(_, reply)| nodes(reply, counted)).sum();
    let full: u64 = survey.answers().map(|(known, _)| known.truth.nodes).sum();
    let objection = |_: &mut Examiner, _: &[String], known: &Known, reply: &Reply| match nodes(reply, counted)
    {
        None => Some(Known::uncounted(reply, depth, counted)),
        Some(nodes) => known.objection(reply, nodes, depth, ratio),
    };
    Ok(survey.measured(Some(depth), objection, |good, total| {
        let compared = if full > 0 { format!("; {used} nodes, minimax {full}") } else { String::new() };
        format!("few enough nodes in {good} of {total} positions{compared}")
    }))
}

/// The nodes of a search with its root, if they are known. Nobody explores the root: the turn
/// itself shows it.
fn nodes(reply: &Reply, counted: Counted) -> Option<u64> {
    match counted {
        Counted::Reported => reply.info.nodes,
        Counted::Explored => (reply.explored > 0).then_some(reply.explored + 1),
    }
}

/// What is known about a position.
pub struct Known {
    truth: Reference,
    judged: Judged,
}

impl Known {
    /// The reason why an answer without nodes is not accepted.
    fn uncounted(reply: &Reply, depth: u32, counted: Counted) -> Finding {
        let (what, right, why) = match counted {
            Counted::Reported => (
                "the bot reported no `info.nodes`",
                format!("`\"info\":{{\"nodes\":…,\"depth\":{depth}}}` beside the `move`"),
                "without the number of nodes nothing can be compared",
            ),
            Counted::Explored => (
                "the bot explored nothing",
                "`{\"type\":\"explore\",\"at\":0,\"play\":\"…\"}` for each position that it looks at"
                    .to_owned(),
                "the arena counts only what a bot explores through it",
            ),
        };
        Finding {
            what: what.to_owned(),
            played: Some(reply.mv.clone()),
            right: Some(right),
            why: Some(why.to_owned()),
            ..Finding::default()
        }
    }

    /// The reason why this number of nodes is not accepted.
    fn objection(&self, reply: &Reply, nodes: u64, depth: u32, ratio: f64) -> Option<Finding> {
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
        if let Some(claimed) = reply.info.depth.filter(|claimed| *claimed != depth) {
            let right = format!("a search to depth {depth}");
            return objection(
                format!("the bot searched to depth {claimed}"),
                right,
                "two searches can be compared only at the same depth",
            );
        }
        if nodes as f64 >= full as f64 * ratio {
            return objection(
                format!("the bot needed {nodes} nodes"),
                enough,
                "a search can skip moves that can't change the result any more",
            );
        }
        let fewest = self.fewest(depth);
        if nodes < fewest {
            let what = format!("{nodes} nodes can't be true");
            let why = format!(
                "every search to depth {depth} visits at least {fewest} nodes; count the root and every generated position"
            );
            return objection(what, enough, &why);
        }
        if nodes as f64 > NODES_PER_MICROSECOND * (reply.taken.as_micros() + 1_000) as f64 {
            let what = format!("{nodes} nodes can't be true");
            return objection(what, enough, "no program visits so many nodes in the time that the bot took");
        }
        let lost = self.judged.worth_of(&reply.mv).is_some_and(|worth| worth < self.judged.worth);
        let what = format!("`{}` is worse than the moves that minimax finds", reply.mv);
        let right = feedback::listed(&self.judged.keeping());
        lost.then(|| objection(what, right, "the search skipped a move that matters"))?
    }

    /// The smallest possible number of nodes: the root, and a node for each of its moves unless a
    /// win ends the search at once.
    fn fewest(&self, depth: u32) -> u64 {
        if self.truth.value >= WIN {
            2
        } else {
            (1 + self.truth.moves as u64).min(self.truth.nodes) * u64::from(depth > 0)
        }
    }
}
