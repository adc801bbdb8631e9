//! Rugs, or turning rectangles, for two.
//!
//! A board full of discs, blue on one side and red on the other; both players use all of them. The
//! default is 4 by 4, chequered, with the top left disc blue.
//!
//! - A move chooses a rectangle of whole cells whose lower left disc shows blue, and turns over
//!   every disc in it. It is written by its lower left and its upper right cell, `b1-c3`; a single
//!   disc is just `b1`. Columns are a, b, c, ... from the left, rows 1, 2, 3, ... from the bottom.
//! - The game ends when all discs show red. Whoever made the last move wins.
//!
//! The game always ends: read row by row from the lower left with blue as 1, the board is a binary
//! number whose first changed digit falls with every move.
//!
//! `layout` gives another board, at most 20 cells: rows from the top, joined by `/`, `B` for blue,
//! `R` for red.
//!
//! Source: exercise 2.21, whose figure is lost. The chequered start is that of a public student
//! project for this very exercise. The game is known as Rugs, a coin-turning game.
//!
//! Theory: the player to move wins exactly if the exclusive or of the nim values of all blue discs
//! is not zero, and the value of a disc in column i from the right and row j from the top is a nim
//! product: that of the highest powers of two that divide i and j.

use super::block::Block;
use super::prelude::*;
use super::row::set_bits;
use super::theory::worth;

params! {
    /// The discs at the start, at most 20; at least one is blue.
    layout: String = "BRBR/RBRB/BRBR/RBRB",
}

const MOST_DISCS: u8 = 20;

pub type Rugs = InTurn<RugDiscs>;

/// By [`Cell::index`], set for blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RugDiscs {
    blue: u32,
    width: u8,
    height: u8,
}

impl RugDiscs {
    fn board(&self) -> BoardRows {
        let is_blue = |cell: Cell| self.blue >> cell.index(self.width) & 1 == 1;
        Layout::rows(self.width, self.height, |cell| if is_blue(cell) { 'B' } else { 'R' })
    }

    fn blue_cells(&self) -> impl Iterator<Item = Cell> {
        set_bits(self.blue.into()).map(|index| Cell::from_index(index.into(), self.width))
    }

    /// Columns from the right and rows from the top, both from 1.
    fn away_from_top_right(&self, cell: Cell) -> (u8, u8) {
        (self.width - cell.col, self.height - cell.row)
    }

    /// How many moves the blue side of each disc can last: one that turns it together with all
    /// discs up and to the right, and then as many as those last.
    fn lasting(&self) -> [u32; MOST_DISCS as usize] {
        let mut lasting = [0; MOST_DISCS as usize];
        for index in (0..self.width * self.height).rev().map(usize::from) {
            let cell = Cell::from_index(index, self.width);
            let block = Block { from: cell, to: Cell::new(self.width - 1, self.height - 1) };
            let others = set_bits(block.bits(self.width).into());
            lasting[index] = 1 + others.map(|other| lasting[other as usize]).sum::<u32>();
        }
        lasting
    }
}

/// The nim product of two powers of two, as far as 20 cells need it.
fn nim_product(a: u8, b: u8) -> u8 {
    match (a.min(b), a.max(b)) {
        (2, 2) => 3,
        (2, 4) => 8,
        (2, 8) => 12,
        (4, 4) => 6,
        (_, power) => power,
    }
}

/// The highest power of two that divides a number.
fn power_of_two_in(number: u8) -> u8 {
    number & number.wrapping_neg()
}

impl Impartial for RugDiscs {
    type Params = Params;
    type Move = Block;

    const ABOUT: About = About {
        id: "rugs",
        name: "Rugs",
        source: "2.21",
        summary: "Turn a rectangle whose lower left disc is blue; last move wins.",
        notation: "lower left-upper right cell",
        example: "b1-c3",
        file: include_str!("rugs.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "BR", 1..=MOST_DISCS, 1..=MOST_DISCS)?;
        let Layout { width, height, .. } = layout;
        require(u32::from(width) * u32::from(height) <= MOST_DISCS.into(), "layout", || {
            format!("at most {MOST_DISCS} cells, not {width} times {height}")
        })?;
        let blue = layout.indices_of('B').fold(0, |blue, index| blue | 1 << index);
        require(blue != 0, "layout", || {
            "at least one disc must be blue, or the game is over at once".into()
        })?;
        Ok(RugDiscs { blue, width, height })
    }

    fn is_over(&self) -> bool {
        self.blue == 0
    }

    /// By the lower left cell, row by row from the bottom left, then by the upper right cell in the
    /// same way.
    fn moves(&self, out: &mut Vec<Block>) {
        for from in self.blue_cells() {
            for row in from.row..self.height {
                out.extend((from.col..self.width).map(|col| Block { from, to: Cell { row, col } }));
            }
        }
    }

    fn play(&mut self, block: &Block) {
        self.blue ^= block.bits(self.width) as u32;
    }

    fn show(&self, view: &mut View) {
        view.board("`B` is a disc that shows blue, `R` one that shows red.", self.board());
    }

    fn picture(&self) -> Picture {
        self.board().draw(|glyph| Piece::new(glyph, if glyph == 'B' { Tint::Blue } else { Tint::Red }))
    }

    fn longest(&self) -> u32 {
        let lasting = self.lasting();
        set_bits(self.blue.into()).map(|index| lasting[index as usize]).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let values = self.blue_cells().map(|cell| {
            let (i, j) = self.away_from_top_right(cell);
            nim_product(power_of_two_in(i), power_of_two_in(j))
        });
        worth(values.fold(0, |sum, value| sum ^ value) != 0)
    }
}

impl Divisible for RugDiscs {
    /// Each blue disc alone. A disc turned to blue where one was already is two of the same game,
    /// which is nothing.
    fn parts(&self) -> Vec<Self> {
        let part = |disc: u8| RugDiscs { blue: 1 << disc, ..*self };
        set_bits(self.blue.into()).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (layout, moves, board, choices, won) in [
            ("RB/BR", "", json!(["RB", "BR"]), "a1 a1-b1 a1-a2 a1-b2 b2", None),
            ("RB/BR", "a1-b2", json!(["BR", "RB"]), "b1 b1-b2 a2 a2-b2", None),
            ("RB/BR", "a1-b2 b1 a2", json!(["RR", "RR"]), "", Some(0)),
            ("RB/BR", "a1 b2", json!(["RR", "RR"]), "", Some(1)),
            ("BBB", "a1-c1", json!(["RRR"]), "", Some(0)),
        ] {
            let params = json!({"layout": layout});
            assert_eq!(seen("rugs", &params, moves, "board"), board, "{layout} {moves}");
            assert_eq!(legal("rugs", &params, moves), choices, "{layout} {moves}");
            assert_eq!(winner("rugs", &params, moves), won, "{layout} {moves}");
        }
    }

    /// One blue disc in the lower left corner of red ones.
    fn corner(width: usize, height: usize) -> String {
        let row = "R".repeat(width);
        let last = format!("B{}", "R".repeat(width - 1));
        (1..height).map(|_| row.clone()).chain([last]).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn nim_values_are_nim_products() {
        for (width, height, value) in [
            (1, 1, 1),
            (6, 1, 2),
            (12, 1, 4),
            (1, 8, 8),
            (2, 2, 3),
            (2, 4, 8),
            (4, 2, 8),
            (3, 4, 4),
            (4, 3, 4),
        ] {
            let position: Rugs = start(&json!({"layout": corner(width, height)}));
            assert_eq!(Solver::new().nim_value(&position), value, "{width} by {height}");
        }
    }

    #[test]
    fn theory_agrees_with_a_solver() {
        for layout in ["BRBR/RBRB/BRBR", "BBBB/BBBB/BBBB", "BR/RR/RR/RB/BB/RR", "BBBBBBBBBBBB"] {
            let mut solver = Solver::<Rugs>::new();
            solver.value(&start(&json!({"layout": layout})));
            solver.assert_evaluation_is_exact();
        }
    }

    #[test]
    fn the_longest_games() {
        for (layout, plies) in [("BRBR/RBRB/BRBR/RBRB", 356), ("BBBBB/BBBBB/BBBBB/BBBBB", 3071)] {
            let position: Rugs = start(&json!({"layout": layout}));
            assert_eq!(position.longest(), plies, "{layout}");
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "rugs",
            [
                (json!({"layout": "RR/RR"}), "layout"),
                (json!({"layout": "BR/B"}), "layout"),
                (json!({"layout": "BX"}), "layout"),
                (json!({"layout": ""}), "layout"),
                (json!({"layout": "BBBBBBB/BBBBBBB/BBBBBBB"}), "layout"),
            ],
        );
    }
}
