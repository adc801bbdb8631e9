//! What the tests of the games share: games played from text, and small games solved.

use crate::{Duel, Eyes, Finish, Position, Seat, Seed, SplitMix, Table, Turn, Winner};
use serde_json::Value;
use std::collections::HashMap;

/// The position at the start.
pub(super) fn start<P: Position>(params: &Value) -> P {
    P::start(&crate::read_params(params).unwrap(), Seed::from_number(0)).unwrap()
}

/// The game after these moves, each made by the seat whose turn it is.
pub(super) fn after(id: &str, params: &Value, moves: &str) -> Box<dyn Table> {
    let mut table = crate::find(id).unwrap().start(params, Seed::from_number(0)).unwrap();
    for mv in moves.split_whitespace() {
        let seat =
            table.turn().seats().lowest().unwrap_or_else(|| panic!("{id}: over before {mv} of {moves}"));
        table.play(seat, mv).unwrap_or_else(|error| panic!("{id} {params}: {error} in {moves}"));
    }
    table
}

/// How it stands after these moves: `1 to move`, `0 wins: line` or `draw: full`.
pub(super) fn standing(id: &str, params: &Value, moves: &str) -> String {
    match after(id, params, moves).turn() {
        Turn::One(seat) => format!("{seat} to move"),
        Turn::Over(Finish { winner: Winner::Seat(seat), reason }) => format!("{seat} wins: {reason}"),
        Turn::Over(Finish { winner: Winner::Nobody, reason }) => format!("draw: {reason}"),
        turn => panic!("{id}: {turn:?}"),
    }
}

/// The legal moves after these moves, in one line.
pub(super) fn legal(id: &str, params: &Value, moves: &str) -> String {
    let table = after(id, params, moves);
    table.turn().seats().iter().flat_map(|seat| table.legal(seat)).collect::<Vec<_>>().join(" ")
}

/// The winner after some moves, if the game is over.
pub(super) fn winner(id: &str, params: &Value, moves: &str) -> Option<u8> {
    after(id, params, moves).outcome().and_then(|outcome| outcome.winner()).map(|seat| seat.0)
}

/// A field of the view after some moves.
pub(super) fn seen(id: &str, params: &Value, moves: &str, field: &str) -> Value {
    after(id, params, moves).view(Eyes::Spectator).value()[field].clone()
}

/// Parameters that a game must refuse, with the name of the field at fault. What no range allows is
/// a law of all games.
pub(super) fn assert_refused<const N: usize>(id: &str, cases: [(Value, &str); N]) {
    for (params, field) in cases {
        let refused = crate::find(id).unwrap().start(&params, Seed::from_number(0)).err();
        let refused = refused.unwrap_or_else(|| panic!("{id}: {params} was accepted"));
        assert_eq!(refused.field, field, "{id}: {params}: {refused}");
    }
}

/// Layouts that a game must refuse.
pub(super) fn assert_layouts_refused<const N: usize>(id: &str, layouts: [&str; N]) {
    assert_refused(id, layouts.map(|layout| (serde_json::json!({ "layout": layout }), "layout")));
}

/// Does the smaller type of a game leave this one to the larger one?
pub(super) fn is_left_to_the_larger<P: Position>(params: &Value) -> bool {
    let params = crate::read_params(params).unwrap();
    !P::holds(&params) && P::start(&params, Seed::from_number(0)).is_err()
}

/// Plays random games in two types of the same game, and nobody can tell them apart.
pub(super) fn assert_alike<P: Duel, Q: Duel<Move = P::Move>>(params: &Value) {
    let mut dice = SplitMix::new(7);
    for _ in 0..20 {
        let (mut one, mut other) = (start::<P>(params), start::<Q>(params));
        loop {
            assert_eq!(one.view(Eyes::Referee).value(), other.view(Eyes::Referee).value(), "{params}");
            assert_eq!(one.turn(), other.turn(), "{params} {one:?}");
            assert_eq!(one.plies_left(), other.plies_left(), "{params} {one:?}");
            if one.turn().is_over() {
                break;
            }
            assert_eq!(one.evaluate(), other.evaluate(), "{params} {one:?}");
            let seat = one.mover();
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            one.moves(seat, &mut moves);
            other.moves(seat, &mut others);
            assert_eq!(moves, others, "{params} {one:?}");
            let mv = &moves[dice.below(moves.len())];
            assert_eq!(one.next_move(Some(mv)), other.next_move(Some(mv)), "{params} {one:?} {mv}");
            one.play(seat, mv);
            other.play(seat, mv);
        }
    }
}

/// The value of the start for seat 0 when both play perfectly: 1, 0 or -1.
pub(super) fn solve<P: Duel>(params: &Value) -> i32 {
    Solver::new().value(&start::<P>(params))
}

/// The winner from the start when both play perfectly; there must be one.
pub(super) fn winner_from<P: Duel>(params: &Value) -> Seat {
    match solve::<P>(params) {
        1 => Seat::FIRST,
        -1 => Seat::SECOND,
        value => panic!("{params}: {value}"),
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
        let sign = if position.side(position.mover()) == 0 { 1 } else { -1 };
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
        let reached = next(position).iter().fold(0_u128, |reached, next| reached | 1 << self.nim_value(next));
        let least_missing = reached.trailing_ones() as u8;
        self.nim_values.insert(position.clone(), least_missing);
        least_missing
    }

    /// Is the evaluation of every position met so far, by [`Solver::value`], right about who wins?
    pub(super) fn assert_evaluation_is_exact(&self) {
        for (position, &value) in &self.values {
            assert_eq!(position.evaluate().signum(), value, "{position:?}");
        }
    }
}
