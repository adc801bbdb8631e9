//! Ending processes, within a limit.

use crate::process::system::proc_files::ProcStat;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use rustix::process::{WaitOptions, wait, waitpid};
use std::collections::HashSet;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The limit. Killed processes are gone within milliseconds, unless the system itself holds them.
const LIMIT: Duration = Duration::from_secs(1);

/// Collects this child, or any, once it is dead. A process can be ended by signals that have no name.
pub(crate) fn collect(
    child: Option<Pid>,
    options: WaitOptions,
) -> rustix::io::Result<Option<(Pid, ExitStatus)>> {
    let ended = match child.and_then(|child| rustix::process::Pid::from_raw(child.as_raw())) {
        Some(child) => waitpid(Some(child), options),
        None => wait(options),
    };
    let read = |(pid, status): (rustix::process::Pid, rustix::process::WaitStatus)| {
        (Pid::from_raw(pid.as_raw_nonzero().get()), ExitStatus::from_raw(status.as_raw()))
    };
    Ok(ended?.map(read))
}

/// Kills everybody else on the list of processes that this process is the first of, at one stroke.
pub(crate) fn end_list_blocking() {
    const EVERYBODY: Pid = Pid::from_raw(-1);
    let deadline = Instant::now() + LIMIT;
    let mut pause = Duration::from_micros(100);
    while kill(EVERYBODY, Signal::SIGKILL).is_ok() && Instant::now() < deadline {
        loop {
            match collect(None, WaitOptions::NOHANG) {
                Ok(None) => break,
                Ok(Some(_)) => {}
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
            if collect(Some(child), WaitOptions::NOHANG) != Ok(None) {
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
