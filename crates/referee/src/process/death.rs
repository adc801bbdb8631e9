//! What a bot died of.

use super::keeper::NOT_STARTED;
use super::report::Used;
use crate::fault::{Code, Fault};
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// All that is known about a bot that has ended by itself.
pub(super) struct Death<'a> {
    pub(super) status: ExitStatus,
    pub(super) stderr: &'a [String],
    /// Has it ever written a line to standard output?
    pub(super) spoke: bool,
    /// Its limit.
    pub(super) memory_bytes: Option<u64>,
    pub(super) used: Option<Used>,
}

impl Death<'_> {
    pub(super) fn fault(&self) -> Fault {
        let end = in_words(self.status);
        if let Some(limit) = self.memory_bytes.filter(|&limit| self.ran_out_of_memory(limit)) {
            let limit = limit / 1_048_576;
            return Fault::new(
                Code::OutOfMemory,
                format!("the bot needed more than its {limit} MiB and {end}"),
            )
            .hint("keep smaller tables, or free what you no longer need");
        }
        match self.status.code() {
            Some(code) if code == i32::from(NOT_STARTED) && !self.spoke => {
                Fault::new(Code::FailedToStart, "the bot could not be started")
                    .hint("see its standard error below; does the command work in a terminal?")
            }
            Some(0) => {
                Fault::new(Code::Exited, "the bot ended by itself (exit code 0) in the middle of a game")
                    .hint("read lines in a loop until `quit`, or until standard input is closed")
            }
            None if self.status.signal() == Some(Signal::SIGKILL as i32) => {
                Fault::new(Code::Crashed, format!("the bot {end}"))
                    .hint("it did not come from the arena: the system kills processes when memory runs out")
            }
            _ => Fault::new(Code::Crashed, format!("the bot {end}"))
                .hint("its standard error shows where; run it by hand with the same input"),
        }
    }

    /// It says so itself, or it had almost all of it and did not end well.
    fn ran_out_of_memory(&self, limit: u64) -> bool {
        const WORDS: [&str; 6] = [
            "MemoryError",
            "out of memory",
            "OutOfMemory",
            "bad_alloc",
            "memory allocation of",
            "allocation failed",
        ];
        let says_so = self.stderr.iter().any(|line| WORDS.iter().any(|word| line.contains(word)));
        let had_all = self.used.is_some_and(|used| used.memory_kib * 1_024 >= limit / 10 * 9);
        says_so || (had_all && !self.status.success())
    }
}

/// How a process ended, in words.
pub(super) fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => {
            let name = Signal::try_from(signal).map_or("an unknown signal", Signal::as_str);
            format!("was ended by signal {signal} ({name})")
        }
        (None, None) => "ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_dies_without_a_word_is_known_by_what_it_had() {
        let limit = 100 << 20;
        let segmentation_fault = ExitStatus::from_raw(Signal::SIGSEGV as i32);
        for (status, said, had_mib, code) in [
            (segmentation_fault, "", 95, Code::OutOfMemory),
            (segmentation_fault, "", 50, Code::Crashed),
            (ExitStatus::from_raw(1 << 8), "MemoryError", 5, Code::OutOfMemory),
            (ExitStatus::from_raw(1 << 8), "KeyError", 99, Code::OutOfMemory),
            (ExitStatus::from_raw(0), "", 99, Code::Exited),
        ] {
            let used = Some(Used { cpu_ms: 1, memory_kib: had_mib << 10 });
            let stderr = [said.to_owned()];
            let death = Death { status, stderr: &stderr, spoke: true, memory_bytes: Some(limit), used };
            assert_eq!(death.fault().code, code, "{said} {had_mib}");
            assert_ne!(Death { memory_bytes: None, ..death }.fault().code, Code::OutOfMemory);
        }
    }
}
