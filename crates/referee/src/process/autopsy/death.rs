//! What a bot died of.

use crate::fault::{Code, Fault};
use crate::process::keeper::inside::NOT_STARTED;
use crate::process::keeper::report::Used;
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// All that is known about a bot that has ended by itself.
pub(crate) struct Death<'a> {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: &'a [String],
    /// Has the bot ever written a line to standard output?
    pub(crate) spoke: bool,
    /// The limit on the bot's memory.
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) used: Option<Used>,
    /// Has the system killed a process since the bot was started, because no memory was left?
    pub(crate) memory_was_short: bool,
}

impl Death<'_> {
    pub(crate) fn fault(&self) -> Fault {
        let end = in_words(self.status);
        let killed = self.status.signal() == Some(Signal::SIGKILL as i32);
        if let Some(limit) = self.memory_bytes.filter(|&limit| self.ran_out_of_memory(limit)) {
            let limit = limit / 1_048_576;
            return Fault::new(
                Code::OutOfMemory,
                format!("the bot needed more than its {limit} MiB and {end}"),
            )
            .hint("keep smaller tables, or free what you no longer need");
        }
        if killed && self.memory_was_short {
            return Fault::new(
                Code::ArenaFault,
                format!("the machine had no memory left, and the bot {end}"),
            )
            .hint("end something else, or try a smaller --concurrency; --memory gives each bot its limit");
        }
        match self.status.code() {
            Some(code) if code == i32::from(NOT_STARTED) && !self.spoke => {
                Fault::new(Code::FailedToStart, "the bot could not be started")
                    .hint("see the bot's standard error below; does the command work in a terminal?")
            }
            Some(0) => {
                Fault::new(Code::Exited, "the bot ended by itself (exit code 0) in the middle of a game")
                    .hint("read lines in a loop until `quit`, or until standard input is closed")
            }
            None if killed => Fault::new(Code::Crashed, format!("the bot {end}")).hint(
                "the signal did not come from the arena: the system kills processes when memory runs out",
            ),
            None if self.status.signal() == Some(Signal::SIGBUS as i32) => {
                Fault::new(Code::Crashed, format!("the bot {end}")).hint(
                    "the bot wrote into a mapped file that had no more room: in the sandbox, /dev/shm holds 16 MiB and $TMPDIR 64 MiB",
                )
            }
            _ => Fault::new(Code::Crashed, format!("the bot {end}"))
                .hint("the bot's standard error shows where"),
        }
    }

    /// The bot says so itself, or it had almost all of its memory and failed. If the machine had no
    /// memory left, half of the limit is enough.
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
        let much = if self.memory_was_short { limit / 2 } else { limit / 10 * 9 };
        let had_all = self.used.is_some_and(|used| used.memory_kib * 1_024 >= much);
        says_so || (had_all && !self.status.success())
    }
}

/// How a process ended, in words.
pub(crate) fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => {
            let name = Signal::try_from(signal).map_or("an unknown signal", Signal::as_str);
            format!("was ended by signal {signal} ({name})")
        }
        (None, None) => "ended".to_owned(),
    }
}

/// Has a program ended as it does when a session ends, or when a batch system takes its node back?
pub(crate) fn was_ended_by_system(status: ExitStatus) -> bool {
    [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGKILL]
        .map(|signal| signal as i32)
        .into_iter()
        .any(|signal| {
            // A shell or a runtime that catches the signal ends with 128 and its number.
            status.signal() == Some(signal) || status.code() == Some(128 + signal)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_the_system_has_ended_is_known() {
        for (status, expected) in [(15, true), (2, true), (1, true), (9, true), (11, false), (0, false)] {
            assert_eq!(was_ended_by_system(ExitStatus::from_raw(status)), expected, "signal {status}");
        }
        for (code, expected) in [(143, true), (130, true), (129, true), (1, false), (15, false), (0, false)] {
            assert_eq!(was_ended_by_system(ExitStatus::from_raw(code << 8)), expected, "code {code}");
        }
    }

    #[test]
    fn a_bot_that_dies_without_a_word_is_known_by_what_it_had() {
        let limit = 100 << 20;
        let ended = |code: i32| ExitStatus::from_raw(code << 8);
        let [segmentation_fault, killed] =
            [Signal::SIGSEGV, Signal::SIGKILL].map(|signal| ExitStatus::from_raw(signal as i32));
        for (status, said, had_mib, short, code, unlimited) in [
            (segmentation_fault, "", 95, false, Code::OutOfMemory, Code::Crashed),
            (segmentation_fault, "", 50, false, Code::Crashed, Code::Crashed),
            (ended(1), "MemoryError", 5, false, Code::OutOfMemory, Code::Crashed),
            (ended(1), "KeyError", 99, false, Code::OutOfMemory, Code::Crashed),
            (ended(0), "", 99, false, Code::Exited, Code::Exited),
            (killed, "", 60, false, Code::Crashed, Code::Crashed),
            (killed, "", 60, true, Code::OutOfMemory, Code::ArenaFault),
            (killed, "", 20, true, Code::ArenaFault, Code::ArenaFault),
            (ended(1), "", 20, true, Code::Crashed, Code::Crashed),
        ] {
            let used = Some(Used { cpu_ms: 1, memory_kib: had_mib << 10 });
            let stderr = [said.to_owned()];
            let memory_bytes = Some(limit);
            let death =
                Death { status, stderr: &stderr, spoke: true, memory_bytes, used, memory_was_short: short };
            assert_eq!(death.fault().code, code, "{said} {had_mib} {short}");
            assert_eq!(Death { memory_bytes: None, ..death }.fault().code, unlimited, "{said} {had_mib}");
        }
    }
}
