//! Corner the Queen, for two.
//!
//! One chess queen, moved by both players in turn, on a board of 8 by 8 cells. She starts on f8.
//!
//! - A move takes her one or more cells to the left, or down, or diagonally left and down. It is
//!   written as the cell she goes to: `d6`. Columns are a, b, c, ... from the left, rows 1, 2, 3,
//!   ... from the bottom.
//! - Whoever brings her to a1 wins.
//!
//! `n` is the size of the board; `queen` is where she starts, any cell of the top row or of the
//! rightmost column.
//!
//! Source: exercise 2.5, which leaves the start open; f8 is our choice, since it allows no win at
//! once.
//!
//! Theory: Wythoff's game in disguise. Count her distance from the left edge and from the bottom:
//! the player to move loses exactly if these are 1 and 2, 3 and 5, 4 and 7, 6 and 10, ... in either
//! order.

use super::prelude::*;
use super::theory::worth;
use super::wythoff::is_cold;

params! {
    /// Columns and rows of the board.
    n: u8 in 2..=26 = 8,
    /// The cell on which the queen starts, in the top row or the rightmost column.
    queen: String = "f8",
}

pub type CornerTheQueen = InTurn<LoneQueen>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoneQueen {
    queen: Cell,
    size: u8,
}

const CORNER: Cell = Cell::new(0, 0);

impl Impartial for LoneQueen {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "corner-the-queen",
        name: "Corner the Queen",
        source: "2.5",
        summary: "Move the common queen left, down or both; bring her to a1.",
        notation: "the cell the queen goes to",
        example: "d6",
        file: include_str!("corner_the_queen.rs"),
        ..TAKING
    };

    const REASON: &str = "corner";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let &Params { n, ref queen } = params;
        let refuse = || ParamError::new("queen", format!("`{queen}` is not a cell such as `f8`"));
        let queen: Cell = queen.parse().map_err(|_| refuse())?;
        require(queen.col.max(queen.row) == n - 1, "queen", || {
            format!("must be in the top row or the rightmost column of the board of {n} by {n}, not {queen}")
        })?;
        Ok(LoneQueen { queen, size: n })
    }

    fn is_over(&self) -> bool {
        self.queen == CORNER
    }

    /// To the left, down, diagonally; near cells first.
    fn moves(&self, out: &mut Vec<Cell>) {
        let Cell { row, col } = self.queen;
        out.extend((1..=col).map(|by| Cell { row, col: col - by }));
        out.extend((1..=row).map(|by| Cell { row: row - by, col }));
        out.extend((1..=col.min(row)).map(|by| Cell { row: row - by, col: col - by }));
    }

    fn play(&mut self, cell: &Cell) {
        self.queen = *cell;
    }

    fn show(&self, view: &mut View) {
        view.put("queen", "Where the queen is.", self.queen);
        view.put("n", "The board has so many columns and rows.", self.size);
    }

    fn picture(&self) -> Picture {
        let piece =
            |cell| if cell == self.queen { Piece::neutral('Q').as_a(Shape::Queen) } else { Piece::EMPTY };
        Picture::board(self.size, self.size, piece).on(Ground::Chequered)
    }

    fn longest(&self) -> u32 {
        u32::from(self.queen.col) + u32::from(self.queen.row)
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        worth(!is_cold(self.queen.col, self.queen.row))
    }

    /// Mirrored at the diagonal.
    fn canonical(&self) -> Self {
        let Cell { row, col } = self.queen;
        LoneQueen { queen: Cell::new(row.min(col), row.max(col)), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, choices, won) in [
            (json!({"n": 3, "queen": "b3"}), "", "a3 b2 b1 a2", None),
            (json!({"n": 3, "queen": "c1"}), "", "b1 a1", None),
            (json!({"n": 3, "queen": "c1"}), "b1", "a1", None),
            (json!({"n": 3, "queen": "c1"}), "b1 a1", "", Some(1)),
            (json!({"n": 26, "queen": "z26"}), "a1", "", Some(0)),
        ] {
            assert_eq!(legal("corner-the-queen", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("corner-the-queen", &params, moves), won, "{params} {moves}");
        }
    }

    #[test]
    fn the_player_to_move_loses_on_wythoffs_pairs() {
        let mut solver = Solver::<CornerTheQueen>::new();
        let mut lost = Vec::new();
        for cell in (0..14).map(|col| Cell::new(col, 13)).chain((0..13).map(|row| Cell::new(13, row))) {
            solver.value(&start(&json!({"n": 14, "queen": cell.to_string()})));
        }
        for cell in Cell::all(14, 14).filter(|&cell| cell != CORNER && cell.col <= cell.row) {
            if !solver.mover_wins(&InTurn::first(LoneQueen { queen: cell, size: 14 })) {
                lost.push(cell.to_string());
            }
        }
        assert_eq!(lost, ["b3", "d6", "e8", "g11", "i14"]);
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "corner-the-queen",
            [
                (json!({"queen": "d6"}), "queen"),
                (json!({"queen": "a1"}), "queen"),
                (json!({"queen": "f9"}), "queen"),
                (json!({"queen": "F8"}), "queen"),
                // The default cell is on the edge of the default board only.
                (json!({"n": 10}), "queen"),
                (json!({"n": 5}), "queen"),
            ],
        );
    }
}
