//! Fox and hounds, for two.
//!
//! ```text
//! 8  . . f . . . . .     Seat 0 plays the fox (f) and begins,
//! 7  . . . . . . . .     seat 1 plays the four hounds (H).
//! 6  . . . . . . . .
//! 5  . . . . . . . .     All of them stand on cells of one square colour
//! 4  . . . . . . . .     and stay on that colour.
//! 3  . . . . . . . .
//! 2  . . . . . . . .
//! 1  . H . H . H . H
//!    a b c d e f g h
//! ```
//!
//! - The fox moves one cell diagonally, up or down, onto an empty cell.
//! - The hounds move one hound one cell diagonally up, to a higher row, onto an empty cell.
//! - Nothing is captured and nobody jumps. A move is written `from-to`: `c8-d7`.
//!
//! After each move, in this order:
//!
//! - if the fox is on a lower row than every hound, the fox wins, whoever moved;
//! - if the fox is to move and can't, the hounds win;
//! - if the hounds are to move and can't, the fox wins.
//!
//! `width`, `height`, `fox`, `hounds` (one to six cells of the fox's square colour) and `first`
//! change the start.
//!
//! Source: exercise 2.13, whose figure is lost; four public programs agree on these cells. The
//! source does not say who begins, nor what happens when the hounds are stuck.
//!
//! Theory: on 8 by 8 cells the four hounds win, whoever begins.

use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 4..=12 = 8,
    /// Rows of the board.
    height: u8 in 4..=12 = 8,
    /// The cell of the fox.
    fox: String = "c8",
    /// The cells of the hounds.
    hounds: Vec<String> of 1..=6 = ["b1", "d1", "f1", "h1"],
    /// Who moves first.
    first: Side = Side::Fox,
}

words! { enum Side { Fox = "fox", Hounds = "hounds" } }

impl Params {
    fn pack(&self, fox: Cell) -> Result<CellSet<3>, ParamError> {
        let colour = |cell: Cell| (cell.row + cell.col) % 2;
        let mut hounds = CellSet::EMPTY;
        for (at, text) in self.hounds.iter().enumerate() {
            let field = format!("hounds[{at}]");
            let cell = Cell::read(&field, text, (self.width, self.height))?;
            let index = cell.index(self.width);
            require(cell != fox, &field, || format!("the fox is on {cell}"))?;
            require(!hounds.contains(index), &field, || format!("another hound is on {cell}"))?;
            require(colour(cell) == colour(fox), &field, || {
                format!("{cell} has not the square colour of the fox's cell, {fox}")
            })?;
            hounds.insert(index);
        }
        Ok(hounds)
    }
}

const FOX: Seat = Seat::FIRST;
const HOUNDS: Seat = Seat::SECOND;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FoxAndHounds {
    hounds: CellSet<3>,
    fox: Cell,
    width: u8,
    height: u8,
    mover: Seat,
}

impl FoxAndHounds {
    /// The steps of one animal in some of the directions.
    fn steps_of(&self, from: Cell, ways: &'static [Direction]) -> impl Iterator<Item = Step> {
        let nearby = ways.iter().filter_map(move |&way| from.step(way, self.width, self.height));
        nearby.filter(|&to| self.is_empty(to)).map(move |to| Step { from, to })
    }

    fn fox_steps(&self) -> impl Iterator<Item = Step> {
        self.steps_of(self.fox, &DIAGONAL)
    }

    fn hound_steps(&self) -> impl Iterator<Item = Step> {
        const UP: [Direction; 2] = [DIAGONAL[0], DIAGONAL[3]];
        self.hounds.cells(self.width).flat_map(|from| self.steps_of(from, &UP))
    }

    fn is_empty(&self, cell: Cell) -> bool {
        cell != self.fox && !self.hounds.contains(cell.index(self.width))
    }

    fn fox_is_behind(&self) -> bool {
        // Hounds are listed from the lowest row up.
        self.hounds.cells(self.width).next().is_none_or(|last| self.fox.row < last.row)
    }

    fn can_move(&self) -> bool {
        if self.mover == FOX {
            self.fox_steps().next().is_some()
        } else {
            self.hound_steps().next().is_some()
        }
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['f', 'H'], [cell == self.fox, self.hounds.contains(cell.index(self.width))])
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell))
    }
}

impl Position for FoxAndHounds {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "fox-and-hounds",
        name: "Fox and hounds",
        source: "2.13",
        summary: "The fox slips past the hounds, or the hounds shut it in.",
        notation: "from-to",
        example: "c8-d7",
        file: include_str!("fox_and_hounds.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, .. } = *params;
        let fox = Cell::read("fox", &params.fox, (width, height))?;
        let hounds = params.pack(fox)?;
        let mover = match params.first {
            Side::Fox => FOX,
            Side::Hounds => HOUNDS,
        };
        let game = FoxAndHounds { hounds, fox, width, height, mover };
        require(!game.fox_is_behind(), "fox", || "is behind all hounds already, so that it has won".into())?;
        let field = if mover == FOX { "fox" } else { "hounds" };
        require(game.can_move(), field, || "the side that begins has no move".into())?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.fox_is_behind() {
            Turn::win(FOX, "behind")
        } else if !self.can_move() {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// The fox clockwise from up and right; the hounds row by row from the bottom left, each right,
    /// then left.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        if seat == FOX {
            out.extend(self.fox_steps());
        } else {
            out.extend(self.hound_steps());
        }
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        if seat == FOX {
            self.fox = step.to;
        } else {
            self.hounds.remove(step.from.index(self.width));
            self.hounds.insert(step.to.index(self.width));
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.put("fox", "Where the fox is.", self.fox);
        let hounds: Vec<Cell> = self.hounds.cells(self.width).collect();
        view.put("hounds", "Where the hounds are, row by row from the bottom.", hounds);
        view.board("`f` is the fox, `H` a hound, `.` an empty cell.", self.board());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let sides = [Piece::first('f'), Piece::second('H')].map(|disc| disc.as_a(Shape::Lettered));
        self.board().picture(sides).on(Ground::Chequered)
    }
}

impl Finite for FoxAndHounds {
    /// Every hound goes up at most to the top row; the fox may move once more.
    fn longest(&self) -> u32 {
        let ahead = self.hounds.cells(self.width).map(|cell| u32::from(self.height - 1 - cell.row));
        2 * ahead.sum::<u32>() + u32::from(self.mover == FOX)
    }
}

impl Duel for FoxAndHounds {
    /// Hounds that the fox has passed, rows that it has come down, and its freedom.
    fn evaluate(&self) -> i32 {
        let passed = self.hounds.cells(self.width).filter(|hound| hound.row >= self.fox.row).count() as i32;
        let come_down = i32::from(self.height - 1 - self.fox.row);
        50 * passed + 10 * come_down + 5 * self.fox_steps().count() as i32
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Mirrored; the hounds know only one way up.
    fn canonical(&self) -> Self {
        let images = Symmetry::sideways(self.width, self.height)
            .map(|symmetry| (symmetry.cell(self.fox), self.hounds.image(symmetry, self.width)));
        let (fox, hounds) = images.min().unwrap_or((self.fox, self.hounds));
        FoxAndHounds { hounds, fox, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::FoxAndHounds;
    use crate::Seat;
    use crate::games::trial::{after, assert_refused, legal, winner_from};
    use serde_json::json;

    #[test]
    fn how_it_ends() {
        for (params, moves, result) in [
            (json!({"hounds": ["d3"], "fox": "c4"}), "c4-b3", None),
            // Level with the last hound is not behind it; the move of a hound can do it too.
            (json!({"hounds": ["d3"], "fox": "c4"}), "c4-b3 d3-e4", Some((0, "behind"))),
            (json!({"hounds": ["d3"], "fox": "c4"}), "c4-b3 d3-c4", Some((0, "behind"))),
            (json!({"hounds": ["d3", "f1"], "fox": "c4"}), "c4-b3 d3-e4 b3-a2", None),
            // Shut in at the edge, but only when the fox is to move.
            (json!({"hounds": ["a6", "b7", "d7"], "fox": "c8", "first": "hounds"}), "", None),
            (json!({"hounds": ["c6", "b7"], "fox": "c8", "first": "hounds"}), "c6-d7", Some((1, "no_moves"))),
            // On the bottom row, level with a hound and then behind all of them.
            (
                json!({"hounds": ["b2", "c1", "e1"], "fox": "a1", "first": "hounds"}),
                "e1-f2",
                Some((1, "no_moves")),
            ),
            (json!({"hounds": ["b2", "c1"], "fox": "a1", "first": "hounds"}), "c1-d2", Some((0, "behind"))),
            // The hounds can't go on.
            (json!({"hounds": ["a8", "b7"], "fox": "d7"}), "d7-c8", Some((0, "no_moves"))),
        ] {
            let found = after("fox-and-hounds", &params, moves)
                .outcome()
                .map(|outcome| (outcome.winner().unwrap().0, outcome.reason));
            assert_eq!(found, result, "{params} {moves}");
        }
    }

    #[test]
    fn steps() {
        let params = json!({"hounds": ["b3", "d3", "d5"], "fox": "c4"});
        assert_eq!(legal("fox-and-hounds", &params, ""), "c4-b5");
        let hounds = legal("fox-and-hounds", &params, "c4-b5");
        assert_eq!(hounds, "b3-c4 b3-a4 d3-e4 d3-c4 d5-e6 d5-c6");
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "fox-and-hounds",
            [
                (json!({"width": 7}), "hounds[3]"),
                (json!({"height": 7}), "fox"),
                (json!({"fox": "c9"}), "fox"),
                (json!({"hounds": ["b1", "d1", "b1"]}), "hounds[2]"),
                (json!({"hounds": ["b1", "c8"]}), "hounds[1]"),
                (json!({"hounds": ["b1", "c1"]}), "hounds[1]"),
                // Over already: behind, shut in, or nothing to move.
                (json!({"fox": "a1", "hounds": ["b2"]}), "fox"),
                (json!({"hounds": ["b7", "d7"]}), "fox"),
                (json!({"hounds": ["a8"], "first": "hounds"}), "hounds"),
            ],
        );
    }

    #[test]
    fn the_hounds_win_whoever_begins() {
        for first in ["fox", "hounds"] {
            assert_eq!(winner_from::<FoxAndHounds>(&json!({"first": first})), Seat(1), "{first} first");
        }
        // Three are not enough.
        assert_eq!(winner_from::<FoxAndHounds>(&json!({"hounds": ["b1", "d1", "f1"]})), Seat(0));
    }
}
