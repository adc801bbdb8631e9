//! The random choices of a bot, from the seed that the arena gives to the bot.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A generator of random choices. The same seed gives the same choices.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A random number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    pub fn choose<'a, T>(&mut self, options: &'a [T]) -> Option<&'a T> {
        if options.is_empty() { None } else { options.get(self.below(options.len())) }
    }

    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }
}
