//! The counts of one bot, one game and one kind of fault.

use crate::worth::worth;
use ratings::Decks;
use referee::fault::Code;
use referee::record::{Record, SeatFault};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use text::harmless;
use text::wrap::indented;

/// The counts of one bot in all games.
#[derive(Clone, Debug, Default)]
pub(super) struct BotCounts {
    pub(super) name: String,
    /// The rated games. Games for one are not rated.
    pub(super) rated: GameCounts,
    pub(super) void: u64,
    pub(super) moves: u64,
    pub(super) time: MoveTime,
}

/// The results of one bot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameCounts {
    pub(super) played: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    pub(super) points: f64,
    /// The sum of the game's own points.
    pub(super) game_points: f64,
}

impl GameCounts {
    pub(super) fn of(record: &Record, seat: usize, teams: &[usize]) -> GameCounts {
        let places = &record.result.places;
        let shared = (0..places.len()).any(|rival| teams[rival] != teams[seat] && places[rival] == 1);
        let first = places[seat] == 1;
        GameCounts {
            played: 1,
            won: u64::from(first && !shared),
            drawn: u64::from(first && shared),
            lost: u64::from(!first),
            points: worth(places, seat, |seat| teams[seat]),
            game_points: record.result.scores[seat].0,
        }
    }

    pub(super) fn add(&mut self, more: &GameCounts) {
        self.played += more.played;
        self.won += more.won;
        self.drawn += more.drawn;
        self.lost += more.lost;
        self.points += more.points;
        self.game_points += more.game_points;
    }
}

/// One kind of fault of one bot.
#[derive(Clone, Debug, Default)]
pub struct BotFailures {
    pub times: u64,
    /// Is this a fault of the arena?
    ours: bool,
    /// The match of the first fault.
    match_id: String,
    /// The first fault in full.
    words: String,
}

/// One bot's games in a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchRow {
    pub bot: String,
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Games that do not count.
    pub void: u64,
    /// The mean result: 1 for a win, 1/2 for a draw. With more than two sides, the share of
    /// opponents left behind.
    pub score: f64,
    /// The mean of the game's own points.
    pub points: f64,
    pub faults: BTreeMap<String, u64>,
    pub mean_move_us: f64,
}

/// The time of a bot's moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveTime {
    timed: u64,
    us: u64,
}

impl MoveTime {
    /// Adds the time of a move. A move during the start of a process has no known time, and is
    /// recorded as 0.
    pub(super) fn add(&mut self, us: u64) {
        self.timed += u64::from(us > 0);
        // Somebody may have written any number into a journal.
        self.us = self.us.saturating_add(us);
    }

    pub(super) fn mean_us(self) -> Option<f64> {
        (self.timed > 0).then(|| self.us as f64 / self.timed as f64)
    }
}

/// Games with the same rules and parameters.
pub(super) struct Pool {
    pub(super) game: String,
    pub(super) params: Value,
    /// For each seat, its side.
    pub(super) teams: Vec<usize>,
    pub(super) played: u64,
    /// The games of these that no fault ended.
    pub(super) finished: u64,
    pub(super) is_hidden: bool,
    /// In a game for one: scores by deck.
    pub(super) decks: Option<Decks>,
    /// For each bot, its results, the time of its moves, and its faults.
    pub(super) conduct: BTreeMap<usize, Conduct>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Conduct {
    pub(super) results: GameCounts,
    pub(super) time: MoveTime,
    pub(super) faults: BTreeMap<String, u64>,
}

impl BotFailures {
    pub(super) fn of(record: &Record, fault: &SeatFault) -> BotFailures {
        let file = record.failure.as_ref().map_or(String::new(), |file| format!("\n  more in {file}"));
        BotFailures {
            times: 0,
            ours: fault.fault.code == Code::ArenaFault,
            match_id: record.match_id.clone(),
            words: format!("{}{file}", fault.fault),
        }
    }

    /// The first fault in full, and how often such a fault happened.
    pub fn report(&self, bot: &str) -> String {
        let BotFailures { times, ours, match_id, words } = self;
        let more = if *times > 1 { format!(" (the first of {times})") } else { String::new() };
        let headline = if *ours {
            format!("match {match_id} does not count{more}; this is not a fault of a bot:")
        } else {
            format!("{} failed in match {match_id}{more}:", harmless::line(bot))
        };
        format!("{}{words}\n", indented("", &headline))
    }
}
