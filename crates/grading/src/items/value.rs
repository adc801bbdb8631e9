//! Item kind `value`: the share of positions in which the submission reports the value of minimax.

use super::Measured;
use super::survey::{Asked, Survey, find_positions};
use crate::assignment::{Assignment, Compare, Item, Positions};
use crate::desk::Reply;
use crate::examiner::{Examiner, Reference};
use crate::grader::{Grader, NotGraded};
use crate::result::Finding;
use protocol::{Proven, Search};
use search::WIN;
use text::Ticker;

pub fn find(
    assignment: &Assignment,
    item: &Item,
    positions: &Positions,
    (depth, compare): (u32, Compare),
    ticker: &Ticker,
) -> Result<Asked<Reference>, String> {
    find_positions(assignment, item, positions, ticker, |examiner, moves| {
        match examiner.reference(moves, depth) {
            None => Err("is too large for minimax at this `depth`"),
            // If the depth does not show who wins, only bots with the arena's own evaluation have a
            // number to compare.
            Some(found) if compare == Compare::Sign && !found.complete && found.value.abs() < WIN => {
                Err("does not show at this `depth` who wins")
            }
            Some(found) => Ok(found),
        }
    })
}

pub fn measure(
    grader: &Grader,
    item: &Item,
    asked: Asked<Reference>,
    depth: u32,
    compare: Compare,
) -> Result<Measured, NotGraded> {
    let survey = Survey::take(grader, item, asked)?;
    let objection = |_: &mut Examiner, _: &[String], truth: &Reference, reply: &Reply| {
        wrong(&reply.info, truth, compare).map(|what| Finding {
            what,
            right: Some(expected(truth, compare)),
            why: Some(format!(
                "minimax to depth {depth} visited all {} nodes; scores are for the player to move",
                truth.nodes
            )),
            ..Finding::default()
        })
    };
    Ok(survey.measured(Some(depth), objection, |good, total| {
        format!("the bot reported the value of minimax in {good} of {total} positions")
    }))
}

/// 1 for a win, 0 for a draw or an even estimate, -1 for a loss.
fn sign(truth: &Reference) -> i32 {
    if truth.value.abs() >= WIN { truth.value.signum() } else { 0 }
}

fn expected(truth: &Reference, compare: Compare) -> String {
    match (compare, sign(truth)) {
        (Compare::Number, 0) => format!("the score {}", truth.value),
        (_, 1) => "a won position: `proven` \"win\", or a score above 0".to_owned(),
        (_, -1) => "a lost position: `proven` \"loss\", or a score below 0".to_owned(),
        _ => "a drawn position: `proven` \"draw\", or the score 0".to_owned(),
    }
}

/// The mistake in a report, if there is one.
fn wrong(info: &Search, truth: &Reference, compare: Compare) -> Option<String> {
    let proven = info.proven.map(|proven| match proven {
        Proven::Win => 1,
        Proven::Draw => 0,
        Proven::Loss => -1,
    });
    if compare == Compare::Number && sign(truth) == 0 {
        return match info.score {
            Some(score) if (score - f64::from(truth.value)).abs() < 1e-6 => None,
            Some(score) => Some(format!("the bot reported the score {score}")),
            None => Some("the bot reported no `info.score`".to_owned()),
        };
    }
    match (proven, info.score) {
        (Some(claim), _) if claim == sign(truth) => None,
        (Some(claim), _) => {
            Some(format!("the bot reported a proven {}", ["loss", "draw", "win"][(claim + 1) as usize]))
        }
        (None, Some(score))
            if score.total_cmp(&0.0) as i32 == sign(truth) || (score == 0.0 && sign(truth) == 0) =>
        {
            None
        }
        (None, Some(score)) => Some(format!("the bot reported the score {score}")),
        (None, None) => Some("the bot reported neither `info.score` nor `info.proven`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_compared() {
        let truth = |value| Reference { value, nodes: 9, complete: true, moves: 3 };
        let score = |score| Search { score: Some(score), ..Search::default() };
        let proven = |proven| Search { proven: Some(proven), ..Search::default() };
        for (info, value, compare, right) in [
            (score(0.5), WIN, Compare::Sign, true),
            (score(-0.5), WIN, Compare::Sign, false),
            (score(-3.0), -WIN - 2, Compare::Sign, true),
            (score(0.0), 0, Compare::Sign, true),
            (score(-0.0), 0, Compare::Sign, true),
            (score(1.0), 0, Compare::Sign, false),
            (proven(Proven::Win), WIN, Compare::Sign, true),
            (proven(Proven::Draw), WIN, Compare::Sign, false),
            (Search::default(), 0, Compare::Sign, false),
            (score(12.0), 12, Compare::Number, true),
            (score(13.0), 12, Compare::Number, false),
            (score(99.0), WIN + 3, Compare::Number, true),
        ] {
            let found = wrong(&info, &truth(value), compare);
            assert_eq!(found.is_none(), right, "{info:?} for {value}: {found:?}");
        }
    }
}
