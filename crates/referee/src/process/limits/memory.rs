//! The limit on the memory of a bot and all that it has started.

use crate::fault::{Code, Fault};
use crate::process::system::tree::ProcessTree;
use nix::time::ClockId;
use std::time::Duration;
use tokio::time::Instant;

/// The pause between two looks while the arena waits for an answer, and before it accepts an
/// answer.
const WAITING: Duration = Duration::from_millis(20);
const ANSWERED: Duration = Duration::from_millis(5);
/// At most this part of the time goes into looking: one of twenty.
const PART: u32 = 20;

/// Looks at the memory now and then. The system itself limits each process, but neither all of them
/// together nor what they share.
pub(crate) struct MemoryWatch {
    limit: u64,
    last_look: Instant,
    /// How long this thread worked for the last look.
    took: Duration,
}

impl MemoryWatch {
    pub(crate) fn new(limit: u64) -> MemoryWatch {
        MemoryWatch { limit, last_look: Instant::now(), took: Duration::ZERO }
    }

    /// When to look again, while the arena waits for an answer.
    pub(crate) fn next_look(&self) -> Instant {
        self.last_look + WAITING.max(self.took * PART)
    }

    /// The verdict on a bot that has more than it may have, if it is time to look.
    pub(crate) fn look(&mut self, tree: &ProcessTree, answered: bool) -> Option<Fault> {
        let away = if answered { ANSWERED } else { WAITING };
        if Instant::now() < self.last_look + away.max(self.took * PART) {
            return None;
        }
        let begun = thread_time();
        let found = tree.memory_above(self.limit);
        self.took = thread_time().saturating_sub(begun);
        self.last_look = Instant::now();
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

/// The processor time of this thread: on a busy machine, looking takes longer than it costs.
pub(crate) fn thread_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}
