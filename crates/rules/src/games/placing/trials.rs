//! What the tests of these games share: playing some moves, and solving small boards.

use crate::{Duel, Eyes, Finish, Position, Seed, SplitMix, Table, Turn, Winner};
use serde_json::Value;
use std::collections::HashMap;

/// The game after these moves, each made by the seat whose turn it is.
pub(super) fn after(id: &str, params: &Value, moves: &str) -> Box<dyn Table> {
    let mut table = crate::find(id).unwrap().start(params, Seed::from_number(0)).unwrap();
    for mv in moves.split_whitespace() {
        let seat =
            table.turn().seats().lowest().unwrap_or_else(|| panic!("{id}: over before {mv} of {moves}"));
        table.play(seat, mv).unwrap_or_else(|error| panic!("{id}: {error} in {moves}"));
    }
    table
}

/// How it stands after these moves: `1 to move`, `0 wins: line` or `draw: full`.
pub(super) fn standing(id: &str, params: &Value, moves: &str) -> String {
    let table = after(id, params, moves);
    match table.turn() {
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

/// The field that is named when these parameters are refused.
pub(super) fn refused(id: &str, params: &Value) -> Option<String> {
    crate::find(id).unwrap().start(params, Seed::from_number(0)).err().map(|error| error.field)
}

/// The position at the start.
pub(super) fn start<P: Position>(params: &Value) -> P {
    P::start(&crate::read_params(params).unwrap(), Seed::from_number(0)).unwrap()
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
            assert_eq!(one.longest(), other.longest(), "{params} {one:?}");
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
    value(&start::<P>(params), &mut HashMap::new())
}

fn value<P: Duel>(position: &P, known: &mut HashMap<P, i32>) -> i32 {
    if let Some(finish) = position.turn().finish() {
        return finish.value(position);
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let seat = position.mover();
    let sign = if position.side(seat) == 0 { 1 } else { -1 };
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let mut best = -1;
    for mv in &moves {
        let mut next = position.clone();
        next.play(seat, mv);
        best = best.max(sign * value(&next, known));
        if best == 1 {
            break;
        }
    }
    known.insert(position.clone(), sign * best);
    sign * best
}
