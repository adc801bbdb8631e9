//! Boards as whole numbers, one bit for each cell: 64 bits for up to 8 by 8 cells, 128 for up to 11
//! by 11, 256 for up to 16 by 16.

use crate::boards::{Cell, RankedBits};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// The number with this one bit set.
///
/// Made of two halves on purpose: of a plain shift the compiler makes a write to a part of a word,
/// and reading the whole word back then has to wait for it.
#[inline]
pub(super) fn one_bit(at: u32) -> u128 {
    let (low, high): (u64, u64) = if at < 64 { (1 << at, 0) } else { (0, 1 << (at - 64)) };
    u128::from(high) << 64 | u128::from(low)
}

/// Appends an item for each bit that is set, from the lowest up.
#[inline]
pub(super) fn list_bits<T>(bits: u128, out: &mut Vec<T>, item: impl Fn(u32) -> T) {
    for (word, first) in [(bits as u64, 0), ((bits >> 64) as u64, 64)] {
        let mut rest = word;
        let mut next = || {
            // The highest bit changes no answer, and spares the processor the question whether
            // there is one.
            let at = first + (rest | 1 << 63).trailing_zeros();
            rest &= rest.wrapping_sub(1);
            item(at)
        };
        // With its length known the list grows once, which is most of the speed of random games.
        if word != 0 {
            out.extend((0..word.count_ones()).map(|_| next()));
        }
    }
}

/// The place of one of the set bits: the one whose rank, counted from the lowest, `pick` names when
/// it is told how many there are.
#[inline]
pub(super) fn choose_bit(bits: u128, pick: impl FnOnce(usize) -> usize) -> u32 {
    let (low, high) = (RankedBits::of(bits as u64), (bits >> 64) as u64);
    // Small boards fit into half the bits.
    if high == 0 {
        return low.nth(pick(low.count()));
    }
    let high = RankedBits::of(high);
    let rank = pick(low.count() + high.count());
    if rank < low.count() { low.nth(rank) } else { 64 + high.nth(rank - low.count()) }
}

/// A set of cells that can be shifted by less than half its bits, and one of 64 or 128 bits by any
/// number of them.
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    const NONE: Self;
    /// Bits in a row, whatever part of it the board uses.
    const STRIDE: u32;
    fn bit(at: u32) -> Self;
    fn count(self) -> u32;
    /// The lowest bit of a set that is not empty.
    fn lowest(self) -> u32;

    /// The bit of a cell.
    #[inline]
    fn at(cell: Cell) -> u32 {
        u32::from(cell.row) * Self::STRIDE + u32::from(cell.col)
    }

    /// The set with this cell alone.
    #[inline]
    fn of(cell: Cell) -> Self {
        Self::bit(Self::at(cell))
    }

    /// The cell of a bit.
    #[inline]
    fn cell(at: u32) -> Cell {
        Cell::new((at % Self::STRIDE) as u8, (at / Self::STRIDE) as u8)
    }

    /// The bits of a set, from the lowest up.
    #[inline]
    fn each(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (rest != Self::NONE).then(|| {
                let at = rest.lowest();
                rest = rest & !Self::bit(at);
                at
            })
        })
    }

    /// The cells of a set, row by row from the bottom left.
    #[inline]
    fn cells(self) -> impl Iterator<Item = Cell> {
        self.each().map(Self::cell)
    }
}

impl Bits for u64 {
    const NONE: u64 = 0;
    const STRIDE: u32 = 8;

    #[inline]
    fn bit(at: u32) -> u64 {
        1 << at
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }
}

impl Bits for u128 {
    const NONE: u128 = 0;
    const STRIDE: u32 = 11;

    #[inline]
    fn bit(at: u32) -> u128 {
        one_bit(at)
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn cell(at: u32) -> Cell {
        CELLS[at as usize % CELLS.len()]
    }
}

/// The cell of each of 128 bits, which is quicker than a division.
static CELLS: [Cell; 128] = {
    let mut cells = [Cell::new(0, 0); 128];
    let mut at = 0;
    while at < cells.len() {
        let stride = <u128 as Bits>::STRIDE as usize;
        cells[at] = Cell::new((at % stride) as u8, (at / stride) as u8);
        at += 1;
    }
    cells
};

/// 256 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide {
    low: u128,
    high: u128,
}

impl Bits for Wide {
    const NONE: Wide = Wide { low: 0, high: 0 };
    const STRIDE: u32 = 16;

    fn bit(at: u32) -> Wide {
        if at < 128 { Wide { low: 1 << at, high: 0 } } else { Wide { low: 0, high: 1 << (at - 128) } }
    }

    fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    fn lowest(self) -> u32 {
        if self.low != 0 { self.low.trailing_zeros() } else { 128 + self.high.trailing_zeros() }
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    fn bitand(self, other: Wide) -> Wide {
        Wide { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Wide {
    type Output = Wide;

    fn bitor(self, other: Wide) -> Wide {
        Wide { low: self.low | other.low, high: self.high | other.high }
    }
}

impl Not for Wide {
    type Output = Wide;

    fn not(self) -> Wide {
        Wide { low: !self.low, high: !self.high }
    }
}

impl Shl<u32> for Wide {
    type Output = Wide;

    fn shl(self, by: u32) -> Wide {
        Wide { low: self.low << by, high: self.high << by | self.low >> (128 - by) }
    }
}

impl Shr<u32> for Wide {
    type Output = Wide;

    fn shr(self, by: u32) -> Wide {
        Wide { low: self.low >> by | self.high << (128 - by), high: self.high >> by }
    }
}
