//! Where the cards of a game lie, and who sees them.

use crate::cards::{Card, Hand, Held, Mixing, Pack, Unseen, everybody, sees};
use crate::{Chance, Eyes, Seat, Seats, Seed};

/// Who sees the cards of a pile, apart from those who know a single card of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Nobody,
    Owner,
    All,
}

/// Every pile of a game with the seats that see it, in the order in which hidden cards are
/// imagined.
#[derive(Default)]
pub(super) struct Spread<'a> {
    piles: Vec<(Seats, CardPile<'a>)>,
    deck: Option<&'a mut Vec<Card>>,
    chance: Option<&'a mut Chance>,
}

/// A pile, as some cards of one kind.
pub(super) enum CardPile<'a> {
    Cards(&'a mut [Card]),
    Single(&'a mut [Card]),
    Row(&'a mut [Held]),
    Hand(&'a mut Hand),
}

impl<'a> From<&'a mut Vec<Card>> for CardPile<'a> {
    fn from(cards: &'a mut Vec<Card>) -> Self {
        CardPile::Cards(cards)
    }
}

impl<'a> From<&'a mut Card> for CardPile<'a> {
    fn from(card: &'a mut Card) -> Self {
        CardPile::Single(std::slice::from_mut(card))
    }
}

impl<'a> From<&'a mut Option<Card>> for CardPile<'a> {
    fn from(card: &'a mut Option<Card>) -> Self {
        CardPile::Single(card.as_mut_slice())
    }
}

impl<'a> From<&'a mut Vec<Held>> for CardPile<'a> {
    fn from(row: &'a mut Vec<Held>) -> Self {
        CardPile::Row(row)
    }
}

impl<'a> From<&'a mut Hand> for CardPile<'a> {
    fn from(hand: &'a mut Hand) -> Self {
        CardPile::Hand(hand)
    }
}

impl<'a> Spread<'a> {
    /// One pile, seen by these seats.
    pub(super) fn pile(mut self, seen_by: Seats, pile: impl Into<CardPile<'a>>) -> Self {
        self.piles.push((seen_by, pile.into()));
        self
    }

    /// One pile in sight of all.
    pub(super) fn open(self, pile: impl Into<CardPile<'a>>) -> Self {
        self.pile(everybody(), pile)
    }

    /// A pile of each seat.
    pub(super) fn each<P: Into<CardPile<'a>>>(
        mut self,
        sight: Sight,
        piles: impl IntoIterator<Item = P>,
    ) -> Self {
        for (seat, pile) in (0..).map(Seat).zip(piles) {
            let seen_by = match sight {
                Sight::Nobody => Seats::NONE,
                Sight::Owner => Seats::one(seat),
                Sight::All => everybody(),
            };
            self.piles.push((seen_by, pile.into()));
        }
        self
    }

    /// The closed pile to draw from. Whatever is not seen or imagined elsewhere is there.
    pub(super) fn deck(mut self, deck: &'a mut Vec<Card>) -> Self {
        self.deck = Some(deck);
        self
    }

    /// The future.
    pub(super) fn chance(mut self, chance: &'a mut Chance) -> Self {
        self.chance = Some(chance);
        self
    }

    /// Turns over what these eyes do not see.
    pub(super) fn veil(self, eyes: Eyes) {
        if eyes == Eyes::Referee {
            return;
        }
        let veil = |held: &mut Held| {
            if !sees(eyes, held.known_by) {
                held.card = Card::BACK;
            }
        };
        for (_, pile) in self.piles.into_iter().filter(|&(seen_by, _)| !sees(eyes, seen_by)) {
            match pile {
                CardPile::Cards(cards) | CardPile::Single(cards) => cards.fill(Card::BACK),
                CardPile::Row(row) => row.iter_mut().for_each(veil),
                CardPile::Hand(hand) => hand.change(veil),
            }
        }
    }

    /// The faces in sight.
    fn faces(&self) -> Vec<Card> {
        let mut faces = Vec::new();
        for (_, pile) in &self.piles {
            match pile {
                CardPile::Cards(cards) | CardPile::Single(cards) => faces.extend_from_slice(cards),
                CardPile::Row(row) => faces.extend(row.iter().map(|held| held.card)),
                CardPile::Hand(hand) => faces.extend(hand.iter()),
            }
        }
        faces.retain(|card| *card != Card::BACK);
        faces
    }

    /// What a seat that sees these faces does not see, in random order. The seat is noted to know
    /// them.
    pub(super) fn unseen(self, pack: Pack, mixing: Mixing, seat: Seat, seed: Seed) -> Result<Unseen, String> {
        let faces = self.faces();
        for (_, pile) in self.piles {
            match pile {
                CardPile::Cards(_) | CardPile::Single(_) => {}
                CardPile::Row(row) => row.iter_mut().for_each(|held| held.known_to(seat)),
                CardPile::Hand(hand) => hand.known_to(seat),
            }
        }
        Unseen::new(pack, &faces, mixing, self.chance.unwrap_or(&mut Chance::new(seed)))
    }

    /// Deals unseen cards to the places of those that are seen from behind.
    pub(super) fn turn_up(self, mut unseen: Unseen) -> Result<(), String> {
        for (_, pile) in self.piles {
            match pile {
                CardPile::Cards(cards) => unseen.turn_up(cards)?,
                CardPile::Single(cards) => unseen.turn_up_row(cards)?,
                CardPile::Row(row) => unseen.turn_up_row(row.iter_mut().map(|held| &mut held.card))?,
                CardPile::Hand(hand) => unseen.turn_up_hand(hand)?,
            }
        }
        if let Some(deck) = self.deck {
            *deck = unseen.rest();
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn count(self) -> usize {
        self.faces().len() + self.deck.map_or(0, |deck| deck.len())
    }
}
