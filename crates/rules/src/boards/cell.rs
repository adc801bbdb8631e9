//! A square of a board, the eight directions, and the step from one square to another.

use crate::notation::pair;
use crate::params::ParamError;
use crate::position::NotAMove;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Column `a`, `b`, … from the left and row `1`, `2`, … from the bottom, both counted from 0
/// inside.
///
/// Ordered by row, then column: `a1 b1 c1 a2 …`, the order in which boards list their cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub row: u8,
    pub col: u8,
}

impl Cell {
    pub const fn new(col: u8, row: u8) -> Cell {
        Cell { row, col }
    }

    /// Row by row from the bottom left.
    pub fn all(width: u8, height: u8) -> impl Iterator<Item = Cell> + Clone {
        (0..height).flat_map(move |row| (0..width).map(move |col| Cell { row, col }))
    }

    /// The cell's number in the order of [`Cell::all`].
    pub fn index(self, width: u8) -> usize {
        self.row as usize * width as usize + self.col as usize
    }

    pub fn from_index(index: usize, width: u8) -> Cell {
        Cell { row: (index / width as usize) as u8, col: (index % width as usize) as u8 }
    }

    /// A parameter that names a cell of a board.
    pub fn read(field: &str, text: &str, (width, height): (u8, u8)) -> Result<Cell, ParamError> {
        let cell = text.parse::<Cell>().ok().filter(|cell| cell.col < width && cell.row < height);
        let last = Cell::new(width - 1, height - 1);
        cell.ok_or_else(|| ParamError::new(field, format!("expected a cell from a1 to {last}, not `{text}`")))
    }

    /// The neighbour in a direction, unless that leaves the board.
    pub fn step(self, direction: Direction, width: u8, height: u8) -> Option<Cell> {
        let col = self.col.wrapping_add_signed(direction.right);
        let row = self.row.wrapping_add_signed(direction.up);
        (col < width && row < height).then_some(Cell { row, col })
    }

    /// All cells from the next one to the edge of the board.
    pub fn ray(self, direction: Direction, width: u8, height: u8) -> impl Iterator<Item = Cell> {
        std::iter::successors(self.step(direction, width, height), move |cell| {
            cell.step(direction, width, height)
        })
    }

    pub fn column_letter(self) -> char {
        (b'a' + self.col) as char
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Cells are written so often that the general way to format a number shows.
        let (column, row) = (b'a' + self.col, self.row + 1);
        let digits = [column, b'0' + row / 10, b'0' + row % 10];
        let text = if row < 10 { &[column, digits[2]][..] } else { &digits[..] };
        f.write_str(std::str::from_utf8(text).unwrap_or("?"))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Cell {
    type Err = NotAMove;

    /// One small letter and a number from 1 to 99 without a leading zero.
    fn from_str(text: &str) -> Result<Cell, NotAMove> {
        let (col, row) = match text.as_bytes() {
            [col @ b'a'..=b'z', ones @ b'1'..=b'9'] => (col, ones - b'0'),
            [col @ b'a'..=b'z', tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => {
                (col, (tens - b'0') * 10 + (ones - b'0'))
            }
            _ => return Err(NotAMove),
        };
        Ok(Cell { row: row - 1, col: col - b'a' })
    }
}

/// One step on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Direction {
    pub right: i8,
    pub up: i8,
}

impl Direction {
    const fn new(right: i8, up: i8) -> Direction {
        Direction { right, up }
    }

    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction { right: -self.right, up: -self.up }
    }
}

/// North, east, south, west.
pub const ORTHOGONAL: [Direction; 4] =
    [Direction::new(0, 1), Direction::new(1, 0), Direction::new(0, -1), Direction::new(-1, 0)];

/// The leaps of a knight, clockwise.
pub const LEAPS: [Direction; 8] = [
    Direction::new(1, 2),
    Direction::new(2, 1),
    Direction::new(2, -1),
    Direction::new(1, -2),
    Direction::new(-1, -2),
    Direction::new(-2, -1),
    Direction::new(-2, 1),
    Direction::new(-1, 2),
];

/// North-east, south-east, south-west, north-west.
pub const DIAGONAL: [Direction; 4] =
    [Direction::new(1, 1), Direction::new(1, -1), Direction::new(-1, -1), Direction::new(-1, 1)];

/// Clockwise from north. The first four, up to south-east, are one of each pair of opposites.
pub const EIGHT: [Direction; 8] = [
    ORTHOGONAL[0],
    DIAGONAL[0],
    ORTHOGONAL[1],
    DIAGONAL[1],
    ORTHOGONAL[2],
    DIAGONAL[2],
    ORTHOGONAL[3],
    DIAGONAL[3],
];

/// The move of one piece from a cell to another, written `a2-b3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    pub from: Cell,
    pub to: Cell,
}

pair!(Step { from "-" to });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_only_in_their_one_form() {
        for cell in Cell::all(26, 30) {
            assert_eq!(cell.to_string().parse(), Ok(cell));
        }
        for wrong in ["", "a", "a0", "a01", "A1", "a1 ", " a1", "aa1", "1a", "a100", "a-1", "é1"] {
            assert_eq!(wrong.parse::<Cell>(), Err(NotAMove), "`{wrong}`");
        }
    }

    #[test]
    fn steps_stay_on_the_board() {
        let corner: Cell = "c2".parse().unwrap();
        let neighbours: Vec<String> =
            EIGHT.iter().filter_map(|&d| corner.step(d, 3, 2)).map(|cell| cell.to_string()).collect();
        assert_eq!(neighbours, ["c1", "b1", "b2"]);
        let ray: Vec<String> = Cell::new(0, 0).ray(DIAGONAL[0], 4, 3).map(|cell| cell.to_string()).collect();
        assert_eq!(ray, ["b2", "c3"]);
    }
}
