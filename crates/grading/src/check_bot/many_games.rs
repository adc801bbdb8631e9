//! Can one process play many games, one after another?

use super::bench::{Bench, CheckGame, TOO_SLOW};
use super::evidence::Evidence;
use super::report::CheckFinding;
use std::time::{Duration, Instant};

/// After this time no more games are played.
const LONG_ENOUGH: Duration = Duration::from_secs(3);

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let mut seen: Evidence = bench.evidence.take().unwrap_or_default();
    let begun = Instant::now();
    while seen.games < bench.limits.pace.games && begun.elapsed() < bench.patience(LONG_ENOUGH) {
        let number = seen.games as u64;
        let game = seen.games % bench.series.games.len();
        let round = CheckGame { game, number, ..CheckGame::FIRST };
        if !bench.one_more(&round, &mut seen) {
            break;
        }
    }
    let found = match &mut seen.trouble {
        None if seen.too_slow => CheckFinding::skipped(TOO_SLOW),
        None => CheckFinding::passed(format!("{} games in one process", seen.games)),
        Some(trouble) => {
            trouble.blames = "many-games";
            trouble.place = format!("game {} of one process, {}", seen.games, trouble.place);
            trouble.finding()
        }
    };
    bench.evidence = Some(seen);
    found
}
