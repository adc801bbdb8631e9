//! Turning and mirroring a board onto itself.

use super::Cell;

/// One of the eight ways of a square board, or of the four of another rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    width: u8,
    height: u8,
    mirror_columns: bool,
    mirror_rows: bool,
    /// Columns and rows change places; square boards only.
    exchange: bool,
}

impl Symmetry {
    /// All of them, the one that changes nothing first.
    pub fn all(width: u8, height: u8) -> impl Iterator<Item = Symmetry> {
        let count = if width == height { 8 } else { 4 };
        (0..count).map(move |way| Symmetry {
            width,
            height,
            mirror_columns: way & 1 != 0,
            mirror_rows: way & 2 != 0,
            exchange: way & 4 != 0,
        })
    }

    /// Left and right, nothing else, for games in which a side moves up or down.
    pub fn sideways(width: u8, height: u8) -> impl Iterator<Item = Symmetry> {
        Symmetry::all(width, height).take(2)
    }

    /// Where a cell comes to lie.
    #[inline]
    #[must_use]
    pub fn cell(&self, cell: Cell) -> Cell {
        let col = if self.mirror_columns { self.width - 1 - cell.col } else { cell.col };
        let row = if self.mirror_rows { self.height - 1 - cell.row } else { cell.row };
        if self.exchange { Cell::new(row, col) } else { Cell::new(col, row) }
    }

    /// A set of cells in which each has the bit `row * stride + column`.
    #[inline]
    #[must_use]
    pub fn bits(&self, mut bits: u128, stride: u8) -> u128 {
        let mut image = 0;
        while bits != 0 {
            let cell = Cell::from_index(bits.trailing_zeros() as usize, stride);
            image |= 1 << self.cell(cell).index(stride);
            bits &= bits - 1;
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_symmetry_moves_the_cells_differently() {
        for (width, height, count) in [(3, 3, 8), (4, 4, 8), (3, 2, 4), (5, 3, 4)] {
            let images: BTreeSet<Vec<Cell>> = Symmetry::all(width, height)
                .map(|symmetry| Cell::all(width, height).map(|cell| symmetry.cell(cell)).collect())
                .collect();
            assert_eq!(images.len(), count, "{width} by {height}");
            for image in images {
                let cells: BTreeSet<Cell> = image.into_iter().collect();
                assert!(cells.into_iter().eq(Cell::all(width, height)), "cells are lost");
            }
        }
    }

    #[test]
    fn a_set_moves_like_its_cells() {
        let corner = 0b1011; // a1, b1 and a2 of a board three wide
        for (symmetry, image) in Symmetry::all(3, 3).zip([0o013, 0o046, 0o310, 0o640]) {
            assert_eq!(symmetry.bits(corner, 3), image, "{symmetry:?}");
        }
    }
}
