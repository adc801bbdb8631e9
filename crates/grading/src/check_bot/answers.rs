//! Is the first turn answered with a legal move?

use super::bench::Bench;
use super::evidence::judge;
use super::report::Finding;

pub fn check(bench: &mut Bench<'_>) -> Finding {
    judge(bench, "answers", |seen| {
        Finding::passed(format!("{} turns answered with legal moves", seen.answers))
    })
}
