//! A match of two bots, block by block. A block is one deal played in every seat order.

use crate::elo_gap::EloGap;
use crate::sprt::BlockCounts;
use referee::record::Record;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The result of each block for the first bot, and a digest of each game.
pub struct PairedBlocks {
    /// The number of games of a whole block.
    block_games: usize,
    /// For each block, the points of the games that count, and the number of these games.
    blocks: Vec<(f64, u32)>,
    /// For each game, a digest of its moves.
    digests: Vec<u64>,
}

/// Why no Elo is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoElo {
    NoGames,
    /// All blocks have the same moves. That is one block, however often it was played.
    Repeated,
    /// Every game was lost by a fault. Faults say nothing about strength.
    Faults,
}

impl PairedBlocks {
    pub fn new(block_games: usize) -> PairedBlocks {
        PairedBlocks { block_games: block_games.max(1), blocks: Vec::new(), digests: Vec::new() }
    }

    /// Adds the next game. `worth` is the first bot's result, or `None` if the game does not count.
    pub fn add(&mut self, record: &Record, worth: Option<f64>) {
        self.blocks.resize(self.digests.len() / self.block_games + 1, (0.0, 0));
        self.digests.push(digest(record));
        if let (Some((points, games)), Some(worth)) = (self.blocks.last_mut(), worth) {
            *points += worth;
            *games += 1;
        }
    }

    /// The mean result of each block.
    fn means(&self) -> Vec<f64> {
        let played = self.blocks.iter().filter(|(_, games)| *games > 0);
        played.map(|(points, games)| points / f64::from(*games)).collect()
    }

    /// How much stronger the first bot is.
    pub fn elo(&self) -> Result<EloGap, NoElo> {
        if are_repeated(&self.digests, self.block_games) {
            return Err(NoElo::Repeated);
        }
        EloGap::of_blocks(&self.means(), self.block_games).ok_or(NoElo::NoGames)
    }

    /// The number of whole blocks, and how many of them have the moves of an earlier block.
    pub fn repeats(&self) -> (usize, usize) {
        let blocks: Vec<&[u64]> = self.digests.chunks_exact(self.block_games).collect();
        let different: HashSet<&[u64]> = blocks.iter().copied().collect();
        (blocks.len(), blocks.len() - different.len())
    }

    /// The number of blocks with each result.
    pub fn counts(&self) -> BlockCounts {
        let mut counts = BlockCounts::new(self.block_games);
        let most = 2.0 * self.block_games as f64;
        self.means().iter().for_each(|mean| counts.add((mean * most).round() as usize));
        counts
    }
}

pub(crate) fn digest(record: &Record) -> u64 {
    let mut digest = DefaultHasher::new();
    record.moves.iter().for_each(|played| (played.seat, &played.mv).hash(&mut digest));
    digest.finish()
}

/// Does every block have the same moves as the block before?
fn are_repeated(digests: &[u64], block_games: usize) -> bool {
    digests.len() > block_games
        && digests[block_games..].iter().zip(digests).all(|(now, before)| now == before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_repeat_an_earlier_block_are_counted() {
        for (digests, expected) in [
            (&[7, 8, 7, 8, 7][..], (2, 1)),
            (&[7, 8, 8, 7], (2, 0)),
            (&[7, 8, 1, 2, 7, 8, 7, 8], (4, 2)),
            (&[7], (0, 0)),
        ] {
            let blocks = PairedBlocks { digests: digests.to_vec(), ..PairedBlocks::new(2) };
            assert_eq!(blocks.repeats(), expected, "{digests:?}");
        }
    }

    #[test]
    fn repeated_games_are_noticed() {
        for (digests, repeated) in
            [(&[7, 8, 7, 8, 7][..], true), (&[7, 8], false), (&[7, 8, 7, 9], false), (&[7, 7, 7, 8], false)]
        {
            assert_eq!(are_repeated(digests, 2), repeated, "{digests:?}");
        }
    }
}
