//! Who wins a small game that can't go on for ever.

use crate::{Duel, Outcome, Seat};
use std::collections::HashMap;

/// The winner when both sides play well; every game must end with one.
pub(super) fn winner<P: Duel>(position: &P, known: &mut HashMap<P, Seat>) -> Seat {
    if let Some(outcome) = Outcome::of(position) {
        return outcome.winner().unwrap();
    }
    if let Some(&winner) = known.get(position) {
        return winner;
    }
    let seat = position.mover();
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let wins = moves.iter().any(|mv| {
        let mut next = position.clone();
        next.play(seat, mv);
        winner(&next, known) == seat
    });
    let winner = if wins { seat } else { seat.other() };
    known.insert(position.clone(), winner);
    winner
}

/// The winner from the start.
pub(super) fn winner_from<P: Duel>(params: &serde_json::Value) -> Seat {
    let start = P::start(&crate::read_params(params).unwrap(), crate::Seed::from_number(0)).unwrap();
    winner(&start, &mut HashMap::new())
}
