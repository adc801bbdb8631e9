//! Does the bot write exactly one answer per turn to standard output? At the wrong moment, a stray
//! line would count as an answer. So this check refuses every stray line.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "stdout", |seen| match seen.noise.first() {
        None => CheckFinding::passed(format!("{} turns, one answer each", seen.turns)),
        Some(heard) => CheckFinding::failed(
            format!("{} lines are not the answer to a turn", seen.noise.len()),
            "write exactly one line to standard output for each turn, and everything else to standard error",
        )
        .after(heard),
    })
}
