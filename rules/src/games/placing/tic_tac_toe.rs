//! Tic-tac-toe, for two.
//!
//! An empty board of 3 by 3 cells. Seat 0 plays X and begins, seat 1 plays O.
//!
//! - A move puts your mark on an empty cell, written as the cell: `b2`. Columns are a, b, c from the left, rows
//!   1, 2, 3 from the bottom.
//! - Three of your own marks next to each other in a row, a column or any diagonal win. More count too.
//! - A full board without such a line is a draw.
//!
//! With `size` and `line` the board and the line can be longer.
//!
//! Source: exercise 1.2, which gives the title only; these are the standard rules. Played well it is a draw.

use crate::boards::{Cell, Layout};
use crate::{
    About, Duel, Eyes, Family, Outcome, ParamError, Picture, Piece, Position, Seat, Seed, Turn, require,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Columns and rows of the board.
    #[schemars(range(min = 3, max = 10))]
    size: u8,
    /// Marks in a line that win; at most `size`.
    #[schemars(range(min = 3, max = 10))]
    line: u8,
}

impl Default for Params {
    fn default() -> Self {
        Params { size: 3, line: 3 }
    }
}

/// Each row has `size + 1` bits: the spare one is never set, so that a shifted line can't run over the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    marks: [u128; 2],
    size: u8,
    line: u8,
    mover: Seat,
}

impl TicTacToe {
    fn stride(&self) -> u32 {
        u32::from(self.size) + 1
    }

    fn bit(&self, cell: Cell) -> u128 {
        1 << (u32::from(cell.row) * self.stride() + u32::from(cell.col))
    }

    fn is_empty(&self, cell: Cell) -> bool {
        (self.marks[0] | self.marks[1]) & self.bit(cell) == 0
    }

    fn glyph(&self, cell: Cell) -> char {
        let bit = self.bit(cell);
        if self.marks[0] & bit != 0 {
            'X'
        } else if self.marks[1] & bit != 0 {
            'O'
        } else {
            '.'
        }
    }

    /// Only the player who has just moved can have made a line.
    fn has_line(&self) -> bool {
        let marks = self.marks[self.mover.other().index()];
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
            (1..u32::from(self.line)).fold(marks, |run, times| run & (marks >> (step * times))) != 0
        })
    }

    fn empty_cells(&self) -> u32 {
        u32::from(self.size) * u32::from(self.size) - (self.marks[0] | self.marks[1]).count_ones()
    }

    fn is_full(&self) -> bool {
        self.empty_cells() == 0
    }
}

impl Position for TicTacToe {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "tic-tac-toe",
        name: "Tic-tac-toe",
        source: "1.2",
        family: Family::Placing,
        seats: (2, 2),
        summary: "Three of your own marks in a line win.",
        notation: "the cell",
        example: "b2",
        version: 1,
        file: include_str!("tic_tac_toe.rs"),
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { size, line } = *params;
        require(line <= size, "line", || format!("must be at most `size`, which is {size}, not {line}"))?;
        Ok(TicTacToe { marks: [0; 2], size, line, mover: Seat::FIRST })
    }

    fn turn(&self) -> Turn {
        if self.has_line() || self.is_full() { Turn::Over } else { Turn::One(self.mover) }
    }

    /// Row by row from the bottom left.
    fn moves(&self, _seat: Seat, out: &mut Vec<Cell>) {
        out.extend(Cell::all(self.size, self.size).filter(|&cell| self.is_empty(cell)));
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        self.marks[seat.index()] |= self.bit(*cell);
        self.mover = seat.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.has_line() {
            Some(Outcome::win(self.mover.other(), "line"))
        } else {
            self.is_full().then(|| Outcome::draw(2, "full"))
        }
    }

    fn view(&self, _eyes: Eyes) -> Value {
        json!({
            "to_move": self.mover,
            "mark": if self.mover == Seat::FIRST { "X" } else { "O" },
            "board": Layout::rows(self.size, self.size, |cell| self.glyph(cell)),
        })
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        Picture::board(self.size, self.size, |cell| match self.glyph(cell) {
            'X' => Piece::first('X'),
            'O' => Piece::second('O'),
            _ => Piece::EMPTY,
        })
    }

    fn longest(&self) -> Option<u32> {
        Some(self.empty_cells())
    }
}

impl Duel for TicTacToe {
    /// Marks in the lines that are still open to a side, counted for both.
    fn evaluate(&self) -> i32 {
        let stride = self.stride();
        let board: u128 = Cell::all(self.size, self.size).map(|cell| self.bit(cell)).sum();
        let mut total = 0;
        for start in Cell::all(self.size, self.size) {
            for step in [1, stride - 1, stride, stride + 1] {
                let window: u128 = (0..u32::from(self.line))
                    .fold(0, |window, times| window | self.bit(start).checked_shl(step * times).unwrap_or(0));
                if window & !board != 0 || window.count_ones() != u32::from(self.line) {
                    continue;
                }
                let [x, o] = self.marks.map(|marks| (marks & window).count_ones() as i32);
                total += if o == 0 { x * x } else { 0 } - if x == 0 { o * o } else { 0 };
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use crate::{Seat, Seed, Turn};
    use serde_json::{Value, json};

    fn after(params: &Value, moves: &str) -> Box<dyn crate::Table> {
        let mut table = crate::find("tic-tac-toe").unwrap().start(params, Seed::from_number(0)).unwrap();
        for (ply, mv) in moves.split_whitespace().enumerate() {
            table.play(Seat(ply as u8 % 2), mv).unwrap();
        }
        table
    }

    #[test]
    fn lines_and_draws() {
        for (params, moves, result) in [
            (json!({}), "a1 a2 b1 b2 c1", Some((vec![1, 2], "line"))),
            (json!({}), "a1 b2 a2 c1 c3 a3", Some((vec![2, 1], "line"))),
            (json!({}), "a1 b2 c3 a2 c2 c1 a3 b3 b1", Some((vec![1, 1], "full"))),
            (json!({}), "a1 b1 c2 a2 b3", None),
            // Not around the edge: c1 and a2 are neighbours in number only.
            (json!({}), "b1 a1 c1 b2 a2", None),
            (json!({"size": 4, "line": 3}), "b2 a1 c3 a2 d4", Some((vec![1, 2], "line"))),
            (json!({"size": 4, "line": 4}), "b2 a1 c3 a2 d4", None),
            (json!({"size": 10, "line": 5}), "f10 a1 g10 a2 h10 a3 j10 a4 i10", Some((vec![1, 2], "line"))),
        ] {
            let table = after(&params, moves);
            let found = table.outcome().map(|outcome| (outcome.places().to_vec(), outcome.reason));
            assert_eq!(found, result, "{params} {moves}");
            assert_eq!(table.turn() == Turn::Over, result.is_some(), "{params} {moves}");
        }
    }
}
