//! What a bot has used up, told by its keeper when the bot is gone and nobody else can see it any more.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;
use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;

/// Of the bot and all that it has started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) cpu_ms: u64,
    /// The most that one of the processes has had.
    pub(super) memory_kib: u64,
}

/// The arena's side: a pipe that no bot inherits. The keeper opens it by its number.
pub(super) struct Ledger {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Ledger {
    pub(super) fn open() -> io::Result<Ledger> {
        let (reader, writer) = io::pipe()?;
        Ok(Ledger { reader, writer })
    }

    /// What the keeper has to be told.
    pub(super) fn number(&self) -> String {
        self.writer.as_raw_fd().to_string()
    }

    /// What the keeper has written. It has ended, so that with our own end closed there is nobody to wait for.
    pub(super) fn read(mut self) -> Option<Used> {
        drop(self.writer);
        let mut text = String::new();
        self.reader.read_to_string(&mut text).ok()?;
        let (cpu_ms, memory_kib) = text.trim().split_once(' ')?;
        Some(Used { cpu_ms: cpu_ms.parse().ok()?, memory_kib: memory_kib.parse().ok()? })
    }
}

/// The keeper's side.
pub(super) struct Statement(Option<File>);

impl Statement {
    /// Without it a bot can be kept too.
    pub(super) fn open(arena: Pid, number: &str) -> Statement {
        Statement(OpenOptions::new().write(true).open(format!("/proc/{arena}/fd/{number}")).ok())
    }

    /// Tells what all processes that were waited for have used.
    pub(super) fn write(self) {
        if let (Some(mut file), Ok(used)) = (self.0, getrusage(UsageWho::RUSAGE_CHILDREN)) {
            let cpu_ms = (used.user_time() + used.system_time()).num_milliseconds();
            let _ = writeln!(file, "{cpu_ms} {}", used.max_rss()); // the arena may be gone
        }
    }
}
