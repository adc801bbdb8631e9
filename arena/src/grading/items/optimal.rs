//! Plays optimally in positions whose truth is known.

use super::survey::Survey;
use super::{Measured, feedback};
use crate::grading::assignment::{Item, Positions};
use crate::grading::grader::{Grader, Trouble};

pub fn measure(
    grader: &Grader,
    item: &Item,
    positions: &Positions,
    horizon: Option<u32>,
) -> Result<Measured, Trouble> {
    let listed = matches!(positions, Positions::Listed(_));
    let survey = Survey::take(grader, item, positions, |examiner, moves| {
        // A random position is worth asking about if something can be done wrong in it.
        examiner.judge(moves, horizon).filter(|judged| listed || judged.matters())
    })?;
    let searched = survey.answers().filter(|(judged, _)| judged.horizon.is_some()).count();
    Ok(survey.measured(
        horizon,
        |examiner, moves, judged, reply| feedback::of_move(examiner, moves, judged, &reply.mv),
        |good, total| {
            let how = match searched {
                0 => String::new(),
                _ => format!("; {searched} were judged by a search, not solved"),
            };
            format!("the best that can be had was kept in {good} of {total} positions{how}")
        },
    ))
}
