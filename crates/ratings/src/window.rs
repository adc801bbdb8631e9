//! The blocks that may still get more games.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of blocks that are kept open. A tournament plays the games of a block one after the
/// other. A game that comes for a block closed long ago starts a new block, which changes error
/// bars a little and no estimate.
const OPEN: usize = 24_000;

/// Blocks by the hash of their name. When there are too many, the oldest is closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockWindow<T> {
    open: HashMap<u64, T>,
    age: VecDeque<u64>,
}

impl<T: Default> BlockWindow<T> {
    pub(crate) fn entry(&mut self, name: &impl Hash) -> &mut T {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let key = hasher.finish();
        if !self.open.contains_key(&key) {
            if self.age.len() == OPEN
                && let Some(oldest) = self.age.pop_front()
            {
                self.open.remove(&oldest);
            }
            self.age.push_back(key);
        }
        self.open.entry(key).or_default()
    }
}
