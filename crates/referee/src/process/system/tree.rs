//! A bot with all that it has started, as one: which processes these are, and how much memory they have.
//!
//! Whatever a bot starts stays below its keeper, also with a session of its own and when its parent is gone.

use super::proc_files::{MemoryUse, children, descendants, memory, memory_part, nameless_files};
use crate::process::keeper::family::kill_orphans;
use nix::unistd::{Pid, getpid};

/// Of these two: a keeper, and the bot that it has started last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessTree {
    pub(crate) keeper: Pid,
    pub(crate) bot: Option<Pid>,
}

impl ProcessTree {
    /// The bot and all that it has started, parents before their children. If its keeper was killed, the bot is a child of
    /// the arena. Other orphans of that keeper can't be told from those of another bot's keeper, and have to go.
    pub(crate) fn processes(self) -> Vec<Pid> {
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

    /// Their memory in bytes, if it is more than this.
    pub(crate) fn memory_above(self, limit: u64) -> Option<u64> {
        let processes = self.processes();
        let files = nameless_files(&processes);
        if total(processes.iter().map(|&pid| memory(pid)), files) <= limit {
            return None;
        }
        // What they share was counted for each of them. To find out what belongs to whom takes longer.
        let parts = processes.iter().map(|&pid| memory_part(pid).unwrap_or_else(|| memory(pid)));
        Some(total(parts, files)).filter(|&total| total > limit)
    }
}

/// What is mapped of a file in memory is shared memory too, and counts once.
fn total(parts: impl Iterator<Item = MemoryUse>, files: u64) -> u64 {
    let add = |sum: MemoryUse, one: MemoryUse| MemoryUse {
        private: sum.private + one.private,
        shared: sum.shared + one.shared,
    };
    let MemoryUse { private, shared } = parts.fold(MemoryUse::default(), add);
    private + shared.max(files)
}
