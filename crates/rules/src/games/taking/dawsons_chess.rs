//! Dawson's chess in boxes, for two.
//!
//! A row of numbered boxes, by default 32, all empty.
//!
//! - A move puts a stone into an empty box whose neighbours are empty too, written as the number of
//!   the box: `17`. A box at the end of the row has one neighbour only. Stones stay where they are.
//! - Whoever can't move loses.
//!
//! Source: exercise 2.9, the game known as Dawson's chess, here without its pawns.
//!
//! Theory: the octal game 0.137. Rows of 0, 1, 2, ... boxes that are still free have the nim values
//! 0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5, ..., but for seven exceptions with period 34. The player to
//! move wins exactly if the exclusive or of all such rows is not zero.

use super::prelude::*;
use super::row::{self, set_bits};
use super::theory::{octal_nim_values, runs, worth};

params! {
    /// How many boxes the row has.
    boxes: u8 in 1..=100 = 32,
}

pub type DawsonsChess = InTurn<Boxes>;

/// Bit 0 is box 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Boxes {
    stones: u128,
    boxes: u8,
}

static NIM_VALUES: [u8; 101] = octal_nim_values(&[1, 3, 7]);

impl Boxes {
    /// The boxes that may be filled.
    fn free(&self) -> u128 {
        let near = self.stones | self.stones << 1 | self.stones >> 1;
        ((1 << self.boxes) - 1) & !near
    }
}

impl Impartial for Boxes {
    type Params = Params;
    type Move = Nth;

    const ABOUT: About = About {
        id: "dawsons-chess",
        name: "Dawson's chess",
        source: "2.9",
        summary: "Fill a box with no filled neighbour; whoever can't move loses.",
        notation: "the number of the box",
        example: "17",
        file: include_str!("dawsons_chess.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        Ok(Boxes { stones: 0, boxes: params.boxes })
    }

    fn is_over(&self) -> bool {
        self.free() == 0
    }

    /// From the left.
    fn moves(&self, out: &mut Vec<Nth>) {
        out.extend(set_bits(self.free()).map(Nth));
    }

    fn play(&mut self, &Nth(filled): &Nth) {
        self.stones |= 1 << filled;
    }

    fn show(&self, view: &mut View) {
        let boxes = row::text(self.boxes, self.stones, ['.', 'o']);
        view.row("boxes", "The boxes from box 1 on: `o` has a stone, `.` is empty.", boxes);
    }

    fn picture(&self) -> Picture {
        let free = self.free();
        row::picture(self.boxes.into(), |at| match (self.stones >> at & 1, free >> at & 1) {
            (1, _) => Piece::neutral('o'),
            (_, 1) => Piece::EMPTY,
            _ => Piece::BLOCKED,
        })
    }

    /// Every second box of each free row.
    fn longest(&self) -> u32 {
        runs(self.free()).map(|length| length.div_ceil(2) as u32).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let nim_sum = runs(self.free()).fold(0, |sum, length| sum ^ NIM_VALUES[length]);
        worth(nim_sum != 0)
    }
}

impl Divisible for Boxes {
    /// A row of boxes that may be filled is a game of its own.
    fn parts(&self) -> Vec<Self> {
        let part = |length: usize| Boxes { stones: 0, boxes: length as u8 };
        runs(self.free()).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (boxes, moves, row, choices, won) in [
            (5, "", ".....", "1 2 3 4 5", None),
            (5, "2", ".o...", "4 5", None),
            (5, "1", "o....", "3 4 5", None),
            (5, "1 3", "o.o..", "5", None),
            (5, "1 3 5", "o.o.o", "", Some(0)),
            (5, "2 5", ".o..o", "", Some(1)),
            (1, "1", "o", "", Some(0)),
        ] {
            let params = json!({"boxes": boxes});
            assert_eq!(seen("dawsons-chess", &params, moves, "boxes"), row, "{boxes} boxes, {moves}");
            assert_eq!(legal("dawsons-chess", &params, moves), choices, "{boxes} boxes, {moves}");
            assert_eq!(winner("dawsons-chess", &params, moves), won, "{boxes} boxes, {moves}");
        }
        assert_eq!(
            seen("dawsons-chess", &json!({"boxes": 100}), "100 1 98", "boxes"),
            format!("o{}o.o", ".".repeat(96))
        );
    }

    #[test]
    fn nim_values_are_those_of_the_octal_game() {
        let mut solver = Solver::<DawsonsChess>::new();
        for (boxes, &value) in NIM_VALUES.iter().enumerate().take(19).skip(1) {
            let position: DawsonsChess = start(&json!({"boxes": boxes}));
            assert_eq!(solver.nim_value(&position), value, "{boxes} boxes");
            solver.value(&position);
        }
        solver.assert_evaluation_is_exact();
        assert_eq!(NIM_VALUES[32], 7, "the default is won for the first player");
    }
}
