//! What a bot has used in each game, for the record.

use super::cpu_watch::time_of_all;
use crate::player::ResourceUse;
use crate::process::jail::cgroup::CpuMeter;
use crate::process::system::calls::CpuClock;
use crate::process::system::proc_files::{ProcStat, peak_memory};
use crate::process::system::tree::ProcessTree;
use std::time::{Duration, Instant};

/// The pause between two looks at the memory, and at the time of other processes than the bot's own.
/// A short game is over much sooner than a look.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Usage {
    /// The clock of the bot's own process.
    clock: Option<CpuClock>,
    /// What others had computed under this keeper before the bot was started.
    before: Duration,
    /// What the processes that the bot has started had computed at the last look.
    others: Duration,
    /// What had been computed after the last game.
    cpu: Duration,
    memory_kib: u64,
    last_look: Option<Instant>,
}

impl Usage {
    /// Begins with a bot that has just been started.
    pub(crate) fn of(tree: &ProcessTree) -> Usage {
        let clock = tree.bot.and_then(CpuClock::of);
        let own = clock.and_then(CpuClock::read).unwrap_or_default();
        let before = match tree.meter.as_ref().and_then(CpuMeter::read) {
            Some(all) => all.saturating_sub(own),
            None => ProcStat::of(tree.keeper).map(|keeper| keeper.collected).unwrap_or_default(),
        };
        let (others, cpu) = (Duration::ZERO, Duration::ZERO);
        Usage { clock, before, others, cpu, memory_kib: 0, last_look: None }
    }

    /// What was used since the last reading.
    pub(crate) fn read(&mut self, tree: &ProcessTree) -> Option<ResourceUse> {
        let own = self.clock?.read()?;
        if self.last_look.is_none_or(|look| look.elapsed() >= PAUSE) {
            let now: u64 = tree.processes().into_iter().map(peak_memory).sum();
            self.memory_kib = self.memory_kib.max(now / 1_024);
            self.others = time_of_all(tree).saturating_sub(self.before + own).max(self.others);
            self.last_look = Some(Instant::now());
        }
        let counted = tree.meter.as_ref().and_then(CpuMeter::read);
        let all = counted.map_or(own + self.others, |all| all.saturating_sub(self.before));
        let used = ResourceUse { cpu: all.saturating_sub(self.cpu), memory_kib: self.memory_kib };
        self.cpu = self.cpu.max(all);
        Some(used)
    }
}
