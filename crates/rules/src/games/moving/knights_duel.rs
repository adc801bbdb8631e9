//! Two knights, for two.
//!
//! A board of 8 by 8 cells with one knight for each side: seat 0 has the white one on a1 and begins, seat 1 has
//! the black one on h8.
//!
//! - A move takes your own knight, as in chess two cells along a row or column and one to the side, to a cell on
//!   which no knight has stood yet, neither yours nor the other's. The cells on which the knights start, and on
//!   which they stand now, are used as well, so that nothing is ever captured.
//! - It is written as the cell it goes to: `c2`. Columns are a, b, c, … from the left, rows 1, 2, 3, … from the
//!   bottom.
//! - Whoever is to move and can't loses.
//!
//! `width` and `height` change the board, `white` and `black` the cells to start from; on a board without h8 the
//! cell of the black knight has to be given.
//!
//! Source: exercise 2.3, which leaves the start cells free; opposite corners are our choice.

use crate::boards::{Cell, CellSet, Direction, Layout, Symmetry};
use crate::json::{Json, view};
use crate::params::params;
use crate::{About, Duel, Eyes, Family, ParamError, Picture, Position, Seat, Seed, Turn, require};

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

impl Params {
    fn cell(&self, field: &str, text: &str) -> Result<Cell, ParamError> {
        let (width, height) = (self.width, self.height);
        let cell = text.parse::<Cell>().ok().filter(|cell| cell.col < width && cell.row < height);
        let last = Cell::new(width - 1, height - 1);
        cell.ok_or_else(|| ParamError::new(field, format!("expected a cell from a1 to {last}, not `{text}`")))
    }
}

/// Clockwise.
const LEAPS: [Direction; 8] = [
    Direction { right: 1, up: 2 },
    Direction { right: 2, up: 1 },
    Direction { right: 2, up: -1 },
    Direction { right: 1, up: -2 },
    Direction { right: -1, up: -2 },
    Direction { right: -2, up: -1 },
    Direction { right: -2, up: 1 },
    Direction { right: -1, up: 2 },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KnightsDuel {
    knights: [Cell; 2],
    /// Cells on which a knight stands or has stood.
    used: CellSet<3>,
    width: u8,
    height: u8,
    mover: Seat,
}

impl KnightsDuel {
    fn targets(&self, seat: Seat) -> impl Iterator<Item = Cell> {
        let from = self.knights[seat.index()];
        let leaps = LEAPS.iter().filter_map(move |&leap| from.step(leap, self.width, self.height));
        leaps.filter(|cell| !self.used.contains(cell.index(self.width)))
    }

    fn can_move(&self) -> bool {
        self.targets(self.mover).next().is_some()
    }

    /// `W` and `B` are the knights, `#` is a cell that was used.
    fn glyph(&self, cell: Cell) -> char {
        if cell == self.knights[0] {
            'W'
        } else if cell == self.knights[1] {
            'B'
        } else if self.used.contains(cell.index(self.width)) {
            '#'
        } else {
            '.'
        }
    }
}

impl Position for KnightsDuel {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "knights-duel",
        name: "Two knights",
        source: "2.3",
        family: Family::Moving,
        seats: (2, 2),
        summary: "Two knights, no cell twice; whoever is stuck loses.",
        notation: "the cell to go to",
        example: "c2",
        version: 1,
        file: include_str!("knights_duel.rs"),
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, .. } = *params;
        let knights = [params.cell("white", &params.white)?, params.cell("black", &params.black)?];
        require(knights[0] != knights[1], "black", || "the knights need two different cells".into())?;
        let used = knights.iter().map(|cell| cell.index(width)).collect();
        let duel = KnightsDuel { knights, used, width, height, mover: Seat::FIRST };
        require(duel.can_move(), "white", || "the white knight has no move".into())?;
        Ok(duel)
    }

    fn turn(&self) -> Turn {
        if self.can_move() { Turn::One(self.mover) } else { Turn::win(self.mover.other(), "no_moves") }
    }

    /// Clockwise from the leap two up and one to the right.
    fn moves(&self, seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.targets(seat));
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        self.knights[seat.index()] = *cell;
        self.used.insert(cell.index(self.width));
        self.mover = seat.other();
    }

    fn view(&self, _eyes: Eyes) -> Json {
        view!({
            "to_move": self.mover,
            "knight": if self.mover == Seat::FIRST { "W" } else { "B" },
            "board": Layout::rows(self.width, self.height, |cell| self.glyph(cell)),
        })
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        Picture::two_sides(self.width, self.height, ['W', 'B'], |cell| self.glyph(cell))
    }

    fn longest(&self) -> Option<u32> {
        Some(u32::from(self.width) * u32::from(self.height) - self.used.len() as u32)
    }
}

impl Duel for KnightsDuel {
    /// Cells within reach.
    fn evaluate(&self) -> i32 {
        let reach = |seat| self.targets(seat).count() as i32;
        10 * (reach(Seat::FIRST) - reach(Seat::SECOND))
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height).map(|symmetry| {
            (self.knights.map(|knight| symmetry.cell(knight)), self.used.image(symmetry, self.width))
        });
        let (knights, used) = images.min().unwrap_or((self.knights, self.used));
        KnightsDuel { knights, used, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::KnightsDuel;
    use crate::games::moving::loop_free_in_tests::winner_from;
    use crate::{Seat, Seed};
    use serde_json::json;

    #[test]
    fn no_cell_is_entered_twice() {
        for (params, moves, legal) in [
            (json!({}), "", "b3 c2"),
            (json!({}), "b3", "f7 g6"),
            // Not back to a1.
            (json!({}), "b3 g6", "a5 c1 c5 d2 d4"),
            // Neither onto the other knight nor where it came from.
            (json!({"width": 5, "height": 5, "white": "c3", "black": "d5"}), "", "a2 a4 b1 b5 d1 e2 e4"),
            (json!({"width": 5, "height": 5, "white": "c3", "black": "d5"}), "b1 b4", "a3 d2"),
            (json!({"width": 3, "height": 3, "black": "c3"}), "b3 a2", "c1"),
        ] {
            let mut table =
                crate::find("knights-duel").unwrap().start(&params, Seed::from_number(0)).unwrap();
            for (ply, mv) in moves.split_whitespace().enumerate() {
                table.play(Seat(ply as u8 % 2), mv).unwrap();
            }
            let mut found = table.legal(Seat(moves.split_whitespace().count() as u8 % 2));
            found.sort_unstable();
            assert_eq!(found.join(" "), legal, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        for (params, field) in [
            (json!({"width": 2}), "width"),
            (json!({"height": 13}), "height"),
            (json!({"width": 7}), "black"),
            (json!({"white": "h8"}), "black"),
            (json!({"white": "A1"}), "white"),
            (json!({"width": 3, "height": 3, "white": "b2", "black": "a1"}), "white"),
        ] {
            let game = crate::find("knights-duel").unwrap();
            let refused = game.start(&params, Seed::from_number(0)).map(|_| ()).unwrap_err();
            assert_eq!(refused.field, field, "{params}: {refused}");
        }
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
