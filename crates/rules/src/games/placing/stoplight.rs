//! Stoplight (Traffic Lights), for two.
//!
//! An empty board of 3 by 3 squares; columns are a, b, c from the left, rows 1, 2, 3 from the
//! bottom. There are red (`r`), yellow (`y`) and green (`g`) pieces for both players together, as
//! many as needed.
//!
//! - A move names a square: `b2`. An empty square gets a red piece, a red piece is changed for a
//!   yellow one, a yellow one for a green one. A green piece stays for ever.
//! - Whoever makes three pieces of one colour on three squares in a row, next to each other in a
//!   row, a column or any diagonal, wins, no matter who put the other two.
//!
//! A draw is impossible: a board full of green pieces has a line. On larger boards a line still has
//! three squares.
//!
//! Source: exercise 2.25.
//!
//! Theory: on 3 by 3 the first player wins by taking the centre and then answering symmetrically;
//! on 3 by 4 the second player wins.

use super::bit_board::Bits;
use super::marks::has_run;
use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 3..=5 = 3,
    /// Rows of the board.
    height: u8 in 3..=5 = 3,
}

pub type Stoplight = InTurn<Lights>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lights {
    /// Squares by the index of their colour.
    squares: [u64; 4],
    width: u8,
    height: u8,
}

impl Lights {
    fn has_line(&self) -> bool {
        self.squares[1..].iter().any(|&set| has_run(set, 3))
    }

    /// The index of a square's colour.
    fn colour(&self, cell: Cell) -> usize {
        self.squares.iter().position(|set| set & u64::of(cell) != 0).unwrap_or(0)
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| ['.', 'r', 'y', 'g'][self.colour(cell)])
    }

    /// Can the mover make a line?
    fn can_win(&self) -> bool {
        let [.., green] = self.squares;
        Cell::all(self.width, self.height).filter(|&cell| green & u64::of(cell) == 0).any(|cell| {
            let mut next = *self;
            next.play(&cell);
            next.has_line()
        })
    }
}

impl Impartial for Lights {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "stoplight",
        name: "Stoplight",
        source: "2.25",
        summary: "Turn squares red, yellow, green; three of a colour in a line win.",
        notation: "the square",
        example: "b2",
        file: include_str!("stoplight.rs"),
        ..PLACING
    };

    const REASON: &str = "line";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let Params { width, height } = *params;
        let empty = Cell::all(width, height).map(u64::of).sum();
        Ok(Lights { squares: [empty, 0, 0, 0], width, height })
    }

    fn is_over(&self) -> bool {
        self.has_line()
    }

    /// Row by row from the bottom left.
    fn moves(&self, out: &mut Vec<Cell>) {
        let [empty, red, yellow, _] = self.squares;
        out.extend((empty | red | yellow).cells());
    }

    fn play(&mut self, cell: &Cell) {
        let colour = self.colour(*cell);
        self.squares[colour] &= !u64::of(*cell);
        self.squares[colour + 1] |= u64::of(*cell);
    }

    fn show(&self, view: &mut View) {
        let meaning = "`r` is a red piece, `y` a yellow one, `g` a green one, `.` an empty square.";
        view.board(meaning, self.board());
    }

    fn picture(&self) -> Picture {
        self.board().draw(|glyph| match glyph {
            'r' => Piece::new(glyph, Tint::Red),
            'y' => Piece::new(glyph, Tint::Yellow),
            _ => Piece::new(glyph, Tint::Green),
        })
    }

    fn longest(&self) -> u32 {
        let [empty, red, yellow, _] = self.squares.map(u64::count_ones);
        3 * empty + 2 * red + yellow
    }

    /// All pieces are common, so nothing counts but a line that the mover can make at once.
    fn evaluate(&self) -> i32 {
        if self.can_win() { 100 } else { 0 }
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height)
            .map(|symmetry| self.squares.map(|set| symmetry.bits(set.into(), u64::STRIDE as u8) as u64));
        Lights { squares: images.min().unwrap_or(self.squares), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Stoplight};
    use crate::boards::Cell;
    use crate::games::trial::{legal, solve, standing, start};
    use crate::{Position, Seat};
    use serde_json::json;
    use std::collections::HashMap;

    #[test]
    fn colours_and_lines() {
        assert_eq!(legal("stoplight", &json!({}), "a1 a1 a1"), "b1 c1 a2 b2 c2 a3 b3 c3");
        for (params, moves, end) in [
            (json!({}), "a1 b1 c1", "0 wins: line"),
            (json!({}), "a1 b1 b1 c1", "0 to move"),
            // Yellow in a line, and green.
            (json!({}), "a1 a1 b2 b2 c3 c3", "1 wins: line"),
            (json!({}), "c1 c1 c1 b2 b2 b2 a3 a3 a3", "0 wins: line"),
            // Three in a row with a gap.
            (json!({"width": 4, "height": 3}), "a1 b1 d1", "1 to move"),
            (json!({"width": 5, "height": 5}), "c1 d2 e3", "0 wins: line"),
            // Not around the edge.
            (json!({}), "b1 c1 a2", "1 to move"),
        ] {
            assert_eq!(standing("stoplight", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn small_boards_solved() {
        assert_eq!(solve::<Stoplight>(&json!({})), 1);
        assert!(first_wins(&start(&json!({})), &mut HashMap::new()));
        assert!(!first_wins(&start(&json!({"width": 3, "height": 4})), &mut HashMap::new()));
    }

    /// Whether the mover wins. Pieces are common, so whose turn it is does not matter, and neither
    /// do reflections.
    fn first_wins(position: &Stoplight, known: &mut HashMap<[u64; 4], bool>) -> bool {
        let key = smallest_reflection(position);
        if let Some(&wins) = known.get(&key) {
            return wins;
        }
        let mut moves = Vec::new();
        position.moves(Seat::FIRST, &mut moves);
        let wins = position.board.can_win()
            || moves.iter().any(|cell| {
                let mut next = *position;
                next.play(Seat::FIRST, cell);
                !next.board.can_win() && !first_wins(&next, known)
            });
        known.insert(key, wins);
        wins
    }

    fn smallest_reflection(position: &Stoplight) -> [u64; 4] {
        let (width, height) = (position.board.width, position.board.height);
        let reflected = |(across, up): (bool, bool)| {
            let mut squares = [0; 4];
            for cell in Cell::all(width, height) {
                let col = if across { width - 1 - cell.col } else { cell.col };
                let row = if up { height - 1 - cell.row } else { cell.row };
                squares[position.board.colour(cell)] |= u64::of(Cell::new(col, row));
            }
            squares
        };
        let all = [(false, false), (false, true), (true, false), (true, true)].map(reflected);
        all.into_iter().min().unwrap()
    }
}
