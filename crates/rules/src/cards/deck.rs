//! The deck that a game is dealt from.

use super::Card;
use crate::chance::Chance;
use crate::params::{Domain, ParamError, Parameter, require, split_words};
use serde_json::Value;

/// An explicit deck, first card on top: `"2H 9D KS"` or `["2H", "9D", "KS"]`. It is not shuffled,
/// and the game is played with exactly these cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck(Vec<Card>);

/// The cards that a game is played with.
pub(crate) struct Pack<'a> {
    given: Option<&'a Deck>,
    usual: Vec<Card>,
}

impl<'a> Pack<'a> {
    /// Those of an explicit deck, or else the usual ones.
    pub(crate) fn new(given: Option<&'a Deck>, usual: Vec<Card>) -> Pack<'a> {
        Pack { given, usual }
    }

    pub(crate) fn cards(self) -> Vec<Card> {
        self.given.map_or(self.usual, |deck| deck.0.clone())
    }

    /// An explicit deck is never shuffled.
    pub(crate) fn shuffled(self, chance: &mut Chance) -> Vec<Card> {
        let is_given = self.given.is_some();
        let mut cards = self.cards();
        if !is_given {
            chance.deal(&mut cards);
        }
        cards
    }

    /// For games whose cards all have a suit.
    pub(crate) fn without_jokers(self) -> Result<Pack<'a>, ParamError> {
        let suited = self.given.is_none_or(|deck| deck.0.iter().all(|card| !card.is_joker()));
        require(suited, "deck", || "this game has no jokers".to_owned())?;
        Ok(self)
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
