//! Diagonal dots, for two: Walking Dots on diagonals.
//!
//! An empty board of 6 by 6 squares; columns are a to f from the left, rows 1 to 6 from the bottom.
//! Seat 0 plays X and begins, seat 1 plays O.
//!
//! - First the players take turns to put one mark on any empty square until each has put two.
//!   Nobody may pass.
//! - Then, seat 0 first, a move puts a mark on an empty square that touches one of your own marks
//!   at a corner, or is `pass`. Passing is always allowed. A mark is written as its square: `c4`.
//! - The game ends when both players pass one after the other. More own marks win, equal numbers
//!   are a draw. A full board does not end the game; two passes follow.
//!
//! `setup` is the number of marks that each player sets at the beginning.
//!
//! Source: exercise 2.42. That the first marks are put one at a time in turn is our reading.

use super::place::Place;
use super::prelude::*;
use super::rows::Rows;

params! {
    /// Columns of the board.
    width: u8 in 3..=12 = 6,
    /// Rows of the board.
    height: u8 in 3..=12 = 6,
    /// Marks that each player sets at the beginning.
    setup: u8 in 1..=4 = 2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiagonalDots {
    marks: [Rows; 2],
    empty: Rows,
    /// Passes in a row just now.
    passes: u8,
    /// Marks of both players that must still be set before the walk begins.
    to_set: u8,
    width: u8,
    height: u8,
    mover: Seat,
}

impl DiagonalDots {
    /// The squares that a seat may mark.
    fn places(&self, seat: Seat) -> Rows {
        if self.to_set > 0 {
            return self.empty;
        }
        let corners = |below: u16, _, above| (below | above) << 1 | (below | above) >> 1;
        self.marks[seat.index()].blend(corners).and(&self.empty)
    }

    fn counts(&self) -> [u32; 2] {
        self.marks.map(|marks| marks.count())
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['X', 'O'], self.marks.map(|marks| marks.contains(cell)))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell))
    }
}

impl Position for DiagonalDots {
    type Params = Params;
    type Move = Place;

    const ABOUT: About = About {
        id: "diagonal-dots",
        name: "Diagonal dots",
        source: "2.42",
        summary: "Spread your marks from corner to corner; most marks win.",
        notation: "the square, or pass",
        example: "c4",
        file: include_str!("diagonal_dots.rs"),
        ..PLACING
    };

    /// Twice the largest `setup` still fits on the smallest board.
    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, setup } = *params;
        Ok(DiagonalDots {
            marks: [Rows::default(); 2],
            empty: Rows::full(width, height),
            passes: 0,
            to_set: 2 * setup,
            width,
            height,
            mover: Seat::FIRST,
        })
    }

    fn turn(&self) -> Turn {
        if self.passes < 2 {
            return Turn::One(self.mover);
        }
        let [x, o] = self.counts();
        Turn::compare(x, o, "count")
    }

    /// Row by row from the bottom left, then `pass`.
    fn moves(&self, seat: Seat, out: &mut Vec<Place>) {
        out.extend(self.places(seat).cells().map(Place::At));
        if self.to_set == 0 {
            out.push(Place::Pass);
        }
    }

    fn play(&mut self, seat: Seat, place: &Place) {
        match *place {
            Place::At(cell) => {
                self.marks[seat.index()].insert(cell);
                self.empty.remove(cell);
                self.passes = 0;
                self.to_set = self.to_set.saturating_sub(1);
            }
            Place::Pass => self.passes += 1,
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("mark", "The mark of the seat to move: `X` or `O`.", ["X", "O"][self.mover.index()]);
        view.board("`X` is a mark of seat 0, `O` one of seat 1, `.` an empty square.", self.board());
        view.put(
            "to_set",
            "So many marks are still to be set anywhere, by both seats together.",
            self.to_set,
        );
        view.put("passes", "How many seats have passed one after the other, up to now.", self.passes);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let picture = self.board().picture(Piece::marks(['X', 'O']));
        let [x, o] = self.counts();
        picture.caption(format!("X {x}, O {o}; passes in a row: {}", self.passes))
    }
}

impl Finite for DiagonalDots {
    /// Each mark can have a pass before it, and two passes end the game.
    fn longest(&self) -> u32 {
        2 * self.empty.count() + 2 - u32::from(self.passes)
    }
}

impl Duel for DiagonalDots {
    /// Marks, and the squares that each side could mark next.
    fn evaluate(&self) -> i32 {
        let worth =
            |seat: Seat| 10 * self.marks[seat.index()].count() as i32 + 2 * self.places(seat).count() as i32;
        worth(Seat::FIRST) - worth(Seat::SECOND)
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the marks of the player to move first.
    fn canonical(&self) -> Self {
        let own_first = self.mover.own_first(self.marks);
        let images = Symmetry::all(self.width, self.height)
            .map(|symmetry| (own_first.map(|marks| marks.image(symmetry)), self.empty.image(symmetry)));
        let (marks, empty) = images.min().unwrap_or((own_first, self.empty));
        DiagonalDots { marks, empty, mover: Seat::FIRST, ..*self }
    }
}

impl Theory for DiagonalDots {
    fn margin(&self) -> Option<i32> {
        let [x, o] = self.counts();
        Some(x as i32 - o as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::DiagonalDots;
    use crate::games::trial::{legal, solve, standing};
    use serde_json::json;

    #[test]
    fn setting_walking_and_passing() {
        let one = json!({"width": 3, "height": 3, "setup": 1});
        assert_eq!(legal("diagonal-dots", &one, "b2"), "a1 b1 c1 a2 c2 a3 b3 c3");
        assert_eq!(legal("diagonal-dots", &one, "b2 c1"), "a1 a3 c3 pass");
        // c1 touches only b2, which is taken.
        assert_eq!(legal("diagonal-dots", &one, "b2 c1 a1"), "pass");
        for (params, moves, end) in [
            (&json!({}), "a1 f6 b1", "1 to move"),
            (&one, "b2 c1 pass pass", "draw: count"),
            (&one, "b2 c1 a1 pass pass", "0 wins: count"),
            // A pass that is answered by a mark does not count any more.
            (&one, "b2 b1 pass a2 pass", "1 to move"),
            (&one, "b2 b1 pass a2 pass pass", "1 wins: count"),
            // A full board ends only after two passes.
            (&json!({"width": 3, "height": 3, "setup": 4}), "a1 b1 c1 a2 b2 c2 a3 b3 c3", "1 to move"),
            (&json!({"width": 3, "height": 3, "setup": 4}), "a1 b1 c1 a2 b2 c2 a3 b3 c3 pass", "0 to move"),
            (
                &json!({"width": 3, "height": 3, "setup": 4}),
                "a1 b1 c1 a2 b2 c2 a3 b3 c3 pass pass",
                "0 wins: count",
            ),
        ] {
            assert_eq!(standing("diagonal-dots", params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn small_boards_solved() {
        for (width, height, setup, value) in [(3, 3, 1, 1), (3, 3, 2, 1), (4, 3, 1, 0)] {
            let params = json!({"width": width, "height": height, "setup": setup});
            assert_eq!(solve::<DiagonalDots>(&params), value, "{params}");
        }
    }
}
