//! A bot with all that it has started: which processes these are, and how much memory they have
//! together.
//!
//! Whatever a bot starts stays below its keeper, even in another session, and even when the parent
//! is gone.

use super::proc_files::{MemoryUse, children, descendants, memory, memory_part, nameless_files};
use crate::process::jail::cgroup::CpuMeter;
use crate::process::keeper::family::kill_orphans;
use nix::unistd::{Pid, getpid};

/// A keeper, and the bot that it has started last.
#[derive(Clone, Debug)]
pub(crate) struct ProcessTree {
    pub(crate) keeper: Pid,
    pub(crate) bot: Option<Pid>,
    /// Where the system adds up their processor time.
    pub(crate) meter: Option<CpuMeter>,
}

impl ProcessTree {
    /// The bot and all that it has started, parents before children. If the keeper was killed, the
    /// bot is a child of the arena. Other orphans of that keeper can't be told from the orphans of
    /// another keeper, and are killed.
    pub(crate) fn processes(&self) -> Vec<Pid> {
        let mut found = descendants(self.keeper);
        if let (true, Some(bot)) = (found.is_empty(), self.bot)
            && children(getpid()).contains(&bot)
        {
            kill_orphans();
            found.push(bot);
            found.extend(descendants(bot));
        }
        found
    }

    /// The memory of all processes in bytes, if that is more than the limit.
    pub(crate) fn memory_above(&self, limit: u64) -> Option<u64> {
        let processes = self.processes();
        let files = nameless_files(&processes);
        if total(processes.iter().map(|&pid| memory(pid)), files) <= limit {
            return None;
        }
        // Shared memory was counted for each process. Finding out the parts takes longer.
        let parts = processes.iter().map(|&pid| memory_part(pid).unwrap_or_else(|| memory(pid)));
        Some(total(parts, files)).filter(|&total| total > limit)
    }
}

/// A mapped file in memory is shared memory too, and counts once.
fn total(parts: impl Iterator<Item = MemoryUse>, files: u64) -> u64 {
    let add = |sum: MemoryUse, one: MemoryUse| MemoryUse {
        private: sum.private + one.private,
        shared: sum.shared + one.shared,
    };
    let MemoryUse { private, shared } = parts.fold(MemoryUse::default(), add);
    private + shared.max(files)
}
