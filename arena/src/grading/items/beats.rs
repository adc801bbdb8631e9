//! Beats an opponent: by a score, or as far as a sequential test can tell.

use super::{Measured, feedback};
use crate::grading::assignment::{Item, Match, Test};
use crate::grading::games::{Series, play_match};
use crate::grading::grader::{Grader, Trouble};
use crate::grading::sequential::{Verdict, verdict};

pub fn measure(
    grader: &Grader,
    item: &Item,
    games: &Match,
    test: Option<&Test>,
) -> Result<Measured, Trouble> {
    let decided = |blocks: &[f64]| test.is_some_and(|test| verdict(test, blocks) != Verdict::Open);
    let series = play_match(grader, games, "", decided)?;
    let score = series.score();
    let (share, how) = match test {
        None => (None, String::new()),
        Some(test) => judged(test, &series),
    };
    Ok(Measured {
        number: score,
        share,
        summary: format!(
            "{} against {}: {:.1} %{how}",
            series.wins_draws_losses(),
            games.against,
            score * 100.0
        ),
        findings: if share.unwrap_or_else(|| item.credit.share(score)) >= 1.0 {
            Vec::new()
        } else {
            feedback::of_games(grader, item.number, &series)
        },
        records: series.records(),
    })
}

/// All points or none; where the games ran out first, the nearer of the two limits.
fn judged(test: &Test, series: &Series) -> (Option<f64>, String) {
    let middle = f64::midpoint(test.below, test.above);
    let (passed, how) = match verdict(test, &series.blocks()) {
        _ if series.skipped > 0 => (false, "given up after timeouts".to_owned()),
        Verdict::Passed => (true, format!("decided after {} games", series.total())),
        Verdict::Failed => (false, format!("decided after {} games", series.total())),
        Verdict::Open => (series.score() >= middle, "not decided; the score counts".to_owned()),
    };
    (Some(f64::from(u8::from(passed))), format!(" ({how})"))
}
