//! The clock of one question: wall time, or the processor time of the bot and all that it has
//! started.

use super::cpu_watch::CpuWatch;
use super::memory::thread_time;
use crate::clock::ClockRules;
use crate::process::system::tree::ProcessTree;
use protocol::Measured;
use std::time::Duration;
use tokio::time::Instant;

/// The clock of one question.
pub(crate) struct Stopwatch {
    /// When the question was asked.
    pub(crate) begun: Instant,
    from: Instant,
    pub(crate) limit: Duration,
    pub(crate) deadline: Instant,
    /// What the bot has computed before it was asked, while it should have been stopped.
    pondered: Duration,
    cpu: Option<CpuClock>,
    /// What the arena has computed for the bot meanwhile.
    served: Duration,
    /// When the bot's last request was answered, and what it has explored.
    pub(crate) exploring: Option<(Instant, u64)>,
    /// The process has still to start up, and has time for that.
    starting: bool,
    /// The ids of an answer that was not for this turn, and of the turn.
    pub(crate) passed_over: Option<(u64, u64)>,
}

impl Stopwatch {
    /// The time runs from now. A process that has said nothing yet has until `startup_end` to start
    /// up.
    pub(crate) fn start(
        clock: &ClockRules,
        bank: Duration,
        tree: ProcessTree,
        startup_end: Option<Instant>,
        pondered: Duration,
    ) -> Stopwatch {
        let now = Instant::now();
        let from = startup_end.map_or(now, |end| now.max(end));
        let limit = clock.per_move + bank;
        // Starting up costs processor time too, which is not charged.
        let free = if startup_end.is_some() { clock.startup } else { Duration::ZERO };
        let left = limit.saturating_sub(pondered);
        let cpu = (clock.measured == Measured::Cpu).then(|| CpuClock::start(tree, free, left));
        let deadline = from + clock.wall_backstop(left);
        Stopwatch {
            begun: now,
            from,
            limit,
            deadline,
            pondered,
            cpu,
            served: Duration::ZERO,
            exploring: None,
            starting: startup_end.is_some(),
            passed_over: None,
        }
    }

    /// Was all the time used up before the question?
    pub(crate) fn over_before(&self) -> Option<Duration> {
        Some(self.pondered).filter(|&pondered| pondered > self.limit)
    }

    /// The bot has just said for the first time that it is ready. If it was starting up, the time
    /// for its move begins now.
    pub(crate) fn ready(&mut self) {
        if !std::mem::take(&mut self.starting) {
            return;
        }
        let now = Instant::now();
        if now < self.from {
            self.deadline -= self.from - now;
            self.from = now;
        }
        if let Some(cpu) = &mut self.cpu {
            *cpu = CpuClock::start(cpu.watch.tree.clone(), Duration::ZERO, self.limit);
        }
    }

    /// Somebody has kept the core from the bot: the time on the wall begins again.
    pub(crate) fn begin_again(&mut self) {
        let lost = Instant::now().saturating_duration_since(self.from);
        self.from += lost;
        self.deadline += lost;
    }

    pub(crate) fn taken(&mut self) -> Duration {
        let wall = Instant::now().saturating_duration_since(self.from);
        self.pondered + self.cpu.as_mut().map_or(wall, |cpu| cpu.taken(wall) + self.served)
    }

    /// Did the time on the wall count, because some of the work can't be seen?
    pub(crate) fn is_hidden(&self) -> bool {
        self.cpu.as_ref().is_some_and(|cpu| cpu.watch.hidden)
    }

    /// When work for the bot begins, if that work is charged. Time on the wall runs in any case.
    pub(crate) fn begin_service(&self) -> Option<Duration> {
        self.cpu.as_ref().map(|_| thread_time())
    }

    /// The work that has begun then is done.
    pub(crate) fn end_service(&mut self, begun: Option<Duration>) {
        self.served += begun.map_or(Duration::ZERO, |begun| thread_time().saturating_sub(begun));
    }

    /// Is an answer after this much time too late? With wall time, the wait itself has ended by
    /// then.
    pub(crate) fn too_late(&self, taken: Duration) -> bool {
        self.cpu.is_some() && taken > self.limit
    }

    /// When to look at the clock again; `None` if the time is up.
    pub(crate) fn next_look(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if now >= self.deadline {
            return None;
        }
        let Some(cpu) = &self.cpu else { return Some(self.deadline) };
        if now < cpu.look {
            return Some(cpu.look.min(self.deadline));
        }
        let left = self.limit.checked_sub(self.taken())?;
        let is_restless = self.cpu.as_ref().is_some_and(|cpu| cpu.watch.is_restless());
        let look = if is_restless { later(left).min(Instant::now() + SOON) } else { later(left) };
        self.cpu.as_mut()?.look = look;
        Some(look.min(self.deadline))
    }
}

/// The pause between two looks at a bot that starts processes where nobody adds up their time.
const SOON: Duration = Duration::from_millis(4);

/// When to look again if this much time is left. On each core, processor time runs no faster than
/// wall time. A process that was never seen is easily hidden.
fn later(left: Duration) -> Instant {
    Instant::now() + (left / 2).clamp(Duration::from_millis(2), Duration::from_millis(20))
}

/// Processor time since a question was asked.
struct CpuClock {
    watch: CpuWatch,
    /// What is not charged.
    free: Duration,
    /// When to read the processor time again.
    look: Instant,
}

impl CpuClock {
    fn start(tree: ProcessTree, free: Duration, limit: Duration) -> CpuClock {
        CpuClock { watch: CpuWatch::start(tree), free, look: later(limit) }
    }

    /// Where some of the work can't be seen, the time on the wall counts.
    fn taken(&mut self, wall: Duration) -> Duration {
        let spent = self.watch.spent().saturating_sub(self.free);
        if self.watch.hidden { spent.max(wall) } else { spent }
    }
}
