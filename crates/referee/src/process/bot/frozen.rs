//! A bot that is stopped while others think, with all that it has started.

use crate::process::limits::cpu_watch::CpuWatch;
use crate::process::system::tree::ProcessTree;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::ops::ControlFlow;
use std::time::Duration;

/// How often the list of processes is made again if it has changed meanwhile.
const ROUNDS: usize = 10;

/// The stopped processes of a bot. A bot can make the system continue a stopped process, for
/// example with a timer. So the arena measures what stopped processes compute.
pub(crate) struct Frozen {
    stopped: Vec<Pid>,
    watch: CpuWatch,
}

impl Frozen {
    /// Stops all processes of a bot. A stopped process starts no others, so each round reaches the
    /// processes that were started during the round before. Each process is stopped when it is
    /// found: a search among busy processes takes long.
    pub(crate) fn stop(tree: ProcessTree) -> Frozen {
        if let Some(bot) = tree.bot {
            let _ = killpg(bot, Signal::SIGSTOP); // it may be gone
        }
        let mut stopped = Vec::new();
        for _ in 0..ROUNDS {
            let before = stopped.len();
            tree.walk(|pid| {
                if !stopped.contains(&pid) {
                    let _ = kill(pid, Signal::SIGSTOP); // it may be gone
                    stopped.push(pid);
                }
                ControlFlow::Continue(())
            });
            if stopped.len() == before {
                break;
            }
        }
        Frozen { stopped, watch: CpuWatch::start(tree) }
    }

    /// Lets the processes go on, children before parents, so that no parent finds a stopped child.
    /// Returns how long the processes have computed meanwhile.
    pub(crate) fn go_on(mut self) -> Duration {
        let pondered = self.watch.spent();
        for &pid in self.stopped.iter().rev() {
            let _ = kill(pid, Signal::SIGCONT); // it may have been killed
        }
        pondered
    }
}
