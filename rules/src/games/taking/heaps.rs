//! Heaps of things, and the move that takes some from one of them.

use crate::position::NotAMove;
use std::fmt;
use std::str::FromStr;

/// Up to ten heaps in a fixed order; an emptied heap keeps its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Heaps {
    count: u8,
    sizes: [u8; 10],
}

impl Heaps {
    pub(super) fn new(sizes: &[u8]) -> Heaps {
        let mut heaps = Heaps { count: sizes.len() as u8, ..Heaps::default() };
        heaps.sizes[..sizes.len()].copy_from_slice(sizes);
        heaps
    }

    pub(super) fn sizes(&self) -> &[u8] {
        &self.sizes[..self.count as usize]
    }

    #[inline]
    pub(super) fn take(&mut self, take: Take) {
        self.sizes[take.heap as usize] -= take.count;
    }

    pub(super) fn total(&self) -> u32 {
        self.sizes().iter().map(|&size| u32::from(size)).sum()
    }

    pub(super) fn are_empty(&self) -> bool {
        self.sizes == [0; 10]
    }
}

/// `2:3` takes 3 things from heap 2. Heaps are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    pub heap: u8,
    pub count: u8,
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.heap + 1, self.count)
    }
}

impl FromStr for Take {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Take, NotAMove> {
        let (heap, count) = text.split_once(':').ok_or(NotAMove)?;
        Ok(Take { heap: whole_number(heap)?.checked_sub(1).ok_or(NotAMove)?, count: whole_number(count)? })
    }
}

/// A number without sign or leading zeros.
pub(super) fn whole_number(text: &str) -> Result<u8, NotAMove> {
    let number: u8 = text.parse().map_err(|_| NotAMove)?;
    if number.to_string() == text { Ok(number) } else { Err(NotAMove) }
}
