//! Ending processes, within a limit.

use crate::process::system::proc_files::ProcStat;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The limit. Killed processes are gone within milliseconds, unless the system itself holds them.
const LIMIT: Duration = Duration::from_secs(1);

/// Kills everybody else on the list of processes that this process is the first of, at one stroke.
pub(crate) fn end_list_blocking() {
    const EVERYBODY: Pid = Pid::from_raw(-1);
    let deadline = Instant::now() + LIMIT;
    let mut pause = Duration::from_micros(100);
    while kill(EVERYBODY, Signal::SIGKILL).is_ok() && Instant::now() < deadline {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => break,
                Ok(_) => {}
                Err(_) => return,
            }
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(5));
    }
}

/// Kills the listed children of this process and collects them, until the list is empty. A process
/// that dies may leave its children to us, so each round reaches one generation further. A dead
/// process that somebody traces can't be collected, and nobody waits for it.
pub(crate) fn end_all_blocking(list: impl Fn() -> Vec<Pid>) {
    let deadline = Instant::now() + LIMIT;
    let mut pause = Duration::from_micros(100);
    let mut held: HashSet<Pid> = HashSet::new();
    while Instant::now() < deadline {
        let (mut alive, mut changed) = (false, false);
        for child in list() {
            if waitpid(child, Some(WaitPidFlag::WNOHANG)) != Ok(WaitStatus::StillAlive) {
                changed = true;
            } else if ProcStat::of(child).is_some_and(|stat| stat.is_dead()) {
                changed |= held.insert(child);
            } else {
                alive = true;
                let _ = killpg(child, Signal::SIGKILL); // only leaders of a group have one of that number
                let _ = kill(child, Signal::SIGKILL);
            }
        }
        if !alive && !changed {
            return;
        }
        if !changed {
            std::thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
    }
}
