//! How a game ends: by its rules, or by a player that has failed.

use super::FaultPolicy;
use super::play::Play;
use crate::fault::Code;
use crate::player::Player;
use crate::record::{Ending, GameResult, SeatPoints};
use protocol::{EndParts, You, write_end};
use rules::{Seat, Seats};

impl<P: Player> Play<'_, P> {
    /// Seats whose player has failed. A fault of the arena is no failure of a player.
    fn failed(&self) -> Seats {
        let failed = self.chairs.iter().filter_map(|chair| chair.fault.as_ref());
        failed.filter(|fault| fault.fault.code != Code::ArenaFault).map(|fault| Seat(fault.seat)).collect()
    }

    /// With two sides (or one) a failure ends the game; with more it depends on the policy.
    pub(super) fn ended_by_fault(&self) -> Option<GameResult> {
        let faults = self.chairs.iter().filter_map(|chair| chair.fault.as_ref());
        if faults.into_iter().any(|fault| fault.fault.code == Code::ArenaFault) {
            return Some(self.result_without_game(Ending::Void, |_| 1));
        }
        let failed = self.failed();
        if failed.is_empty() {
            return None;
        }
        let teams = rules::teams(&*self.table);
        let lost = |team: &Seats| team.iter().any(|seat| failed.contains(seat));
        if teams.len() > 2 && !teams.iter().all(lost) {
            return (self.job.policy == FaultPolicy::Void)
                .then(|| self.result_without_game(Ending::Void, |_| 1));
        }
        let all_lost = teams.iter().all(lost);
        let losers: Seats = teams.iter().filter(|team| lost(team)).flat_map(|team| team.iter()).collect();
        let winners = self.chairs.len() as u8 - losers.len() as u8;
        Some(self.result_without_game(Ending::Forfeit, |seat| {
            if all_lost || !losers.contains(seat) { 1 } else { 1 + winners }
        }))
    }

    fn result_without_game(&self, ending: Ending, place: impl Fn(Seat) -> u8) -> GameResult {
        let failed = self.failed();
        let places: Vec<u8> = (0..self.chairs.len() as u8).map(|seat| place(Seat(seat))).collect();
        let point =
            |seat: usize| f64::from(u8::from(places[seat] == 1 && !failed.contains(Seat(seat as u8))));
        let points: Vec<SeatPoints> = (0..places.len()).map(|seat| SeatPoints(point(seat))).collect();
        GameResult { scores: points, places, ending }
    }

    /// What the rules say, except that a player that failed is behind all others.
    pub(super) fn final_result(&self) -> GameResult {
        let Some(outcome) = self.table.outcome() else {
            return self.result_without_game(Ending::Void, |_| 1);
        };
        let mut result = GameResult::from(&outcome);
        let failed = self.failed();
        if !failed.is_empty() {
            let key = |seat: usize| (failed.contains(Seat(seat as u8)), outcome.places()[seat]);
            let seats = 0..result.places.len();
            let place = |seat: usize| 1 + seats.clone().filter(|&rival| key(rival) < key(seat)).count() as u8;
            result.places = seats.clone().map(place).collect();
        }
        result
    }

    /// Writes the line that ends the game. It goes out with whatever is said next.
    pub(super) fn farewell(&mut self, result: &GameResult) {
        let scores: Vec<f64> = result.scores.iter().map(|points| points.0).collect();
        for (seat, chair) in self.chairs.iter_mut().enumerate() {
            let Some(player) = &mut chair.player else { continue };
            if !self.job.pondering {
                player.freeze(false);
            }
            let end = EndParts {
                match_id: &self.job.match_id,
                places: &result.places,
                scores: &scores,
                reason: result.ending.reason(),
                you: you(&result.places, seat),
            };
            write_end(player.outbox(), &end);
        }
    }
}

/// First place is a win, unless everybody shares it.
fn you(places: &[u8], seat: usize) -> You {
    match places[seat] {
        1 if places.len() > 1 && places.iter().all(|&place| place == 1) => You::Draw,
        1 => You::Win,
        _ => You::Loss,
    }
}
