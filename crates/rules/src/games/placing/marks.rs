//! The marks of two players on a board of up to 10 by 10 cells.

use super::bit_board::{Bits, choose_bit, list_bits};
use crate::boards::{BoardRows, Cell, Layout, Symmetry, first_glyph};
use crate::{Picture, Piece, Seat, View};
use std::hash::{Hash, Hasher};

/// Bits enough for a board of marks.
pub trait MarkBits: Bits + Ord + Into<u128> {}

impl MarkBits for u64 {}
impl MarkBits for u128 {}

/// A row has a bit more than the board has columns, which is never set, so that a shifted set can't
/// run over the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks<B = u128> {
    /// Of the player to move.
    own: B,
    /// Of the one who has just moved.
    others: B,
    empty: B,
    width: u8,
    height: u8,
    mover: Seat,
}

/// The rest follows, and boards of several sizes do not meet.
impl<B: Bits> Hash for Marks<B> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.own, self.others).hash(state);
    }
}

impl<B: MarkBits> Marks<B> {
    pub(super) fn none(width: u8, height: u8) -> Marks<B> {
        let empty = Cell::all(width, height).fold(B::NONE, |set, cell| set | B::of(cell));
        Marks { own: B::NONE, others: B::NONE, empty, width, height, mover: Seat::FIRST }
    }

    /// Has a board room for this many columns (and as many rows)?
    pub(super) fn has_room(size: u8) -> bool {
        u32::from(size) < B::STRIDE
    }

    /// Of the player to move, who is the other one then.
    #[inline]
    pub(super) fn put(&mut self, cell: Cell) {
        let bit = B::of(cell);
        (self.own, self.others) = (self.others, self.own | bit);
        self.empty = self.empty & !bit;
        self.mover = self.mover.other();
    }

    /// Whose turn it is, whether or not the game goes on.
    #[inline]
    pub(super) fn mover(&self) -> Seat {
        self.mover
    }

    /// The marks of the player who has just moved: only these can have decided the game.
    #[inline]
    pub(super) fn just_put(&self) -> B {
        self.others
    }

    /// One seat's marks.
    #[inline]
    pub(super) fn of(&self, seat: Seat) -> B {
        if seat == self.mover { self.own } else { self.others }
    }

    pub(super) fn has(&self, seat: Seat, cell: Cell) -> bool {
        self.of(seat) & B::of(cell) != B::NONE
    }

    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.empty & B::of(cell) != B::NONE
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.empty == B::NONE
    }

    pub(super) fn empty_count(&self) -> u32 {
        self.empty.count()
    }

    pub(super) fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// All cells of the board.
    #[inline]
    pub(super) fn board(&self) -> B {
        self.own | self.others | self.empty
    }

    /// The same for all boards that are alike when turned or mirrored.
    pub(super) fn canonical(&self) -> Marks<B> {
        let images = Symmetry::all(self.width, self.height).map(|symmetry| {
            let image = |set, cell| set | B::of(symmetry.cell(cell));
            [self.own, self.others].map(|marks| marks.cells().fold(B::NONE, image))
        });
        let [own, others] = images.min().unwrap_or([self.own, self.others]);
        Marks { own, others, empty: self.board() & !(own | others), ..*self }
    }

    /// Appends the empty cells, row by row from the bottom left.
    #[inline]
    pub(super) fn list_empty(&self, out: &mut Vec<Cell>) {
        list_bits(self.empty.into(), out, B::cell);
    }

    /// The empty cell behind this one in that list, or the first.
    #[inline]
    pub(super) fn next_empty(&self, last: Option<&Cell>) -> Option<Cell> {
        // All bits behind that cell; in two steps, because the last one can't be shifted out in
        // one.
        let behind = |cell: &Cell| !B::NONE << 1 << B::at(*cell);
        let rest = last.map_or(self.empty, |cell| self.empty & behind(cell));
        (rest != B::NONE).then(|| B::cell(rest.lowest()))
    }

    /// The empty cell that stands at the place in that list which `pick` names when it is told its
    /// length.
    #[inline]
    pub(super) fn choose_empty(&self, pick: impl FnOnce(usize) -> usize) -> Cell {
        B::cell(choose_bit(self.empty.into(), pick))
    }

    /// The rows from the top one down, with a character for each seat's marks.
    pub(super) fn rows(&self, glyphs: [char; 2]) -> BoardRows {
        let has = |cell| [Seat::FIRST, Seat::SECOND].map(|seat| self.has(seat, cell));
        Layout::rows(self.width, self.height, |cell| first_glyph(glyphs, has(cell)))
    }

    /// What there is to see in a game of X and O.
    pub(super) fn show(&self, view: &mut View) {
        view.word("mark", "The mark of the seat to move: `X` or `O`.", ["X", "O"][self.mover.index()]);
        let meaning = "`X` is a mark of seat 0, `O` one of seat 1, `.` an empty cell.";
        view.board(meaning, self.rows(['X', 'O']));
    }

    pub(super) fn picture(&self, glyphs: [char; 2]) -> Picture {
        self.rows(glyphs).picture(Piece::marks(glyphs))
    }
}

/// Shifting a set down by these puts each cell's neighbour to the right, above to the left, above,
/// and above to the right in its place: one of each pair of opposite directions.
#[inline]
fn steps<B: Bits>() -> [u32; 4] {
    [1, B::STRIDE - 1, B::STRIDE, B::STRIDE + 1]
}

/// Are there two cells of the set side by side in a row or a column?
#[inline]
pub(super) fn has_neighbours<B: Bits>(set: B) -> bool {
    set & (set >> 1 | set >> B::STRIDE) != B::NONE
}

/// All straight lines of `length` cells of a board, each as a set.
pub(super) fn lines<B: Bits>(board: B, length: u8) -> impl Iterator<Item = B> {
    steps::<B>().into_iter().flat_map(move |step| {
        let line = (0..u32::from(length)).fold(B::NONE, |line, at| line | B::bit(at * step));
        let starts = (1..length).fold(board, |starts, _| starts & starts >> step);
        starts.each().map(move |at| line << at)
    })
}

/// Is there an unbroken run of `length` cells of the set in a row, a column or a diagonal?
#[inline]
pub(super) fn has_run<B: Bits>(set: B, length: u8) -> bool {
    // A length that is known beforehand needs no loop.
    if length == 3 { run_starts(set, 3) != B::NONE } else { has_other_run(set, length) }
}

/// Rarely asked, and long; a search has less to carry along if it stays a call.
#[inline(never)]
fn has_other_run<B: Bits>(set: B, length: u8) -> bool {
    run_starts(set, length) != B::NONE
}

/// The first cells of the runs of this length, in any direction.
#[inline]
fn run_starts<B: Bits>(set: B, length: u8) -> B {
    let mut runs = [set; 4];
    for _ in 1..length {
        for (run, step) in runs.iter_mut().zip(steps::<B>()) {
            *run = *run & (*run >> step);
        }
    }
    let [along, left, up, right] = runs;
    along | left | up | right
}
