//! A bot with all that it has started, as one: which processes these are, and how much memory they have.
//!
//! Whatever a bot starts stays below its keeper, also with a session of its own and when its parent is gone.

use super::proc_files::{ProcStat, children, descendants, memory, memory_part};
use nix::sys::signal::{Signal, kill};
use nix::time::clock_getcpuclockid;
use nix::unistd::{Pid, getpid};

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
        Some(total(parts, files)).filter(|&total| total > limit)
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
