//! Item kind `check`: the share of the checks of `arena check` that pass.

use super::{Measured, feedback};
use crate::check_bot::{self, BenchLimits, CheckReport, CheckVerdict, Pace};
use crate::grader::{Grader, NotGraded};
use crate::result::Finding;
use referee::transcript::Scribe;
use text::harmless;

/// Checks that may fail on a busy machine. If one of them fails, all checks run a second time.
const HURRIED: [&str; 5] = ["starts", "flush", "time", "eof", "quit"];
/// The most lines of a conversation that are shown.
const LINES: usize = 8;

pub fn measure(grader: &Grader) -> Result<Measured, NotGraded> {
    let mut report = made(grader)?;
    let failed = |(name, finding): &(&str, check_bot::CheckFinding)| {
        finding.verdict == CheckVerdict::Fail && HURRIED.contains(name)
    };
    if report.findings.iter().any(failed) {
        report = made(grader)?;
    }
    let differs = |(name, finding): &(&str, check_bot::CheckFinding)| {
        *name == "repeats" && finding.verdict == CheckVerdict::Fail
    };
    let (passed, total) = report.passed();
    let failed = report.findings.iter().filter(|(_, finding)| finding.verdict == CheckVerdict::Fail);
    Ok(Measured {
        number: passed as f64 / total.max(1) as f64,
        share: None,
        summary: format!("{passed} of {total} checks passed"),
        findings: failed.map(|(name, finding)| of_check(grader, &report, name, finding)).collect(),
        records: Vec::new(),
        unsteady: report.findings.iter().any(differs),
    })
}

fn made(grader: &Grader) -> Result<CheckReport, NotGraded> {
    let assignment = grader.assignment;
    let limits = BenchLimits {
        clock: assignment.clock,
        memory_bytes: assignment.memory_bytes,
        seed: assignment.seed,
        pace: Pace::STEADY,
    };
    let scribe = grader.transcripts.is_some().then(|| Scribe::new(grader.transcript_folder().as_deref()));
    let scribe = scribe.transpose().map_err(|error| NotGraded(error.to_string()))?;
    let games = vec![assignment.game.clone()];
    check_bot::run(&grader.submission, games, limits, &[], (scribe, &grader.ticker)).map_err(NotGraded)
}

/// The finding for a failed check.
fn of_check(grader: &Grader, report: &CheckReport, name: &str, finding: &check_bot::CheckFinding) -> Finding {
    let waiting = report.findings.iter().filter(|(_, other)| other.blocked_by == Some(name)).count();
    let others = match waiting {
        0 => String::new(),
        1 => " (1 other check waits for this check)".to_owned(),
        waiting => format!(" ({waiting} other checks wait for this check)"),
    };
    Finding {
        what: format!("check `{name}` failed: {}{others}", harmless::line(&finding.found)),
        change: finding.change.as_deref().map(harmless::line),
        lines: harmless::lines(&finding.lines.join("\n"), LINES),
        quoted: harmless::lines(&finding.stderr.join("\n"), feedback::STDERR_LINES),
        replay: Some(feedback::check_command(grader)),
        ..Finding::default()
    }
}
