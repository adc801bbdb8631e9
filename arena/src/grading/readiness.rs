//! Is a submission ready to be played with? A short list of named checks.

use super::assignment::{Games, Match};
use super::games::{Series, play_match};
use super::grader::{Grader, Trouble};
use super::items::feedback;
use super::result::Finding;
use crate::spec::BotSpec;

/// A check, with what went wrong.
pub struct Check {
    pub name: &'static str,
    pub problem: Option<Finding>,
}

/// All checks, and the games that were played for them.
pub fn check(grader: &Grader, item: usize) -> Result<(Vec<Check>, Series), Trouble> {
    let against: BotSpec = "builtin:random".parse().map_err(|error| Trouble::Ours(format!("{error}")))?;
    let games = Match { against, games: Games { deals: 2, openings: 0, seed: grader.assignment.seed } };
    let first = play_match(grader, &games, "", |_| false)?;
    let faulty = first.played.iter().find(|game| game.fault().is_some());
    let starts = first.played.iter().any(|game| game.record.moves.iter().any(|mv| mv.seat == game.seat));
    let mut checks = vec![
        Check {
            name: "starts and answers",
            problem: faulty.filter(|_| !starts).and_then(|game| feedback::of_fault(grader, item, game)),
        },
        Check {
            name: "plays whole games from every seat",
            problem: faulty.and_then(|game| feedback::of_fault(grader, item, game)),
        },
    ];
    if faulty.is_none() {
        let again = play_match(grader, &games, "", |_| false)?;
        checks.push(Check {
            name: "plays the same moves under the same seed",
            problem: differs(&first, &again),
        });
    } else {
        let what = "could not be tried, because games ended with a fault".to_owned();
        checks.push(Check {
            name: "plays the same moves under the same seed",
            problem: Some(Finding { what, ..Finding::default() }),
        });
    }
    Ok((checks, first))
}

fn differs(first: &Series, again: &Series) -> Option<Finding> {
    first.played.iter().zip(&again.played).find_map(|(one, two)| {
        let moves = one.record.moves.iter().zip(&two.record.moves);
        let (at, (a, b)) = moves.enumerate().find(|(_, (a, b))| a.mv != b.mv)?;
        Some(Finding {
            what: format!(
                "game {}, move {}: `{}` the first time, `{}` the second",
                one.record.match_id,
                at + 1,
                a.mv,
                b.mv
            ),
            why: Some(
                "a game must be repeatable: seed your random generator with `bot_seed` of `start`".to_owned(),
            ),
            ..Finding::default()
        })
    })
}
