//! Two lone pieces on a board that is used up.

use crate::boards::{BoardRows, Cell, CellSet, Direction, Layout, Symmetry, first_glyph};
use crate::{Seat, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LonePieces {
    pub(super) pieces: [Cell; 2],
    /// Cells that can't be entered any more.
    pub(super) gone: CellSet<3>,
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) mover: Seat,
}

impl LonePieces {
    /// Where a seat's piece can go.
    pub(super) fn targets(&self, seat: Seat, ways: &'static [Direction]) -> impl Iterator<Item = Cell> {
        let (from, other) = (self.pieces[seat.index()], self.pieces[seat.other().index()]);
        let nearby = ways.iter().filter_map(move |&way| from.step(way, self.width, self.height));
        nearby.filter(move |&cell| cell != other && self.is_left(cell))
    }

    /// Is this cell still part of the board?
    #[inline]
    pub(super) fn is_left(&self, cell: Cell) -> bool {
        !self.gone.contains(cell.index(self.width))
    }

    pub(super) fn can_move(&self, ways: &'static [Direction]) -> bool {
        self.targets(self.mover, ways).next().is_some()
    }

    /// Whoever can't move loses.
    pub(super) fn turn(&self, ways: &'static [Direction]) -> Turn {
        if self.can_move(ways) { Turn::One(self.mover) } else { Turn::win(self.mover.other(), "no_moves") }
    }

    /// Moves a seat's piece and uses up a cell; the other side is to move.
    pub(super) fn go(&mut self, seat: Seat, to: Cell, gone: Cell) {
        self.pieces[seat.index()] = to;
        self.gone.insert(gone.index(self.width));
        self.mover = seat.other();
    }

    pub(super) fn left_count(&self) -> u32 {
        u32::from(self.width) * u32::from(self.height) - self.gone.len() as u32
    }

    /// How many more cells seat 0 has within reach, ten for each.
    pub(super) fn reach(&self, ways: &'static [Direction]) -> i32 {
        let reach = |seat| self.targets(seat, ways).count() as i32;
        10 * (reach(Seat::FIRST) - reach(Seat::SECOND))
    }

    /// Turned and mirrored.
    pub(super) fn canonical(&self) -> Self {
        let images = Symmetry::all(self.width, self.height).map(|symmetry| {
            (self.pieces.map(|piece| symmetry.cell(piece)), self.gone.image(symmetry, self.width))
        });
        let (pieces, gone) = images.min().unwrap_or((self.pieces, self.gone));
        LonePieces { pieces, gone, ..*self }
    }

    /// `W` and `B` are the pieces, `#` is a cell that is gone.
    pub(super) fn board(&self) -> BoardRows {
        let [white, black] = self.pieces;
        let glyph = |cell| first_glyph(['W', 'B', '#'], [cell == white, cell == black, !self.is_left(cell)]);
        Layout::rows(self.width, self.height, glyph)
    }
}
