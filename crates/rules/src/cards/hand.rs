//! Cards that somebody holds, with what the others know of them.
//!
//! A card that was seen on its way into a hand, or that somebody gave away, is no secret to those
//! who saw it. Each card therefore carries the seats that know where it is. Who owns a pile and
//! sees it anyway is not noted here.

use super::Card;
use crate::{Eyes, Seat, Seats};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Index;

/// The place of the spectators in a set of seats: what they know, everybody knows.
const SPECTATORS: Seat = Seat(7);

/// Every seat, and the spectators.
pub(crate) fn everybody() -> Seats {
    Seats::first(8)
}

/// Do these eyes see a card that is known to some seats?
pub(crate) fn sees(eyes: Eyes, known_by: Seats) -> bool {
    match eyes {
        Eyes::Seat(seat) => known_by.contains(seat),
        Eyes::Spectator => known_by.contains(SPECTATORS),
        Eyes::Referee => true,
    }
}

/// A card and the seats that know that it lies here. A list of them is a row whose order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "Card")]
pub(crate) struct Held {
    pub(crate) card: Card,
    pub(crate) known_by: Seats,
}

impl Held {
    /// All of these seats know the card from now on.
    pub(crate) fn show(&mut self, to: Seats) {
        self.known_by = self.known_by.iter().chain(to.iter()).collect();
    }

    /// If it is seen, this seat knows it.
    pub(crate) fn known_to(&mut self, seat: Seat) {
        if self.card != Card::BACK {
            self.known_by = Seats::one(seat);
        }
    }
}

impl From<Card> for Held {
    fn from(card: Card) -> Held {
        Held { card, known_by: Seats::NONE }
    }
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.card.serialize(serializer)
    }
}

/// Cards without an order of their own, kept in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Card>")]
pub(crate) struct Hand(Vec<Held>);

impl Hand {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Card> + Clone {
        self.0.iter().map(|held| held.card)
    }

    /// Every card once, however many of its name there are.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = Card> {
        let repeats = |at: usize| at > 0 && self.0[at].card == self.0[at - 1].card;
        self.iter().enumerate().filter(move |(at, _)| !repeats(*at)).map(|(_, card)| card)
    }

    pub(crate) fn add(&mut self, card: Card, known_by: Seats) {
        let at = self.0.partition_point(|held| held.card <= card);
        self.0.insert(at, Held { card, known_by });
    }

    /// Takes a card out that is there. If the hand holds it twice, whoever knew of one of them now
    /// knows of none.
    pub(crate) fn remove(&mut self, card: Card) -> Card {
        let at = self.0.iter().position(|held| held.card == card).expect("the card is in the hand");
        let mut known_by = self.0.remove(at).known_by;
        for held in self.0[at..].iter_mut().take_while(|held| held.card == card) {
            let both = known_by.iter().filter(|&seat| held.known_by.contains(seat)).collect();
            known_by = known_by.iter().chain(held.known_by.iter()).collect();
            held.known_by = both;
        }
        card
    }

    /// Takes a card out unseen: all but these seats no longer know what is left in the hand.
    pub(crate) fn remove_unseen(&mut self, card: Card, seen_by: Seats) {
        self.remove(card);
        for held in &mut self.0 {
            held.known_by = held.known_by.iter().filter(|&seat| seen_by.contains(seat)).collect();
        }
    }

    /// These seats have seen this card in the hand.
    pub(crate) fn note(&mut self, card: Card, seen_by: Seats) {
        if let Some(held) = self.0.iter_mut().find(|held| held.card == card) {
            held.show(seen_by);
        }
    }

    /// These seats get to know the whole hand.
    pub(crate) fn show(&mut self, to: Seats) {
        self.0.iter_mut().for_each(|held| held.show(to));
    }

    /// Nothing is known of the hand but the cards that this seat sees.
    pub(crate) fn known_to(&mut self, seat: Seat) {
        self.0.iter_mut().for_each(|held| held.known_to(seat));
    }

    /// All cards change hands, and what was known of them stays known.
    pub(crate) fn pour_into(&mut self, other: &mut Hand) {
        for held in self.0.drain(..) {
            other.add(held.card, held.known_by);
        }
    }

    #[cfg(test)]
    pub(crate) fn codes(&self) -> String {
        super::texts(&self.iter().collect::<Vec<_>>()).join(" ")
    }

    /// Changes the cards themselves, and brings them back into order.
    pub(crate) fn change(&mut self, change: impl FnMut(&mut Held)) {
        self.0.iter_mut().for_each(change);
        self.0.sort_by_key(|held| held.card);
    }
}

impl Index<usize> for Hand {
    type Output = Card;

    /// By the place in canonical order.
    fn index(&self, at: usize) -> &Card {
        &self.0[at].card
    }
}

impl From<Vec<Card>> for Hand {
    /// Cards that nobody but their owner knows.
    fn from(cards: Vec<Card>) -> Hand {
        cards.into_iter().collect()
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        let mut hand = Hand::default();
        hand.extend(cards);
        hand
    }
}

impl Extend<Card> for Hand {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        cards.into_iter().for_each(|card| self.add(card, Seats::NONE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(code: &str) -> Card {
        code.parse().unwrap()
    }

    fn hand(codes: &str) -> Hand {
        codes.split_whitespace().map(card).collect()
    }

    fn known(hand: &Hand, eyes: Eyes) -> String {
        let seen = hand.0.iter().filter(|held| sees(eyes, held.known_by));
        seen.map(|held| held.card.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_hand_stays_sorted_and_may_hold_a_card_twice() {
        let mut cards = hand("KH 2C 2C XR");
        cards.add(card("AD"), Seats::NONE);
        assert_eq!(cards, hand("2C 2C KH AD XR"));
        assert_eq!(cards.distinct().collect::<Hand>(), hand("2C KH AD XR"));
        cards.remove(card("2C"));
        assert_eq!(cards, hand("2C KH AD XR"));
    }

    #[test]
    fn what_others_know_of_a_hand() {
        let (me, you) = (Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)));
        let mut hand = hand("2C 2C");
        hand.add(card("2C"), Seats::one(Seat(1)));
        hand.add(card("KH"), everybody());
        assert_eq!((known(&hand, me), known(&hand, you)), ("KH".into(), "2C KH".into()));
        assert_eq!(known(&hand, Eyes::Spectator), "KH");
        // Which of the three twos went is not to be seen.
        hand.remove(card("2C"));
        assert_eq!((known(&hand, you).as_str(), hand.len()), ("KH", 3));
        hand.show(Seats::one(Seat(0)));
        hand.remove_unseen(card("KH"), Seats::one(Seat(0)));
        assert_eq!((known(&hand, me).as_str(), known(&hand, you).as_str()), ("2C 2C", ""));
    }
}
