//! Is A better than B? Asked after every block, answered as soon as the results allow it.

use ratings::{Outcomes, Sprt, Verdict};

/// How many blocks had which result, from all lost to all won: of `n` games, `2n + 1` results are possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts(Vec<u64>);

impl BlockCounts {
    /// For blocks of this many games.
    pub fn new(games: usize) -> BlockCounts {
        BlockCounts(vec![0; 2 * games + 1])
    }

    /// Adds a block that was worth so many half points to the first bot.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// The logarithm of the likelihood ratio, and what follows from it.
pub fn decide(blocks: &BlockCounts, test: &Sprt) -> (f64, Verdict) {
    let outcomes = Outcomes::of_levels(&blocks.0);
    (test.log_likelihood_ratio(&outcomes), test.verdict(&outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_result_ends_the_test() {
        let test = Sprt::default();
        let sixty = |half_points| {
            let mut blocks = BlockCounts::new(2);
            (0..60).for_each(|_| blocks.add(half_points));
            decide(&blocks, &test).1
        };
        assert_eq!(decide(&BlockCounts::new(2), &test).1, Verdict::Open);
        assert_eq!((sixty(4), sixty(0)), (Verdict::Upper, Verdict::Lower));
    }
}
