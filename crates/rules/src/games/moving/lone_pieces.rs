//! Two lone pieces on a board that is used up.

use crate::boards::{BoardRows, Cell, CellSet, Direction, Layout, Symmetry, first_glyph};
use crate::{Seat, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LonePieces<const WORDS: usize> {
    pub(super) pieces: [Cell; 2],
    /// Cells that can still be entered.
    pub(super) left: CellSet<WORDS>,
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) mover: Seat,
}

impl<const WORDS: usize> LonePieces<WORDS> {
    /// On a board of which some cells are gone already.
    pub(super) fn start(
        pieces: [Cell; 2],
        (width, height): (u8, u8),
        is_gone: impl Fn(Cell) -> bool,
    ) -> Self {
        let left = Cell::all(width, height).filter(|cell| !pieces.contains(cell) && !is_gone(*cell));
        let left = left.map(|cell| cell.index(width)).collect();
        LonePieces { pieces, left, width, height, mover: Seat::FIRST }
    }

    /// Where a seat's piece can go.
    #[inline]
    pub(super) fn targets(&self, seat: Seat, ways: &'static [Direction]) -> impl Iterator<Item = Cell> {
        let from = self.pieces[seat.index()];
        let nearby = ways.iter().filter_map(move |&way| from.step(way, self.width, self.height));
        nearby.filter(move |&cell| self.is_left(cell))
    }

    /// Can this cell be entered?
    #[inline]
    pub(super) fn is_left(&self, cell: Cell) -> bool {
        self.left.contains(cell.index(self.width))
    }

    #[inline]
    pub(super) fn can_move(&self, ways: &'static [Direction]) -> bool {
        self.targets(self.mover, ways).next().is_some()
    }

    /// Whoever can't move loses.
    #[inline]
    pub(super) fn turn(&self, ways: &'static [Direction]) -> Turn {
        if self.can_move(ways) { Turn::One(self.mover) } else { Turn::win(self.mover.other(), "no_moves") }
    }

    /// Moves a seat's piece, never to come back; the other side is to move.
    #[inline]
    pub(super) fn go(&mut self, seat: Seat, to: Cell) {
        self.pieces[seat.index()] = to;
        self.left.remove(to.index(self.width));
        self.mover = seat.other();
    }

    #[inline]
    pub(super) fn left_count(&self) -> u32 {
        self.left.len() as u32
    }

    /// How many more cells seat 0 has within reach, ten for each.
    #[inline]
    pub(super) fn reach(&self, ways: &'static [Direction]) -> i32 {
        let reach = |seat| self.targets(seat, ways).count() as i32;
        10 * (reach(Seat::FIRST) - reach(Seat::SECOND))
    }

    /// Turned and mirrored.
    pub(super) fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height).map(|symmetry| {
            (self.pieces.map(|piece| symmetry.cell(piece)), self.left.image(symmetry, self.width))
        });
        let (pieces, left) = images.min().unwrap_or((self.pieces, self.left));
        LonePieces { pieces, left, ..*self }
    }

    /// `W` and `B` are the pieces, `#` is a cell that is gone.
    pub(super) fn board(&self) -> BoardRows {
        let [white, black] = self.pieces;
        let glyph = |cell| first_glyph(['W', 'B', '#'], [cell == white, cell == black, !self.is_left(cell)]);
        Layout::rows(self.width, self.height, glyph)
    }
}
