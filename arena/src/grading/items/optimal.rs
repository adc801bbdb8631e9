//! Plays optimally in positions whose truth is known.

use super::{Measured, SHOWN, feedback};
use crate::grading::assignment::{Item, Positions};
use crate::grading::bugs::name_the_bug;
use crate::grading::desk;
use crate::grading::grader::{Grader, Trouble};
use crate::grading::positions::collect;
use crate::grading::result::Finding;
use crate::grading::truth::{Judged, judge};

pub fn measure(
    grader: &Grader,
    item: &Item,
    positions: &Positions,
    horizon: Option<u32>,
) -> Result<Measured, Trouble> {
    let assignment = grader.assignment;
    let (game, params) = (assignment.game.about.id, assignment.setting.params());
    // A random position is worth asking about if something can be done wrong in it.
    let known = |moves: &[String]| {
        judge(game, params, moves, horizon)
            .filter(|judged| judged.matters() || matches!(positions, Positions::Listed(_)))
    };
    let asked = collect(&*assignment.setting, positions, &item.name, known).map_err(Trouble::Config)?;
    let replies = desk::ask(grader, asked.iter().map(|(moves, _)| moves.as_slice()))?;
    let mut findings: Vec<Finding> = Vec::new();
    let mut answers: Vec<(&Judged, &str)> = Vec::new();
    for ((moves, judged), reply) in asked.iter().zip(&replies) {
        let finding = match reply {
            Ok(reply) => {
                answers.push((judged, &reply.mv));
                feedback::of_move(&*assignment.setting, moves, judged, &reply.mv)
            }
            Err(fault) => Some(Finding {
                position: feedback::picture(&*assignment.setting, moves),
                ..feedback::of_plain_fault(fault)
            }),
        };
        let replay = Some(feedback::again_command(grader, item.number));
        findings.extend(finding.map(|finding| Finding {
            what: format!("{}: {}", feedback::place(moves), finding.what),
            replay,
            ..finding
        }));
    }
    let good = asked.len() - findings.len();
    findings.truncate(SHOWN);
    if good < asked.len() {
        findings.extend(name_the_bug(&answers).map(|what| Finding { what, ..Finding::default() }));
    }
    Ok(Measured {
        number: good as f64 / asked.len().max(1) as f64,
        share: None,
        summary: format!("the best that can be had was kept in {good} of {} positions", asked.len()),
        findings,
        records: Vec::new(),
    })
}
