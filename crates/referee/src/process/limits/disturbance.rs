//! Have others kept the core from a bot that was late? A bot can make a machine busy itself, and must
//! not win another game by that.

use super::cpu_watch::CpuWatch;
use super::memory::thread_time;
use crate::process::system::calls::cores_of;
use crate::process::system::pressure::busy_time;
use crate::process::system::tree::ProcessTree;
use std::time::{Duration, Instant};

/// What had been computed when the arena began to wait.
pub(crate) struct Disturbance {
    begun: Instant,
    cores: Vec<usize>,
    busy: Duration,
    arena: Duration,
    bot: CpuWatch,
}

impl Disturbance {
    /// `None` where the system does not say what its cores do.
    pub(crate) fn begin(tree: ProcessTree) -> Option<Disturbance> {
        let cores = cores_of(tree.bot?);
        let busy = busy_time(&cores)?;
        Some(Disturbance {
            begun: Instant::now(),
            cores,
            busy,
            arena: thread_time(),
            bot: CpuWatch::start(tree),
        })
    }

    /// Have others left less than four fifths of a core to the bot?
    pub(crate) fn found(mut self) -> Option<bool> {
        let wall = self.begun.elapsed();
        let busy = busy_time(&self.cores)?.saturating_sub(self.busy);
        let own = self.bot.spent() + thread_time().saturating_sub(self.arena);
        Some(!self.bot.hidden && is_too_little(wall, self.cores.len() as u32, busy.saturating_sub(own)))
    }
}

fn is_too_little(wall: Duration, cores: u32, others: Duration) -> bool {
    (wall * cores).saturating_sub(others) < wall * 4 / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_others_disturb() {
        let ms = Duration::from_millis;
        for (cores, others, disturbed) in [
            (1, 0, false),
            (1, 190, false),
            (1, 210, true),
            (2, 900, false),
            (2, 1_210, true),
            (1, 1_500, true),
        ] {
            assert_eq!(is_too_little(ms(1_000), cores, ms(others)), disturbed, "{others} ms on {cores}");
        }
    }

    /// Nobody but this process is on its tree.
    #[test]
    #[cfg_attr(plain, ignore = "only Linux tells")]
    fn a_wait_is_measured() {
        let this = nix::unistd::getpid();
        let tree = ProcessTree { keeper: this, bot: Some(this), meter: None, births: None };
        let begun = Disturbance::begin(tree).unwrap();
        assert!(!begun.cores.is_empty());
        assert!(begun.found().is_some());
    }
}
