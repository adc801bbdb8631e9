//! Notices that bots play the same games again in every deal.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// With more line-ups than this, nobody looks for games that repeat each other. Each line-up takes
/// memory.
const MOST_LINE_UPS: usize = 100_000;

/// The games of each line-up: the same bots on the same seats of a game.
#[derive(Default)]
pub(super) struct Repeats {
    /// For each line-up, a digest of the moves of its first game, and the number of its games.
    line_ups: HashMap<u64, (u64, u64)>,
    /// Two games of one line-up have different moves, or nobody looks.
    differs: bool,
}

impl Repeats {
    /// Adds a game. The digest of its moves is made only if it matters.
    pub(super) fn add(&mut self, line_up: impl Hash, digest: impl FnOnce() -> u64) {
        if self.differs {
            return;
        }
        let mut hasher = DefaultHasher::new();
        line_up.hash(&mut hasher);
        let moves = digest();
        let (first, games) = self.line_ups.entry(hasher.finish()).or_insert((moves, 0));
        *games += 1;
        if *first != moves || self.line_ups.len() > MOST_LINE_UPS {
            self.stop();
        }
    }

    /// From now on, games are taken to differ.
    pub(super) fn stop(&mut self) {
        *self = Repeats { differs: true, ..Repeats::default() };
    }

    /// The number of deals, if there are several and all of them have the same moves.
    pub(super) fn deals(&self) -> Option<u64> {
        let mut counts = self.line_ups.values().map(|(_, games)| *games);
        let deals = counts.next().filter(|&deals| deals > 1)?;
        counts.all(|games| games == deals).then_some(deals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_with_the_same_moves_are_counted() {
        for (games, expected) in [
            (&[("ab", 1), ("ba", 2), ("ab", 1), ("ba", 2)][..], Some(2)),
            (&[("ab", 1), ("ba", 2), ("ab", 1), ("ba", 3)], None),
            (&[("ab", 1), ("ba", 1)], None),
            (&[("ab", 1), ("ab", 1), ("ab", 1)], Some(3)),
            (&[("ab", 1), ("ab", 1), ("ba", 1)], None),
            (&[], None),
        ] {
            let mut repeats = Repeats::default();
            for (line_up, moves) in games {
                repeats.add(line_up, || *moves);
            }
            assert_eq!(repeats.deals(), expected, "{games:?}");
            repeats.stop();
            repeats.add("ab", || 1);
            repeats.add("ab", || 1);
            assert_eq!(repeats.deals(), None);
        }
        let mut repeats = Repeats::default();
        for _ in 0..2 {
            for line_up in 0..=MOST_LINE_UPS {
                repeats.add(line_up, || 1);
            }
        }
        assert_eq!((repeats.deals(), repeats.line_ups.len()), (None, 0));
    }
}
