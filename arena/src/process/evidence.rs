//! What is kept about a bot for the case that it fails: its last lines, its last words, its end.

use super::account::Used;
use super::proc_files::{descendants, memory_and_time};
use nix::unistd::Pid;
use serde::Serialize;

/// How many lines of the conversation are shown.
const LINES: usize = 50;
/// How much of the conversation is kept: longer than the lines that are shown, and never much.
const KEPT: usize = 64 * 1_024;

/// Everything about a bot that has just failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    pub seat: u8,
    /// How the process ended, if it did so by itself.
    pub ended: Option<String>,
    /// Of all its processes; none if its keeper was killed too.
    pub cpu_ms: Option<u64>,
    pub peak_memory_kib: Option<u64>,
    /// The last lines to the bot (`>`) and from it (`<`).
    pub last_lines: Vec<String>,
    pub stderr: String,
    /// The position before the move that never came.
    pub position: Vec<String>,
}

impl Evidence {
    /// What the keeper of a bot that is gone has told.
    pub(super) fn of_used(Used { cpu_ms, memory_kib }: Used) -> Evidence {
        Evidence { peak_memory_kib: Some(memory_kib), cpu_ms: Some(cpu_ms), ..Evidence::default() }
    }

    /// What can still be seen of the processes below a keeper.
    pub(super) fn of_processes(keeper: Pid) -> Evidence {
        let seen: Vec<(u64, u64)> = descendants(keeper).into_iter().filter_map(memory_and_time).collect();
        if seen.is_empty() {
            return Evidence::default();
        }
        let (memory, time) = seen.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Evidence { peak_memory_kib: Some(memory), cpu_ms: Some(time), ..Evidence::default() }
    }
}

/// The end of a conversation: whatever was said, in pieces that begin with a mark of who said it.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Vec<u8>);

/// Characters that no line of JSON contains.
const TO_BOT: u8 = 1;
const FROM_BOT: u8 = 2;

impl Transcript {
    /// Notes what was written to the bot: whole lines.
    pub(super) fn sent(&mut self, lines: &[u8]) {
        self.note(TO_BOT, lines.strip_suffix(b"\n").unwrap_or(lines));
    }

    /// Notes a line of the bot.
    pub(super) fn heard(&mut self, line: &[u8]) {
        self.note(FROM_BOT, line);
    }

    fn note(&mut self, mark: u8, lines: &[u8]) {
        if self.0.len() > 2 * KEPT {
            self.0.drain(..self.0.len() - KEPT);
        }
        self.0.push(mark);
        self.0.extend_from_slice(&lines[lines.len().saturating_sub(KEPT)..]);
        self.0.push(b'\n');
    }

    pub(super) fn last_lines(&self) -> Vec<String> {
        let mut arrow = None;
        let mut lines = Vec::new();
        for line in self.0.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let text = match line.split_first() {
                Some((&TO_BOT, text)) => (arrow = Some('>'), text).1,
                Some((&FROM_BOT, text)) => (arrow = Some('<'), text).1,
                _ => line,
            };
            // Without a mark before it, a line has lost its beginning.
            lines.extend(arrow.map(|arrow| format!("{arrow} {}", String::from_utf8_lossy(text).trim_end())));
        }
        lines.split_off(lines.len().saturating_sub(LINES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_conversation_is_kept() {
        let mut transcript = Transcript::default();
        transcript.sent(b"{\"a\":1}\n{\"b\":2}\n");
        transcript.heard(b"{\"c\":3}");
        assert_eq!(transcript.last_lines(), ["> {\"a\":1}", "> {\"b\":2}", "< {\"c\":3}"]);
        for number in 0..10_000 {
            transcript.heard(format!("{number} {}", "x".repeat(number % 300)).as_bytes());
        }
        let lines = transcript.last_lines();
        assert_eq!(lines.len(), LINES);
        assert!(lines[LINES - 1].starts_with("< 9999 "), "{lines:?}");
        assert!(transcript.0.len() <= 3 * KEPT);
    }
}
