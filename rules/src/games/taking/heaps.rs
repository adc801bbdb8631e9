//! Heaps of things, and the move that takes some from one of them.

use crate::position::NotAMove;
use std::fmt;
use std::str::FromStr;

const MOST_HEAPS: usize = 10;

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

    #[inline]
    pub(super) fn are_empty(&self) -> bool {
        self.total == 0
    }

    /// Every way to take something from heaps of at most 64, heap by heap, smaller numbers first.
    ///
    /// Whole blocks are copied and the surplus is cut off again: a copy of fixed length has no branch that
    /// depends on the size of the heap, which random play would make the processor guess wrong.
    #[inline]
    pub(super) fn all_takes(&self, out: &mut Vec<Take>) {
        for (heap, &size) in self.sizes().iter().enumerate() {
            let end = out.len() + size as usize;
            out.extend_from_slice(&TAKES[heap][0]);
            for block in TAKES[heap].iter().take((size as usize).div_ceil(BLOCK)).skip(1) {
                out.extend_from_slice(block);
            }
            out.truncate(end);
        }
    }
}

/// `2:3` takes 3 things from heap 2. Heaps are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    pub heap: u8,
    pub count: u8,
}

const BLOCK: usize = 8;

/// For each heap the takes of 1 to 64 things.
static TAKES: [[[Take; BLOCK]; 8]; MOST_HEAPS] = {
    let mut takes = [[[Take { heap: 0, count: 0 }; BLOCK]; 8]; MOST_HEAPS];
    let mut at = 0;
    while at < MOST_HEAPS * 64 {
        let (heap, count) = (at / 64, at % 64);
        takes[heap][count / BLOCK][count % BLOCK] = Take { heap: heap as u8, count: count as u8 + 1 };
        at += 1;
    }
    takes
};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_come_heap_by_heap_whatever_their_sizes() {
        for sizes in [vec![3, 4, 5], vec![0, 8, 9, 16, 17, 64, 1], vec![60; 10], vec![0]] {
            let mut takes = Vec::new();
            Heaps::new(&sizes).all_takes(&mut takes);
            let expected = sizes
                .iter()
                .enumerate()
                .flat_map(|(heap, &size)| (1..=size).map(move |count| Take { heap: heap as u8, count }));
            assert_eq!(takes, expected.collect::<Vec<_>>(), "{sizes:?}");
        }
    }
}
