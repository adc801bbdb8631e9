//! Does the bot read a very long line to its end? A line of the arena may have up to 1 MiB.

use super::bench::Bench;
use super::evidence::finding_of;
use super::report::CheckFinding;
use referee::clock::ClockRules;
use referee::process::Tap;
use std::time::Duration;

const BYTES: usize = 1_000_000;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    // The long line is the first turn of a process, so the bot may also use its start-up time.
    let clock = bench.limits.clock;
    let clock = ClockRules { startup: clock.startup.max(Duration::from_secs(10)), ..clock };
    let played = match bench.try_out(Tap::rewriting(padded), clock) {
        Ok(played) => played,
        Err(finding) => return finding,
    };
    match played.fault {
        None => CheckFinding::passed(format!("answered a turn of {BYTES} bytes")),
        Some(fault) => {
            let finding = finding_of(fault, &format!("a turn of {BYTES} bytes"), played.heard);
            let change = "read whole lines of any length: a buffer of 1 MiB is enough";
            CheckFinding { change: Some(change.to_owned()), ..finding }
        }
    }
}

/// The first turn of a game, with a long field that no bot needs.
fn padded(line: &str) -> String {
    match line.strip_suffix('}') {
        Some(start) if line.starts_with(r#"{"type":"turn","id":1,"#) => {
            let padding = "x".repeat(BYTES.saturating_sub(line.len() + r#","padding":"""#.len()));
            format!("{start},\"padding\":\"{padding}\"}}")
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_turn_is_long() {
        let long = padded(r#"{"type":"turn","id":1,"ply":0}"#);
        assert_eq!(long.len(), BYTES);
        assert!(serde_json::from_str::<serde_json::Value>(&long).is_ok());
        assert_eq!(padded(r#"{"type":"turn","id":2}"#), r#"{"type":"turn","id":2}"#);
    }
}
