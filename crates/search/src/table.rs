//! A transposition table: what is known about positions that were met before.
//!
//! An entry holds the position itself, so two positions are never confused. The value of a node
//! depends on the depth left, for two reasons: estimates are made at other nodes, and a win is
//! worth [`WIN`] plus the depth left at its end. So an entry can be used in two cases:
//! - A search with the same depth left uses the value as it is.
//! - A search with more depth left uses the value if no estimate went into it (the value is
//!   *settled*), or if the value is a forced win or loss. The end of the game is as far away as
//!   before, so only the depth left at the end grows.

use crate::tree::{Tree, WIN};
use std::hash::{BuildHasher, Hash};

/// What a stored value says about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredBound {
    Exact,
    AtLeast,
    AtMost,
}

impl StoredBound {
    /// The bound for the other side.
    pub(crate) fn exchanged(self) -> StoredBound {
        match self {
            StoredBound::Exact => StoredBound::Exact,
            StoredBound::AtLeast => StoredBound::AtMost,
            StoredBound::AtMost => StoredBound::AtLeast,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Entry<T: Tree> {
    pub(crate) node: T,
    pub(crate) depth: u32,
    /// For MAX.
    pub(crate) value: i32,
    pub(crate) bound: StoredBound,
    /// No estimate went into the value.
    pub(crate) settled: bool,
    pub(crate) best: Option<T::Move>,
    /// The number of the search that stored the entry.
    pub(crate) search: u32,
}

impl<T: Tree> Entry<T> {
    /// The value with another depth left, if the entry tells it.
    pub(crate) fn value_at(&self, depth: u32) -> Option<i32> {
        if self.depth == depth {
            return Some(self.value);
        }
        let holds = self.depth < depth && (self.settled || self.value.abs() >= WIN);
        holds.then(|| deeper(self.value, depth - self.depth))
    }
}

/// The value of a settled node with more depth left.
pub(crate) fn deeper(value: i32, plies: u32) -> i32 {
    match value {
        WIN.. => value + plies as i32,
        value if value <= -WIN => value - plies as i32,
        value => value,
    }
}

/// A hash that is the same in every run.
pub(crate) fn hash(thing: &impl Hash) -> u64 {
    foldhash::fast::FixedState::with_seed(0).hash_one(thing)
}

/// Two entries for each hash: the deepest entry of this search, and the newest other entry.
type Bucket<T> = [Option<Entry<T>>; 2];

/// A small game needs no more buckets, and preparing many would take longer than the search.
const FIRST_BUCKETS: usize = 64;

/// Grows while it fills, up to its limit.
pub(crate) struct TranspositionTable<T: Tree> {
    buckets: Vec<Bucket<T>>,
    most_buckets: usize,
    used: usize,
}

impl<T: Tree + Eq + Hash> TranspositionTable<T> {
    pub(crate) fn new(mib: usize) -> Self {
        let fit = (mib << 20) / size_of::<Bucket<T>>();
        let most_buckets = if fit < 2 { 1 } else { 1 << fit.ilog2() };
        let buckets = std::iter::repeat_with(|| [None, None]).take(most_buckets.min(FIRST_BUCKETS)).collect();
        TranspositionTable { buckets, most_buckets, used: 0 }
    }

    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    pub(crate) fn find(&self, hash: u64, node: &T) -> Option<&Entry<T>> {
        self.buckets[self.bucket(hash)].iter().flatten().find(|entry| entry.node == *node)
    }

    pub(crate) fn store(&mut self, hash: u64, entry: Entry<T>) {
        if self.used > self.buckets.len() && self.buckets.len() < self.most_buckets {
            self.grow();
        }
        let at = self.bucket(hash);
        let bucket = &mut self.buckets[at];
        let place = match bucket {
            [Some(deep), _] if deep.node == entry.node => 0,
            [_, Some(new)] if new.node == entry.node => 1,
            // A deep entry of an earlier search is replaced.
            [Some(deep), _] if deep.search == entry.search && deep.depth > entry.depth => 1,
            [deep, new] => {
                self.used -= usize::from(new.is_some());
                *new = deep.take();
                0
            }
        };
        self.used += usize::from(bucket[place].is_none());
        bucket[place] = Some(entry);
    }

    /// Doubles the number of buckets. An entry stays in bucket `i` or goes to `i` plus the old
    /// number.
    fn grow(&mut self) {
        let old = self.buckets.len();
        self.buckets.resize_with(2 * old, || [None, None]);
        for at in 0..old {
            for place in 0..2 {
                let moves = |entry: &mut Entry<T>| hash(&entry.node) as usize & old != 0;
                self.buckets[at + old][place] = self.buckets[at][place].take_if(moves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Nim, Position, Seed};

    fn nim(heap: u8) -> Nim {
        let params = rules::read_params(&serde_json::json!({ "heaps": [heap] })).unwrap();
        Nim::start(&params, Seed::from_number(0)).unwrap()
    }

    fn entry(node: Nim, depth: u32, value: i32, settled: bool) -> Entry<Nim> {
        Entry { node, depth, value, bound: StoredBound::Exact, settled, best: None, search: 1 }
    }

    #[test]
    fn a_value_is_used_where_minimax_would_find_it() {
        for (depth, value, settled, asked, found) in [
            // With the same depth left, any value is used.
            (3, 17, false, 3, Some(17)),
            (3, WIN + 1, false, 3, Some(WIN + 1)),
            // An estimate says nothing about another depth.
            (3, 17, false, 4, None),
            (3, 0, false, 4, None),
            // A game seen to its end is used with more depth left. The win is as many plies away as
            // before.
            (3, 0, true, 5, Some(0)),
            (3, WIN + 1, false, 5, Some(WIN + 3)),
            (3, -WIN - 1, false, 5, Some(-WIN - 3)),
            // With less depth left, the end may be out of reach.
            (3, 0, true, 2, None),
            (3, WIN + 1, true, 2, None),
        ] {
            let entry = entry(nim(3), depth, value, settled);
            assert_eq!(entry.value_at(asked), found, "{value} at depth {depth}, asked for {asked}");
        }
    }

    #[test]
    fn the_table_grows_to_its_limit_and_keeps_what_fits() {
        let positions: Vec<Nim> = (1..=20).map(nim).collect();
        let mut table = TranspositionTable::new(1);
        let smallest = table.buckets.len();
        for (at, node) in positions.iter().enumerate() {
            table.store(hash(node), entry(*node, 1, at as i32, false));
        }
        table.grow();
        table.grow();
        assert_eq!(table.buckets.len(), 4 * smallest);
        for (at, node) in positions.iter().enumerate() {
            assert_eq!(table.find(hash(node), node).map(|entry| entry.value), Some(at as i32));
        }
        for mib in [0, 1, 64] {
            let table = TranspositionTable::<Nim>::new(mib);
            let bytes = table.most_buckets * size_of::<Bucket<Nim>>();
            assert!(mib == 0 || (bytes <= mib << 20 && 2 * bytes > mib << 20), "{mib} MiB: {bytes}");
        }
    }

    #[test]
    fn the_deeper_entry_stays_and_the_newer_one_gets_the_other_place() {
        let mut table = TranspositionTable::new(0);
        let [deep, old, new] = [5, 6, 7].map(nim);
        for (node, depth) in [(deep, 9), (old, 1), (new, 1)] {
            table.store(hash(&node), entry(node, depth, 0, false));
        }
        let known = |node: &Nim| table.find(hash(node), node).is_some();
        assert_eq!([&deep, &old, &new].map(known), [true, false, true]);
    }
}
