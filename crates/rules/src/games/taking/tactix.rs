//! Tactix, also called Bulo, for two.
//!
//! A board of 4 by 4 cells with a stone on each. The stones belong to nobody.
//!
//! - A move removes one to four stones that lie next to each other in one row or one column, with
//!   no gap between them. It is written as the cell for one stone, `b2`, or as the two ends, the
//!   left or lower one first: `a1-c1`, `b2-b4`. Columns are a, b, c, ... from the left, rows 1, 2,
//!   3, ... from the bottom.
//! - The game ends when the board is empty. Whoever took the last stone loses; without `misere`,
//!   wins.
//!
//! `layout` gives another board of up to 6 by 6 cells: rows from the top, joined by `/`, `o` for a
//! stone and `.` for an empty cell. `max_take` is the most stones that a move may remove.
//!
//! Source: exercise 2.6. Piet Hein's game, in which the last stone loses.
//!
//! Theory: on 4 by 4 cells the second player wins, whether the last stone loses or wins; on 3 by 3
//! the first.

use super::block::Block;
use super::prelude::*;
use super::row::set_bits;
use super::theory::worth;

params! {
    /// The stones at the start, 1 to 6 columns and rows; at least one stone.
    layout: String = "oooo/oooo/oooo/oooo",
    /// The most stones that a move may remove.
    max_take: u8 in 1..=6 = 4,
    /// Whoever takes the last stone loses.
    misere: bool = true,
}

pub type Tactix = InTurn<StoneBoard>;

/// Stones by [`Cell::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoneBoard {
    stones: u64,
    width: u8,
    height: u8,
    max_take: u8,
    misere: bool,
}

impl StoneBoard {
    fn has_stone(&self, cell: Cell) -> bool {
        self.stones >> cell.index(self.width) & 1 == 1
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| if self.has_stone(cell) { 'o' } else { '.' })
    }

    /// Where a run that begins at a cell may end beyond it: the cells given, as far as the stones
    /// and `max_take` reach.
    fn ends(&self, cells: impl Iterator<Item = Cell>) -> impl Iterator<Item = Cell> {
        cells.take(self.max_take as usize - 1).take_while(|&cell| self.has_stone(cell))
    }
}

impl Impartial for StoneBoard {
    type Params = Params;
    type Move = Block;

    const ABOUT: About = About {
        id: "tactix",
        name: "TacTix",
        source: "2.6",
        summary: "Remove an unbroken run of stones; the last stone loses.",
        notation: "the cell, or both ends of the run",
        example: "a1-c1",
        file: include_str!("tactix.rs"),
        ..TAKING
    };

    const REASON: &str = "last_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "o.", 1..=6, 1..=6)?;
        let stones = layout.indices_of('o').fold(0, |stones, index| stones | 1 << index);
        require(stones != 0, "layout", || {
            "at least one stone is needed, or the game is over at once".into()
        })?;
        let Layout { width, height, .. } = layout;
        let &Params { max_take, misere, .. } = params;
        Ok(StoneBoard { stones, width, height, max_take, misere })
    }

    fn is_over(&self) -> bool {
        self.stones == 0
    }

    fn misere(&self) -> bool {
        self.misere
    }

    /// By the left or lower end, row by row from the bottom left: alone, to the right, upwards.
    fn moves(&self, out: &mut Vec<Block>) {
        for from in set_bits(self.stones.into()).map(|index| Cell::from_index(index.into(), self.width)) {
            let Cell { row, col } = from;
            out.push(Block { from, to: from });
            let to_the_right = (col + 1..self.width).map(|col| Cell { row, col });
            out.extend(self.ends(to_the_right).map(|to| Block { from, to }));
            let upwards = (row + 1..self.height).map(|row| Cell { row, col });
            out.extend(self.ends(upwards).map(|to| Block { from, to }));
        }
    }

    fn play(&mut self, run: &Block) {
        self.stones &= !run.bits(self.width);
    }

    fn show(&self, view: &mut View) {
        view.board("`o` is a stone, `.` an empty cell.", self.board());
        view.put("max_take", "A move takes at most so many stones.", self.max_take);
        view.put("misere", "Does whoever takes the last stone lose?", self.misere);
    }

    fn picture(&self) -> Picture {
        self.board().draw(Piece::neutral)
    }

    fn longest(&self) -> u32 {
        self.stones.count_ones()
    }

    /// Who would win if the stones were taken one by one, as they are once none has a neighbour.
    fn evaluate(&self) -> i32 {
        let odd = self.stones.count_ones() % 2 == 1;
        worth(odd != self.misere)
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height)
            .map(|symmetry| symmetry.bits(self.stones.into(), self.width) as u64);
        StoneBoard { stones: images.min().unwrap_or(self.stones), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, board, choices, won) in [
            (
                json!({"layout": "oo/oo"}),
                "",
                json!(["oo", "oo"]),
                "a1 a1-b1 a1-a2 b1 b1-b2 a2 a2-b2 b2",
                None,
            ),
            // No gap inside a run.
            (json!({"layout": "o.oo"}), "", json!(["o.oo"]), "a1 c1 c1-d1 d1", None),
            (json!({"layout": "ooo"}), "b1", json!(["o.o"]), "a1 c1", None),
            (json!({"layout": "ooo", "max_take": 2}), "", json!(["ooo"]), "a1 a1-b1 b1 b1-c1 c1", None),
            (json!({"layout": "o/o", "max_take": 1}), "", json!(["o", "o"]), "a1 a2", None),
            (json!({"layout": "ooo"}), "a1-c1", json!(["..."]), "", Some(1)),
            (json!({"layout": "ooo", "misere": false}), "a1-c1", json!(["..."]), "", Some(0)),
            (json!({"layout": "o/o/o"}), "a1-a2 a3", json!([".", ".", "."]), "", Some(0)),
        ] {
            assert_eq!(seen("tactix", &params, moves, "board"), board, "{params} {moves}");
            assert_eq!(legal("tactix", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("tactix", &params, moves), won, "{params} {moves}");
        }
    }

    #[test]
    fn solved_boards() {
        for (layout, misere, first_wins) in [
            ("oooo/oooo/oooo/oooo", true, false),
            ("oooo/oooo/oooo/oooo", false, false),
            ("ooo/ooo/ooo", true, true),
            ("ooo/ooo/ooo", false, true),
            ("oo/oo", true, false),
        ] {
            let position: Tactix = start(&json!({"layout": layout, "misere": misere}));
            assert_eq!(Solver::new().mover_wins(&position), first_wins, "{layout} misere {misere}");
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "tactix",
            [
                (json!({"layout": "../.."}), "layout"),
                (json!({"layout": "ooooooo"}), "layout"),
                (json!({"layout": "o/o/o/o/o/o/o"}), "layout"),
                (json!({"layout": "oo/o"}), "layout"),
                (json!({"layout": "ox"}), "layout"),
            ],
        );
    }
}
