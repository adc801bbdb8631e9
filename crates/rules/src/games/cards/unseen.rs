//! The cards that a seat has not seen, for imagining where they are.

use crate::Chance;
use crate::cards::Card;
use serde_json::Value;

/// Reads a list of card codes from a view.
pub(super) fn read_cards(list: &Value) -> Result<Vec<Card>, String> {
    let list = list.as_array().ok_or_else(|| format!("expected a list of cards, not {list}"))?;
    list.iter().map(read_card).collect()
}

/// Reads one card code from a view.
pub(super) fn read_card(code: &Value) -> Result<Card, String> {
    let text = code.as_str().ok_or_else(|| format!("expected a card, not {code}"))?;
    text.parse().map_err(|error| format!("{error}"))
}

/// Cards in random order.
pub(super) struct Unseen(Vec<Card>);

impl Unseen {
    /// The whole deck without the cards that were seen.
    pub(super) fn new(
        mut deck: Vec<Card>,
        seen: impl IntoIterator<Item = Card>,
        chance: &mut Chance,
    ) -> Result<Self, String> {
        for card in seen {
            let at = deck.iter().position(|other| *other == card);
            deck.swap_remove(at.ok_or_else(|| format!("{card} is not among the cards of this game"))?);
        }
        chance.deal(&mut deck);
        Ok(Unseen(deck))
    }

    pub(super) fn next(&mut self) -> Result<Card, String> {
        self.0.pop().ok_or_else(|| "more hidden cards than there are unseen ones".to_owned())
    }

    /// Takes out all cards of one kind.
    pub(super) fn set_apart(&mut self, card: Card) -> Vec<Card> {
        self.0.extract_if(.., |other| *other == card).collect()
    }

    /// What is left.
    pub(super) fn rest(self) -> Vec<Card> {
        self.0
    }
}
