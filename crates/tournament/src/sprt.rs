//! A sequential test of two bots. The test is evaluated after every block, and ends as soon as the
//! results allow a decision.

use crate::paired::{NoElo, digest};
use crate::standings::SprtResult;
use ratings::{Outcomes, Scale, Sprt, Verdict};
use referee::record::{Ending, Record};

/// The number of blocks with each result, from all games lost to all games won. A block of `n`
/// games has `2n + 1` possible results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts(Vec<u64>);

impl BlockCounts {
    /// Counts for blocks of this many games.
    pub fn new(games: usize) -> BlockCounts {
        BlockCounts(vec![0; 2 * games + 1])
    }

    /// Adds a block with this many half points of the first bot.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// The logarithm of the likelihood ratio, and the verdict.
fn decide(blocks: &BlockCounts, test: &Sprt) -> (f64, Verdict) {
    let outcomes = Outcomes::of_levels(&blocks.0);
    (test.log_likelihood_ratio(&outcomes), test.verdict(&outcomes))
}

/// A sequential test in progress.
#[derive(Clone)]
pub struct RunningTest {
    hypotheses: Sprt,
    blocks: BlockCounts,
    /// The half points of the first bot in the games of the current block. `None` if one of these
    /// games does not count.
    block: Option<Vec<usize>>,
    variety: Variety,
}

/// Do the games say anything about strength?
#[derive(Clone, Default)]
pub struct Variety {
    /// The number of blocks that count.
    blocks: u64,
    /// Digests of the moves of the games of the first block.
    first: Option<Vec<u64>>,
    /// Digests of the moves of the games of the current block.
    current: Vec<u64>,
    /// Two blocks have different moves.
    differs: bool,
    /// At least one game did not end by a fault.
    is_played: bool,
    /// A game of the current block does not count.
    is_void: bool,
}

impl Variety {
    /// Adds a game to the current block.
    pub fn add(&mut self, record: &Record) {
        self.is_played |= matches!(record.result.ending, Ending::Played(_));
        self.is_void |= record.result.is_void();
        self.current.push(digest(record));
    }

    /// Ends the current block.
    pub fn close_block(&mut self) {
        let block = std::mem::take(&mut self.current);
        if !std::mem::take(&mut self.is_void) {
            self.blocks += 1;
            self.differs |= self.first.get_or_insert_with(|| block.clone()) != &block;
        }
    }

    /// Why the games say nothing about strength, if there is a reason.
    pub fn no_elo(&self) -> Option<NoElo> {
        match self.blocks {
            0 => Some(NoElo::NoGames),
            _ if !self.is_played => Some(NoElo::Faults),
            1 => None,
            _ => (!self.differs).then_some(NoElo::Repeated),
        }
    }
}

impl RunningTest {
    /// A test with blocks of this many games.
    pub fn new(hypotheses: Sprt, block_games: usize) -> RunningTest {
        let games = match hypotheses.scale {
            Scale::Bayesian => 1,
            Scale::Logistic | Scale::Normalized => block_games,
        };
        let (blocks, variety) = (BlockCounts::new(games), Variety::default());
        RunningTest { hypotheses, blocks, block: Some(Vec::new()), variety }
    }

    /// Adds the next game. `worth` is the first bot's result, or `None` if the game does not count.
    pub fn add(&mut self, record: &Record, worth: Option<f64>, closes_block: bool) {
        self.variety.add(record);
        let half_points = worth.map(|worth| (2.0 * worth).round() as usize);
        self.block = self.block.take().zip(half_points).map(|(mut block, more)| {
            block.push(more);
            block
        });
        if closes_block {
            self.variety.close_block();
            let block = self.block.replace(Vec::new()).unwrap_or_default();
            match self.hypotheses.scale {
                // The Bayesian model has single games, not blocks.
                Scale::Bayesian => block.into_iter().for_each(|game| self.blocks.add(game)),
                _ if block.is_empty() => {}
                _ => self.blocks.add(block.iter().sum()),
            }
        }
    }

    /// The logarithm of the likelihood ratio, and the verdict.
    pub fn state(&self) -> (f64, Verdict) {
        decide(&self.blocks, &self.hypotheses)
    }

    pub fn decided(&self) -> bool {
        self.state().1 != Verdict::Open
    }

    /// Why no Elo can be reported, if there is a reason.
    pub fn no_elo(&self) -> Option<NoElo> {
        self.variety.no_elo()
    }

    /// What is reported of the test, everywhere.
    pub fn result(&self) -> SprtResult {
        SprtResult::new(&self.hypotheses, self.state(), self.no_elo())
    }

    /// The bounds between which the test goes on.
    pub fn bounds(&self) -> (f64, f64) {
        self.hypotheses.bounds()
    }

    /// The number of blocks with each result.
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
