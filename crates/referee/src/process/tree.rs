//! A bot with all that it has started, as one: how long it has computed, how much memory it has, and how it is stopped.
//!
//! Whatever a bot starts stays below its keeper, also with a session of its own and when its parent is gone.

use super::proc_files::{ProcStat, children, descendants, memory, memory_part};
use nix::sys::signal::{Signal, kill};
use nix::time::clock_getcpuclockid;
use nix::unistd::{Pid, getpid};
use std::collections::HashMap;
use std::time::Duration;

/// How often the list of processes is made again when it has changed meanwhile.
const ROUNDS: usize = 10;

/// Of these two: a keeper, and the bot that it has started last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    pub(super) keeper: Pid,
    pub(super) bot: Option<Pid>,
}

impl Tree {
    /// The bot and all that it has started, parents before their children. If its keeper was killed, the bot is a child of
    /// the arena.
    pub(super) fn processes(self) -> Vec<Pid> {
        let mut found = descendants(self.keeper);
        if let (true, Some(bot)) = (found.is_empty(), self.bot)
            && children(getpid()).contains(&bot)
        {
            found.push(bot);
            found.extend(descendants(bot));
        }
        found
    }

    /// Their memory in bytes, if it is more than this.
    pub(super) fn memory_above(self, limit: u64) -> Option<u64> {
        let processes = self.processes();
        let total: u64 = processes.iter().map(|&pid| memory(pid)).sum();
        if total <= limit {
            return None;
        }
        // What they share was counted for each of them. To find out what belongs to whom takes longer.
        let parts = processes.iter().map(|&pid| memory_part(pid).unwrap_or_else(|| memory(pid)));
        Some(parts.sum()).filter(|&total| total > limit)
    }

    /// Stops them all. Who is about to be stopped starts no others, so each round reaches those that were started during
    /// the last one.
    pub(super) fn stop(self) -> Vec<Pid> {
        let mut stopped = Vec::new();
        for _ in 0..ROUNDS {
            let mut others = self.processes();
            others.retain(|pid| !stopped.contains(pid));
            if others.is_empty() {
                break;
            }
            for pid in others {
                let _ = kill(pid, Signal::SIGSTOP); // it may be gone
                stopped.push(pid);
            }
        }
        stopped
    }
}

/// The processor time of all processes below a keeper, those that are gone too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TreeTime {
    /// Of each process that is there.
    own: HashMap<Pid, Duration>,
    /// Of those that are gone, as known to whoever has waited for them.
    collected: Duration,
    /// There are processes whose children are waited for by nobody, or the keeper is gone, who waits for orphans.
    pub(super) forgets: bool,
}

impl TreeTime {
    pub(super) fn of(tree: Tree) -> TreeTime {
        let mut last = TreeTime::default();
        for _ in 0..ROUNDS {
            let (time, is_whole) = TreeTime::add_up(tree);
            last = time;
            if is_whole {
                break;
            }
        }
        last
    }

    /// A parent is looked at before its children, so that nobody counts twice: as a process and as one that its parent
    /// has collected. Who is collected in between counts not at all, and then the sum is not whole.
    fn add_up(tree: Tree) -> (TreeTime, bool) {
        let keeper = ProcStat::of(tree.keeper).filter(|stat| !stat.is_dead());
        let collected = keeper.map(|stat| stat.collected).unwrap_or_default();
        let mut time = TreeTime { collected, forgets: keeper.is_none(), ..TreeTime::default() };
        let mut is_whole = true;
        for pid in tree.processes() {
            let (Some(stat), Some(own)) = (ProcStat::of(pid), own_time(pid)) else {
                is_whole = false;
                continue;
            };
            time.own.insert(pid, own);
            time.collected += stat.collected;
            time.forgets |= stat.forgets_children;
        }
        (time, is_whole)
    }

    pub(super) fn spent(&self) -> Duration {
        self.collected + self.own.values().sum::<Duration>()
    }

    /// What the processes have computed that were there earlier and are gone now.
    pub(super) fn gone_since(&self, earlier: &TreeTime) -> Duration {
        earlier.own.iter().filter(|(pid, _)| !self.own.contains_key(pid)).map(|(_, own)| *own).sum()
    }

    /// The most that has been collected since then. What is collected is known in steps of 10 ms, twice for each process.
    pub(super) fn collected_since(&self, earlier: &TreeTime) -> Duration {
        let steps = 2 * (self.own.len() as u32 + 1);
        self.collected.saturating_sub(earlier.collected) + Duration::from_millis(10) * steps
    }
}

/// The processor time of one process, exactly.
fn own_time(pid: Pid) -> Option<Duration> {
    clock_getcpuclockid(pid).ok()?.now().ok().map(Duration::from)
}

/// Lets them go on, children before their parents: nobody finds a child of theirs stopped.
pub(super) fn go_on(stopped: &[Pid]) {
    for &pid in stopped.iter().rev() {
        let _ = kill(pid, Signal::SIGCONT); // it may have been killed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_gone_must_have_been_collected() {
        let ms = Duration::from_millis;
        let time = |own: &[(i32, u64)], collected| TreeTime {
            own: own.iter().map(|&(pid, time)| (Pid::from_raw(pid), ms(time))).collect(),
            collected: ms(collected),
            forgets: false,
        };
        let before = time(&[(1, 5), (2, 300)], 100);
        let [honest, hidden] = [400, 110].map(|collected| time(&[(1, 6), (3, 9)], collected));
        assert_eq!((before.spent(), honest.spent()), (ms(405), ms(415)));
        assert_eq!((honest.gone_since(&before), before.gone_since(&before)), (ms(300), ms(0)));
        assert!(honest.gone_since(&before) <= honest.collected_since(&before));
        assert!(hidden.gone_since(&before) > hidden.collected_since(&before));
    }
}
