//! Disqualification: a bot that fails too often is out for the rest of a tournament.
//!
//! Only games in the order of the schedule count, so that the same bot is out from the same game on, however many
//! games are played at a time. A game that was begun too early is replaced by the one that the schedule demands.

use super::config::Tournament;
use referee::fault::Code;
use referee::record::Record;
use referee::runner::BotId;
use rules::{Seat, Seats};
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each bot has failed in the games that count already.
pub struct Discipline {
    /// So many failures are the end.
    most: u64,
    failures: Vec<AtomicU64>,
}

impl Discipline {
    pub fn new(tournament: &Tournament) -> Discipline {
        let most = tournament.disqualify_after.unwrap_or(u64::MAX);
        Discipline { most, failures: tournament.series.bots.iter().map(|_| AtomicU64::new(0)).collect() }
    }

    /// The seats of bots that are out.
    pub fn out(&self, seating: &[BotId]) -> Seats {
        let is_out = |bot: BotId| self.failures[bot.0].load(Ordering::Relaxed) >= self.most;
        (0..).map(Seat).zip(seating).filter(|&(_, &bot)| is_out(bot)).map(|(seat, _)| seat).collect()
    }

    /// Counts a game.
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
