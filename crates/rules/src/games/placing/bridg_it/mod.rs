//! Bridg-It (the game of Gale) on cells, for two.
//!
//! Seat 0 is blue, begins, and wants to connect the bottom row with the top row. Seat 1 is red and
//! wants to connect the left column with the right column. The board of size `n` has 2n+1 columns
//! and rows, lettered from the left and numbered from the bottom. Blue (`B`) and red (`R`) cells
//! alternate on it, and the white cells between them (`.`) are to be coloured; `#` is no cell at
//! all. For n = 3:
//!
//! ```text
//! #B#B#B#
//! R.R.R.R
//! #B.B.B#
//! R.R.R.R
//! #B.B.B#
//! R.R.R.R
//! #B#B#B#
//! ```
//!
//! - A move colours a white cell in your own colour, written as the cell: `c3`. It keeps that
//!   colour.
//! - You win when cells of your colour, each beside the next (left, right, above or below, not at a
//!   corner), lead from one of your edges to the other. The path need not be straight.
//! - On the boards of size `n` exactly one player gets a path. On another `layout` a full board
//!   without one is a draw.
//!
//! Source: exercise 2.1. Its figure is lost and no copy was found, so the board is ours: its words
//! describe David Gale's Bridg-It, and n = 5 is the classic size. White cells on the rim would be
//! of no use and are left out.
//!
//! Theory: the first player wins on every board of size `n`. It is Shannon's switching game, in
//! which a theorem of Lehman tells who wins any position.

mod switching;
mod theory;

use super::prelude::*;

/// Cells of the largest layout.
const MOST_CELLS: usize = 25 * 25;

type Cells = CellSet<{ MOST_CELLS.div_ceil(64) }>;

params! {
    /// Blue cells in the bottom row of the standard board, red ones in its left column.
    n: u8 in 2..=10 = 5,
    /// Another board, at most 25 by 25: rows of `B`, `R`, `.` and `#` from the top, joined by `/`.
    layout: Option<String> = None,
}

/// The board of size `n` as a layout.
fn standard(n: u8) -> String {
    let last = 2 * n;
    let glyph = |Cell { col, row }| match (col % 2, row % 2) {
        (1, 0) => 'B',
        (0, 1) => 'R',
        _ if col == 0 || row == 0 || col == last || row == last => '#',
        _ => '.',
    };
    Layout::rows(last + 1, last + 1, glyph).to_string()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BridgIt {
    /// Blue and red.
    coloured: [Cells; 2],
    white: Cells,
    width: u8,
    height: u8,
    /// Is it a board of size `n`?
    standard: bool,
    /// Has the player who has just moved a path?
    connected: bool,
    mover: Seat,
}

impl BridgIt {
    fn edges(&self, seat: Seat, cell: Cell) -> (bool, bool) {
        if seat == Seat::FIRST {
            (cell.row == 0, cell.row + 1 == self.height)
        } else {
            (cell.col == 0, cell.col + 1 == self.width)
        }
    }

    fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.width, self.height);
        ORTHOGONAL.into_iter().filter_map(move |way| cell.step(way, width, height))
    }

    /// Does a path of this seat's colour through this cell lead from edge to edge?
    fn connects(&self, seat: Seat, cell: Cell) -> bool {
        let mut left = self.coloured[seat.index()];
        let mut found = [cell; MOST_CELLS];
        let (mut next, mut end) = (0, 1);
        let mut touched = (false, false);
        left.remove(cell.index(self.width));
        while next < end {
            let here = found[next];
            next += 1;
            let edges = self.edges(seat, here);
            touched = (touched.0 || edges.0, touched.1 || edges.1);
            for cell in self.beside(here) {
                let index = cell.index(self.width);
                if left.contains(index) {
                    left.remove(index);
                    found[end] = cell;
                    end += 1;
                }
            }
        }
        touched == (true, true)
    }

    /// The fewest white cells that would complete a path of this seat's; as many as there are
    /// cells, if none can.
    fn distance(&self, seat: Seat) -> i32 {
        let own = self.coloured[seat.index()];
        let mut unseen = own.union(&self.white);
        let edge = Cell::all(self.width, self.height).filter(|&cell| self.edges(seat, cell).0);
        let edge = edge.filter(|cell| unseen.contains(cell.index(self.width)));
        // Own cells are free, a white one costs one more.
        let (mut here, mut later): (Vec<_>, Vec<_>) =
            edge.partition(|cell| own.contains(cell.index(self.width)));
        for price in 0.. {
            while let Some(cell) = here.pop() {
                if !unseen.contains(cell.index(self.width)) {
                    continue;
                }
                unseen.remove(cell.index(self.width));
                if self.edges(seat, cell).1 {
                    return price;
                }
                for next in self.beside(cell).filter(|next| unseen.contains(next.index(self.width))) {
                    if own.contains(next.index(self.width)) { here.push(next) } else { later.push(next) }
                }
            }
            if later.is_empty() {
                break;
            }
            std::mem::swap(&mut here, &mut later);
        }
        i32::from(self.width) * i32::from(self.height)
    }

    fn glyph(&self, cell: Cell) -> char {
        let index = cell.index(self.width);
        let [blue, red, white] =
            [self.coloured[0], self.coloured[1], self.white].map(|cells| cells.contains(index));
        first_glyph(['B', 'R', '#'], [blue, red, !white])
    }
}

impl Position for BridgIt {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "bridg-it",
        name: "Bridg-It",
        source: "2.1",
        summary: "Colour cells to connect your two edges before the other side does.",
        notation: "the cell",
        example: "c3",
        file: include_str!("mod.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let text = params.layout.clone().unwrap_or_else(|| standard(params.n));
        let layout = Layout::read("layout", &text, "BR.#", 1..=25, 1..=25)?;
        let start = BridgIt {
            coloured: ['B', 'R'].map(|glyph| layout.indices_of(glyph).collect()),
            white: layout.indices_of('.').collect(),
            width: layout.width,
            height: layout.height,
            standard: params.layout.is_none(),
            connected: false,
            mover: Seat::FIRST,
        };
        require(!start.white.is_empty(), "layout", || "no white cell is left, so the game is over".into())?;
        for (seat, colour) in [(Seat::FIRST, "blue"), (Seat::SECOND, "red")] {
            require(start.distance(seat) > 0, "layout", || {
                format!("{colour} is connected, so the game is over")
            })?;
        }
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.connected {
            Turn::win(self.mover.other(), "connected")
        } else if self.white.is_empty() {
            Turn::draw("full")
        } else {
            Turn::One(self.mover)
        }
    }

    /// Row by row from the bottom left.
    fn moves(&self, _seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.white.cells(self.width));
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        let index = cell.index(self.width);
        self.white.remove(index);
        self.coloured[seat.index()].insert(index);
        self.connected = self.connects(seat, *cell);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("colour", "The colour of the seat to move: `B` or `R`.", ["B", "R"][self.mover.index()]);
        let meaning = "`B` is a cell of seat 0, `R` one of seat 1, `.` a white cell, `#` no cell.";
        view.board(meaning, Layout::rows(self.width, self.height, |cell| self.glyph(cell)));
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let board = Picture::board(self.width, self.height, |cell| match self.glyph(cell) {
            'B' => Piece::first('B').in_colour(Tint::Blue),
            'R' => Piece::second('R').in_colour(Tint::Red),
            '.' => Piece::EMPTY,
            // Nothing can stand here, and blanks show the paths better.
            _ => Piece { glyph: ' ', ..Piece::BLOCKED },
        });
        let bridges = |colour: char, picture: Picture, tint| {
            let ends = Cell::all(self.width, self.height)
                .filter(|&cell| self.glyph(cell) == colour)
                .flat_map(|cell| {
                    self.beside(cell).filter(move |&next| next > cell).map(move |next| (cell, next))
                })
                .filter(|&(_, next)| self.glyph(next) == colour)
                .map(|(cell, next)| (cell.index(self.width), next.index(self.width)));
            picture.linked(ends, LinkKind::Join, tint)
        };
        let board = bridges('B', board, Tint::Blue);
        bridges('R', board, Tint::Red).on(Ground::Points)
    }
}

impl Finite for BridgIt {
    fn longest(&self) -> u32 {
        self.white.len() as u32
    }
}

impl Duel for BridgIt {
    /// How many more cells red needs for a path than blue, if the other side stood still.
    fn evaluate(&self) -> i32 {
        10 * (self.distance(Seat::SECOND) - self.distance(Seat::FIRST))
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

#[cfg(test)]
mod tests {
    use super::{BridgIt, standard};
    use crate::Duel;
    use crate::games::trial::{assert_refused, legal, solve, standing, start};
    use serde_json::json;

    #[test]
    fn the_standard_board() {
        assert_eq!(standard(3), "#B#B#B#/R.R.R.R/#B.B.B#/R.R.R.R/#B.B.B#/R.R.R.R/#B#B#B#");
        assert_eq!(standard(5).matches('.').count(), 41);
        assert_eq!(legal("bridg-it", &json!({"n": 2}), ""), "b2 d2 c3 b4 d4");
    }

    #[test]
    fn paths_and_full_boards() {
        for (params, moves, end) in [
            (json!({"n": 2}), "b2 d2 b4", "0 wins: connected"),
            (json!({"n": 2}), "b2 b4 d4 d2 c3", "0 wins: connected"),
            (json!({"n": 2}), "c3 b2 b4 d2", "1 wins: connected"),
            // Corners do not connect.
            (json!({"layout": "B./.B"}), "a1", "0 wins: connected"),
            (json!({"layout": "B.#/.#B"}), "b2 a1", "draw: full"),
            // A path need not be straight.
            (json!({"layout": "##B/B.B/B##"}), "b2", "0 wins: connected"),
            (json!({"layout": "R.R"}), "b1", "0 wins: connected"),
        ] {
            assert_eq!(standing("bridg-it", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        let wide = ".".repeat(26);
        assert_refused(
            "bridg-it",
            [
                (json!({"layout": wide}), "layout"),
                (json!({"layout": "Bb/.."}), "layout"),
                (json!({"layout": "BR/RB"}), "layout"),
                (json!({"layout": "B./B."}), "layout"),
                (json!({"layout": "../RR"}), "layout"),
            ],
        );
    }

    #[test]
    fn the_first_player_wins_small_boards() {
        assert_eq!(solve::<BridgIt>(&json!({"n": 2})), 1);
        assert_eq!(solve::<BridgIt>(&json!({"n": 3})), 1);
    }

    #[test]
    fn distances_are_equal_at_the_start() {
        assert_eq!(start::<BridgIt>(&json!({})).evaluate(), 0);
    }
}
