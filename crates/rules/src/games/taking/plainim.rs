//! Plainim, for two: Nim written in binary.
//!
//! Rows of squares, all equally long, with a pebble on some squares. The default has four rows of
//! three squares:
//!
//! ```text
//! 1  . . o
//! 2  . o o
//! 3  o . o
//! 4  o o o
//! ```
//!
//! - A move changes one row: take at least one pebble off it. You may at the same time put pebbles
//!   on squares of that row that were empty, as long as a pebble is taken from a square further to
//!   the left.
//! - Read a pebble as 1 and an empty square as 0: the new row may be any smaller binary number.
//! - A move is written as the number of the row, counted from 1 at the top, and its new contents:
//!   `3:011`.
//! - The game ends when no pebble is left. Whoever took the last one loses; without `misere`, wins.
//!
//! Source: exercise 2.34, whose figure is lost. The rows 1, 3, 5, 7 are our layout. The game is
//! known as Plainim. At least one pebble must be taken, or a move could change nothing.
//!
//! Theory: each row is a heap of Nim of the size that it spells.

use super::prelude::*;
use super::row::read_row;
use super::theory::{mover_wins_nim, worth};

params! {
    /// The rows from the top, each a text of `0` and `1` (a pebble), all equally long.
    rows: Vec<String> of 1..=8 in 1..=10 = ["001", "011", "101", "111"],
    /// Whoever takes the last pebble loses.
    misere: bool = true,
}

pub type Plainim = InTurn<PebbleRows>;

/// Each row as the number that it spells; rows that do not exist are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PebbleRows {
    rows: [u16; 8],
    height: u8,
    width: u8,
    misere: bool,
}

/// The new contents of a row. Rows are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rewrite {
    row: u8,
    width: u8,
    value: u16,
}

impl fmt::Display for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:02$b}", self.row + 1, self.value, self.width as usize)
    }
}

impl FromStr for Rewrite {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Rewrite, NotAMove> {
        let (row, bits) = text.split_once(':').ok_or(NotAMove)?;
        let binary = bits.bytes().all(|byte| byte == b'0' || byte == b'1');
        let value =
            u16::from_str_radix(bits, 2).ok().filter(|_| binary && bits.len() <= 10).ok_or(NotAMove)?;
        let Nth(row) = row.parse()?;
        Ok(Rewrite { row, width: bits.len() as u8, value })
    }
}

impl PebbleRows {
    fn rows(&self) -> &[u16] {
        &self.rows[..self.height as usize]
    }

    fn pebble(&self, value: u16, column: u8) -> bool {
        value >> (self.width - 1 - column) & 1 == 1
    }
}

impl Impartial for PebbleRows {
    type Params = Params;
    type Move = Rewrite;

    const ABOUT: About = About {
        id: "plainim",
        name: "Plainim",
        source: "2.34",
        summary: "Make the binary number of a row smaller; the last pebble loses.",
        notation: "row:new contents",
        example: "3:011",
        touches,
        file: include_str!("plainim.rs"),
        ..TAKING
    };

    const REASON: &str = "last_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let mut rows = [0; 8];
        let width = params.rows.first().map_or(0, |row| row.chars().count());
        for (at, text) in params.rows.iter().enumerate() {
            let field = format!("rows[{at}]");
            let row = read_row(&field, text, "01", 1..=10)?;
            require(row.len() == width, &field, || {
                format!("has {} squares where the first row has {width}", row.len())
            })?;
            rows[at] = row.iter().fold(0, |value, &glyph| value << 1 | u16::from(glyph == '1'));
        }
        require(rows != [0; 8], "rows", || {
            "at least one pebble is needed, or the game is over at once".into()
        })?;
        let height = params.rows.len() as u8;
        Ok(PebbleRows { rows, height, width: width as u8, misere: params.misere })
    }

    fn is_over(&self) -> bool {
        self.rows == [0; 8]
    }

    fn misere(&self) -> bool {
        self.misere
    }

    /// Row by row, smaller numbers first.
    fn moves(&self, out: &mut Vec<Rewrite>) {
        for (row, &value) in self.rows().iter().enumerate() {
            out.extend((0..value).map(|value| Rewrite { row: row as u8, width: self.width, value }));
        }
    }

    fn play(&mut self, rewrite: &Rewrite) {
        self.rows[rewrite.row as usize] = rewrite.value;
    }

    fn show(&self, view: &mut View) {
        let width = self.width as usize;
        let rows: Vec<String> = self.rows().iter().map(|value| format!("{value:0width$b}")).collect();
        view.put("rows", "The rows from row 1 on, in binary: 1 is a pebble, 0 an empty square.", rows);
        view.put("misere", "Does whoever takes the last pebble lose?", self.misere);
    }

    /// The number of a row is a site of its own, which a move marks.
    fn picture(&self) -> Picture {
        let mut sites = Vec::new();
        for (at, &value) in (1..).zip(self.rows()) {
            let y = f32::from(self.height - at);
            sites.push(Site::new(
                at.to_string(),
                0.0,
                y,
                Piece::neutral((b'0' + at) as char).as_a(Shape::Word),
            ));
            for column in 0..self.width {
                let piece = if self.pebble(value, column) { Piece::neutral('o') } else { Piece::EMPTY };
                sites.push(Site::new(format!("{at}/{}", column + 1), f32::from(column) + 2.0, y, piece));
            }
        }
        Picture { scale: (2, 1), ground: Ground::Cells, sites, ..Picture::default() }
    }

    fn longest(&self) -> u32 {
        self.rows.iter().map(|&value| u32::from(value)).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let sizes = self.rows().iter().map(|&value| u32::from(value));
        worth(mover_wins_nim(sizes, self.misere))
    }

    /// Rows in order.
    fn canonical(&self) -> Self {
        let mut rows = self.rows;
        rows[..self.height as usize].sort_unstable();
        PebbleRows { rows, ..*self }
    }
}

impl Divisible for PebbleRows {
    fn parts(&self) -> Vec<Self> {
        let part = |&value: &u16| {
            let mut rows = [0; 8];
            rows[0] = value;
            PebbleRows { rows, ..*self }
        };
        self.rows().iter().filter(|&&value| value > 0).map(part).collect()
    }
}

/// The squares that change, from left to right.
fn touches(picture: &Picture, mv: &str) -> Vec<Touch> {
    let Some((row, bits)) = mv.split_once(':') else { return picture.touches(mv) };
    let changed = (1..).zip(bits.bytes()).filter_map(|(column, bit)| {
        let name = format!("{row}/{column}");
        let site = &picture.sites[picture.site_named(&name)?];
        let was_empty = site.piece == Piece::EMPTY;
        (was_empty == (bit == b'1')).then_some(Touch::Site(name))
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use crate::{Draws, Seed, find};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, rows, choices, won) in [
            (json!({"rows": ["01", "10"]}), "", json!(["01", "10"]), "1:00 2:00 2:01", None),
            (json!({"rows": ["01", "10"]}), "2:01", json!(["01", "01"]), "1:00 2:00", None),
            (json!({"rows": ["0100"]}), "", json!(["0100"]), "1:0000 1:0001 1:0010 1:0011", None),
            (json!({"rows": ["10"]}), "1:00", json!(["00"]), "", Some(1)),
            (json!({"rows": ["10"], "misere": false}), "1:00", json!(["00"]), "", Some(0)),
        ] {
            assert_eq!(seen("plainim", &params, moves, "rows"), rows, "{params} {moves}");
            assert_eq!(legal("plainim", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("plainim", &params, moves), won, "{params} {moves}");
        }
        for wrong in ["3:+11", "3:", "03:011", "0:011", "3:012", "3:01100110011", "3"] {
            assert!(wrong.parse::<Rewrite>().is_err(), "`{wrong}`");
        }
    }

    /// What the rules say of pebbles is the same as "any smaller number".
    #[test]
    fn taking_and_putting_gives_every_smaller_number() {
        for before in 0..64_u32 {
            for after in 0..64_u32 {
                let (taken, put) = (before & !after, after & !before);
                // The leftmost square that is filled, if any, has one to its left that is emptied.
                let allowed = taken.leading_zeros() < put.leading_zeros();
                assert_eq!(allowed, after < before, "{before:b} to {after:b}");
            }
        }
    }

    #[test]
    fn rows_are_heaps_of_nim() {
        let mut solver = Solver::<Plainim>::new();
        assert!(!solver.mover_wins(&start(&json!({}))), "1, 3, 5, 7 is lost for the first player");
        assert!(solver.mover_wins(&start(&json!({"rows": ["011", "100", "101"]}))));
        solver.assert_evaluation_is_exact();
        let counts =
            |id, params| find(id).unwrap().perft(&params, Seed::from_number(0), 4, Draws::Off).unwrap();
        assert_eq!(counts("plainim", json!({})), counts("nim", json!({"heaps": [1, 3, 5, 7]})));
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "plainim",
            [
                (json!({"rows": ["000", "000"]}), "rows"),
                (json!({"rows": ["01", "1"]}), "rows[1]"),
                (json!({"rows": ["01", "12"]}), "rows[1]"),
            ],
        );
    }
}
