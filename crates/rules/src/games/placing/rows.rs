//! A set of cells of a board of up to 12 by 12, one number per row.

use crate::boards::{Cell, Symmetry};

const HEIGHT: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rows(pub(super) [u16; HEIGHT]);

impl Rows {
    pub(super) fn full(width: u8, height: u8) -> Rows {
        Rows(std::array::from_fn(|row| if row < height as usize { (1 << width) - 1 } else { 0 }))
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.0[cell.row as usize] >> cell.col & 1 == 1
    }

    pub(super) fn insert(&mut self, cell: Cell) {
        self.0[cell.row as usize] |= 1 << cell.col;
    }

    pub(super) fn remove(&mut self, cell: Cell) {
        self.0[cell.row as usize] &= !(1 << cell.col);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; HEIGHT]
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Row by row from the bottom left.
    pub(super) fn cells(self) -> impl Iterator<Item = Cell> {
        self.0.into_iter().enumerate().flat_map(|(row, mut bits)| {
            std::iter::from_fn(move || {
                let col = bits.trailing_zeros() as u8;
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    Cell::new(col, row as u8)
                })
            })
        })
    }

    /// The set with left and right or top and bottom exchanged.
    #[must_use]
    pub(super) fn mirrored(mut self, columns: Option<u8>, rows: Option<u8>) -> Rows {
        if let Some(width) = columns {
            self.0 = self.0.map(|row| row.reverse_bits() >> (16 - u32::from(width)));
        }
        if let Some(height) = rows {
            self.0[..height as usize].reverse();
        }
        self
    }

    /// The set after the board is turned or mirrored.
    #[must_use]
    pub(super) fn image(&self, symmetry: Symmetry) -> Rows {
        let mut image = Rows::default();
        self.cells().for_each(|cell| image.insert(symmetry.cell(cell)));
        image
    }

    /// With rows and columns exchanged: first in blocks of 8 by 8, then inside these in blocks of 4
    /// by 4, and so on.
    #[must_use]
    pub(super) fn exchanged(&self) -> Rows {
        let mut rows: [u16; 16] = std::array::from_fn(|row| self.0.get(row).copied().unwrap_or(0));
        for (size, left) in [(8, 0x00ff), (4, 0x0f0f), (2, 0x3333), (1, 0x5555)] {
            for row in (0..16).filter(|row| row & size == 0) {
                let differing = (rows[row] >> size ^ rows[row + size]) & left;
                rows[row] ^= differing << size;
                rows[row + size] ^= differing;
            }
        }
        Rows(std::array::from_fn(|row| rows[row]))
    }

    /// Each row made from the row below it, itself and the row above it.
    #[must_use]
    pub(super) fn blend(&self, row: impl Fn(u16, u16, u16) -> u16) -> Rows {
        let at = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Rows(std::array::from_fn(|index| row(at(index.wrapping_sub(1)), at(index), at(index + 1))))
    }

    /// The cells beside those of the set: left, right, above and below, on the board or not.
    #[must_use]
    pub(super) fn beside(&self) -> Rows {
        self.blend(|below, row, above| below | row << 1 | row >> 1 | above)
    }

    /// The set with the cells beside it.
    #[must_use]
    pub(super) fn grown(&self) -> Rows {
        self.blend(|below, row, above| below | row | row << 1 | row >> 1 | above)
    }

    #[must_use]
    pub(super) fn one(cell: Cell) -> Rows {
        let mut rows = Rows::default();
        rows.insert(cell);
        rows
    }

    #[must_use]
    pub(super) fn and(&self, other: &Rows) -> Rows {
        Rows(std::array::from_fn(|row| self.0[row] & other.0[row]))
    }

    #[must_use]
    pub(super) fn without(&self, other: &Rows) -> Rows {
        Rows(std::array::from_fn(|row| self.0[row] & !other.0[row]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_change_places() {
        let cells = [(0, 0), (11, 3), (4, 10), (7, 8), (8, 7), (2, 1)];
        let set = |cells: &mut dyn Iterator<Item = (u8, u8)>| {
            let mut rows = Rows::default();
            cells.for_each(|(col, row)| rows.insert(Cell::new(col, row)));
            rows
        };
        let rows = set(&mut cells.into_iter());
        assert_eq!(rows.exchanged(), set(&mut cells.into_iter().map(|(col, row)| (row, col))));
        assert_eq!(rows.exchanged().exchanged(), rows);
    }
}
