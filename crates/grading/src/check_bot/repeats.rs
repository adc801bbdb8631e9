//! Does the same seed give the same moves? A game that can't be repeated can't be debugged, and may
//! get another grade the second time.

use super::bench::Bench;
use super::evidence::finding_of;
use super::report::CheckFinding;
use referee::process::Tap;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let clock = bench.limits.clock;
    let Some(first) = bench.evidence().first.clone() else {
        return CheckFinding::skipped("there is no game to repeat");
    };
    let again = match bench.try_out(Tap::silent(), clock) {
        Ok(again) => again,
        Err(finding) => return finding,
    };
    if let Some(fault) = again.fault {
        return finding_of(fault, "the first game again", again.heard);
    }
    let moves = |record: &referee::record::Record| -> Vec<String> {
        record.moves.iter().map(|mv| mv.mv.clone()).collect()
    };
    let (before, after) = (moves(&first), moves(&again.record));
    match before.iter().zip(&after).position(|(a, b)| a != b) {
        None => CheckFinding::passed(format!("the first game again: the same {} moves", after.len())),
        Some(ply) => CheckFinding::failed(
            format!(
                "in the same game with the same bot_seed, ply {ply} was first `{}` and then `{}`",
                before[ply], after[ply]
            ),
            "seed your random numbers with the bot_seed of every `start`, and let no clock decide a move",
        )
        .after(&again.heard),
    }
}
