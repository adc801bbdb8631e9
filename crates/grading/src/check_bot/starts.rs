//! Does the bot start, and does it keep running after `hello`?

use super::bench::Bench;
use super::evidence::finding_of;
use super::report::CheckFinding;
use referee::process::Tap;
use std::time::Instant;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let begun = Instant::now();
    let tap = Tap::silent();
    let mut guest = match bench.start(tap.clone()) {
        Ok(guest) => guest,
        Err(fault) => return finding_of(fault, "before the first line", tap.take()),
    };
    match bench.wait(guest.bot.settle(bench.limits.clock.startup)) {
        Ok(()) => {
            bench.guest = Some(guest);
            CheckFinding::passed(format!("ready for a game after {} ms", begun.elapsed().as_millis()))
        }
        Err(fault) => {
            guest.bot.kill_blocking();
            finding_of(fault, "after `hello`", tap.take())
        }
    }
}
