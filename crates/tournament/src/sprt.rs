//! Is A better than B? Asked after every block, answered as soon as the results allow it.

use ratings::{Outcomes, Scale, Sprt, Verdict};

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
fn decide(blocks: &BlockCounts, test: &Sprt) -> (f64, Verdict) {
    let outcomes = Outcomes::of_levels(&blocks.0);
    (test.log_likelihood_ratio(&outcomes), test.verdict(&outcomes))
}

/// A sequential test in progress.
#[derive(Clone)]
pub struct RunningTest {
    hypotheses: Sprt,
    blocks: BlockCounts,
    /// Half points of the first bot in the games of the block that is being played; none if one of them did not count.
    block: Option<Vec<usize>>,
}

impl RunningTest {
    /// For blocks of this many games.
    pub fn new(hypotheses: Sprt, block_games: usize) -> RunningTest {
        let games = match hypotheses.scale {
            Scale::Bayesian => 1,
            Scale::Logistic | Scale::Normalized => block_games,
        };
        RunningTest { hypotheses, blocks: BlockCounts::new(games), block: Some(Vec::new()) }
    }

    /// The next game: what it was worth to the first bot, if it counts, and whether it is the last of its block.
    pub fn add(&mut self, worth: Option<f64>, closes_block: bool) {
        let half_points = worth.map(|worth| (2.0 * worth).round() as usize);
        self.block = self.block.take().zip(half_points).map(|(mut block, more)| {
            block.push(more);
            block
        });
        if closes_block {
            let block = self.block.replace(Vec::new()).unwrap_or_default();
            match self.hypotheses.scale {
                // Its model is one of single games.
                Scale::Bayesian => block.into_iter().for_each(|game| self.blocks.add(game)),
                _ if block.is_empty() => {}
                _ => self.blocks.add(block.iter().sum()),
            }
        }
    }

    /// The logarithm of the likelihood ratio, and what follows from it.
    pub fn state(&self) -> (f64, Verdict) {
        decide(&self.blocks, &self.hypotheses)
    }

    pub fn decided(&self) -> bool {
        self.state().1 != Verdict::Open
    }

    /// Between these the test goes on.
    pub fn bounds(&self) -> (f64, f64) {
        self.hypotheses.bounds()
    }

    /// Blocks by result.
    pub fn blocks(&self) -> &[u64] {
        self.blocks.counts()
    }
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
