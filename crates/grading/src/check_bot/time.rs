//! Does every answer arrive within the time limit?

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let limit = bench.limits.clock.per_move;
    judge(bench, "time", |seen| {
        let (slowest, limit) = (seen.slowest.as_millis(), limit.as_millis());
        let close = if slowest * 2 > limit { "; on a busy machine that may be too slow" } else { "" };
        CheckFinding::passed(format!("slowest answer {slowest} ms of {limit} ms{close}"))
    })
}
