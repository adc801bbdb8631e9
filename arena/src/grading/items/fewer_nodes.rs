//! Needs fewer nodes than minimax, and the numbers it reports can be true.

use super::{Measured, SHOWN, feedback};
use crate::grading::assignment::{Item, Positions};
use crate::grading::desk::{self, Reply};
use crate::grading::grader::{Grader, Trouble};
use crate::grading::positions::collect;
use crate::grading::result::Finding;
use crate::grading::truth::{Judged, Reference, judge, reference};
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
    let assignment = grader.assignment;
    let (game, params) = (assignment.game.about.id, assignment.setting.params());
    let known = |moves: &[String]| {
        let truth = reference(game, params, moves, depth)?;
        let judged = judge(game, params, moves, Some(depth))?;
        Some(Known { truth, judged })
    };
    let asked = collect(&*assignment.setting, positions, &item.name, known).map_err(Trouble::Config)?;
    let replies = desk::ask(grader, asked.iter().map(|(moves, _)| moves.as_slice()))?;
    let mut findings = Vec::new();
    let (mut used, mut full) = (0, 0);
    for ((moves, known), reply) in asked.iter().zip(&replies) {
        let finding = match reply {
            Err(fault) => Some(feedback::of_plain_fault(fault)),
            Ok(reply) => {
                used += reply.info.nodes.unwrap_or_default();
                full += known.truth.nodes;
                known.objection(reply, depth, ratio).map(|what| Finding {
                    what,
                    right: Some(format!("fewer than {:.0} nodes", known.truth.nodes as f64 * ratio)),
                    ..Finding::default()
                })
            }
        };
        findings.extend(finding.map(|finding| Finding {
            what: format!("{}: {}", feedback::place(moves), finding.what),
            position: feedback::picture(&*assignment.setting, moves),
            replay: Some(feedback::again_command(grader, item.number)),
            ..finding
        }));
    }
    let good = asked.len() - findings.len();
    findings.truncate(SHOWN);
    let compared = if full > 0 { format!("; {used} nodes, minimax {full}") } else { String::new() };
    Ok(Measured {
        number: good as f64 / asked.len().max(1) as f64,
        share: None,
        summary: format!("few enough nodes in {good} of {} positions{compared}", asked.len()),
        findings,
        records: Vec::new(),
    })
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
