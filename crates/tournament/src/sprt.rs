//! Is A better than B? Asked after every block, answered as soon as the results allow it.

use crate::paired::{NoElo, digest};
use ratings::{Outcomes, Scale, Sprt, Verdict};
use referee::record::{Ending, Record};

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
    variety: Variety,
}

/// Do the games say anything about strength?
#[derive(Clone, Default)]
struct Variety {
    /// The moves of the games of the first block, and of the block that is being played.
    first: Option<Vec<u64>>,
    current: Vec<u64>,
    /// Two blocks were played differently.
    differs: bool,
    /// A game came to its end by play.
    is_played: bool,
}

impl Variety {
    fn add(&mut self, record: &Record, closes_block: bool) {
        self.is_played |= matches!(record.result.ending, Ending::Played(_));
        if self.differs {
            return; // nothing more to find out
        }
        self.current.push(digest(record));
        if closes_block {
            let block = std::mem::take(&mut self.current);
            self.differs = self.first.get_or_insert_with(|| block.clone()) != &block;
        }
    }
}

impl RunningTest {
    /// For blocks of this many games.
    pub fn new(hypotheses: Sprt, block_games: usize) -> RunningTest {
        let games = match hypotheses.scale {
            Scale::Bayesian => 1,
            Scale::Logistic | Scale::Normalized => block_games,
        };
        let (blocks, variety) = (BlockCounts::new(games), Variety::default());
        RunningTest { hypotheses, blocks, block: Some(Vec::new()), variety }
    }

    /// The next game: what it was worth to the first bot, if it counts, and whether it is the last of its block.
    pub fn add(&mut self, record: &Record, worth: Option<f64>, closes_block: bool) {
        self.variety.add(record, closes_block);
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

    /// Why the blocks say nothing about Elo, if they don't.
    pub fn no_elo(&self) -> Option<NoElo> {
        let blocks: u64 = self.blocks().iter().sum();
        if blocks == 0 {
            Some(NoElo::NoGames)
        } else if !self.variety.is_played {
            Some(NoElo::Faults)
        } else {
            (blocks > 1 && !self.variety.differs).then_some(NoElo::Repeated)
        }
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
