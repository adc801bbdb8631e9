//! Heaps of things, and the move that takes some from one of them.

use crate::notation::{Amount, Nth, pair};
use crate::{Picture, Piece};

pub(super) const MOST_HEAPS: usize = 10;

/// Up to ten heaps in a fixed order; an emptied heap keeps its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Heaps {
    count: u8,
    /// The sum of `sizes`, carried along because playouts ask for the end of the game at every ply.
    total: u16,
    sizes: [u8; MOST_HEAPS],
}

impl Heaps {
    pub(super) fn new(sizes: &[u8]) -> Heaps {
        let total = sizes.iter().map(|&size| u16::from(size)).sum();
        let mut heaps = Heaps { count: sizes.len() as u8, total, ..Heaps::default() };
        heaps.sizes[..sizes.len()].copy_from_slice(sizes);
        heaps
    }

    #[inline]
    pub(super) fn sizes(&self) -> &[u8] {
        &self.sizes[..self.count as usize]
    }

    /// In rising order.
    pub(super) fn sorted(mut self) -> Heaps {
        self.sizes[..self.count as usize].sort_unstable();
        self
    }

    /// Each heap alone, but the empty ones.
    pub(super) fn each(&self) -> impl Iterator<Item = Heaps> {
        self.sizes().iter().filter(|&&size| size > 0).map(|&size| Heaps::new(&[size]))
    }

    #[inline]
    pub(super) fn take(&mut self, take: Take) {
        self.sizes[take.heap as usize] -= take.count;
        self.total -= u16::from(take.count);
    }

    pub(super) fn total(&self) -> u32 {
        u32::from(self.total)
    }
}

/// A line of counters for each heap, with its number.
pub(super) fn picture(sizes: impl Iterator<Item = u8>) -> Picture {
    (1..).zip(sizes).fold(Picture::default(), |picture, (number, size): (u32, u8)| {
        picture.counters(number.to_string(), Piece::neutral('o'), size.into())
    })
}

/// `2:3` takes 3 things from heap 2. Heaps are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    pub heap: u8,
    pub count: u8,
}

pair!(Take { heap as Nth ":" count as Amount });
