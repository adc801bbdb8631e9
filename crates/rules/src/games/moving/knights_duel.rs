//! Two knights, for two.
//!
//! A board of 8 by 8 cells with one knight for each side: seat 0 has the white one on a1 and
//! begins, seat 1 has the black one on h8.
//!
//! - A move takes your own knight, as in chess two cells along a row or column and one to the side,
//!   to a cell on which no knight has stood yet, neither yours nor the other's. The cells on which
//!   the knights start, and on which they stand now, are used as well, so that nothing is ever
//!   captured.
//! - It is written as the cell it goes to: `c2`. Columns are a, b, c, … from the left, rows 1, 2,
//!   3, … from the bottom.
//! - Whoever is to move and can't loses.
//!
//! `width` and `height` change the board, `white` and `black` the cells to start from; on a board
//! without h8 the cell of the black knight has to be given.
//!
//! Source: exercise 2.3, which leaves the start cells free; opposite corners are our choice.

use super::lone_pieces::LonePieces;
use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 3..=12 = 8,
    /// Rows of the board.
    height: u8 in 3..=12 = 8,
    /// The cell of the white knight.
    white: String = "a1",
    /// The cell of the black knight.
    black: String = "h8",
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KnightsDuel(LonePieces<3>);

impl Position for KnightsDuel {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "knights-duel",
        name: "Two knights",
        source: "2.3",
        summary: "Two knights, no cell twice; whoever is stuck loses.",
        notation: "the cell to go to",
        example: "c2",
        file: include_str!("knights_duel.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, .. } = *params;
        let cell = |field, text: &str| Cell::read(field, text, (width, height));
        let pieces = [cell("white", &params.white)?, cell("black", &params.black)?];
        require(pieces[0] != pieces[1], "black", || "the knights need two different cells".into())?;
        let knights = LonePieces::start(pieces, (width, height), |_| false);
        require(knights.can_move(&LEAPS), "white", || "the white knight has no move".into())?;
        Ok(KnightsDuel(knights))
    }

    fn turn(&self) -> Turn {
        self.0.turn(&LEAPS)
    }

    /// Clockwise from the leap two up and one to the right.
    fn moves(&self, seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.0.targets(seat, &LEAPS));
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        self.0.go(seat, *cell);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.0.mover);
        view.word("knight", "The knight of the seat to move: `W` or `B`.", ["W", "B"][self.0.mover.index()]);
        view.board(
            "`W` is the knight of seat 0, `B` that of seat 1, `.` a cell that is left, `#` a used one.",
            self.0.board(),
        );
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let knights =
            Piece::discs(['W', 'B'], [Tint::White, Tint::Black]).map(|disc| disc.as_a(Shape::Knight));
        self.0.board().picture(knights).on(Ground::Chequered)
    }
}

impl Finite for KnightsDuel {
    fn longest(&self) -> u32 {
        self.0.left_count()
    }
}

impl Duel for KnightsDuel {
    /// Cells within reach.
    fn evaluate(&self) -> i32 {
        self.0.reach(&LEAPS)
    }

    fn mover(&self) -> Seat {
        self.0.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        KnightsDuel(self.0.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::KnightsDuel;
    use crate::Seat;
    use crate::games::trial::{assert_refused, legal, winner_from};
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn no_cell_is_entered_twice() {
        for (params, moves, targets) in [
            (json!({}), "", "b3 c2"),
            (json!({}), "b3", "f7 g6"),
            // Not back to a1.
            (json!({}), "b3 g6", "a5 c1 c5 d2 d4"),
            // Neither onto the other knight nor where it came from.
            (json!({"width": 5, "height": 5, "white": "c3", "black": "d5"}), "", "a2 a4 b1 b5 d1 e2 e4"),
            (json!({"width": 5, "height": 5, "white": "c3", "black": "d5"}), "b1 b4", "a3 d2"),
            (json!({"width": 3, "height": 3, "black": "c3"}), "b3 a2", "c1"),
        ] {
            let found = legal("knights-duel", &params, moves);
            let found = found.split(' ').collect::<BTreeSet<_>>();
            assert_eq!(found, targets.split(' ').collect(), "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "knights-duel",
            [
                (json!({"width": 7}), "black"),
                (json!({"white": "h8"}), "black"),
                (json!({"white": "A1"}), "white"),
                (json!({"width": 3, "height": 3, "white": "b2", "black": "a1"}), "white"),
            ],
        );
    }

    #[test]
    fn small_boards() {
        for (width, height, black, winner) in
            [(3, 3, "c3", 1), (5, 3, "e3", 0), (4, 4, "d4", 1), (4, 5, "d5", 1), (4, 5, "d4", 0)]
        {
            let params = json!({"width": width, "height": height, "black": black});
            assert_eq!(winner_from::<KnightsDuel>(&params), Seat(winner), "{params}");
        }
    }
}
