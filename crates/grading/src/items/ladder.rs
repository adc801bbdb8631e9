//! Item kind `ladder`: how many opponents of a list the submission beats, from weak to strong.

use super::{Measured, feedback};
use crate::assignment::{Games, Item, Match};
use crate::games::play_match;
use crate::grader::{Grader, NotGraded};
use referee::spec::BotSpec;

pub fn measure(
    grader: &Grader,
    item: &Item,
    rungs: &[BotSpec],
    games: Games,
    reach: f64,
) -> Result<Measured, NotGraded> {
    let (mut reached, mut records, mut findings, mut scores) = (0, Vec::new(), Vec::new(), Vec::new());
    let mut unsteady = false;
    for (at, rung) in rungs.iter().enumerate() {
        let match_of = Match { against: rung.clone(), games };
        let series = play_match(grader, &match_of, &format!("{}-", at + 1), |_| false)?;
        unsteady |= series.unsteady;
        records.extend(series.records());
        scores.push(format!("{:.0} % against {rung}", series.score() * 100.0));
        if series.score() + 1e-9 < reach {
            findings = feedback::of_games(grader, item.number, &series);
            break;
        }
        reached += 1;
    }
    Ok(Measured {
        number: reached as f64 / rungs.len() as f64,
        share: None,
        summary: format!(
            "rung {reached} of {} reached ({}; each rung needs {:.0} %)",
            rungs.len(),
            scores.join(", "),
            reach * 100.0
        ),
        findings,
        records,
        unsteady,
    })
}
