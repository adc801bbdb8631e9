//! What a player who imagines the hidden cards has left to deal.

use super::{Card, Deck};
use crate::chance::Chance;

/// The cards of a game that a seat does not see, in random order once they are shuffled.
#[derive(Debug)]
pub struct Unseen(Vec<Card>);

impl Unseen {
    /// Begins with every card of the game: those of `given`, or else those of `full`.
    pub fn all(given: Option<&Deck>, full: Vec<Card>) -> Unseen {
        Unseen(given.map_or(full, |deck| deck.cards().to_vec()))
    }

    /// These cards lie in sight.
    pub fn without<'a>(mut self, seen: impl IntoIterator<Item = &'a Card>) -> Result<Unseen, String> {
        for card in seen {
            let at = self.0.iter().position(|other| other == card);
            self.0
                .swap_remove(at.ok_or_else(|| format!("{card} is seen more often than the deck holds it"))?);
        }
        Ok(self)
    }

    #[must_use]
    pub fn shuffled(mut self, chance: &mut Chance) -> Unseen {
        // The order in which cards were seen must not shine through.
        self.0.sort_unstable();
        chance.deal(&mut self.0);
        self
    }

    /// Hands out this many.
    pub fn deal(&mut self, count: usize) -> Result<Vec<Card>, String> {
        if count > self.0.len() {
            return Err(format!("{count} unseen cards are needed, {} are left", self.0.len()));
        }
        Ok(self.0.split_off(self.0.len() - count))
    }

    /// Hands out one that is known to be of some kind, if there is one.
    pub fn deal_one(&mut self, kind: impl Fn(Card) -> bool) -> Option<Card> {
        let at = self.0.iter().position(|card| kind(*card))?;
        Some(self.0.remove(at))
    }

    /// Hands out everything that is left.
    pub fn rest(self) -> Vec<Card> {
        self.0
    }
}
