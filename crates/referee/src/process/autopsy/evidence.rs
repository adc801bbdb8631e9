//! What is kept about a bot in case it fails: its last lines, its standard error, its end.

use crate::process::keeper::report::Used;
use crate::process::system::proc_files::memory_and_time;
use crate::process::system::tree::ProcessTree;
use crate::transcript::Transcript;
use protocol::FromBot;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many lines of the conversation are shown.
const LINES: usize = 50;
/// A longer line counts as long.
const LONG: usize = 4 * 1_024;

/// Everything about a bot that has just failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultEvidence {
    pub seat: u8,
    /// How the process ended, if it did so by itself.
    pub ended: Option<String>,
    /// Did others keep the core from the bot while the arena waited? `None` if nobody knows.
    #[serde(skip)]
    pub disturbed: Option<bool>,
    /// Did the process end in the way of programs that a system ends?
    #[serde(skip)]
    pub ended_by_system: bool,
    /// Wall time from the question to the fault.
    pub waited_ms: u64,
    /// Of all processes of the bot. `None` if the keeper was killed too.
    pub cpu_ms: Option<u64>,
    pub peak_memory_kib: Option<u64>,
    /// The last lines to the bot (`>`) and from it (`<`).
    pub last_lines: Vec<String>,
    pub stderr: String,
    /// The position before the move that never came.
    pub position: Vec<String>,
    /// All lines that the bot was sent in this game, unless they are too many.
    #[serde(skip)]
    pub input: String,
    #[serde(skip)]
    pub transcript: Option<Box<Transcript>>,
}

impl FaultEvidence {
    /// What the keeper has reported about a bot that is gone.
    pub(crate) fn of_used(Used { cpu_ms, memory_kib }: Used) -> FaultEvidence {
        FaultEvidence { peak_memory_kib: Some(memory_kib), cpu_ms: Some(cpu_ms), ..FaultEvidence::default() }
    }

    /// What can still be seen of a bot and all that it has started.
    pub(crate) fn of_processes(tree: &ProcessTree) -> FaultEvidence {
        let seen: Vec<(u64, u64)> = tree.processes().into_iter().filter_map(memory_and_time).collect();
        if seen.is_empty() {
            return FaultEvidence::default();
        }
        let (memory, time) = seen.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        FaultEvidence { peak_memory_kib: Some(memory), cpu_ms: Some(time), ..FaultEvidence::default() }
    }
}

/// The end of a conversation, in pieces of one or more lines. The last pieces are kept, and their
/// buffers are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastLines {
    pieces: VecDeque<(Speaker, String)>,
}

#[derive(Clone, Copy, Debug)]
enum Speaker {
    Arena,
    Bot,
}

impl LastLines {
    /// Takes the sent lines out of an outbox, and leaves the outbox empty.
    fn sent(&mut self, outbox: &mut String) {
        let mut piece = self.oldest();
        std::mem::swap(outbox, &mut piece);
        self.pieces.push_back((Speaker::Arena, piece));
    }

    /// Notes a line of the bot.
    fn heard(&mut self, line: &[u8]) {
        let mut piece = self.oldest();
        match std::str::from_utf8(line) {
            Ok(line) => piece.push_str(line),
            Err(_) => piece.push_str(&String::from_utf8_lossy(line)),
        }
        self.pieces.push_back((Speaker::Bot, piece));
    }

    /// An empty buffer. A long buffer is cut, so that a bot with long lines does not cost memory
    /// for ever.
    fn oldest(&mut self) -> String {
        if self.pieces.len() < LINES {
            return String::new();
        }
        let mut oldest = self.pieces.pop_front().map(|(_, piece)| piece).unwrap_or_default();
        oldest.clear();
        oldest.shrink_to(LONG);
        oldest
    }

    fn last_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (speaker, piece) in &self.pieces {
            let arrow = match speaker {
                Speaker::Arena => '>',
                Speaker::Bot => '<',
            };
            lines.extend(piece.lines().map(|line| format!("{arrow} {}", line.trim_end())));
        }
        lines.split_off(lines.len().saturating_sub(LINES))
    }
}

/// What is kept of the conversation with a process.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    last: LastLines,
    /// The first line to the process.
    hello: String,
    /// The first lines to the process and those of this game, so that a failing turn can be repeated.
    input: String,
    /// Were there too many of these lines?
    is_cut: bool,
    /// How much of the outbox belongs to the last game.
    of_last_game: usize,
    /// What the bot said of itself. It goes with every transcript of the process.
    ready: Vec<u8>,
    transcript: Option<Box<Transcript>>,
}

/// The most bytes of an input.
const INPUT: usize = 4 << 20;
/// A longer input gives its memory back.
const LONG_INPUT: usize = 64 << 10;

impl Conversation {
    /// Keeps a transcript of every game from now on.
    pub(crate) fn record(&mut self) {
        self.transcript = Some(Box::default());
    }

    pub(crate) fn is_recorded(&self) -> bool {
        self.transcript.is_some()
    }

    /// Begins a game with an outbox whose lines belong to the last game. Every game is told as if it
    /// had a process of its own.
    pub(crate) fn begin_game(&mut self, outbox: &str) {
        self.of_last_game = outbox.len();
        if self.hello.is_empty() {
            return; // the first lines are still in the outbox
        }
        self.input.clear();
        self.input.shrink_to(LONG_INPUT);
        self.input.push_str(&self.hello);
        self.is_cut = false;
        if let Some(transcript) = &mut self.transcript {
            **transcript = Transcript::default();
            transcript.sent(&self.hello);
            if !self.ready.is_empty() {
                transcript.heard_ready(&self.ready);
            }
        }
    }

    /// Takes the sent lines out of an outbox, and leaves the outbox empty.
    pub(crate) fn sent(&mut self, outbox: &mut String) {
        let own = outbox.get(std::mem::take(&mut self.of_last_game)..).unwrap_or_default();
        let is_first = self.hello.is_empty();
        if is_first {
            self.hello = own.split_inclusive('\n').next().unwrap_or_default().to_owned();
        }
        if self.input.len() + own.len() <= INPUT {
            self.input.push_str(own);
        } else {
            self.is_cut = true;
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.sent(own);
            if is_first && !self.ready.is_empty() {
                transcript.heard_ready(&self.ready);
            }
        }
        self.last.sent(outbox);
    }

    /// Notes a line of the bot.
    pub(crate) fn heard(&mut self, line: &[u8]) {
        self.last.heard(line);
        let Some(transcript) = &mut self.transcript else { return };
        // When the first line of a process is read is a matter of luck. Its place is not.
        if self.ready.is_empty() && matches!(protocol::read_line(line), Ok(FromBot::Ready(_))) {
            self.ready = line.to_vec();
            if !self.hello.is_empty() {
                transcript.heard_ready(line);
            }
        } else {
            transcript.heard(line);
        }
    }

    /// Ends a turn with what the bot has written to standard error.
    pub(crate) fn end_turn(&mut self, (bytes, dropped): (Vec<u8>, u64)) {
        if let Some(transcript) = &mut self.transcript {
            transcript.end_turn(&bytes, dropped);
        }
    }

    /// Is there a turn whose standard error belongs into a transcript?
    pub(crate) fn has_turn(&self) -> bool {
        self.transcript.as_ref().is_some_and(|transcript| transcript.is_asked())
    }

    /// The transcript of the game, with the lines of the game that are still in the outbox.
    pub(crate) fn transcript(&mut self, outbox: &str) -> Option<Box<Transcript>> {
        let transcript = self.transcript.as_mut()?;
        let mut transcript = std::mem::take(transcript);
        if self.hello.is_empty() {
            transcript.sent(outbox);
        } else {
            transcript.sent(outbox.get(self.of_last_game..).unwrap_or_default());
        }
        Some(transcript)
    }

    pub(crate) fn last_lines(&self) -> Vec<String> {
        self.last.last_lines()
    }

    /// All that was sent in this game.
    pub(crate) fn input(&self) -> String {
        if self.is_cut { String::new() } else { self.input.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_conversation_is_kept() {
        let mut transcript = LastLines::default();
        let mut outbox = "{\"a\":1}\n{\"b\":2}\n".to_owned();
        transcript.sent(&mut outbox);
        assert_eq!(outbox, "");
        transcript.heard(b"{\"c\":3}");
        assert_eq!(transcript.last_lines(), ["> {\"a\":1}", "> {\"b\":2}", "< {\"c\":3}"]);
        for number in 0..10_000 {
            transcript.heard(format!("{number} {}", "x".repeat(number % 300)).as_bytes());
        }
        let lines = transcript.last_lines();
        assert_eq!(lines.len(), LINES);
        assert!(lines[LINES - 1].starts_with("< 9999 "), "{lines:?}");
        transcript.heard(&vec![b'x'; 100 * LONG]);
        (0..2 * LINES).for_each(|_| transcript.heard(b"\xff"));
        assert_eq!(transcript.last_lines()[0], "< \u{fffd}");
        assert!(transcript.pieces.iter().all(|(_, piece)| piece.capacity() <= LONG));
    }
}
