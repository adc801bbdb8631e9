//! A set of cells as bits.

use super::{Cell, Symmetry, least_image};

/// Up to `64 * WORDS` cells, each by its number in the order of [`Cell::all`]. Small, copied, never
/// on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for CellSet<WORDS> {
    fn default() -> Self {
        CellSet([0; WORDS])
    }
}

impl<const WORDS: usize> CellSet<WORDS> {
    pub const EMPTY: Self = CellSet([0; WORDS]);

    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        CellSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        CellSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        CellSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// In ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// The set after a board of this width is turned or mirrored.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry, width: u8) -> Self {
        self.cells(width).map(|cell| symmetry.cell(cell).index(width)).collect()
    }

    /// The cells of the set on a board of this width, row by row from the bottom left.
    pub fn cells(&self, width: u8) -> impl Iterator<Item = Cell> {
        self.iter().map(move |index| Cell::from_index(index, width))
    }
}

impl CellSet<1> {
    /// The least of the images of some sets, on a board of at most 8 by 8 cells that is turned and
    /// mirrored.
    #[must_use]
    pub fn least_image<const SETS: usize>(sets: [Self; SETS], width: u8, height: u8) -> [Self; SETS] {
        least_image(sets.map(|CellSet([bits])| bits), width, height).map(|bits| CellSet([bits]))
    }
}

impl<const WORDS: usize> FromIterator<usize> for CellSet<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = Self::EMPTY;
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_behaves_like_a_set() {
        let mut set: CellSet<2> = [3, 64, 127].into_iter().collect();
        assert_eq!((set.len(), set.contains(64), set.contains(65)), (3, true, false));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 127]);
        set.remove(64);
        let low: CellSet<2> = (0..10).collect();
        assert_eq!(set.intersection(&low).iter().collect::<Vec<_>>(), [3]);
        assert_eq!(set.difference(&low).iter().collect::<Vec<_>>(), [127]);
        assert_eq!(set.union(&low).len(), 11);
        assert!(!set.is_empty());
        assert!(CellSet::<2>::EMPTY.is_empty());
    }
}
