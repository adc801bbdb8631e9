//! Start positions written as text.

use super::Cell;
use crate::json;
use crate::params::ParamError;
use crate::picture::{Picture, Piece};
use std::fmt;
use std::ops::RangeInclusive;

/// A board given as one string: the rows from the top one down, joined by `/`, one character per
/// cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub width: u8,
    pub height: u8,
    /// By [`Cell::index`].
    glyphs: Vec<char>,
}

impl Layout {
    /// Reads a layout made of the characters `allowed`. Errors name the row and column at fault.
    pub fn read(
        field: &str,
        text: &str,
        allowed: &str,
        columns: RangeInclusive<u8>,
        rows: RangeInclusive<u8>,
    ) -> Result<Layout, ParamError> {
        let refuse = |problem: String| Err(ParamError::new(field, problem));
        let lines: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
        let (height, width) = (lines.len(), lines[0].len());
        if height > u8::MAX as usize || !rows.contains(&(height as u8)) {
            return refuse(format!("needs {} rows, has {height}", from_to(&rows)));
        }
        if width > u8::MAX as usize || !columns.contains(&(width as u8)) {
            return refuse(format!("needs {} columns, has {width}", from_to(&columns)));
        }
        for (from_top, line) in lines.iter().enumerate() {
            let row = height - from_top;
            if line.len() != width {
                let count = line.len();
                return refuse(format!("row {row} has {count} columns where the top row has {width}"));
            }
            if let Some(col) = line.iter().position(|&glyph| !allowed.contains(glyph)) {
                let cell = Cell::new(col as u8, row as u8 - 1);
                let allowed = allowed.chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(" ");
                return refuse(format!(
                    "row {row}, column {}, the cell {cell}: `{}` is none of {allowed}",
                    col + 1,
                    line[col]
                ));
            }
        }
        let glyphs = lines.into_iter().rev().flatten().collect();
        Ok(Layout { width: width as u8, height: height as u8, glyphs })
    }

    pub fn glyph(&self, cell: Cell) -> char {
        self.glyphs[cell.index(self.width)]
    }

    /// Every cell with its character, row by row from the bottom left.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, char)> {
        Cell::all(self.width, self.height).zip(self.glyphs.iter().copied())
    }

    /// The numbers of the cells that hold this character, in ascending order.
    pub fn indices_of(&self, glyph: char) -> impl Iterator<Item = usize> {
        self.glyphs.iter().enumerate().filter(move |(_, found)| **found == glyph).map(|(index, _)| index)
    }

    pub fn count(&self, glyph: char) -> usize {
        self.indices_of(glyph).count()
    }

    /// The rows of a board from the top one down, for a view: `["X..", ".O.", "..."]`.
    pub fn rows(width: u8, height: u8, glyph: impl Fn(Cell) -> char) -> BoardRows {
        let mut glyphs = Vec::with_capacity(width as usize * height as usize);
        for row in (0..height).rev() {
            for col in 0..width {
                let glyph = glyph(Cell::new(col, row));
                debug_assert!(
                    (glyph == ' ' || glyph.is_ascii_graphic()) && !"\"\\/".contains(glyph),
                    "{glyph} in a view"
                );
                glyphs.push(glyph as u8);
            }
        }
        BoardRows { width: width as usize, glyphs }
    }
}

/// The rows of a board: as text a layout, in a view a list of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRows {
    width: usize,
    /// Plain ASCII that needs no escapes.
    glyphs: Vec<u8>,
}

impl BoardRows {
    /// Columns and rows.
    pub(crate) fn size(&self) -> [usize; 2] {
        [self.width, self.glyphs.len() / self.width]
    }

    /// The same board as a picture: `.` is an empty cell, `#` a blocked one, and each side has its
    /// piece.
    pub fn picture(&self, sides: [Piece; 2]) -> Picture {
        self.draw(|glyph| {
            sides.into_iter().find(|piece| piece.glyph == glyph).unwrap_or(Piece::neutral(glyph))
        })
    }

    /// The same board as a picture, whose cells are drawn by `piece` unless they are empty or
    /// blocked.
    pub fn draw(&self, piece: impl Fn(char) -> Piece) -> Picture {
        let height = self.glyphs.len() / self.width;
        Picture::board(self.width as u8, height as u8, |cell| {
            let from_top = height - 1 - cell.row as usize;
            match self.glyphs[from_top * self.width + cell.col as usize] {
                b'.' => Piece::EMPTY,
                b'#' => Piece::BLOCKED,
                glyph => piece(glyph as char),
            }
        })
    }
}

/// The character of the first that holds, or `.` if none does.
pub fn first_glyph<const COUNT: usize>(glyphs: [char; COUNT], holds: [bool; COUNT]) -> char {
    holds.iter().position(|&holds| holds).map_or('.', |at| glyphs[at])
}

impl fmt::Display for BoardRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<&[u8]> = self.glyphs.chunks(self.width).collect();
        f.write_str(&String::from_utf8_lossy(&rows.join(&b'/')))
    }
}

impl json::Piece for BoardRows {
    fn write(&self, json: &mut Vec<u8>) {
        for (at, row) in self.glyphs.chunks(self.width).enumerate() {
            json.extend_from_slice(if at == 0 { b"[\"" } else { b",\"" });
            json.extend_from_slice(row);
            json.push(b'"');
        }
        json.push(b']');
    }
}

fn from_to(range: &RangeInclusive<u8>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;
    use serde_json::json;

    #[test]
    fn rows_come_from_the_top() {
        let layout = Layout::read("layout", "BR/..", "BR.", 1..=5, 1..=5).unwrap();
        assert_eq!(layout.glyph("a2".parse().unwrap()), 'B');
        assert_eq!(layout.glyph("b2".parse().unwrap()), 'R');
        assert_eq!(layout.indices_of('.').collect::<Vec<_>>(), [0, 1]);
        assert_eq!(Json::of(&Layout::rows(2, 2, |cell| layout.glyph(cell))).value(), json!(["BR", ".."]));
    }

    #[test]
    fn a_bad_layout_is_answered_with_the_place_at_fault() {
        for (text, problem) in [
            ("BR/.X", "row 1, column 2, the cell b1: `X` is none of `B` `R` `.`"),
            ("BR/.", "row 1 has 1 columns where the top row has 2"),
            ("B", "needs 2 to 3 rows, has 1"),
            ("BRBRBR/BRBRBR", "needs 1 to 5 columns, has 6"),
            ("", "needs 2 to 3 rows, has 1"),
        ] {
            let error = Layout::read("layout", text, "BR.", 1..=5, 2..=3).unwrap_err();
            assert_eq!(error.problem, problem, "for `{text}`");
        }
        let error = Layout::read("layout", "B", "B", 1..=1, 2..=2).unwrap_err();
        assert_eq!(error.problem, "needs 2 rows, has 1");
    }
}
