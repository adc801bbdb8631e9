//! Item kind `no-faults`: the share of games without a fault.

use super::{Measured, feedback};
use crate::assignment::{Item, Match};
use crate::games::play_match;
use crate::grader::{Grader, NotGraded};

pub fn measure(grader: &Grader, item: &Item, games: &Match) -> Result<Measured, NotGraded> {
    let series = play_match(grader, games, "", |_| false)?;
    let (faults, total) = (series.faults(), series.total());
    Ok(Measured {
        number: (total - faults) as f64 / total.max(1) as f64,
        share: None,
        summary: match faults {
            0 => format!("no fault in {total} games"),
            _ => format!("a fault in {faults} of {total} games"),
        },
        findings: feedback::of_faults(grader, item.number, &series),
        records: series.records(),
        unsteady: series.unsteady,
    })
}
