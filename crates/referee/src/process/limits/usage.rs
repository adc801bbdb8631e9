//! What a bot has used in each game, for the record.

use crate::player::ResourceUse;
use crate::process::system::proc_files::peak_memory;
use crate::process::system::tree::ProcessTree;
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;
use std::time::{Duration, Instant};

/// The pause between two looks at the memory. A short game is over much sooner than a look.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Usage {
    /// The clock of the bot's own process. Reading it costs less than a microsecond.
    clock: Option<ClockId>,
    /// What the clock showed after the last game.
    cpu: Duration,
    memory_kib: u64,
    last_look: Option<Instant>,
}

impl Usage {
    pub(crate) fn of(bot: Option<Pid>) -> Usage {
        let clock = bot.and_then(|bot| clock_getcpuclockid(bot).ok());
        Usage { clock, cpu: Duration::ZERO, memory_kib: 0, last_look: None }
    }

    /// What was used since the last reading.
    pub(crate) fn read(&mut self, tree: &ProcessTree) -> Option<ResourceUse> {
        let cpu: Duration = self.clock?.now().ok()?.into();
        if self.last_look.is_none_or(|look| look.elapsed() >= PAUSE) {
            let now: u64 = tree.processes().into_iter().map(peak_memory).sum();
            self.memory_kib = self.memory_kib.max(now / 1_024);
            self.last_look = Some(Instant::now());
        }
        let used = ResourceUse { cpu: cpu.saturating_sub(self.cpu), memory_kib: self.memory_kib };
        self.cpu = cpu;
        Some(used)
    }
}
