//! Games for one: whoever scores more on the same decks is better.

use crate::score::{Z95, normal_cdf};
use crate::window::Window;
use std::collections::BTreeMap;

/// Sums over decks; of any number of decks only these are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    decks: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64, weight: f64) {
        self.decks += weight;
        self.sum += weight * value;
        self.squares += weight * value * value;
    }

    fn mean(self) -> Mean {
        let mean = self.sum / self.decks;
        let variance = (self.squares - self.sum * mean).max(0.0) / (self.decks - 1.0);
        let known = self.decks > 1.0;
        Mean { decks: self.decks as u64, mean, error: known.then(|| Z95 * (variance / self.decks).sqrt()) }
    }
}

/// A mean over decks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub decks: u64,
    pub mean: f64,
    /// Half the width of its 95 % interval; nothing for a single deck.
    pub error: Option<f64>,
}

impl Mean {
    /// The probability that the true mean is above zero.
    pub fn superiority(&self) -> Option<f64> {
        match self.error? {
            0.0 if self.mean == 0.0 => Some(0.5),
            0.0 => Some(if self.mean > 0.0 { 1.0 } else { 0.0 }),
            error => Some(normal_cdf(self.mean / (error / Z95))),
        }
    }
}

/// Scores of bots that each play the same decks.
#[derive(Clone, Debug, Default)]
pub struct Decks {
    bots: BTreeMap<usize, Sums>,
    /// For bots a < b, the scores of a minus those of b on the decks that both have played.
    pairs: BTreeMap<(usize, usize), Sums>,
    /// By deck, who has played it: games, and the sum of their scores.
    open: Window<BTreeMap<usize, (f64, f64)>>,
}

impl Decks {
    /// Counts a game. A bot that plays a deck several times has on it the mean of its scores.
    pub fn add(&mut self, deck: &str, bot: usize, score: f64) {
        let deck = self.open.entry(&deck);
        let before = deck.get(&bot).map(|(games, sum)| sum / games);
        let known = deck.entry(bot).or_default();
        *known = (known.0 + 1.0, known.1 + score);
        let now = known.1 / known.0;
        // A deck counts once, so what it counted before is taken back.
        let replace = |sums: &mut Sums, value: &dyn Fn(f64) -> f64| {
            if let Some(before) = before {
                sums.add(value(before), -1.0);
            }
            sums.add(value(now), 1.0);
        };
        replace(self.bots.entry(bot).or_default(), &|score| score);
        for (&other, &(games, sum)) in deck.iter().filter(|(other, _)| **other != bot) {
            let theirs = sum / games;
            let sign = if bot < other { 1.0 } else { -1.0 };
            let pair = self.pairs.entry((bot.min(other), bot.max(other))).or_default();
            replace(pair, &|score| sign * (score - theirs));
        }
    }

    /// A bot's mean score over its decks.
    pub fn mean(&self, bot: usize) -> Option<Mean> {
        self.bots.get(&bot).map(|sums| sums.mean())
    }

    /// By how much `a` scores more than `b` on the decks that both have played.
    pub fn difference(&self, a: usize, b: usize) -> Option<Mean> {
        let mean = self.pairs.get(&(a.min(b), a.max(b)))?.mean();
        Some(if a < b { mean } else { Mean { mean: -mean.mean, ..mean } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_decks_cancel_their_luck() {
        let mut decks = Decks::default();
        for (deck, easy) in [("a", 0.0), ("b", 30.0), ("c", 10.0)] {
            decks.add(deck, 0, easy + 2.0);
            decks.add(deck, 1, easy + if deck == "a" { 0.0 } else { 1.0 });
        }
        let found = decks.difference(0, 1).unwrap();
        assert!((found.mean - 4.0 / 3.0).abs() < 1e-12);
        // Differences 2, 1, 1: deviation 0.57735, of their mean 1/3.
        assert!((found.error.unwrap() - Z95 / 3.0).abs() < 1e-12);
        assert!((decks.difference(1, 0).unwrap().mean + 4.0 / 3.0).abs() < 1e-12);
        assert!(decks.mean(0).unwrap().error.unwrap() > 10.0);
        assert_eq!(decks.difference(0, 2), None);
    }

    #[test]
    fn a_deck_played_twice_counts_once() {
        let mut decks = Decks::default();
        for score in [10.0, 20.0] {
            decks.add("a", 0, score);
        }
        decks.add("a", 1, 5.0);
        decks.add("a", 0, 30.0);
        let one = |mean| Mean { decks: 1, mean, error: None };
        assert_eq!(decks.mean(0), Some(one(20.0)));
        assert_eq!(decks.difference(0, 1), Some(one(15.0)));
        assert_eq!(one(3.0).superiority(), None);
    }
}
