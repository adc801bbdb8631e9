//! Kayles, for two.
//!
//! A row of numbered boxes with a stone in each, except one that is empty from the start: by
//! default 13 boxes of which box 2 is empty.
//!
//! - A move removes one stone, written as its box, `5`, or two stones from boxes next to each
//!   other, written with the smaller number first, `5-6`. Stones on both sides of an empty box are
//!   not next to each other.
//! - Whoever removes the last stone wins.
//!
//! `boxes` is the length of the row and `gap` the box that is empty.
//!
//! Source: exercise 2.12, which leaves the length and the gap open. Thirteen boxes with the second
//! one empty is the start of Dudeney's puzzle of 1908, with which the game became known.
//!
//! Theory: the octal game 0.77. Unbroken rows of 0, 1, 2, ... stones have the nim values 0 1 2 3 1
//! 4 3 2 1 4 2 6, from 71 on with period 12, and the player to move wins exactly if the exclusive
//! or of all rows is not zero.

use super::prelude::*;
use super::row::{self, set_bits};
use super::theory::{octal_nim_values, runs, worth};

params! {
    /// How many boxes the row has.
    boxes: u8 in 2..=60 = 13,
    /// The box without a stone; at most `boxes`.
    gap: u8 in 1..=60 = 2,
}

pub type Kayles = InTurn<Skittles>;

/// Bit 0 is box 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Skittles {
    stones: u64,
    boxes: u8,
}

/// One stone, or that and the next one. Boxes are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bowl {
    at: u8,
    two: bool,
}

impl fmt::Display for Bowl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.two { write!(f, "{}-{}", self.at + 1, self.at + 2) } else { write!(f, "{}", self.at + 1) }
    }
}

impl FromStr for Bowl {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Bowl, NotAMove> {
        let Some((first, second)) = text.split_once('-') else {
            return text.parse().map(|Nth(at)| Bowl { at, two: false });
        };
        let (Nth(at), Nth(next)) = (first.parse()?, second.parse()?);
        if next == at + 1 { Ok(Bowl { at, two: true }) } else { Err(NotAMove) }
    }
}

static NIM_VALUES: [u8; 61] = octal_nim_values(&[7, 7]);

impl Skittles {
    fn row(&self) -> String {
        row::text(self.boxes, self.stones.into(), ['.', 'o'])
    }
}

impl Impartial for Skittles {
    type Params = Params;
    type Move = Bowl;

    const ABOUT: About = About {
        id: "kayles",
        name: "Kayles",
        source: "2.12",
        summary: "Remove one stone or two neighbours; the last stone wins.",
        notation: "the box, or two neighbouring boxes",
        example: "5-6",
        file: include_str!("kayles.rs"),
        ..TAKING
    };

    const REASON: &str = "last_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let Params { boxes, gap } = *params;
        require(gap <= boxes, "gap", || format!("must be at most `boxes`, which is {boxes}, not {gap}"))?;
        let stones = ((1 << boxes) - 1) & !(1 << (gap - 1));
        Ok(Skittles { stones, boxes })
    }

    fn is_over(&self) -> bool {
        self.stones == 0
    }

    /// Stone by stone from the left: alone, then with the next one.
    fn moves(&self, out: &mut Vec<Bowl>) {
        for at in set_bits(self.stones.into()) {
            out.push(Bowl { at, two: false });
            if self.stones >> at & 2 != 0 {
                out.push(Bowl { at, two: true });
            }
        }
    }

    fn play(&mut self, bowl: &Bowl) {
        let hit = if bowl.two { 3 } else { 1 };
        self.stones &= !(hit << bowl.at);
    }

    fn show(&self, view: &mut View) {
        view.row("boxes", "The boxes from box 1 on: `o` has a stone, `.` is empty.", self.row());
    }

    fn picture(&self) -> Picture {
        row::draw(&self.row(), Piece::neutral)
    }

    fn longest(&self) -> u32 {
        self.stones.count_ones()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let nim_sum = runs(self.stones.into()).fold(0, |sum, length| sum ^ NIM_VALUES[length]);
        worth(nim_sum != 0)
    }

    /// The rows in order of length, side by side.
    fn canonical(&self) -> Self {
        let mut lengths: Vec<usize> = runs(self.stones.into()).collect();
        lengths.sort_unstable();
        // One empty box between two rows.
        let stones = lengths.iter().fold(0, |stones, length| stones << (length + 1) | ((1 << length) - 1));
        Skittles { stones, ..*self }
    }
}

impl Divisible for Skittles {
    fn parts(&self) -> Vec<Self> {
        let part = |length: usize| Skittles { stones: (1 << length) - 1, ..*self };
        runs(self.stones.into()).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, row, choices, won) in [
            (json!({"boxes": 4, "gap": 2}), "", "o.oo", "1 3 3-4 4", None),
            // Not across an empty box.
            (json!({"boxes": 3, "gap": 2}), "", "o.o", "1 3", None),
            (json!({"boxes": 4, "gap": 2}), "3-4", "o...", "1", None),
            (json!({"boxes": 4, "gap": 2}), "3-4 1", "....", "", Some(1)),
            (json!({"boxes": 3, "gap": 1}), "2-3", "...", "", Some(0)),
        ] {
            assert_eq!(seen("kayles", &params, moves, "boxes"), row, "{params} {moves}");
            assert_eq!(legal("kayles", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("kayles", &params, moves), won, "{params} {moves}");
        }
        for wrong in ["6-5", "5-5", "5-7", "05", "5-06", "0", "0-1", "5-"] {
            assert!(wrong.parse::<Bowl>().is_err(), "`{wrong}`");
        }
    }

    #[test]
    fn nim_values_are_those_of_the_octal_game() {
        let mut solver = Solver::<Kayles>::new();
        for boxes in 2..=14 {
            // With the gap at the end the row is one stone shorter.
            let position: Kayles = start(&json!({"boxes": boxes, "gap": boxes}));
            assert_eq!(solver.nim_value(&position), NIM_VALUES[boxes - 1], "{boxes} boxes");
        }
        let dudeney: Kayles = start(&json!({}));
        assert_eq!(solver.nim_value(&dudeney), 1 ^ 6);
        assert!(solver.mover_wins(&dudeney));
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused("kayles", [(json!({"gap": 14}), "gap"), (json!({"boxes": 4, "gap": 5}), "gap")]);
    }
}
