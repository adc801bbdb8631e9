//! The discs of two sides on a board, some of whose cells are dark.

use crate::boards::{BoardRows, Cell, CellSet, Direction, Layout, Step, first_glyph};
use crate::{Seat, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Armies<const WORDS: usize> {
    pub(super) discs: [CellSet<WORDS>; 2],
    /// Cells without a disc that can be entered; the others are dark.
    pub(super) empty: CellSet<WORDS>,
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) mover: Seat,
}

impl<const WORDS: usize> Armies<WORDS> {
    /// Those of a layout, in which each side has a character of its own.
    pub(super) fn of(layout: &Layout, sides: [char; 2]) -> Self {
        Armies {
            discs: sides.map(|side| layout.indices_of(side).collect()),
            empty: layout.indices_of('.').collect(),
            width: layout.width,
            height: layout.height,
            mover: Seat::FIRST,
        }
    }

    #[inline]
    pub(super) fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// Where the discs of a seat stand, row by row from the bottom left.
    #[inline]
    pub(super) fn cells(&self, seat: Seat) -> impl Iterator<Item = Cell> {
        self.discs[seat.index()].cells(self.width)
    }

    #[inline]
    pub(super) fn has(&self, seat: Seat, cell: Cell) -> bool {
        self.discs[seat.index()].contains(cell.index(self.width))
    }

    #[inline]
    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.empty.contains(cell.index(self.width))
    }

    /// The steps of a seat to empty cells: disc by disc, then way by way.
    #[inline]
    pub(super) fn steps(&self, seat: Seat, ways: &'static [Direction]) -> impl Iterator<Item = Step> {
        self.cells(seat).flat_map(move |from| {
            let nearby = ways.iter().filter_map(move |&way| from.step(way, self.width, self.height));
            nearby.filter(|&to| self.is_empty(to)).map(move |to| Step { from, to })
        })
    }

    /// Moves a disc. What stood in its place is captured, and the other side is to move.
    #[inline]
    pub(super) fn go(&mut self, seat: Seat, step: Step) {
        let (from, to) = (step.from.index(self.width), step.to.index(self.width));
        self.discs[seat.index()].remove(from);
        self.discs[seat.index()].insert(to);
        self.discs[seat.other().index()].remove(to);
        self.empty.insert(from);
        self.empty.remove(to);
        self.mover = seat.other();
    }

    /// Whoever can't move loses.
    #[inline]
    pub(super) fn turn(&self, can_move: bool) -> Turn {
        if can_move { Turn::One(self.mover) } else { Turn::win(self.mover.other(), "no_moves") }
    }

    /// The discs with those of the player to move first.
    #[inline]
    pub(super) fn own_first(&self) -> [CellSet<WORDS>; 2] {
        self.mover.own_first(self.discs)
    }

    pub(super) fn board(&self, sides: [char; 2]) -> BoardRows {
        let glyphs = [sides[0], sides[1], '#'];
        Layout::rows(self.width, self.height, |cell| {
            let index = cell.index(self.width);
            let [first, second] = self.discs.map(|discs| discs.contains(index));
            first_glyph(glyphs, [first, second, !self.empty.contains(index)])
        })
    }
}
