//! Does each answer leave the bot at once, with its newline? If the bot waits for input while the
//! arena waits for the answer, the bot has not flushed its output or has not written the newline.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "flush", |_| CheckFinding::passed("every answer arrived in time"))
}
