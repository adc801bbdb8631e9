//! Trianon, for two.
//!
//! An empty board of 5 by 5 squares; columns are a to e from the left, rows 1 to 5 from the bottom.
//! Seat 0 plays X and begins, seat 1 plays O.
//!
//! - A move puts a disc of yours on an empty square, written as the square: `c3`.
//! - Whoever then has three own discs on one row, one column or one diagonal, in either direction,
//!   loses at once. The three need not be next to each other, and other discs may lie between them.
//! - A full board on which nobody has lost is a draw.
//!
//! Source: exercise 2.36.
//!
//! Theory: on 5 by 5 there are no draws, because a row of five squares holds three discs of one
//! player. Computed here: 3 by 3 is a draw; on 3 by 4, 4 by 4 and 3 by 5 the second player wins.

use super::mark_game::{MarkGame, MarkRule, safe_cells};
use super::marks::Marks;
use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 3..=9 = 5,
    /// Rows of the board.
    height: u8 in 3..=9 = 5,
}

pub type Trianon = MarkGame<AtMostTwo>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtMostTwo;

/// Has a seat two discs on some line through this cell, besides the cell itself?
fn two_in_line(marks: &Marks, seat: Seat, cell: Cell) -> bool {
    let (width, height) = marks.size();
    EIGHT[..4].iter().any(|&way| {
        let line = cell.ray(way, width, height).chain(cell.ray(way.opposite(), width, height));
        line.filter(|&next| marks.has(seat, next)).count() >= 2
    })
}

impl MarkRule for AtMostTwo {
    type Params = Params;

    const ABOUT: About = About {
        id: "trianon",
        name: "Trianon",
        source: "2.36",
        summary: "Whoever gets three discs on one line, gaps or not, loses.",
        notation: "the square",
        example: "c3",
        file: include_str!("trianon.rs"),
        ..PLACING
    };

    const REASON: &str = "three";
    const DECIDER_WINS: bool = false;

    fn size(params: &Params) -> [u8; 2] {
        [params.width, params.height]
    }

    fn start(_params: &Params) -> Result<Self, ParamError> {
        Ok(AtMostTwo)
    }

    fn decides(&self, marks: &Marks, put: Cell) -> bool {
        two_in_line(marks, marks.mover().other(), put)
    }

    /// The squares that each side can still use.
    fn evaluate(&self, marks: &Marks) -> i32 {
        safe_cells(marks, |seat, cell| !two_in_line(marks, seat, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::Trianon;
    use crate::games::trial::{solve, standing, start};
    use crate::{Position, Turn};
    use serde_json::json;

    #[test]
    fn three_on_a_line_lose() {
        for (params, moves, end) in [
            // With gaps and with the other side's discs between.
            (json!({}), "a1 b1 c1 d3 e1", "1 wins: three"),
            (json!({}), "a1 b2 c3 d1 e5", "1 wins: three"),
            (json!({}), "a5 b2 c3 d1 e1", "1 wins: three"),
            (json!({}), "b5 b4 b3 d1 b1", "1 wins: three"),
            // A short diagonal of three squares.
            (json!({}), "c1 a1 d2 b1 e3", "1 wins: three"),
            (json!({}), "a1 a3 b1 b4 c2 c5", "0 wins: three"),
            // Three that are on no common line.
            (json!({}), "a1 b2 b3 d1 c4", "1 to move"),
            (json!({"width": 3, "height": 3}), "a1 b1 b2 a2 a3 c3 c2 b3 c1", "1 wins: three"),
            (json!({"width": 3, "height": 4}), "a1 b1 c1", "1 to move"),
        ] {
            assert_eq!(standing("trianon", &params, moves), end, "{params} {moves}");
        }
    }

    /// A full row of five has three of a kind.
    #[test]
    fn five_columns_are_never_filled() {
        let mut dice: u32 = 7;
        for _ in 0..500 {
            let mut position = start::<Trianon>(&json!({}));
            while let Turn::One(seat) = position.turn() {
                let mut moves = Vec::new();
                position.moves(seat, &mut moves);
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                position.play(seat, &moves[(dice >> 8) as usize % moves.len()]);
            }
            assert_eq!(position.turn().finish().unwrap().reason, "three");
        }
    }

    #[test]
    fn small_boards_solved() {
        for (width, height, value) in [(3, 3, 0), (4, 3, -1), (4, 4, -1), (5, 3, -1)] {
            let params = json!({"width": width, "height": height});
            assert_eq!(solve::<Trianon>(&params), value, "{width} by {height}");
        }
    }
}
