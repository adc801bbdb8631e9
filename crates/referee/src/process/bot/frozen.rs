//! A bot that is stopped while others think, with all that it has started.

use crate::process::limits::cpu_watch::CpuWatch;
use crate::process::system::tree::ProcessTree;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::time::Duration;

/// How often the list of processes is made again when it has changed meanwhile.
const ROUNDS: usize = 10;

/// Its stopped processes. The system may be told to let a stopped process go on, by a timer say. So it is measured what
/// they compute all the same.
pub(crate) struct Frozen {
    stopped: Vec<Pid>,
    watch: CpuWatch,
}

impl Frozen {
    /// Stops them all. Who is about to be stopped starts no others, so each round reaches those that were started during
    /// the last one.
    pub(crate) fn stop(tree: ProcessTree) -> Frozen {
        let mut stopped = Vec::new();
        for _ in 0..ROUNDS {
            let mut others = tree.processes();
            others.retain(|pid| !stopped.contains(pid));
            if others.is_empty() {
                break;
            }
            for pid in others {
                let _ = kill(pid, Signal::SIGSTOP); // it may be gone
                stopped.push(pid);
            }
        }
        Frozen { stopped, watch: CpuWatch::start(tree) }
    }

    /// Lets them go on, children before their parents: nobody finds a child of theirs stopped. Says how long they have
    /// computed meanwhile.
    pub(crate) fn go_on(mut self) -> Duration {
        let pondered = self.watch.spent();
        for &pid in self.stopped.iter().rev() {
            let _ = kill(pid, Signal::SIGCONT); // it may have been killed
        }
        pondered
    }
}
