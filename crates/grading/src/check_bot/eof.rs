//! Does the bot end when its standard input is closed? A closed input tells a bot that the arena is
//! gone.

use super::bench::Bench;
use super::evidence::finding_of;
use super::report::CheckFinding;
use referee::process::Tap;
use std::time::{Duration, Instant};

/// How long the bot may take to end. The arena itself waits half a second, but a busy machine needs
/// more time.
pub const PATIENCE: Duration = Duration::from_secs(2);

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let tap = Tap::silent();
    let mut guest = match bench.start(tap.clone()) {
        Ok(guest) => guest,
        Err(fault) => return finding_of(fault, "another process", tap.take()),
    };
    // The bot must be running. Closing the pipe of a process that is still starting would test
    // something else.
    let settled = bench.wait(guest.bot.settle(bench.limits.clock.startup));
    if let Err(fault) = settled {
        return finding_of(fault, "another process", tap.take());
    }
    let (begun, patience) = (Instant::now(), bench.patience(PATIENCE));
    match bench.wait(guest.bot.leave(patience)) {
        Some(status) => CheckFinding::passed(format!("ended after {} ms with {status}", begun.elapsed().as_millis())),
        None => CheckFinding::failed(
            format!("still running {} s after its standard input was closed", patience.as_secs()),
            "end when there are no more lines to read: for line in sys.stdin, while (fgets(...)), readLine() != null",
        )
        .after(&tap.take()),
    }
}
