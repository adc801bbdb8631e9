//! Obstruction with four neighbours, for two: Node Kayles on a grid.
//!
//! An empty board of 6 by 6 squares; columns are a to f from the left, rows 1 to 6 from the bottom.
//! Marks belong to both players together.
//!
//! - A move chooses an empty square, written as the square: `c4`. It is marked, and so are all
//!   empty squares beside it: left, right, above and below.
//! - Whoever makes the last move, after which no square is empty, wins.
//!
//! Source: exercise 2.32.
//!
//! Theory: the board is one sum of smaller games, so nim values decide; with an odd width and an
//! odd height the first player wins by taking the centre and then answering symmetrically.

use super::prelude::*;
use super::rows::Rows;

params! {
    /// Columns of the board.
    width: u8 in 1..=12 = 6,
    /// Rows of the board.
    height: u8 in 1..=12 = 6,
}

pub type Obstruction = InTurn<FreeSquares>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FreeSquares {
    empty: Rows,
    width: u8,
    height: u8,
}

impl FreeSquares {
    fn board(&self) -> BoardRows {
        let glyph = |cell| if self.empty.contains(cell) { '.' } else { 'x' };
        Layout::rows(self.width, self.height, glyph)
    }
}

impl Impartial for FreeSquares {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "obstruction",
        name: "Obstruction",
        source: "2.32",
        summary: "Mark a square and its neighbours; the last move wins.",
        notation: "the square",
        example: "c4",
        file: include_str!("obstruction.rs"),
        ..PLACING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let Params { width, height } = *params;
        Ok(FreeSquares { empty: Rows::full(width, height), width, height })
    }

    fn is_over(&self) -> bool {
        self.empty.is_empty()
    }

    /// Row by row from the bottom left.
    fn moves(&self, out: &mut Vec<Cell>) {
        out.extend(self.empty.cells());
    }

    fn play(&mut self, cell: &Cell) {
        self.empty = self.empty.without(&Rows::one(*cell).grown());
    }

    fn show(&self, view: &mut View) {
        view.board("`x` is a marked square, `.` an empty one.", self.board());
    }

    fn picture(&self) -> Picture {
        self.board().draw(|glyph| Piece::neutral(glyph).as_a(Shape::Tile))
    }

    fn longest(&self) -> u32 {
        self.empty.count()
    }

    /// Squares that stand alone are one move each. If only such are left, an odd number wins for
    /// the mover; else the guess is as good as nothing.
    fn evaluate(&self) -> i32 {
        let company = self.empty.beside().and(&self.empty);
        let alone = self.empty.count() - company.count();
        let sure = if company.is_empty() { 100 } else { 1 };
        if alone % 2 == 1 { sure } else { -sure }
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height).map(|symmetry| self.empty.image(symmetry));
        FreeSquares { empty: images.min().unwrap_or(self.empty), ..*self }
    }
}

impl Divisible for FreeSquares {
    /// Regions of empty squares that do not touch.
    fn parts(&self) -> Vec<Self> {
        let mut rest = self.empty;
        let mut parts = Vec::new();
        while let Some(cell) = rest.cells().next() {
            let mut region = Rows::one(cell);
            while region != region.grown().and(&rest) {
                region = region.grown().and(&rest);
            }
            rest = rest.without(&region);
            parts.push(FreeSquares { empty: region, ..*self }.canonical());
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::Obstruction;
    use crate::games::trial::{legal, solve, standing};
    use serde_json::json;

    #[test]
    fn marks_and_the_end() {
        let small = json!({"width": 3, "height": 2});
        assert_eq!(legal("obstruction", &small, "a1"), "c1 b2 c2");
        assert_eq!(legal("obstruction", &small, "b1"), "a2 c2");
        // Not around the edge: c1 is not beside a2.
        assert_eq!(legal("obstruction", &small, "c1"), "a1 a2 b2");
        for (params, moves, end) in [
            (&small, "b1 a2", "0 to move"),
            (&small, "b1 a2 c2", "0 wins: no_moves"),
            (&small, "a1 c2", "1 wins: no_moves"),
            (&json!({"width": 1, "height": 1}), "a1", "0 wins: no_moves"),
            (&json!({"width": 12, "height": 12}), "l12 a1", "0 to move"),
        ] {
            assert_eq!(standing("obstruction", params, moves), end, "{params} {moves}");
        }
    }

    /// On a strip this is the octal game 0.137, Dawson's Chess, with the known nim values.
    #[test]
    fn strips_and_small_boards_solved() {
        let lost_strips = [4, 8];
        for width in 1..=12 {
            let value = solve::<Obstruction>(&json!({"width": width, "height": 1}));
            assert_eq!(value == -1, lost_strips.contains(&width), "1 by {width}");
        }
        for (width, height) in [(3, 3), (3, 5), (5, 1)] {
            assert_eq!(
                solve::<Obstruction>(&json!({"width": width, "height": height})),
                1,
                "{width} by {height}"
            );
        }
    }
}
