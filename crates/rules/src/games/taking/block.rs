//! A rectangle of cells on a small board, and the move that names it.

use crate::boards::Cell;
use crate::position::NotAMove;
use std::fmt;
use std::str::FromStr;

/// A rectangle by its lower left and upper right cell, written `b1-c3`; a single cell is just `b1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    pub from: Cell,
    pub to: Cell,
}

impl Block {
    /// Its cells as bits, by [`Cell::index`], on a board of this width and at most 64 cells.
    #[inline]
    pub(super) fn bits(self, width: u8) -> u64 {
        let row = ((1_u64 << (self.to.col - self.from.col + 1)) - 1) << self.from.col;
        (self.from.row..=self.to.row).fold(0, |bits, at| bits | row << (at * width))
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { self.from.fmt(f) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

impl FromStr for Block {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Block, NotAMove> {
        let Some((from, to)) = text.split_once('-') else {
            let cell = text.parse()?;
            return Ok(Block { from: cell, to: cell });
        };
        let (from, to): (Cell, Cell) = (from.parse()?, to.parse()?);
        let in_order = from.col <= to.col && from.row <= to.row && from != to;
        if in_order { Ok(Block { from, to }) } else { Err(NotAMove) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_only_in_their_one_form() {
        for text in ["a1", "a1-c1", "b2-b4", "b1-c3"] {
            assert_eq!(text.parse::<Block>().unwrap().to_string(), text);
        }
        for wrong in ["a1-a1", "c1-a1", "b4-b2", "a2-b1", "a1-", "-a1", "a1-b1-c1", "a1 - b1"] {
            assert_eq!(wrong.parse::<Block>(), Err(NotAMove), "`{wrong}`");
        }
    }

    #[test]
    fn bits_of_a_block() {
        let bits = |text: &str, width| text.parse::<Block>().unwrap().bits(width);
        assert_eq!(bits("b2", 4), 1 << 5);
        assert_eq!(bits("b1-c2", 4), 0b0110_0110);
        assert_eq!(bits("a1-a3", 1), 0b111);
    }
}
