//! The deck that a game is dealt from.

use super::Card;
use crate::chance::Chance;
use crate::params::{Domain, ParamError, Parameter, require, split_words};
use serde_json::Value;

/// An explicit deck, first card on top: `"2H 9D KS"` or `["2H", "9D", "KS"]`. It is not shuffled, and the
/// game is played with exactly these cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck(Vec<Card>);

impl Deck {
    /// The cards of `given`, or else those of `full` in shuffled order.
    pub fn or_shuffled(given: Option<&Deck>, mut full: Vec<Card>, chance: &mut Chance) -> Vec<Card> {
        if let Some(deck) = given {
            return deck.0.clone();
        }
        chance.deal(&mut full);
        full
    }

    /// For games whose cards all have a suit.
    pub fn refuse_jokers(given: Option<&Deck>) -> Result<(), ParamError> {
        let suited = given.is_none_or(|deck| deck.0.iter().all(|card| !card.is_joker()));
        require(suited, "deck", || "this game has no jokers".to_owned())
    }

    /// First card on top.
    pub fn cards(&self) -> &[Card] {
        &self.0
    }
}

/// Takes the top card of a pile, if there is one.
pub fn draw(pile: &mut Vec<Card>) -> Option<Card> {
    (!pile.is_empty()).then(|| pile.remove(0))
}

impl Parameter for Deck {
    fn domain() -> Domain {
        Domain::some_words()
    }

    fn read(value: &Value) -> Result<Deck, String> {
        let cards = split_words(value).into_iter().map(str::parse).collect::<Result<_, _>>();
        cards.map(Deck).map_err(|error: super::card::NotACard| error.to_string())
    }

    fn write(&self) -> Value {
        texts(&self.0).join(" ").into()
    }
}

/// The codes of some cards, for a view.
pub fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}
