//! A bot with all that it has started, as one: how long it has computed, how much memory it has, and how it is stopped.
//!
//! Whatever a bot starts stays below its keeper, also with a session of its own and when its parent is gone.

use super::proc_files::{ProcStat, descendants, memory, memory_part};
use nix::sys::signal::{Signal, kill};
use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;
use std::time::Duration;

/// How often the list of processes is made again when it has changed meanwhile.
const ROUNDS: usize = 10;

/// The processor time of all processes below a keeper, those that are gone too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TreeTime {
    pub(super) spent: Duration,
    /// What rounding may have left out.
    pub(super) rounding: Duration,
    /// There are processes whose children vanish uncounted.
    pub(super) hidden: bool,
}

impl TreeTime {
    pub(super) fn of(keeper: Pid) -> TreeTime {
        let mut last = TreeTime::default();
        for _ in 0..ROUNDS {
            let (time, is_whole) = TreeTime::add_up(keeper);
            last = time;
            if is_whole {
                break;
            }
        }
        last
    }

    /// A parent is looked at before its children, so that nobody counts twice: as a process and as one that its parent
    /// has collected. Who is collected in between counts not at all, and then the sum is not whole.
    fn add_up(keeper: Pid) -> (TreeTime, bool) {
        const TICK: Duration = Duration::from_millis(10);
        let collected = |pid| ProcStat::of(pid).map(|stat| stat.collected);
        let mut time = TreeTime { spent: collected(keeper).unwrap_or_default(), ..TreeTime::default() };
        time.rounding = 2 * TICK;
        let mut is_whole = true;
        for pid in descendants(keeper) {
            let (Some(stat), Some(own)) = (ProcStat::of(pid), own_time(pid)) else {
                is_whole = false;
                continue;
            };
            time.spent += own + stat.collected;
            time.rounding += 2 * TICK;
            time.hidden |= stat.forgets_children;
        }
        (time, is_whole)
    }
}

/// The processor time of one process, exactly.
fn own_time(pid: Pid) -> Option<Duration> {
    clock_getcpuclockid(pid).ok()?.now().ok().map(Duration::from)
}

/// The memory of all processes below a keeper, in bytes, if it is more than this.
pub(super) fn memory_above(limit: u64, keeper: Pid) -> Option<u64> {
    let processes = descendants(keeper);
    let total: u64 = processes.iter().map(|&pid| memory(pid)).sum();
    if total <= limit {
        return None;
    }
    // What they share was counted for each of them. To find out what belongs to whom takes longer.
    let parts = processes.iter().map(|&pid| memory_part(pid).unwrap_or_else(|| memory(pid)));
    Some(parts.sum()).filter(|&total| total > limit)
}

/// Stops all processes below a keeper. Who is about to be stopped starts no others, so each round reaches those that
/// were started during the last one.
pub(super) fn stop(keeper: Pid) -> Vec<Pid> {
    let mut stopped = Vec::new();
    for _ in 0..ROUNDS {
        let mut others = descendants(keeper);
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

/// Lets them go on, children before their parents: nobody finds a child of theirs stopped.
pub(super) fn go_on(stopped: &[Pid]) {
    for &pid in stopped.iter().rev() {
        let _ = kill(pid, Signal::SIGCONT); // it may have been killed
    }
}
