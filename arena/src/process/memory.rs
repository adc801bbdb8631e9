//! The limit on the memory of a bot and all that it has started.

use super::tree::memory_above;
use crate::fault::{Code, Fault};
use nix::unistd::Pid;
use std::time::Duration;
use tokio::time::Instant;

/// How often the memory is looked at while a question is open.
const LOOK: Duration = Duration::from_millis(50);
/// The part of the time that may go into looking: one of so many.
const PART: u32 = 20;

/// Looks at the memory now and then. The system itself limits each process, but neither all of them together nor what
/// they share.
pub(super) struct MemoryWatch {
    limit: u64,
    pub(super) next_look: Instant,
}

impl MemoryWatch {
    pub(super) fn new(limit: u64) -> MemoryWatch {
        MemoryWatch { limit, next_look: Instant::now() + LOOK }
    }

    /// The verdict on a bot that has more than it may have.
    pub(super) fn look(&mut self, keeper: Pid) -> Option<Fault> {
        let begun = Instant::now();
        let found = memory_above(self.limit, keeper);
        let now = Instant::now();
        self.next_look = now + LOOK.max((now - begun) * PART);
        found.map(|found| {
            let mib = |bytes: u64| bytes.div_ceil(1_048_576);
            let problem = format!(
                "the bot and what it has started have {} MiB of memory, and {} MiB are allowed",
                mib(found),
                mib(self.limit)
            );
            Fault::new(Code::OutOfMemory, problem)
                .hint("shared memory and the memory of child processes count too")
        })
    }
}
