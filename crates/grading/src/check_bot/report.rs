//! The report of all checks, as text and as JSON.

use referee::process::TappedLine;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use text::harmless;
use text::wrap::{command, indented};

/// The most lines that are shown with a finding.
const LINES: usize = 8;
/// The most characters of a line.
const LINE_CHARS: usize = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    Pass,
    Fail,
    Skip,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckFinding {
    pub verdict: CheckVerdict,
    /// What was seen.
    pub found: String,
    /// The check was skipped because this other check must pass first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_by: Option<&'static str>,
    /// What to change in the bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// The last lines exchanged: `>` from the arena, `<` from the bot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The end of what the bot, or its build, wrote to standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// The calls that a late bot was in, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    /// The command that repeats the game by hand, with a file of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

impl CheckFinding {
    fn new(verdict: CheckVerdict, found: impl Into<String>) -> CheckFinding {
        CheckFinding {
            verdict,
            found: found.into(),
            blocked_by: None,
            change: None,
            lines: Vec::new(),
            stderr: Vec::new(),
            stack: Vec::new(),
            repeat: None,
        }
    }

    pub(super) fn passed(found: impl Into<String>) -> CheckFinding {
        CheckFinding::new(CheckVerdict::Pass, found)
    }

    pub(super) fn skipped(why: impl Into<String>) -> CheckFinding {
        CheckFinding::new(CheckVerdict::Skip, why)
    }

    pub(super) fn blocked(by: &'static str, why: impl Into<String>) -> CheckFinding {
        CheckFinding { blocked_by: Some(by), ..CheckFinding::skipped(why) }
    }

    pub(super) fn failed(found: impl Into<String>, change: impl Into<String>) -> CheckFinding {
        CheckFinding { change: Some(change.into()), ..CheckFinding::new(CheckVerdict::Fail, found) }
    }

    /// Adds the end of a conversation.
    pub(super) fn after(self, heard: &[TappedLine]) -> CheckFinding {
        let last = &heard[heard.len().saturating_sub(LINES)..];
        CheckFinding { lines: last.iter().map(shown).collect(), ..self }
    }

    pub(super) fn with_stderr(self, stderr: &[String]) -> CheckFinding {
        CheckFinding { stderr: stderr.to_vec(), ..self }
    }
}

/// A line with the sign that protocol.md uses: `>` for the arena, `<` for the bot.
fn shown(heard: &TappedLine) -> String {
    let (sign, text) = match heard {
        TappedLine::Arena(line) => ('>', line.clone()),
        TappedLine::Bot(line) => ('<', String::from_utf8_lossy(line).into_owned()),
    };
    format!("{sign} {}", cut(&text, LINE_CHARS))
}

fn cut(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let start: String = text.chars().take(chars).collect();
    format!("{start}… ({} bytes)", text.len())
}

/// All findings about a bot.
pub struct CheckReport {
    pub bot: String,
    pub games: Vec<String>,
    /// The findings, in the order of the checks.
    pub findings: Vec<(&'static str, CheckFinding)>,
    pub took: Duration,
}

impl CheckReport {
    /// True if no check has failed. A skipped check has neither passed nor failed.
    pub fn ready(&self) -> bool {
        self.count(CheckVerdict::Fail) == 0
    }

    /// The number of checks that passed, and the number of checks that count. A check that is
    /// blocked by a failed check counts. A check that makes no sense for this bot, or for which
    /// there was no time, does not count.
    pub fn passed(&self) -> (usize, usize) {
        let blocked = self.findings.iter().filter(|(_, finding)| finding.blocked_by.is_some()).count();
        let passed = self.count(CheckVerdict::Pass);
        (passed, passed + self.count(CheckVerdict::Fail) + blocked)
    }

    fn count(&self, verdict: CheckVerdict) -> usize {
        self.findings.iter().filter(|(_, finding)| finding.verdict == verdict).count()
    }

    pub fn json(&self) -> Value {
        let named = |(name, finding): &(&str, CheckFinding)| {
            let mut fields = json!({ "name": name });
            if let (Value::Object(fields), Ok(Value::Object(more))) =
                (&mut fields, serde_json::to_value(finding))
            {
                fields.extend(more);
            }
            fields
        };
        let checks: Vec<Value> = self.findings.iter().map(named).collect();
        json!({
            "bot": self.bot, "games": self.games, "ready": self.ready(), "checks": checks,
            "seconds": (self.took.as_secs_f64() * 10.0).round() / 10.0,
        })
    }

    /// A line for each check, then the details of the failed checks. Checks that wait for another
    /// check share a line.
    pub fn text(&self) -> String {
        let mut text = format!("{}, {}\n\n", harmless::line(&self.bot), self.games.join(", "));
        let mut waiting: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, finding) in &self.findings {
            if let Some(by) = finding.blocked_by {
                waiting.entry(by).or_default().push(name);
                continue;
            }
            let word = match finding.verdict {
                CheckVerdict::Pass => "ok  ",
                CheckVerdict::Fail => "FAIL",
                CheckVerdict::Skip => "skip",
            };
            text.push_str(&indented(&format!("  {word}  {name:<11} "), &harmless::line(&finding.found)));
        }
        for (by, names) in waiting {
            let first = format!("  skip  {:<11} ", format!("{} more", names.len()));
            text.push_str(&indented(&first, &format!("`{by}` must pass first: {}", names.join(", "))));
        }
        for (name, finding) in &self.findings {
            if finding.verdict == CheckVerdict::Fail {
                text.push_str(&format!("\n{name}\n{}", details(finding)));
            }
        }
        text.push_str(&format!("\n{} ({:.1} s)\n", self.summary(), self.took.as_secs_f64()));
        text
    }

    fn summary(&self) -> String {
        let skipped = match self.count(CheckVerdict::Skip) {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        match self.count(CheckVerdict::Fail) {
            0 => format!("ready: {} checks passed{skipped}", self.count(CheckVerdict::Pass)),
            failed => format!("not ready: {failed} of {} checks failed{skipped}", self.findings.len()),
        }
    }
}

fn details(finding: &CheckFinding) -> String {
    let mut text = indented("  found:  ", &harmless::line(&finding.found));
    if let Some(change) = &finding.change {
        text.push_str(&indented("  change: ", &harmless::line(change)));
    }
    // The sign at the beginning of a line says who wrote the line.
    for (title, sign, lines) in [
        ("  calls:  ", "", &finding.stack),
        ("  lines:  ", "", &finding.lines),
        ("  stderr: ", "| ", &finding.stderr),
    ] {
        let shown: Vec<String> = lines.iter().map(|line| format!("{sign}{}", harmless::line(line))).collect();
        if !shown.is_empty() {
            text.push_str(&indented(title, &shown.join("\n")));
        }
    }
    if let Some(repeat) = &finding.repeat {
        text.push_str("  repeat it by hand:\n");
        text.push_str(&command("    ", &harmless::sentence(repeat)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_fits_into_eighty_columns() {
        let heard = [TappedLine::Arena("x".repeat(500)), TappedLine::Bot(b"\x1b[31m one two".to_vec())];
        let long = "so many words ".repeat(20);
        let finding =
            CheckFinding::failed(&long, &long).after(&heard).with_stderr(std::slice::from_ref(&long));
        let report = CheckReport {
            bot: "b".to_owned(),
            games: vec!["nim".to_owned()],
            findings: vec![("starts", CheckFinding::passed("up")), ("flush", finding)],
            took: Duration::from_millis(1_234),
        };
        let text = report.text();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("not ready: 1 of 2 checks failed (1.2 s)"), "{text}");
        assert!(text.contains("< \\u001b[31m one two"), "{text}");
        assert_eq!(report.json()["checks"][0], json!({ "name": "starts", "verdict": "pass", "found": "up" }));
        assert!(!report.ready());
    }
}
