//! The marks of two players on a board of up to 10 by 10 cells.

use super::bit_board::{choose_bit, list_bits, one_bit};
use crate::boards::{Cell, Layout, Rows, Symmetry};
use crate::json::{Json, view};
use crate::{Picture, Seat};
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Shr};

/// Bits in a row. The eleventh is never set, so that a shifted set can't run over the edge.
const STRIDE: u32 = 11;

/// Shifting a set down by these puts each cell's neighbour to the right, above to the left, above, and above to
/// the right in its place: one of each pair of opposite directions.
pub(super) const STEPS: [u32; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];

/// The steps along a row and along a column.
pub(super) const STRAIGHT: [u32; 2] = [STEPS[0], STEPS[2]];

/// The cell of each bit.
static CELLS: [Cell; 128] = {
    let mut cells = [Cell::new(0, 0); 128];
    let mut at = 0;
    while at < cells.len() {
        cells[at] = Cell::new((at % STRIDE as usize) as u8, (at / STRIDE as usize) as u8);
        at += 1;
    }
    cells
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    by: [u128; 2],
    empty: u128,
    width: u8,
    height: u8,
}

/// What is empty follows, and boards of several sizes do not meet.
impl Hash for Marks {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, second] = self.by;
        (first, second).hash(state);
    }
}

impl Marks {
    pub(super) fn none(width: u8, height: u8) -> Marks {
        let empty = Cell::all(width, height).map(bit).sum();
        Marks { by: [0; 2], empty, width, height }
    }

    #[inline]
    pub(super) fn put(&mut self, seat: Seat, cell: Cell) {
        let bit = bit(cell);
        let [first, second] = self.by;
        self.by = [first | bit & !if_second(seat), second | bit & if_second(seat)];
        self.empty &= !bit;
    }

    /// One seat's marks, for tests by shifts.
    #[inline]
    pub(super) fn of(&self, seat: Seat) -> u128 {
        self.by[0] & !if_second(seat) | self.by[1] & if_second(seat)
    }

    pub(super) fn has(&self, seat: Seat, cell: Cell) -> bool {
        self.of(seat) & bit(cell) != 0
    }

    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.empty & bit(cell) != 0
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.empty == 0
    }

    pub(super) fn empty_count(&self) -> u32 {
        self.empty.count_ones()
    }

    pub(super) fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// All cells of the board.
    #[inline]
    pub(super) fn board(&self) -> u128 {
        self.by[0] | self.by[1] | self.empty
    }

    /// The same for all boards that are alike when turned or mirrored.
    pub(super) fn canonical(&self) -> Marks {
        let images = Symmetry::all(self.width, self.height)
            .map(|symmetry| self.by.map(|marks| symmetry.bits(marks, STRIDE as u8)));
        let by = images.min().unwrap_or(self.by);
        Marks { by, empty: self.board() & !(by[0] | by[1]), ..*self }
    }

    /// Appends the empty cells, row by row from the bottom left.
    #[inline]
    pub(super) fn list_empty(&self, out: &mut Vec<Cell>) {
        list_bits(self.empty, out, |at| CELLS[at as usize % CELLS.len()]);
    }

    /// The empty cell behind this one in that list, or the first.
    #[inline]
    pub(super) fn next_empty(&self, last: Option<&Cell>) -> Option<Cell> {
        let rest = match last {
            Some(&cell) => self.empty & !(bit(cell) | (bit(cell) - 1)),
            None => self.empty,
        };
        (rest != 0).then(|| CELLS[rest.trailing_zeros() as usize % CELLS.len()])
    }

    /// The empty cell that stands at the place in that list which `pick` names when it is told its length.
    #[inline]
    pub(super) fn choose_empty(&self, pick: impl FnOnce(usize) -> usize) -> Cell {
        CELLS[choose_bit(self.empty, pick) as usize % CELLS.len()]
    }

    fn glyph(&self, cell: Cell, glyphs: [char; 2]) -> char {
        if self.has(Seat::FIRST, cell) {
            glyphs[0]
        } else if self.has(Seat::SECOND, cell) {
            glyphs[1]
        } else {
            '.'
        }
    }

    /// The rows from the top one down, with a character for each seat's marks.
    pub(super) fn rows(&self, glyphs: [char; 2]) -> Rows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell, glyphs))
    }

    /// What there is to see in a game of X and O.
    pub(super) fn view(&self, mover: Seat) -> Json {
        let mark = if mover == Seat::FIRST { "X" } else { "O" };
        view!({ "to_move": mover, "mark": mark, "board": self.rows(['X', 'O']) })
    }

    pub(super) fn picture(&self, glyphs: [char; 2]) -> Picture {
        Picture::two_sides(self.width, self.height, glyphs, |cell| self.glyph(cell, glyphs))
    }
}

/// All bits for the second seat, none for the first: choosing by these and not by an index, the compiler can keep both
/// sets in registers.
#[inline]
fn if_second(seat: Seat) -> u128 {
    0_u128.wrapping_sub(u128::from(seat.0))
}

/// All straight lines of `length` cells of a board, each as a set.
pub(super) fn lines(board: u128, length: u8) -> impl Iterator<Item = u128> {
    STEPS.into_iter().flat_map(move |step| {
        let line = (0..u32::from(length)).fold(0, |line, at| line | one_bit(at * step));
        let mut starts = (1..length).fold(board, |starts, _| starts & starts >> step);
        std::iter::from_fn(move || {
            let at = starts.trailing_zeros();
            starts &= starts.wrapping_sub(1);
            (at < u128::BITS).then(|| line << at)
        })
    })
}

/// Is there an unbroken run of `length` cells of the set in a row, a column or a diagonal?
#[inline]
pub(super) fn has_run(set: u128, length: u8) -> bool {
    // Small boards fit into half the bits, where shifting takes half the time; a length that is known beforehand
    // needs no loop.
    match (u64::try_from(set), length) {
        (Ok(set), 3) => run_starts(set, 3) != 0,
        (Ok(set), _) => has_other_run(set, length),
        (Err(_), _) => has_other_run(set, length),
    }
}

/// Rarely asked, and long; a search has less to carry along if it stays a call.
#[inline(never)]
fn has_other_run<
    T: Copy + Default + PartialEq + BitAnd<Output = T> + BitOr<Output = T> + Shr<u32, Output = T>,
>(
    set: T,
    length: u8,
) -> bool {
    run_starts(set, length) != T::default()
}

/// The first cells of the runs of this length, in any direction.
#[inline]
fn run_starts<T: Copy + BitAnd<Output = T> + BitOr<Output = T> + Shr<u32, Output = T>>(
    set: T,
    length: u8,
) -> T {
    let mut runs = [set; 4];
    for _ in 1..length {
        for (run, step) in runs.iter_mut().zip(STEPS) {
            *run = *run & (*run >> step);
        }
    }
    let [along, left, up, right] = runs;
    along | left | up | right
}

#[inline]
pub(super) fn bit(cell: Cell) -> u128 {
    one_bit(u32::from(cell.row) * STRIDE + u32::from(cell.col))
}
