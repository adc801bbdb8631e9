//! A hand of cards, with what the others know of it.
//!
//! A card that was seen on its way into a hand, or that somebody gave away himself, is no secret to those who
//! saw it. Each card of a hand therefore carries the seats that know it is there; its owner always does. A
//! seat's view lists these cards as `known`, and imagining the hidden ones leaves them where they are.

use super::unseen::{Unseen, read_cards};
use crate::cards::{Card, texts};
use crate::{Eyes, Seat, Seats};
use serde_json::{Value, json};

/// The place of the spectators in a set of seats: what they know, everybody knows.
const SPECTATORS: Seat = Seat(7);

/// Every seat, and the spectators.
pub(super) fn everybody() -> Seats {
    Seats::first(8)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Held {
    card: Card,
    known_by: Seats,
}

/// Cards in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hand(Vec<Held>);

impl Hand {
    /// Cards that nobody but their owner knows.
    pub(super) fn secret(cards: impl IntoIterator<Item = Card>) -> Hand {
        let mut hand = Hand::default();
        cards.into_iter().for_each(|card| hand.add(card, Seats::NONE));
        hand
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Card> {
        self.0.iter().map(|held| held.card)
    }

    pub(super) fn cards(&self) -> Vec<Card> {
        self.iter().collect()
    }

    /// Every card once, even if two decks are in play.
    pub(super) fn kinds(&self) -> Vec<Card> {
        let mut cards = self.cards();
        cards.dedup();
        cards
    }

    /// A card by its place in canonical order.
    pub(super) fn at(&self, place: usize) -> Card {
        self.0[place].card
    }

    pub(super) fn add(&mut self, card: Card, known_by: Seats) {
        let at = self.0.partition_point(|held| held.card <= card);
        self.0.insert(at, Held { card, known_by });
    }

    /// Takes a card out. If the hand holds it twice, whoever knew of one of them now knows of none.
    pub(super) fn remove(&mut self, card: Card) {
        let at = self.0.iter().position(|held| held.card == card).expect("the card is in the hand");
        let mut known_by = self.0.remove(at).known_by;
        for held in self.0.iter_mut().filter(|held| held.card == card) {
            let both = known_by.iter().filter(|&seat| held.known_by.contains(seat)).collect();
            known_by = known_by.iter().chain(held.known_by.iter()).collect();
            held.known_by = both;
        }
    }

    /// These seats have seen this card in the hand.
    pub(super) fn note(&mut self, card: Card, seen_by: Seats) {
        if let Some(held) = self.0.iter_mut().find(|held| held.card == card) {
            held.known_by = held.known_by.iter().chain(seen_by.iter()).collect();
        }
    }

    /// These seats get to know the whole hand.
    pub(super) fn show(&mut self, to: Seats) {
        for held in &mut self.0 {
            held.known_by = held.known_by.iter().chain(to.iter()).collect();
        }
    }

    /// An unseen card has left the hand, so that all but these seats no longer know what is in it.
    pub(super) fn blur(&mut self, except: Seats) {
        for held in &mut self.0 {
            held.known_by = held.known_by.iter().filter(|&seat| except.contains(seat)).collect();
        }
    }

    /// All cards change hands, and what was known of them stays known.
    pub(super) fn pour_into(&mut self, other: &mut Hand) {
        for held in self.0.drain(..) {
            other.add(held.card, held.known_by);
        }
    }

    fn known_to(&self, eyes: Eyes) -> Vec<Card> {
        self.0.iter().filter(|held| sees(eyes, held.known_by)).map(|held| held.card).collect()
    }
}

/// Do these eyes see a card that is known to some seats?
pub(super) fn sees(eyes: Eyes, known_by: Seats) -> bool {
    match eyes {
        Eyes::Seat(seat) => known_by.contains(seat),
        Eyes::Spectator => known_by.contains(SPECTATORS),
        Eyes::Referee => true,
    }
}

/// Hands by seat: their cards for those who may see them, `null` for the others.
pub(super) fn view(hands: &[Hand], eyes: Eyes) -> Value {
    by_seat(
        hands,
        |seat, hand| if eyes.see_secrets_of(seat) { json!(texts(&hand.cards())) } else { Value::Null },
    )
}

/// The cards known to be in each hand, to eyes that do not see the hand itself.
pub(super) fn known(hands: &[Hand], eyes: Eyes) -> Value {
    by_seat(
        hands,
        |seat, hand| {
            if eyes.see_secrets_of(seat) { json!([]) } else { json!(texts(&hand.known_to(eyes))) }
        },
    )
}

pub(super) fn sizes(hands: &[Hand]) -> Value {
    by_seat(hands, |_, hand| json!(hand.len()))
}

fn by_seat(hands: &[Hand], show: impl Fn(Seat, &Hand) -> Value) -> Value {
    hands.iter().enumerate().map(|(seat, hand)| show(Seat(seat as u8), hand)).collect()
}

/// Hands as a picture shows them: cards that are not known are seen from behind.
pub(super) fn backs(hand: &Hand, owner: Seat, eyes: Eyes) -> Vec<Option<Card>> {
    if eyes.see_secrets_of(owner) {
        return hand.iter().map(Some).collect();
    }
    let known = hand.known_to(eyes);
    let hidden = hand.len() - known.len();
    known.into_iter().map(Some).chain(std::iter::repeat_n(None, hidden)).collect()
}

/// Hands of a seat's view, with the cards that the seat knows and how many more each holds.
pub(super) struct HalfSeen {
    hands: Vec<Hand>,
    hidden: Vec<usize>,
}

impl HalfSeen {
    /// Reads what [`view`], [`known`] and [`sizes`] wrote.
    pub(super) fn read(seat: Seat, hands: &Value, known: &Value, sizes: &Value) -> Result<HalfSeen, String> {
        let sizes: Vec<usize> = serde::Deserialize::deserialize(sizes).map_err(|error| error.to_string())?;
        let mut seen = HalfSeen { hands: Vec::new(), hidden: Vec::new() };
        for (owner, size) in sizes.into_iter().enumerate() {
            let mut hand = Hand::default();
            let cards = if owner == seat.index() { &hands[owner] } else { &known[owner] };
            read_cards(cards)?.into_iter().for_each(|card| hand.add(card, Seats::one(seat)));
            let hidden = size.checked_sub(hand.len()).ok_or("more cards known than there are in a hand")?;
            seen.hands.push(hand);
            seen.hidden.push(hidden);
        }
        Ok(seen)
    }

    /// The cards that the seat knows of.
    pub(super) fn cards(&self) -> impl Iterator<Item = Card> {
        self.hands.iter().flat_map(Hand::iter)
    }

    /// Puts unseen cards in the places of the hidden ones.
    pub(super) fn fill(mut self, unseen: &mut Unseen) -> Result<Vec<Hand>, String> {
        for (hand, hidden) in self.hands.iter_mut().zip(self.hidden) {
            for _ in 0..hidden {
                hand.add(unseen.next()?, Seats::NONE);
            }
        }
        Ok(self.hands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_know_of_a_hand() {
        let card = |code: &str| code.parse::<Card>().unwrap();
        let (me, you) = (Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)));
        let mut hand = Hand::secret([card("2C"), card("2C")]);
        hand.add(card("2C"), Seats::one(Seat(1)));
        hand.add(card("KH"), everybody());
        assert_eq!((hand.known_to(me), hand.known_to(you)), (vec![card("KH")], vec![card("2C"), card("KH")]));
        assert_eq!(hand.known_to(Eyes::Spectator), vec![card("KH")]);
        // Which of the three twos went is not to be seen.
        hand.remove(card("2C"));
        assert_eq!((hand.known_to(you), hand.len()), (vec![card("KH")], 3));
        hand.show(Seats::one(Seat(0)));
        hand.blur(Seats::one(Seat(0)));
        assert_eq!((hand.known_to(me).len(), hand.known_to(you).len()), (3, 0));
    }
}
