//! Cards without an order.

use super::Card;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Cards without an order of their own, kept in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Card>")]
pub struct Hand(Vec<Card>);

impl Hand {
    pub fn add(&mut self, card: Card) {
        let at = self.0.partition_point(|other| *other < card);
        self.0.insert(at, card);
    }

    /// Takes one card of this name out, if there is one.
    pub fn take(&mut self, card: Card) -> Option<Card> {
        let at = self.0.binary_search(&card).ok()?;
        Some(self.0.remove(at))
    }

    /// Takes everything out.
    pub fn take_all(&mut self) -> Vec<Card> {
        std::mem::take(&mut self.0)
    }

    /// Every card once, however many of its name there are.
    pub fn distinct(&self) -> impl Iterator<Item = Card> {
        let repeats = |at: usize| at > 0 && self.0[at] == self.0[at - 1];
        self.0.iter().enumerate().filter(move |(at, _)| !repeats(*at)).map(|(_, card)| *card)
    }
}

impl Deref for Hand {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        &self.0
    }
}

impl From<Vec<Card>> for Hand {
    fn from(mut cards: Vec<Card>) -> Hand {
        cards.sort_unstable();
        Hand(cards)
    }
}

impl Extend<Card> for Hand {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        self.0.extend(cards);
        self.0.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(codes: &str) -> Hand {
        codes.split_whitespace().map(|code| code.parse().unwrap()).collect::<Vec<Card>>().into()
    }

    #[test]
    fn a_hand_stays_sorted_and_may_hold_a_card_twice() {
        let mut cards = hand("KH 2C 2C XR");
        cards.add("AD".parse().unwrap());
        assert_eq!(cards, hand("2C 2C KH AD XR"));
        assert_eq!(cards.distinct().collect::<Vec<_>>(), *hand("2C KH AD XR"));
        assert_eq!(cards.take("2C".parse().unwrap()), Some("2C".parse().unwrap()));
        assert_eq!(cards.take("3C".parse().unwrap()), None);
        assert_eq!(cards, hand("2C KH AD XR"));
    }
}
