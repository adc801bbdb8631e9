//! The clock of one question: wall time, or the processor time of the bot.

use nix::time::ClockId;
use std::time::Duration;
use tokio::time::Instant;

/// The clock of one question.
pub(super) struct Stopwatch {
    pub(super) from: Instant,
    pub(super) limit: Duration,
    pub(super) deadline: Instant,
    pub(super) cpu: Option<ClockId>,
    pub(super) cpu_before: Duration,
    /// Processor time that is not charged.
    pub(super) free: Duration,
    /// The ids of an answer that was not for this turn, and of the turn.
    pub(super) passed_over: Option<(u64, u64)>,
}

impl Stopwatch {
    /// The bot has just said that it is ready: the time for the move begins now, if it has not begun already.
    pub(super) fn restart(&mut self) {
        let now = Instant::now();
        if now < self.from {
            self.deadline -= self.from - now;
            self.from = now;
        }
        self.free = Duration::ZERO;
        self.cpu_before = self.cpu.and_then(cpu_time).unwrap_or_default();
    }

    pub(super) fn taken(&self) -> Duration {
        match self.cpu.and_then(cpu_time) {
            Some(spent) => spent.saturating_sub(self.cpu_before).saturating_sub(self.free),
            None => Instant::now().saturating_duration_since(self.from),
        }
    }

    /// When to look at the clock again. Processor time runs no faster than the wall's on each of a few cores.
    pub(super) fn next_look(&self) -> Instant {
        match self.cpu {
            None => self.deadline,
            Some(_) => {
                let left = self.limit.saturating_sub(self.taken());
                (Instant::now() + (left / 2).max(Duration::from_millis(2))).min(self.deadline)
            }
        }
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || (self.cpu.is_some() && self.taken() > self.limit)
    }
}

pub(super) fn cpu_time(clock: ClockId) -> Option<Duration> {
    clock.now().ok().map(Duration::from)
}
