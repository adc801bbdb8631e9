//! The clock of one question: wall time, or the processor time of the bot and all that it has started.

use super::tree::{Tree, TreeTime};
use crate::clock::ClockRules;
use protocol::Measured;
use std::time::Duration;
use tokio::time::Instant;

/// The clock of one question.
pub(super) struct Stopwatch {
    from: Instant,
    pub(super) limit: Duration,
    pub(super) deadline: Instant,
    cpu: Option<CpuWatch>,
    /// The process has still to start up, and has time for that.
    starting: bool,
    /// The ids of an answer that was not for this turn, and of the turn.
    pub(super) passed_over: Option<(u64, u64)>,
}

impl Stopwatch {
    /// The time runs from now. A process that has said nothing yet has until `startup_end` to start up.
    pub(super) fn start(
        clock: &ClockRules,
        bank: Duration,
        tree: Tree,
        startup_end: Option<Instant>,
    ) -> Stopwatch {
        let now = Instant::now();
        let from = startup_end.map_or(now, |end| now.max(end));
        let limit = clock.per_move + bank;
        // Starting up costs processor time too; it is not charged.
        let free = if startup_end.is_some() { clock.startup } else { Duration::ZERO };
        let cpu = (clock.measured == Measured::Cpu).then(|| CpuWatch::start(tree, free, limit));
        let deadline = from + clock.wall_backstop(limit);
        Stopwatch { from, limit, deadline, cpu, starting: startup_end.is_some(), passed_over: None }
    }

    /// The bot has just said for the first time that it is ready. If it was starting up, the time for its move begins now.
    pub(super) fn ready(&mut self) {
        if !std::mem::take(&mut self.starting) {
            return;
        }
        let now = Instant::now();
        if now < self.from {
            self.deadline -= self.from - now;
            self.from = now;
        }
        if let Some(cpu) = &mut self.cpu {
            *cpu = CpuWatch::start(cpu.tree, Duration::ZERO, self.limit);
        }
    }

    pub(super) fn taken(&mut self) -> Duration {
        let wall = Instant::now().saturating_duration_since(self.from);
        self.cpu.as_mut().and_then(CpuWatch::taken).unwrap_or(wall)
    }

    /// Came an answer after so much time too late? On the wall, waiting for it has found that out.
    pub(super) fn too_late(&self, taken: Duration) -> bool {
        self.cpu.is_some() && taken > self.limit
    }

    /// When to look at the clock again; `None` if the time is up.
    pub(super) fn next_look(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if now >= self.deadline {
            return None;
        }
        let Some(cpu) = &self.cpu else { return Some(self.deadline) };
        if now < cpu.look {
            return Some(cpu.look.min(self.deadline));
        }
        let left = self.limit.checked_sub(self.taken())?;
        let look = later(left);
        self.cpu.as_mut()?.look = look;
        Some(look.min(self.deadline))
    }
}

/// When to look again if so much is left: processor time runs no faster than the wall's on each of a few cores, and a
/// process that was never seen is easily hidden.
fn later(left: Duration) -> Instant {
    Instant::now() + (left / 2).clamp(Duration::from_millis(2), Duration::from_millis(20))
}

/// Processor time since a question was asked.
struct CpuWatch {
    tree: Tree,
    first: TreeTime,
    last: TreeTime,
    /// The most that was ever read.
    most: Duration,
    /// What the processes had computed that were seen and are gone.
    gone: Duration,
    /// What is not charged.
    free: Duration,
    /// Some of the work can't be seen.
    hidden: bool,
    /// When to read it again.
    look: Instant,
}

impl CpuWatch {
    fn start(tree: Tree, free: Duration, limit: Duration) -> CpuWatch {
        let first = TreeTime::of(tree);
        let (last, most, gone) = (first.clone(), first.spent(), Duration::ZERO);
        CpuWatch { tree, first, last, most, gone, free, hidden: false, look: later(limit) }
    }

    /// `None` if it can't be told, because processes end and leave no trace of what they have computed. Their parent has
    /// told the system to forget them, which is known of the parent, or by what nobody has collected.
    fn taken(&mut self) -> Option<Duration> {
        let now = TreeTime::of(self.tree);
        self.gone += now.gone_since(&self.last);
        self.hidden |= now.forgets || self.gone > now.collected_since(&self.first);
        self.most = self.most.max(now.spent());
        self.last = now;
        let taken = self.most.saturating_sub(self.first.spent()).saturating_sub(self.free);
        (!self.hidden).then_some(taken)
    }
}
