//! Item kind `optimal`: the share of positions with a best move.

use super::survey::{Asked, Survey, find_positions};
use super::{Measured, feedback};
use crate::assignment::{Assignment, Item, Positions};
use crate::examiner::Judged;
use crate::grader::{Grader, NotGraded};
use text::Ticker;

/// The positions, each with the results of its moves. Every position has at least one mistake. In a
/// random position at least half of the moves are mistakes.
pub fn find(
    assignment: &Assignment,
    item: &Item,
    positions: &Positions,
    horizon: Option<u32>,
    ticker: &Ticker,
) -> Result<Asked<Judged>, String> {
    let listed = matches!(positions, Positions::Listed(_));
    find_positions(assignment, item, positions, ticker, |examiner, moves| {
        match examiner.judge(moves, horizon) {
            None => Err("is too large to be judged"),
            Some(judged) if !judged.matters() && judged.horizon.is_none() => Err("has no wrong move"),
            Some(judged) if !judged.matters() => {
                Err("is too large to be solved, and a search finds no wrong move")
            }
            Some(judged) if !listed && !judged.tells_apart() => Err("has more right moves than wrong moves"),
            Some(judged) => Ok(judged),
        }
    })
}

pub fn measure(
    grader: &Grader,
    item: &Item,
    asked: Asked<Judged>,
    horizon: Option<u32>,
) -> Result<Measured, NotGraded> {
    let survey = Survey::take(grader, item, asked)?;
    let searched = survey.answers().filter(|(judged, _)| judged.horizon.is_some()).count();
    Ok(survey.measured(
        horizon,
        |examiner, moves, judged, reply| feedback::of_move(examiner, moves, judged, &reply.mv),
        |good, total| {
            let how = match searched {
                0 => String::new(),
                _ => format!("; {searched} positions were searched, not solved"),
            };
            format!("a best move in {good} of {total} positions{how}")
        },
    ))
}
