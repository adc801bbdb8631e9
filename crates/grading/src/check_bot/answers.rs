//! Does the bot answer the first turn with a legal move?

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "answers", |seen| {
        CheckFinding::passed(format!("{} turns answered with legal moves", seen.answers))
    })
}
