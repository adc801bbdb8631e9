//! Tic-tac-toe, for two.
//!
//! An empty board of 3 by 3 cells. Seat 0 plays X and begins, seat 1 plays O.
//!
//! - A move puts your mark on an empty cell, written as the cell: `b2`. Columns are a, b, c from
//!   the left, rows 1, 2, 3 from the bottom.
//! - Three of your own marks next to each other in a row, a column or any diagonal win. More count
//!   too.
//! - A full board without such a line is a draw.
//!
//! With `size` and `line` the board and the line can be longer.
//!
//! Source: exercise 1.2, which gives the title only; these are the standard rules.
//!
//! Theory: a draw.

use super::bit_board::Bits;
use super::mark_game::{MarkGame, MarkRule};
use super::marks::{MarkBits, Marks, has_run, lines};
use super::prelude::*;

params! {
    /// Columns and rows of the board.
    size: u8 in 3..=10 = 3,
    /// Marks in a line that win; at most `size`.
    line: u8 in 3..=10 = 3,
}

/// Up to 7 by 7 cells.
pub type TicTacToe = MarkGame<LineOf, u64>;
/// Up to 10 by 10 cells.
pub type LargeTicTacToe = MarkGame<LineOf, u128>;

/// So many marks in a line win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineOf(u8);

/// Worth 1, 4, 9, … for each line that only X has marks in, and as much less for O.
///
/// Apart from the position, which a search keeps in registers as long as nobody needs its address.
#[inline(never)]
fn open_lines<B: Bits>(x: B, o: B, board: B, length: u8) -> i32 {
    let worth = |line: B| match [x & line, o & line].map(B::count) {
        [x, 0] => x.pow(2) as i32,
        [0, o] => -(o.pow(2) as i32),
        _ => 0,
    };
    lines(board, length).map(worth).sum()
}

impl<B: MarkBits> MarkRule<B> for LineOf {
    type Params = Params;

    const ABOUT: About = About {
        id: "tic-tac-toe",
        name: "Tic-tac-toe",
        source: "1.2",
        summary: "Three of your own marks in a line win.",
        notation: "the cell",
        example: "b2",
        file: include_str!("tic_tac_toe.rs"),
        ..PLACING
    };

    const REASON: &str = "line";
    const DECIDER_WINS: bool = true;

    fn size(params: &Params) -> [u8; 2] {
        [params.size, params.size]
    }

    fn start(params: &Params) -> Result<Self, ParamError> {
        let Params { size, line } = *params;
        require(line <= size, "line", || format!("must be at most `size`, which is {size}, not {line}"))?;
        Ok(LineOf(line))
    }

    #[inline]
    fn decides(&self, marks: &Marks<B>, _put: Cell) -> bool {
        has_run(marks.just_put(), self.0)
    }

    /// Marks in the lines that are still open to a side, counted for both.
    #[inline]
    fn evaluate(&self, marks: &Marks<B>) -> i32 {
        open_lines(marks.of(Seat::FIRST), marks.of(Seat::SECOND), marks.board(), self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{LargeTicTacToe, TicTacToe};
    use crate::games::trial::{assert_alike, assert_refused, is_left_to_the_larger, solve, standing};
    use serde_json::json;

    #[test]
    fn lines_and_draws() {
        for (params, moves, end) in [
            (json!({}), "a1 a2 b1 b2 c1", "0 wins: line"),
            (json!({}), "a1 b2 a2 c1 c3 a3", "1 wins: line"),
            (json!({}), "a1 b2 c3 a2 c2 c1 a3 b3 b1", "draw: full"),
            // The last mark fills the board and makes a line.
            (json!({}), "a1 a2 b1 b2 a3 b3 c2 c3 c1", "0 wins: line"),
            (json!({}), "a1 b1 c2 a2 b3", "1 to move"),
            // Not around the edge: c1 and a2 are neighbours in number only.
            (json!({}), "b1 a1 c1 b2 a2", "1 to move"),
            (json!({"size": 4, "line": 3}), "b2 a1 c3 a2 d4", "0 wins: line"),
            (json!({"size": 4, "line": 4}), "b2 a1 c3 a2 d4", "1 to move"),
            (json!({"size": 10, "line": 5}), "f10 a1 g10 a2 h10 a3 j10 a4 i10", "0 wins: line"),
            // Six in a row, made by the mark in the middle.
            (json!({"size": 10, "line": 5}), "j10 a1 i9 a2 h8 a3 f6 a4 e5 b1 g7", "0 wins: line"),
        ] {
            assert_eq!(standing("tic-tac-toe", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn a_board_plays_alike_in_few_bits_and_in_many() {
        for (size, line) in [(3, 3), (5, 4), (7, 3), (7, 5)] {
            assert_alike::<TicTacToe, LargeTicTacToe>(&json!({"size": size, "line": line}));
        }
        assert!(is_left_to_the_larger::<TicTacToe>(&json!({"size": 8})));
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "tic-tac-toe",
            [(json!({"line": 4}), "line"), (json!({"size": 5, "line": 2}), "line")],
        );
    }

    #[test]
    fn perfect_play_is_a_draw_and_on_the_larger_board_a_win() {
        assert_eq!(solve::<TicTacToe>(&json!({})), 0);
        assert_eq!(solve::<TicTacToe>(&json!({"size": 4})), 1);
    }
}
