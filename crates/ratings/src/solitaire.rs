//! Games for one seat: the bot that scores more on the same decks is better.

use crate::score::{student_cdf, student95};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// With fewer decks, scores that are all equal say nothing about the error.
const FEW_DECKS: f64 = 5.0;

/// Sums over decks. Only these sums are kept, however many decks there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct DeckSums {
    decks: f64,
    sum: f64,
    squares: f64,
}

impl DeckSums {
    fn add(&mut self, value: f64, weight: f64) {
        self.decks += weight;
        self.sum += weight * value;
        self.squares += weight * value * value;
    }

    fn mean(self) -> Mean {
        let mean = self.sum / self.decks;
        let variance = (self.squares - self.sum * mean).max(0.0) / (self.decks - 1.0);
        // A few decks with equal scores measure nothing.
        let known = self.decks > 1.0 && (variance > 0.0 || self.decks >= FEW_DECKS);
        let deviation = known.then(|| (variance / self.decks).sqrt());
        Mean { decks: self.decks as u64, mean, deviation, freedom: (self.decks - 1.0).max(0.0) }
    }
}

/// A mean over decks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// 0 for a difference between bots that have played different decks.
    pub decks: u64,
    pub mean: f64,
    /// The standard deviation of the mean. `None` for a single deck, or for few decks with equal
    /// scores.
    deviation: Option<f64>,
    /// The degrees of freedom of the deviation.
    freedom: f64,
}

impl Mean {
    /// The probability that the true mean is above zero.
    pub fn superiority(&self) -> Option<f64> {
        match self.deviation? {
            0.0 if self.mean == 0.0 => Some(0.5),
            0.0 => Some(if self.mean > 0.0 { 1.0 } else { 0.0 }),
            deviation => Some(student_cdf(self.mean / deviation, self.freedom)),
        }
    }

    /// Half the width of the 95 % interval by Student's distribution, because with few decks the
    /// deviation itself is uncertain.
    pub fn error(&self) -> Option<f64> {
        Some(self.deviation? * student95(self.freedom))
    }

    /// The difference of two means over different decks, with the degrees of freedom by Welch and
    /// Satterthwaite.
    fn minus(&self, other: &Mean) -> Mean {
        let known = self.deviation.zip(other.deviation);
        let [own, theirs] = known.map_or([0.0; 2], |(own, theirs)| [own * own, theirs * theirs]);
        let spread = own * own / self.freedom + theirs * theirs / other.freedom;
        let freedom =
            if spread > 0.0 { (own + theirs).powi(2) / spread } else { self.freedom + other.freedom };
        let deviation = known.map(|_| (own + theirs).sqrt());
        Mean { decks: 0, mean: self.mean - other.mean, deviation, freedom }
    }
}

/// The scores of bots that play the same decks. Every deck is remembered, so two bots can be
/// compared on a deck however long ago the first bot played the deck.
#[derive(Clone, Debug, Default)]
pub struct Decks {
    bots: BTreeMap<usize, DeckSums>,
    /// For bots a < b: the scores of a minus the scores of b, on the decks that both have played.
    pairs: BTreeMap<(usize, usize), DeckSums>,
    /// By the hash of a deck: the bots that have played the deck.
    played: HashMap<u64, Vec<OnDeck>>,
}

/// The scores of one bot on one deck.
#[derive(Clone, Copy, Debug)]
struct OnDeck {
    bot: u32,
    games: u32,
    sum: f64,
}

impl OnDeck {
    fn mean(self) -> f64 {
        self.sum / f64::from(self.games)
    }
}

impl Decks {
    /// Counts a game. If a bot plays a deck several times, the mean of its scores counts.
    pub fn add(&mut self, deck: &str, bot: usize, score: f64) {
        let mut hash = DefaultHasher::new();
        deck.hash(&mut hash);
        let deck = self.played.entry(hash.finish()).or_default();
        let known = deck.iter().position(|on_deck| on_deck.bot as usize == bot);
        let before = known.map(|at| deck[at].mean());
        let at = known.unwrap_or_else(|| {
            deck.reserve_exact(1); // there are many decks, but few bots
            deck.push(OnDeck { bot: bot as u32, games: 0, sum: 0.0 });
            deck.len() - 1
        });
        deck[at].games += 1;
        deck[at].sum += score;
        let now = deck[at].mean();
        // A deck counts once, so its earlier contribution is subtracted.
        let replace = |sums: &mut DeckSums, value: &dyn Fn(f64) -> f64| {
            if let Some(before) = before {
                sums.add(value(before), -1.0);
            }
            sums.add(value(now), 1.0);
        };
        replace(self.bots.entry(bot).or_default(), &|score| score);
        for rival in deck.iter().filter(|on_deck| on_deck.bot as usize != bot) {
            let (other, theirs) = (rival.bot as usize, rival.mean());
            let sign = if bot < other { 1.0 } else { -1.0 };
            let pair = self.pairs.entry((bot.min(other), bot.max(other))).or_default();
            replace(pair, &|score| sign * (score - theirs));
        }
    }

    /// A bot's mean score over its decks.
    pub fn mean(&self, bot: usize) -> Option<Mean> {
        self.bots.get(&bot).map(|sums| sums.mean())
    }

    /// How much more `a` scores than `b`, on the decks that both have played. If they share at most
    /// one deck, their means are compared.
    pub fn difference(&self, a: usize, b: usize) -> Option<Mean> {
        let shared = self.pairs.get(&(a.min(b), a.max(b))).map(|sums| sums.mean());
        let shared = shared.map(|mean| if a < b { mean } else { Mean { mean: -mean.mean, ..mean } });
        if shared.is_some_and(|mean| mean.decks > 1) {
            return shared;
        }
        let apart = self.mean(a)?.minus(&self.mean(b)?);
        Some(shared.filter(|_| apart.deviation.is_none()).unwrap_or(apart))
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
        // The differences are 2, 1 and 1. Their deviation is 0.57735, and the deviation of the mean
        // is 1/3. With three decks, the interval is 4.3027 times as wide.
        assert!((found.error().unwrap() - 4.302_652_7 / 3.0).abs() < 1e-6);
        assert!((found.superiority().unwrap() - 0.971_4).abs() < 1e-3, "{:?}", found.superiority());
        assert!((decks.difference(1, 0).unwrap().mean + 4.0 / 3.0).abs() < 1e-12);
        assert!(decks.mean(0).unwrap().error().unwrap() > 10.0);
        assert_eq!(decks.difference(0, 2), None);
    }

    /// First come all games of one bot, then all games of the other, as in two files.
    #[test]
    fn decks_are_compared_however_far_apart_they_were_played() {
        let mut decks = Decks::default();
        for bot in [0, 1] {
            for deck in 0..30_000 {
                decks.add(&deck.to_string(), bot, f64::from(deck % 7) + if bot == 0 { 1.0 } else { 0.0 });
            }
        }
        let lead = decks.difference(0, 1).unwrap();
        assert_eq!((lead.decks, lead.mean, lead.superiority()), (30_000, 1.0, Some(1.0)));
    }

    /// Welch's test. The bots have the variances 10/4 and 10 over 5 decks each.
    #[test]
    fn bots_without_common_decks_are_compared_by_their_means() {
        let mut decks = Decks::default();
        for deck in 0..5 {
            decks.add(&format!("a{deck}"), 0, f64::from(deck) + 10.0);
            decks.add(&format!("b{deck}"), 1, 2.0 * f64::from(deck) + 5.0);
        }
        let lead = decks.difference(0, 1).unwrap();
        assert_eq!((lead.decks, lead.mean), (0, 3.0));
        assert!((lead.deviation.unwrap() - 2.5_f64.sqrt()).abs() < 1e-12, "{lead:?}");
        assert!((lead.freedom - 2.5_f64.powi(2) / (4.25 / 4.0)).abs() < 1e-9, "{lead:?}");
        assert!((decks.difference(1, 0).unwrap().mean + 3.0).abs() < 1e-12);
        // One common deck says less than all the others.
        decks.add("b0", 0, 10.0);
        assert_eq!(decks.difference(0, 1).unwrap().decks, 0);
        decks.add("b1", 0, 10.0);
        assert_eq!(decks.difference(0, 1).unwrap().decks, 2);
    }

    #[test]
    fn a_deck_played_twice_counts_once() {
        let mut decks = Decks::default();
        for score in [10.0, 20.0] {
            decks.add("a", 0, score);
        }
        decks.add("a", 1, 5.0);
        decks.add("a", 0, 30.0);
        let one = |mean| Mean { decks: 1, mean, deviation: None, freedom: 0.0 };
        assert_eq!(decks.mean(0), Some(one(20.0)));
        assert_eq!(decks.difference(0, 1), Some(one(15.0)));
        assert_eq!(one(3.0).superiority(), None);
    }
}
