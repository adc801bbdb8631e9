//! Do not touch your own mark, for two.
//!
//! An empty board of 5 by 5 cells; columns are a to e from the left, rows 1 to 5 from the bottom.
//! Seat 0 plays X and begins, seat 1 plays O.
//!
//! - A move puts your mark on any empty cell, written as the cell: `c3`. A cell that loses is
//!   allowed too.
//! - Whoever puts a mark beside another of their own, to the left, right, above or below, loses at
//!   once. Corners do not touch.
//! - A full board on which nobody has touched is a draw.
//!
//! Source: exercise 2.7, which does not speak of a full board. It can happen, with X on one colour
//! of a chequered board and O on the other, and we call it a draw.
//!
//! Theory: the second player wins on 2 by 2, 2 by 4, 3 by 3 and 4 by 4. Computed here.

use super::mark_game::{MarkGame, MarkRule, safe_cells};
use super::marks::{Marks, has_neighbours};
use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 2..=10 = 5,
    /// Rows of the board.
    height: u8 in 2..=10 = 5,
}

pub type NoTouch = MarkGame<Untouched>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Untouched;

impl MarkRule for Untouched {
    type Params = Params;

    const ABOUT: About = About {
        id: "no-touch",
        name: "No touch",
        source: "2.7",
        summary: "Whoever puts a mark beside one of their own loses.",
        notation: "the cell",
        example: "c3",
        file: include_str!("no_touch.rs"),
        ..PLACING
    };

    const REASON: &str = "touch";
    const DECIDER_WINS: bool = false;

    fn size(params: &Params) -> [u8; 2] {
        [params.width, params.height]
    }

    fn start(_params: &Params) -> Result<Self, ParamError> {
        Ok(Untouched)
    }

    fn decides(&self, marks: &Marks, _put: Cell) -> bool {
        has_neighbours(marks.just_put())
    }

    /// The cells that each side can still use.
    fn evaluate(&self, marks: &Marks) -> i32 {
        let (width, height) = marks.size();
        safe_cells(marks, |seat, cell| {
            let mut beside = ORTHOGONAL.into_iter().filter_map(|way| cell.step(way, width, height));
            !beside.any(|next| marks.has(seat, next))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NoTouch;
    use crate::games::trial::{solve, standing};
    use serde_json::json;

    #[test]
    fn touching_and_the_full_board() {
        let small = json!({"width": 2, "height": 2});
        for (params, moves, end) in [
            (&json!({}), "c3 a1 c4", "1 wins: touch"),
            (&json!({}), "c3 a1 e5 b1", "0 wins: touch"),
            (&json!({}), "c3 a1 d4 b2", "0 to move"),
            // e1 and a2 are neighbours in number only.
            (&json!({}), "e1 c3 a2", "1 to move"),
            (&small, "a1 a2 b2", "1 to move"),
            (&small, "a1 a2 b2 b1", "draw: full"),
            // All six cells in turn, no two of a kind side by side.
            (&json!({"width": 3, "height": 2}), "a1 b1 b2 a2 c1 c2", "draw: full"),
            (&json!({"width": 10, "height": 10}), "j10 a1 j9", "1 wins: touch"),
        ] {
            assert_eq!(standing("no-touch", params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn the_second_player_wins_small_boards() {
        for (width, height) in [(2, 2), (2, 4), (4, 4), (3, 3)] {
            let value = solve::<NoTouch>(&json!({"width": width, "height": height}));
            assert_eq!(value, -1, "{width} by {height}");
        }
    }
}
