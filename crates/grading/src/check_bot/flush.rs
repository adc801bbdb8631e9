//! Does each answer leave the bot at once, with its newline? A bot that waits for input while the arena waits for
//! its answer has forgotten one of the two.

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "flush", |_| CheckFinding::passed("every answer came while the bot was waited for"))
}
