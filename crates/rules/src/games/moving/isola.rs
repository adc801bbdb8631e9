//! Isola, for two.
//!
//! ```text
//! 6  . . . . . . . .     Seat 0 plays the light king (W) and begins,
//! 5  . . . . . . . .     seat 1 plays the dark king (B).
//! 4  W . . . . . . .
//! 3  . . . . . . . B
//! 2  . . . . . . . .
//! 1  . . . . . . . .
//!    a b c d e f g h
//! ```
//!
//! - A move has two parts. First your king steps to one of the eight neighbouring squares that is
//!   neither removed nor the other king's. Then you remove one square for good: any that is not
//!   removed yet and on which no king stands, which includes the one your king has just left.
//! - It is written with the two squares: `b5:c3` steps to b5 and removes c3.
//! - Whoever is to move and whose king can't step loses.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, with one `W`, one `B`,
//! `.` for the other squares and `#` for those that are removed already.
//!
//! Source: exercise 2.26, whose figure is lost; a public program for it has the figure, and the
//! published game has the same start. Who begins is not said.

use super::lone_pieces::LonePieces;
use super::prelude::*;

params! {
    /// The board at the start, 2 to 12 columns and rows of `W`, `B`, `.` and `#`.
    layout: String = "......../......../W......./.......B/......../........",
}

/// A step and a removal, written `b5:c3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepAndRemoval {
    to: Cell,
    removed: Cell,
}

pair!(StepAndRemoval { to ":" removed });

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Isola(LonePieces<3>);

impl Position for Isola {
    type Params = Params;
    type Move = StepAndRemoval;

    const ABOUT: About = About {
        id: "isola",
        name: "Isola",
        source: "2.26",
        summary: "Step, then remove a square; the king that can't step loses.",
        notation: "the square to step to, `:`, the square to remove",
        example: "b5:c3",
        file: include_str!("isola.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "WB.#", 2..=12, 2..=12)?;
        let king = |glyph: char| {
            let mut found = layout.indices_of(glyph);
            match (found.next(), found.next()) {
                (Some(index), None) => Ok(Cell::from_index(index, layout.width)),
                _ => Err(ParamError::new("layout", format!("needs exactly one `{glyph}`"))),
            }
        };
        let pieces = [king('W')?, king('B')?];
        let size = (layout.width, layout.height);
        let kings = LonePieces::start(pieces, size, |cell| layout.glyph(cell) == '#');
        require(kings.can_move(&EIGHT), "layout", || "the light king, who begins, can't step".into())?;
        Ok(Isola(kings))
    }

    fn turn(&self) -> Turn {
        self.0.turn(&EIGHT)
    }

    /// Steps clockwise from straight up, for each of them the squares row by row from the bottom
    /// left.
    fn moves(&self, seat: Seat, out: &mut Vec<StepAndRemoval>) {
        let Isola(kings) = self;
        let from = kings.pieces[seat.index()];
        for to in kings.targets(seat, &EIGHT) {
            let squares = Cell::all(kings.width, kings.height);
            let removable = squares.filter(|&cell| (kings.is_left(cell) || cell == from) && cell != to);
            out.extend(removable.map(|removed| StepAndRemoval { to, removed }));
        }
    }

    fn play(&mut self, seat: Seat, mv: &StepAndRemoval) {
        let Isola(kings) = self;
        kings.left.insert(kings.pieces[seat.index()].index(kings.width));
        kings.left.remove(mv.removed.index(kings.width));
        kings.go(seat, mv.to);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.0.mover);
        view.word("king", "The king of the seat to move: `W` or `B`.", ["W", "B"][self.0.mover.index()]);
        view.board(
            "`W` is the king of seat 0, `B` that of seat 1, `.` a square that is left, `#` a removed one.",
            self.0.board(),
        );
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let kings = Piece::discs(['W', 'B'], [Tint::White, Tint::Black]).map(|disc| disc.as_a(Shape::King));
        self.0.board().picture(kings)
    }
}

impl Finite for Isola {
    /// Every move removes a square.
    fn longest(&self) -> u32 {
        self.0.left_count()
    }
}

impl Duel for Isola {
    /// Squares within reach.
    fn evaluate(&self) -> i32 {
        self.0.reach(&EIGHT)
    }

    fn mover(&self) -> Seat {
        self.0.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        Isola(self.0.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::Isola;
    use crate::Seat;
    use crate::games::trial::{assert_layouts_refused, legal, winner_from};
    use serde_json::json;

    #[test]
    fn a_step_and_a_removal() {
        for (layout, moves, moves_then) in [
            // The square that was left may go; neither king's square may.
            ("B./.W", "", "b2:a1 b2:b1 a1:b1 a1:b2"),
            ("B./.W", "b2:b1", "a1:a2"),
            ("B#/.W", "", "a1:b1"),
            ("B#./.W#", "", "c2:a1 c2:b1 a1:b1 a1:c2"),
        ] {
            let found = legal("isola", &json!({"layout": layout}), moves);
            assert_eq!(found, moves_then, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_layouts_are_refused() {
        assert_layouts_refused(
            "isola",
            ["WB", "W./..", "WB/B.", "W#/#B", "W./.B/..x", "W../B.", "W...........B/............."],
        );
    }

    #[test]
    fn small_boards() {
        for (layout, winner) in [("W./.B", 1), ("W../..B", 0), ("W../.../..B", 0), (".../W.B/...", 0)] {
            assert_eq!(winner_from::<Isola>(&json!({"layout": layout})), Seat(winner), "{layout}");
        }
    }
}
