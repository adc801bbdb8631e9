//! What the format of a tournament counts by itself: encounters won in a Swiss, rounds survived in a knockout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A format whose winner is not simply the one with the best score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    Swiss,
    Knockout,
}

impl Counted {
    /// By the word that configs have for the format.
    pub fn by(format: &str) -> Option<Counted> {
        match format {
            "swiss" => Some(Counted::Swiss),
            "knockout" => Some(Counted::Knockout),
            _ => None,
        }
    }

    /// What its points are called at the head of a table.
    pub(super) fn word(self) -> &'static str {
        match self {
            Counted::Swiss => "swiss",
            Counted::Knockout => "rounds",
        }
    }
}

/// Who met whom in which round, and with how many points. Bots are numbered in the order of the config.
pub(super) struct Encounters {
    pub(super) counted: Counted,
    /// By round and by both numbers, the lower one first.
    points: BTreeMap<(u32, usize, usize), [f64; 2]>,
}

impl Encounters {
    pub(super) fn new(counted: Counted) -> Encounters {
        Encounters { counted, points: BTreeMap::new() }
    }

    /// A game that was worth `points` to `a`, of one point in all.
    pub(super) fn add(&mut self, round: u32, (a, b): (usize, usize), points: f64) {
        let sum = self.points.entry((round, a.min(b), a.max(b))).or_default();
        sum[usize::from(a > b)] += points;
        sum[usize::from(a < b)] += 1.0 - points;
    }

    /// By bot: encounters won (drawn ones count half, byes whole), or rounds survived.
    pub(super) fn of(&self, bots: usize) -> Vec<f64> {
        match self.counted {
            Counted::Swiss => self.swiss(bots),
            Counted::Knockout => self.knockout(bots),
        }
    }

    fn swiss(&self, bots: usize) -> Vec<f64> {
        let mut won = vec![0.0; bots];
        let mut absent: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (&(round, a, b), &[for_a, for_b]) in &self.points {
            let share = if for_a > for_b { 1.0 } else { f64::from(u8::from(for_a >= for_b)) / 2.0 };
            won[a] += share;
            won[b] += 1.0 - share;
            absent.entry(round).or_insert_with(|| (0..bots).collect()).retain(|&bot| bot != a && bot != b);
        }
        // In a round that is still being played more bots are absent.
        for bye in absent.values().filter(|absent| absent.len() == bots % 2).flatten() {
            won[*bye] += 1.0;
        }
        won
    }

    /// An encounter that stays level goes to the better seed, who stands first in the config.
    fn knockout(&self, bots: usize) -> Vec<f64> {
        let mut survived = vec![0.0; bots];
        for (&(round, a, b), &[for_a, for_b]) in &self.points {
            let (winner, loser) = if for_a >= for_b { (a, b) } else { (b, a) };
            survived[winner] = f64::from(round);
            survived[loser] = f64::from(round - 1);
        }
        survived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encounters_count_whole_whatever_the_points() {
        let mut swiss = Encounters::new(Counted::Swiss);
        for (round, pair, points) in [
            (1, (0, 1), 1.0),
            (1, (1, 0), 0.5), // 1½ to ½
            (2, (2, 0), 0.5),
            (3, (1, 2), 0.0),
        ] {
            swiss.add(round, pair, points);
        }
        // Each had a bye in the round without it.
        assert_eq!(swiss.of(3), [2.5, 1.0, 2.5]);
        swiss.add(4, (0, 1), 1.0);
        assert_eq!(swiss.of(5)[..3], [2.5, 0.0, 1.5], "of five bots three are absent: no round is over");
    }

    #[test]
    fn whoever_is_out_survived_the_rounds_before() {
        let mut knockout = Encounters::new(Counted::Knockout);
        for (round, pair, points) in [(1, (0, 3), 0.0), (1, (1, 2), 1.0), (2, (1, 3), 0.5), (2, (3, 1), 0.5)]
        {
            knockout.add(round, pair, points);
        }
        assert_eq!(knockout.of(4), [0.0, 2.0, 0.0, 1.0], "level, so that the better seed wins");
    }
}
