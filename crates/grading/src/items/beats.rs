//! Item kind `beats`: the mean result against an opponent, or the verdict of a sequential test.

use super::{Measured, feedback};
use crate::assignment::{Item, Match, Test};
use crate::games::{GradedGames, play_match};
use crate::grader::{Grader, NotGraded};
use ratings::{Outcomes, Scale, Sprt, Verdict, elo};

pub fn measure(
    grader: &Grader,
    item: &Item,
    games: &Match,
    test: Option<&Test>,
) -> Result<Measured, NotGraded> {
    let decided =
        |so_far: &GradedGames| test.is_some_and(|test| verdict(test, &so_far.outcomes()) != Verdict::Open);
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
        unsteady: series.unsteady,
    })
}

/// Is the mean result `below` or `above`? The probability of a wrong verdict is at most 1 -
/// confidence.
fn verdict(test: &Test, outcomes: &Outcomes) -> Verdict {
    let risk = 1.0 - test.confidence;
    let (elo0, elo1) = (elo(test.below), elo(test.above));
    Sprt { elo0, elo1, alpha: risk, beta: risk, scale: Scale::Logistic }.verdict(outcomes)
}

/// All points or none. If the test is not decided when the games are over, the nearer of the two
/// limits counts.
fn judged(test: &Test, series: &GradedGames) -> (Option<f64>, String) {
    let middle = f64::midpoint(test.below, test.above);
    let decided = format!("decided after {} games", series.total());
    let (passed, how) = match verdict(test, &series.outcomes()) {
        _ if series.skipped > 0 => (false, "stopped after timeouts".to_owned()),
        Verdict::Upper => (true, decided),
        Verdict::Lower => (false, decided),
        Verdict::Open => {
            let how = format!("not decided in {} games; {} % is enough", series.total(), middle * 100.0);
            (series.score() >= middle, how)
        }
    };
    (Some(f64::from(u8::from(passed))), format!(" ({how})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::Dice;

    const TEST: Test = Test { below: 0.5, above: 0.7, confidence: 0.95 };

    fn after(blocks: &[f64]) -> Verdict {
        verdict(&TEST, &Outcomes::of_means(2.0, blocks.iter().map(|mean| (*mean, 1))))
    }

    #[test]
    fn clear_cases_are_decided_quickly() {
        for (blocks, answer) in [
            (&[][..], Verdict::Open),
            (&[1.0], Verdict::Open),
            (&[1.0; 10], Verdict::Upper),
            (&[0.0; 8], Verdict::Lower),
            (&[0.5, 1.0, 0.0, 0.5], Verdict::Open),
        ] {
            assert_eq!(after(blocks), answer, "{blocks:?}");
        }
    }

    /// At each limit the wrong verdict is as rare as the confidence says.
    #[test]
    fn the_risk_is_as_stated() {
        let mut dice = Dice::new(1);
        for (score, wrong) in [(0.5, Verdict::Upper), (0.7, Verdict::Lower)] {
            let mut errors = 0;
            for _ in 0..400 {
                let mut blocks = Vec::new();
                let mut found = Verdict::Open;
                while found == Verdict::Open && blocks.len() < 200 {
                    let mut game = || f64::from(u8::from((dice.below(1_000_000) as f64) < score * 1e6));
                    blocks.push(f64::midpoint(game(), game()));
                    found = after(&blocks);
                }
                errors += u32::from(found == wrong);
            }
            // At most 20 errors are expected. Three standard deviations more may be luck.
            assert!(errors <= 33, "{errors} of 400 wrong at {score}");
        }
    }
}
