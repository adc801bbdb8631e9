//! What the tests of this folder share: games played from text, and a solver for small ones.

use super::theory::mex;
use crate::{Duel, Eyes, Seat, Seed, Table};
use serde_json::Value;
use std::collections::HashMap;

/// The start of a game.
pub(super) fn start<P: Duel>(params: &Value) -> P {
    P::start(&crate::read_params(params).unwrap(), Seed::from_number(0)).unwrap()
}

/// A game after some moves, separated by spaces, of seats that alternate.
pub(super) fn after(id: &str, params: &Value, moves: &str) -> Box<dyn Table> {
    let mut table = crate::find(id).unwrap().start(params, Seed::from_number(0)).unwrap();
    for (ply, mv) in moves.split_whitespace().enumerate() {
        table.play(Seat(ply as u8 % 2), mv).unwrap_or_else(|error| panic!("{id} {params} {moves}: {error}"));
    }
    table
}

/// The legal moves after some moves, separated by spaces.
pub(super) fn legal(id: &str, params: &Value, moves: &str) -> String {
    let table = after(id, params, moves);
    table.turn().seats().lowest().map(|seat| table.legal(seat).join(" ")).unwrap_or_default()
}

/// The winner after some moves, if the game is over.
pub(super) fn winner(id: &str, params: &Value, moves: &str) -> Option<u8> {
    after(id, params, moves).outcome().and_then(|outcome| outcome.winner()).map(|seat| seat.0)
}

/// A field of the view after some moves.
pub(super) fn seen(id: &str, params: &Value, moves: &str, field: &str) -> Value {
    after(id, params, moves).view(Eyes::Spectator).value()[field].clone()
}

/// Parameters that a game must refuse, with the name of the field at fault.
pub(super) fn assert_refused<const N: usize>(id: &str, cases: [(Value, &str); N]) {
    for (params, field) in cases {
        let refused = crate::find(id).unwrap().start(&params, Seed::from_number(0)).err();
        let refused = refused.unwrap_or_else(|| panic!("{id}: {params} was accepted"));
        assert_eq!(refused.field, field, "{id}: {params}: {refused}");
    }
}

/// All positions one move on.
fn next<P: Duel>(position: &P) -> Vec<P> {
    let Some(seat) = position.turn().seats().lowest() else { return Vec::new() };
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let played = moves.iter().map(|mv| {
        let mut next = position.clone();
        next.play(seat, mv);
        next
    });
    played.collect()
}

/// Remembers what it has found, so that one solver serves many positions of a game.
pub(super) struct Solver<P: Duel> {
    values: HashMap<P, i32>,
    nim_values: HashMap<P, u8>,
}

impl<P: Duel> Solver<P> {
    pub(super) fn new() -> Self {
        Solver { values: HashMap::new(), nim_values: HashMap::new() }
    }

    /// 1 if seat 0 wins with best play, 0 for a draw, -1 if it loses.
    pub(super) fn value(&mut self, position: &P) -> i32 {
        if let Some(finish) = position.turn().finish() {
            return finish.value(position);
        }
        if let Some(&value) = self.values.get(position) {
            return value;
        }
        let sign = if position.mover() == Seat::FIRST { 1 } else { -1 };
        let mut best = -1;
        for next in next(position) {
            best = best.max(sign * self.value(&next));
            if best == 1 {
                break;
            }
        }
        self.values.insert(position.clone(), sign * best);
        sign * best
    }

    pub(super) fn mover_wins(&mut self, position: &P) -> bool {
        self.value(position) == if position.mover() == Seat::FIRST { 1 } else { -1 }
    }

    /// The nim value of a game that the last move wins.
    pub(super) fn nim_value(&mut self, position: &P) -> u8 {
        if let Some(&value) = self.nim_values.get(position) {
            return value;
        }
        let reached = next(position).iter().fold(0, |reached, next| reached | 1 << self.nim_value(next));
        self.nim_values.insert(position.clone(), mex(reached));
        mex(reached)
    }

    /// Is the evaluation of every position met so far, by [`Solver::value`], right about who wins?
    pub(super) fn assert_evaluation_is_exact(&self) {
        for (position, &value) in &self.values {
            assert_eq!(position.evaluate().signum(), value, "{position:?}");
        }
    }
}
