//! Disqualification: a bot that fails too often plays no more games of the tournament.
//!
//! Faults count in the order of the schedule. So a bot is disqualified from the same game on,
//! however many games are played at a time. If a game was begun before an earlier game disqualified
//! one of its bots, the game is replaced by the game that the schedule demands.

use super::config::Tournament;
use referee::fault::Code;
use referee::record::Record;
use referee::runner::BotId;
use rules::{Seat, Seats};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of faults of each bot in the games that count already.
pub struct Discipline {
    /// A bot with this many faults is disqualified.
    most: u64,
    failures: Vec<AtomicU64>,
}

impl Discipline {
    pub fn new(tournament: &Tournament) -> Discipline {
        let most = tournament.disqualify_after.unwrap_or(u64::MAX);
        Discipline { most, failures: tournament.series.bots.iter().map(|_| AtomicU64::new(0)).collect() }
    }

    /// The seats of disqualified bots.
    pub fn out(&self, seating: &[BotId]) -> Seats {
        let is_out = |bot: BotId| self.failures[bot.0].load(Ordering::Relaxed) >= self.most;
        (0..).map(Seat).zip(seating).filter(|&(_, &bot)| is_out(bot)).map(|(seat, _)| seat).collect()
    }

    /// Counts the faults of a game, without faults of the arena.
    pub fn add(&self, seating: &[BotId], record: &Record) {
        for fault in &record.faults {
            if fault.fault.code != Code::ArenaFault
                && let Some(&bot) = seating.get(fault.seat as usize)
            {
                self.failures[bot.0].fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}
