//! Time limits: time for each move, and a bank for the whole game.

use protocol::{Clock, Measured};
use std::time::Duration;

/// The limits that a match is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRules {
    /// For the first move after a process started, in addition.
    pub startup: Duration,
    /// For every move.
    pub per_move: Duration,
    /// For the whole game, used where a move takes longer than `per_move`.
    pub bank: Duration,
    /// Added to the bank after every move.
    pub increment: Duration,
    pub measured: Measured,
}

impl Default for ClockRules {
    fn default() -> Self {
        ClockRules {
            startup: Duration::from_secs(5),
            per_move: Duration::from_secs(1),
            bank: Duration::ZERO,
            increment: Duration::ZERO,
            measured: Measured::Wall,
        }
    }
}

impl ClockRules {
    /// The limits as a message shows them, with this much left in the bank.
    pub fn shown(&self, bank: Duration) -> Clock {
        let ms = |duration: Duration| duration.as_millis() as u64;
        Clock {
            move_ms: ms(self.per_move),
            bank_ms: ms(bank),
            increment_ms: ms(self.increment),
            startup_ms: ms(self.startup),
            measured: self.measured,
        }
    }

    /// The limits behind a message.
    pub fn of(shown: Clock) -> ClockRules {
        ClockRules {
            startup: Duration::from_millis(shown.startup_ms),
            per_move: Duration::from_millis(shown.move_ms),
            bank: Duration::from_millis(shown.bank_ms),
            increment: Duration::from_millis(shown.increment_ms),
            measured: shown.measured,
        }
    }

    /// The bank after a move that took this long and was in time.
    pub fn bank_after(&self, bank: Duration, taken: Duration) -> Duration {
        bank.saturating_sub(taken.saturating_sub(self.per_move)) + self.increment
    }

    /// The longest wall time of a move when processor time is measured. A bot that sleeps must end
    /// too.
    pub fn wall_backstop(&self, allowance: Duration) -> Duration {
        match self.measured {
            Measured::Wall => allowance,
            Measured::Cpu => allowance * 5 + Duration::from_secs(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bank_pays_for_what_a_move_takes_too_long() {
        let ms = Duration::from_millis;
        let rules =
            ClockRules { per_move: ms(100), bank: ms(500), increment: ms(10), ..ClockRules::default() };
        for (bank, taken, left) in [(500, 50, 510), (500, 100, 510), (500, 250, 360), (100, 200, 10)] {
            assert_eq!(rules.bank_after(ms(bank), ms(taken)), ms(left), "{bank} after {taken}");
        }
    }
}
