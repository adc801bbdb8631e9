//! Is standard error kept to a readable amount? Only its beginning and its end are kept, so what helps to find a
//! mistake drowns in too much of it, and writing it takes the bot's own time.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

/// For all games of the check together.
const TOO_MUCH: u64 = 1_048_576;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "stderr", |seen| {
        let (bytes, games) = (seen.stderr_bytes, seen.games);
        if bytes <= TOO_MUCH {
            return CheckFinding::passed(format!("{bytes} bytes in {games} games"));
        }
        let kept = protocol::Limits::STANDARD.stderr_bytes;
        CheckFinding::failed(
            format!("{bytes} bytes in {games} games; of each game the first and last {} are kept", kept / 2),
            "write less: a line per turn is plenty",
        )
    })
}
