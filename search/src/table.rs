//! A transposition table: what is known of positions that were met before.
//!
//! An entry holds the position itself, so that two positions are never taken for each other. The value of a node
//! depends on the depth left, for two reasons: estimates are made at another place, and a win is worth [`WIN`] plus
//! the depth left at its end. Hence an entry serves
//! - a search with the same depth left, as it is;
//! - a search with more depth left, if no estimate went into it (*settled*) or if it is a forced win or loss. The
//!   end of the game is as far away as before, so that only the depth left over grows.

use crate::tree::{Tree, WIN};
use std::hash::{BuildHasher, Hash};

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone)]
pub(crate) struct Entry<T: Tree> {
    pub(crate) node: T,
    pub(crate) depth: u32,
    /// For MAX.
    pub(crate) value: i32,
    pub(crate) bound: Bound,
    /// No estimate went into the value.
    pub(crate) settled: bool,
    pub(crate) best: Option<T::Move>,
    /// The search that stored it.
    pub(crate) search: u32,
}

impl<T: Tree> Entry<T> {
    /// The value at another depth left, if the entry says anything about it.
    pub(crate) fn value_at(&self, depth: u32) -> Option<i32> {
        if self.depth == depth {
            return Some(self.value);
        }
        let holds = self.depth < depth && (self.settled || self.value.abs() >= WIN);
        holds.then(|| deeper(self.value, depth - self.depth))
    }
}

/// What a settled value becomes with more depth left.
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

/// Two places for each hash: one for the deepest entry of this search, one for the newest.
type Bucket<T> = [Option<Entry<T>>; 2];

/// The table grows as it fills, up to its limit.
pub(crate) struct Table<T: Tree> {
    buckets: Vec<Bucket<T>>,
    most_buckets: usize,
    used: usize,
}

impl<T: Tree + Eq + Hash> Table<T> {
    pub(crate) fn new(mib: usize) -> Self {
        let fit = (mib << 20) / size_of::<Bucket<T>>();
        let most_buckets = if fit < 2 { 1 } else { 1 << fit.ilog2() };
        let buckets = std::iter::repeat_with(|| [None, None]).take(most_buckets.min(512)).collect();
        Table { buckets, most_buckets, used: 0 }
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
            // A deep entry of an earlier search has had its time.
            [Some(deep), _] => usize::from(deep.search == entry.search && deep.depth > entry.depth),
            [None, _] => 0,
        };
        self.used += usize::from(bucket[place].is_none());
        bucket[place] = Some(entry);
    }

    /// Twice as many buckets: an entry stays in bucket `i` or goes to `i` plus the old number.
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
