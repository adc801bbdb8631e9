//! What the arena keeps for a seat during a game, and the lines that it writes to that seat.

use crate::clock::ClockRules;
use crate::explorer::ExploreRules;
use protocol::{StartParts, TurnParts, write_clock, write_event, write_start, write_turn};
use rules::{Eyes, Seat, Seats, Table};
use std::time::Duration;

/// What the arena keeps for a seat during a game.
pub struct SeatState {
    pub clock: ClockRules,
    explore: ExploreRules,
    pub bank: Duration,
    /// Questions asked so far.
    pub questions: u64,
    /// How much of the news this seat has been told.
    told: usize,
    /// The clock as a message shows it, and the bank it was written for.
    clock_text: String,
    shown_bank: Duration,
}

impl SeatState {
    pub fn new(clock: &ClockRules, explore: ExploreRules) -> SeatState {
        let bank = clock.bank;
        let mut clock_text = String::with_capacity(128);
        write_clock(&mut clock_text, &clock.shown(bank));
        SeatState { clock: *clock, explore, bank, questions: 0, told: 0, clock_text, shown_bank: bank }
    }

    /// Appends the line that begins a game for a seat.
    pub fn announce(&self, line: &mut String, table: &dyn Table, match_id: &str, seat: Seat, bot_seed: u64) {
        let teams = rules::teams(table);
        let shared = teams.len() < table.seats().into();
        let numbers = |team: &Seats| team.iter().map(|seat| seat.0).collect();
        let teams: Option<Vec<Vec<u8>>> = shared.then(|| teams.iter().map(numbers).collect());
        let start = StartParts {
            match_id,
            game: table.about().id,
            rules: table.about().version,
            params: table.params_json(),
            seat: seat.0,
            seats: table.seats(),
            teams: teams.as_deref(),
            clock: &self.clock_text,
            bot_seed,
            explore: self.explore.shown(table),
        };
        write_start(line, &start);
    }

    /// Appends the line that asks for the next move.
    pub fn question(&mut self, line: &mut String, table: &dyn Table, seat: Seat, together: bool) {
        self.questions += 1;
        if self.shown_bank != self.bank {
            self.shown_bank = self.bank;
            self.clock_text.clear();
            write_clock(&mut self.clock_text, &self.clock.shown(self.bank));
        }
        let eyes = Eyes::Seat(seat);
        let (told, view) = (self.told, table.view(eyes));
        let turn = TurnParts {
            id: self.questions,
            game: table.about().id,
            seat: seat.0,
            ply: table.plies(),
            simultaneous: together,
            legal: &|line| table.write_legal(seat, line),
            view: view.text(),
            events: &|line| table.hear(eyes, told, &mut |seat, mv| write_event(line, seat.0, mv)),
            clock: &self.clock_text,
        };
        write_turn(line, &turn);
        self.told = table.news_count();
    }
}
