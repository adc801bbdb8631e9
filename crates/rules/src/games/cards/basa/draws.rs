//! Drawing cards, meeting the ace of diamonds, losing.

use super::{Basa, Phase};
use crate::cards::{Card, draw};
use crate::{Seat, Seats};

/// What came of an exposed draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    Card(Card),
    /// There was no card to draw.
    Nothing,
    /// The ace of diamonds: who drew has lost.
    Met,
}

impl Basa {
    pub(super) fn shuffle(&mut self) {
        self.chance.shuffle(&mut self.deck);
    }

    pub(super) fn put_under(&mut self, cards: impl IntoIterator<Item = Card>) {
        self.deck.extend(cards);
    }

    /// Takes the top card. If the deck is empty every seat gives a random card for it.
    pub(super) fn top_card(&mut self) -> Option<Card> {
        if self.deck.is_empty() {
            for seat in self.everybody_with_cards().iter() {
                let hand = &mut self.hands[seat.index()];
                let card = hand[self.chance.pick(hand.len())];
                hand.remove_unseen(card, Seats::NONE);
                self.deck.push(card);
            }
            self.shuffle();
        }
        draw(&mut self.deck)
    }

    /// "Receive a card": never the ace of diamonds.
    pub(super) fn safe_draw(&mut self) -> Option<Card> {
        loop {
            let card = self.top_card()?;
            if card != Card::ACE_OF_DIAMONDS {
                return Some(card);
            }
            let nothing_else = self.deck.iter().all(|card| *card == Card::ACE_OF_DIAMONDS);
            self.put_under([card]);
            if nothing_else {
                return None;
            }
            self.shuffle();
        }
    }

    /// Whoever draws the ace of diamonds loses, except for a player with a shield.
    pub(super) fn exposed_draw(&mut self, seat: Seat) -> Drawn {
        if seat == self.cur && self.now.shield {
            return self.safe_draw().map_or(Drawn::Nothing, Drawn::Card);
        }
        match self.top_card() {
            None => Drawn::Nothing,
            Some(Card::ACE_OF_DIAMONDS) => {
                self.meet(seat);
                Drawn::Met
            }
            Some(card) => Drawn::Card(card),
        }
    }

    pub(super) fn draw_to_temp(&mut self, seat: Seat) -> Drawn {
        let drawn = self.exposed_draw(seat);
        if let Drawn::Card(card) = drawn {
            self.temp[seat.index()].push(card);
        }
        drawn
    }

    /// The ace of diamonds, just drawn, goes under the deck and its finder loses.
    pub(super) fn meet(&mut self, seat: Seat) {
        self.put_under([Card::ACE_OF_DIAMONDS]);
        self.lose(seat);
    }

    pub(super) fn lose(&mut self, seat: Seat) {
        let at = seat.index();
        let temp = std::mem::take(&mut self.temp[at]);
        let hand = std::mem::take(&mut self.hands[at]);
        self.score[at] += 2 * self.count_in() * temp.len() as i32 + hand.len() as i32;
        self.out[at] = 1 + self.out.iter().max().copied().unwrap_or(0);
        self.clear(temp);
        self.put_under(hand.iter());
        self.shuffle();
        self.claims.retain(|&(_, owner)| owner != seat);
        self.end_reversals_of(seat);
        if self.count_in() == 1 {
            if self.is_in(self.cur) {
                self.score[self.cur.index()] += 2 * self.temp[self.cur.index()].len() as i32;
            }
            self.phase = Phase::Over("last_left");
        }
    }

    /// The cards of a temp return to the deck, or leave the game.
    pub(super) fn clear(&mut self, temp: Vec<Card>) {
        if self.rules.temp_leaves {
            self.removed.extend(temp);
        } else {
            self.put_under(temp);
        }
    }

    pub(super) fn end_reversals_of(&mut self, seat: Seat) {
        let before = self.reversals.len();
        self.reversals.retain(|owner| *owner != seat);
        if (before - self.reversals.len()) % 2 == 1 {
            self.dir = -self.dir;
        }
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// The player has lost, or the game is over.
    pub(super) fn is_cut_short(&self) -> bool {
        self.is_over() || !self.is_in(self.cur)
    }
}
