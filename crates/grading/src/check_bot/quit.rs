//! Does the bot end after `quit`? The arena also closes the standard input, so a bot may simply end
//! at the end of its input.

use super::bench::Bench;
use super::eof::PATIENCE;
use super::report::CheckFinding;
use protocol::ToBot;
use std::time::Instant;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let Some(mut guest) = bench.guest.take() else {
        return CheckFinding::skipped("the process has already ended");
    };
    let (begun, patience) = (Instant::now(), bench.patience(PATIENCE));
    let tap = guest.tap.clone();
    let status = bench.wait(async {
        guest.bot.tell(&ToBot::Quit).await;
        guest.bot.leave(patience).await
    });
    match status {
        Some(status) => {
            CheckFinding::passed(format!("ended after {} ms with {status}", begun.elapsed().as_millis()))
        }
        None => CheckFinding::failed(
            format!("still running {} s after `quit`", patience.as_secs()),
            "end the program at a line of type `quit`, or at the end of standard input",
        )
        .after(&tap.take()),
    }
}
