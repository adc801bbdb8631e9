//! Checks whether a bot is ready for a match. Each finding has the lines exchanged, and what to
//! change.
//!
//! ```text
//! CHECKS ──▶ one file per check ──▶ Bench: starts the bot, plays games through the referee, listens in
//!                  │
//!                  ▼
//!               Finding ──▶ Report
//! ```

mod answers;
mod bench;
mod builds;
mod eof;
mod evidence;
mod flush;
mod long_lines;
mod many_games;
mod memory;
mod quit;
mod repeats;
mod report;
mod seats;
mod starts;
mod stderr;
mod stdout;
mod time;
mod unknown;

pub use bench::{BenchLimits, Pace};
pub use report::{CheckFinding, CheckReport, CheckVerdict};

use bench::Bench;
use referee::spec::{BotSpec, GameSpec};
use referee::transcript::Scribe;
use std::time::Instant;
use text::Ticker;

/// A check of a bot.
pub struct Check {
    pub name: &'static str,
    /// The question that the check answers, in one sentence.
    pub asks: &'static str,
    needs: Needs,
    run: fn(&mut Bench<'_>) -> CheckFinding,
}

/// What must be true before a check can run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    Nothing,
    Built,
    Started,
    /// The bot has played in every seat without a fault.
    Playing,
}

/// All checks, in the order in which they run.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    Check { name: "builds", asks: "does the build command succeed?", needs: Needs::Nothing, run: builds::check },
    Check { name: "starts", asks: "does the bot start, and does it keep running after `hello`?", needs: Needs::Built, run: starts::check },
    Check { name: "answers", asks: "does the bot answer the first turn with a legal move?", needs: Needs::Started, run: answers::check },
    Check { name: "flush", asks: "does each answer leave the bot at once, with its newline?", needs: Needs::Started, run: flush::check },
    Check { name: "stdout", asks: "does the bot write exactly one answer per turn to standard output?", needs: Needs::Started, run: stdout::check },
    Check { name: "seats", asks: "does the bot play to the end of a game, in every seat and phase?", needs: Needs::Started, run: seats::check },
    Check { name: "many-games", asks: "can one process play many games, one after another?", needs: Needs::Playing, run: many_games::check },
    Check { name: "time", asks: "does every answer arrive within the time limit?", needs: Needs::Started, run: time::check },
    Check { name: "memory", asks: "does the bot stay within the memory limit?", needs: Needs::Started, run: memory::check },
    Check { name: "stderr", asks: "does the bot write a readable amount to standard error?", needs: Needs::Started, run: stderr::check },
    Check { name: "repeats", asks: "does the same seed give the same moves?", needs: Needs::Playing, run: repeats::check },
    Check { name: "unknown", asks: "does the bot ignore unknown fields and message types?", needs: Needs::Playing, run: unknown::check },
    Check { name: "long-lines", asks: "does the bot read a very long line to its end?", needs: Needs::Playing, run: long_lines::check },
    Check { name: "eof", asks: "does the bot end when its standard input is closed?", needs: Needs::Playing, run: eof::check },
    Check { name: "quit", asks: "does the bot end after `quit`?", needs: Needs::Playing, run: quit::check },
];

/// Runs all checks except those to skip. An error is a fault of the arena. The scribe writes what was
/// said in the games.
pub fn run(
    spec: &BotSpec,
    games: Vec<GameSpec>,
    limits: BenchLimits,
    skip: &[String],
    (scribe, ticker): (Option<Scribe>, &Ticker),
) -> Result<CheckReport, String> {
    let begun = Instant::now();
    let names = games.iter().map(|game| game.id().to_owned()).collect();
    let mut bench = Bench::new(spec, games, limits, scribe).map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    for (at, check) in CHECKS.iter().enumerate() {
        ticker.begin(format!("check {} of {}, {}", at + 1, CHECKS.len(), check.name));
        bench.check = check.name;
        let finding = if skip.iter().any(|name| name == check.name) {
            CheckFinding::skipped("you asked to skip this check")
        } else if let Some(failed) = obstacle(&findings, &bench, check.needs) {
            CheckFinding::blocked(failed, format!("`{failed}` must pass first"))
        } else {
            (check.run)(&mut bench)
        };
        findings.push((check.name, finding));
    }
    match bench.clear() {
        Some(fault) => Err(fault),
        None => Ok(CheckReport { bot: spec.text.clone(), games: names, findings, took: begun.elapsed() }),
    }
}

/// A failed check that must pass before a check with these needs can run.
fn obstacle(
    findings: &[(&'static str, CheckFinding)],
    bench: &Bench<'_>,
    needs: Needs,
) -> Option<&'static str> {
    let failed = |name: &str| {
        findings.iter().any(|(made, found)| *made == name && found.verdict == CheckVerdict::Fail)
    };
    if needs >= Needs::Built && failed("builds") {
        return Some("builds");
    }
    if needs >= Needs::Started && failed("starts") {
        return Some("starts");
    }
    if needs < Needs::Playing {
        return None;
    }
    // Every later check would meet the stray lines again, and would fail because of them.
    let noisy = failed("stdout").then_some("stdout");
    let slow = bench.evidence.as_ref().is_some_and(|seen| seen.too_slow).then_some("seats");
    bench.trouble().map(|trouble| trouble.blames).or(noisy).or(slow)
}
