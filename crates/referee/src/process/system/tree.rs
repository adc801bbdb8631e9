//! A bot with all that it has started: which processes these are, and how much memory they have
//! together.
//!
//! Whatever a bot starts stays below its keeper, even in another session, and even when the parent
//! is gone.

use super::calls::HAS_PROC;
use super::proc_files::{MemoryUse, children, computing, memory, memory_part, nameless_files, walk};
use crate::process::jail::cgroup::CpuMeter;
use crate::process::keeper::births::BirthCount;
use crate::process::keeper::family::kill_orphans;
use nix::sys::signal::kill;
use nix::unistd::{Pid, getpid};
use std::ops::ControlFlow;

/// A keeper, and the bot that it has started last.
#[derive(Clone, Debug)]
pub(crate) struct ProcessTree {
    pub(crate) keeper: Pid,
    pub(crate) bot: Option<Pid>,
    /// Where the system adds up their processor time.
    pub(crate) meter: Option<CpuMeter>,
    /// Who counts what the bot has started, where nobody adds up.
    pub(crate) births: Option<BirthCount>,
}

impl ProcessTree {
    /// The bot and all that it has started, parents before children. If the keeper was killed, the
    /// bot is a child of the arena. Other orphans of that keeper can't be told from the orphans of
    /// another keeper, and are killed. Where nobody tells who is below a keeper, only the bot itself is
    /// known.
    pub(crate) fn processes(&self) -> Vec<Pid> {
        let mut found = Vec::new();
        self.walk(|pid| {
            found.push(pid);
            ControlFlow::Continue(())
        });
        found
    }

    /// Shows the same processes one by one, until somebody has seen enough.
    pub(crate) fn walk(&self, mut see: impl FnMut(Pid) -> ControlFlow<()>) {
        let mut is_empty = true;
        let _ = walk(self.keeper, |pid| {
            is_empty = false;
            see(pid)
        });
        if let (true, Some(bot)) = (is_empty, self.bot)
            && (if HAS_PROC { children(getpid()).contains(&bot) } else { kill(bot, None).is_ok() })
        {
            kill_orphans();
            if see(bot).is_continue() {
                let _ = walk(bot, see);
            }
        }
    }

    /// How many threads of all processes want a core, if there are not more than the most that
    /// matter.
    pub(crate) fn computing(&self, most: usize) -> usize {
        let mut count = 0;
        self.walk(|pid| {
            count += computing(pid, most - count);
            if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        count
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
