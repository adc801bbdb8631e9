//! How the blocks between two bots ended, for each pair of them.

use crate::score::Outcomes;
use crate::window::Window;
use std::collections::BTreeMap;

/// Counts of blocks of games for two sides, by their result. Memory is bounded by the number of pairs times the
/// number of possible results.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    open: Window<(u32, u32)>,
    /// For bots a < b: by games and half points of a, the number of blocks.
    seen: BTreeMap<(usize, usize), BTreeMap<(u32, u32), u64>>,
}

impl Pairs {
    /// Counts a game between `bots` that was worth so many half points to the first of them.
    pub fn add(&mut self, pool: usize, block: &str, bots: (usize, usize), half_points: u32) {
        let swap = bots.0 > bots.1;
        let pair = if swap { (bots.1, bots.0) } else { bots };
        let before = self.open.entry(&(pool, block, pair));
        let now = (before.0 + 1, before.1 + if swap { 2 - half_points } else { half_points });
        let blocks = self.seen.entry(pair).or_default();
        if let Some(count) = blocks.get_mut(before) {
            *count -= 1;
        }
        *blocks.entry(now).or_default() += 1;
        *before = now;
    }

    /// The results of all blocks between two, as the first of them sees them.
    pub fn outcomes(&self, a: usize, b: usize) -> Option<Outcomes> {
        let blocks = self.seen.get(&(a.min(b), a.max(b)))?;
        let usual = blocks.iter().max_by_key(|(_, count)| **count).map_or(1, |((games, _), _)| *games);
        let mean = |(&(games, half_points), &count): (&(u32, u32), &u64)| {
            let mean = f64::from(half_points) / f64::from(2 * games);
            (if a < b { mean } else { 1.0 - mean }, count)
        };
        let seen = blocks.iter().filter(|(_, count)| **count > 0).map(mean);
        Some(Outcomes::of_means(f64::from(usual), seen))
    }

    /// The counts LL, LD, WL or DD, WD and WW of blocks of two games, as the first of the bots sees them.
    pub fn pentanomial(&self, a: usize, b: usize) -> Option<[u64; 5]> {
        let blocks = self.seen.get(&(a.min(b), a.max(b)))?;
        let mut counts = [0, 1, 2, 3, 4].map(|level| blocks.get(&(2, level)).copied().unwrap_or(0));
        if a > b {
            counts.reverse();
        }
        (counts.iter().sum::<u64>() > 0).then_some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Estimate;

    #[test]
    fn blocks_are_counted_whole() {
        let mut pairs = Pairs::default();
        for (block, first, second) in [("a", 2, 2), ("b", 2, 0), ("c", 1, 2), ("d", 1, 1)] {
            pairs.add(0, block, (0, 1), first);
            // As the other bot sees it.
            pairs.add(0, block, (1, 0), 2 - second);
        }
        assert_eq!(pairs.pentanomial(0, 1), Some([0, 0, 2, 1, 1]));
        assert_eq!(pairs.pentanomial(1, 0), Some([1, 1, 2, 0, 0]));
        assert_eq!(pairs.pentanomial(0, 2), None);
        let found = Estimate::of(&pairs.outcomes(0, 1).unwrap()).unwrap();
        let expected = Estimate::of(&Outcomes::of_levels(&[0, 0, 2, 1, 1])).unwrap();
        assert!((found.elo - expected.elo).abs() < 1e-9 && (found.error - expected.error).abs() < 1e-9);
    }
}
