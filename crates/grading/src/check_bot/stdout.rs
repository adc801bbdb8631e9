//! Is there nothing on standard output but one answer per turn? A stray line is taken for an answer if it comes at the
//! wrong moment, so it is refused here even if it came at a harmless one.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "stdout", |seen| match seen.noise.first() {
        None => CheckFinding::passed(format!("{} turns, one answer each", seen.turns)),
        Some(heard) => CheckFinding::failed(
            format!("stray lines, not the answer to a turn: {}", seen.noise.len()),
            "write exactly one line for each turn, and everything else to standard error",
        )
        .after(heard),
    })
}
