//! Heaps that are small enough to be packed into one word, which a search copies quickly.

use super::heaps::{MOST_HEAPS, Take};

/// Bits for each heap.
const BITS: u32 = 6;
const LARGEST: u64 = (1 << BITS) - 1;
/// Bits below the heaps, for their number: so a shift that brings a heap down takes it away.
const COUNT: u32 = 4;

/// Up to ten heaps of at most 63 things in a fixed order, the first one lowest; an emptied heap
/// keeps its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SmallHeaps(u64);

impl SmallHeaps {
    pub(super) fn new(sizes: &[u8]) -> SmallHeaps {
        let heaps = sizes.iter().rev().fold(0, |heaps, &size| heaps << BITS | u64::from(size));
        SmallHeaps(heaps << COUNT | sizes.len() as u64)
    }

    #[inline]
    fn count(self) -> u8 {
        (self.0 & ((1 << COUNT) - 1)) as u8
    }

    #[inline]
    pub(super) fn sizes(self) -> impl Iterator<Item = u8> {
        (0..self.count()).map(move |heap| (self.0 >> shift(heap) & LARGEST) as u8)
    }

    /// In rising order.
    pub(super) fn sorted(self) -> SmallHeaps {
        let mut sizes = [0; MOST_HEAPS];
        sizes.iter_mut().zip(self.sizes()).for_each(|(place, size)| *place = size);
        let sizes = &mut sizes[..self.count() as usize];
        sizes.sort_unstable();
        SmallHeaps::new(sizes)
    }

    /// Each heap alone, but the empty ones.
    pub(super) fn each(self) -> impl Iterator<Item = SmallHeaps> {
        self.sizes().filter(|&size| size > 0).map(|size| SmallHeaps::new(&[size]))
    }

    #[inline]
    pub(super) fn take(&mut self, take: Take) {
        self.0 -= u64::from(take.count) << shift(take.heap);
    }

    pub(super) fn total(self) -> u32 {
        self.sizes().map(u32::from).sum()
    }

    #[inline]
    pub(super) fn are_empty(self) -> bool {
        self.0 >> COUNT == 0
    }

    /// Every way to take something, heap by heap, smaller numbers first.
    ///
    /// Whole blocks are copied and the surplus is cut off again: a copy of fixed length has no
    /// branch that depends on the size of the heap, which random play would make the processor
    /// guess wrong.
    #[inline]
    pub(super) fn all_takes(self, out: &mut Vec<Take>) {
        for (takes, size) in TAKES.iter().zip(self.sizes()) {
            let end = out.len() + size as usize;
            out.extend_from_slice(&takes[0]);
            for block in takes.iter().take((size as usize).div_ceil(BLOCK)).skip(1) {
                out.extend_from_slice(block);
            }
            out.truncate(end);
        }
    }

    /// The one of these that comes after `last`, or first.
    #[inline]
    pub(super) fn next_take(self, last: Option<&Take>) -> Option<Take> {
        let (heap, count) = last.map_or((0, 0), |last| (last.heap, last.count));
        let rest = self.0 >> shift(heap);
        if u64::from(count) < rest & LARGEST {
            return Some(Take { heap, count: count + 1 });
        }
        let others = rest & !LARGEST;
        (others != 0).then(|| Take { heap: heap + (others.trailing_zeros() / BITS) as u8, count: 1 })
    }
}

#[inline]
fn shift(heap: u8) -> u32 {
    COUNT + u32::from(heap) * BITS
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_come_heap_by_heap_whatever_their_sizes() {
        for sizes in [vec![3, 4, 5], vec![0, 8, 9, 16, 17, 63, 1], vec![60; 10], vec![0]] {
            let heaps = SmallHeaps::new(&sizes);
            assert!(heaps.sizes().eq(sizes.iter().copied()));
            let mut takes = Vec::new();
            heaps.all_takes(&mut takes);
            let expected = sizes
                .iter()
                .enumerate()
                .flat_map(|(heap, &size)| (1..=size).map(move |count| Take { heap: heap as u8, count }));
            assert_eq!(takes, expected.collect::<Vec<_>>(), "{sizes:?}");
        }
    }
}
