//! Does the bot write a readable amount to standard error? The arena keeps only the beginning and
//! the end, so useful lines may get lost in a large output. Writing also takes the bot's own time.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

/// The most bytes for all games of the check together.
const TOO_MUCH: u64 = 1_048_576;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "stderr", |seen| {
        let (bytes, games) = (seen.stderr_bytes, seen.games);
        if bytes <= TOO_MUCH {
            return CheckFinding::passed(format!("{bytes} bytes in {games} games"));
        }
        let kept = protocol::Limits::STANDARD.stderr_bytes;
        CheckFinding::failed(
            format!(
                "{bytes} bytes in {games} games; the arena keeps only the first and last {} of each game",
                kept / 2
            ),
            "write less: one line per turn is enough",
        )
    })
}
