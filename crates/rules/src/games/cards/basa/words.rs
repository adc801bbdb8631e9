//! Words that the rows of the table of actions are made of.

use super::Basa;
use super::actions::Flow;
use super::draws::Drawn;
use crate::cards::{Card, Suit, everybody};
use crate::{Seat, Seats};

impl Basa {
    /// The seats that were in when the action began.
    pub(super) fn n(&self) -> i32 {
        self.using.n
    }

    pub(super) fn my_hand(&self) -> usize {
        self.hands[self.cur.index()].len()
    }

    pub(super) fn my_score(&self) -> i32 {
        self.score[self.cur.index()]
    }

    pub(super) fn roll(&mut self, low: i32, high: i32) -> Flow {
        self.using.y = self.chance.die(low, high);
        Flow::Go
    }

    pub(super) fn gain(&mut self, points: i32) -> Flow {
        self.score[self.cur.index()] += points;
        Flow::Go
    }

    pub(super) fn others_gain(&mut self, points: i32) -> Flow {
        for seat in self.others() {
            self.score[seat.index()] += points;
        }
        Flow::Go
    }

    pub(super) fn target_gains(&mut self, points: i32) -> Flow {
        if let Some(seat) = self.using.target {
            self.score[seat.index()] += points;
        }
        Flow::Go
    }

    pub(super) fn target_pays(&mut self, points: i32) -> Flow {
        if let Some(seat) = self.using.target {
            self.pay(seat, self.cur, points);
        }
        Flow::Go
    }

    pub(super) fn next_gains(&mut self, points: i32) -> Flow {
        let seat = self.next_seat(self.cur);
        self.score[seat.index()] += points;
        Flow::Go
    }

    pub(super) fn claim(&mut self, suit: Suit) -> Flow {
        self.claims.push((suit, self.cur));
        Flow::Go
    }

    /// Safe draws to the hand.
    pub(super) fn receive(&mut self, count: usize) -> Flow {
        for _ in 0..count {
            if let Some(card) = self.safe_draw() {
                self.put(card, self.my_hand() > 0, Seats::NONE);
            }
        }
        Flow::Go
    }

    /// Safe draws even into an empty hand.
    pub(super) fn receive_anyway(&mut self, count: usize) -> Flow {
        for _ in 0..count {
            if let Some(card) = self.safe_draw() {
                self.put(card, true, Seats::NONE);
            }
        }
        Flow::Go
    }

    /// Up to so many cards from the end of `removed`, in its order; whether to the hand is decided
    /// before the first.
    pub(super) fn take_removed(&mut self, count: usize) -> Flow {
        let to_hand = self.my_hand() > 0;
        let at = self.removed.len().saturating_sub(count);
        for card in self.removed.split_off(at) {
            self.put(card, to_hand, everybody());
        }
        Flow::Go
    }

    pub(super) fn draw_and_gain_if(&mut self, wins: fn(i32, i32) -> bool) -> Flow {
        if let Drawn::Card(card) = self.draw_to_temp(self.cur)
            && !card.is_joker()
            && wins(i32::from(card.low()), self.using.y)
        {
            return self.gain(10 * self.n());
        }
        Flow::Go
    }

    /// A card to the player's hand, or to the temp.
    pub(super) fn put(&mut self, card: Card, to_hand: bool, known_by: Seats) {
        if to_hand {
            self.hands[self.cur.index()].add(card, known_by);
        } else {
            self.temp[self.cur.index()].push(card);
        }
    }

    pub(super) fn keep(&mut self, card: Card) {
        self.take_from_temp(card);
        self.put(card, true, everybody());
        if let Some(at) = self.using.drawn.iter().position(|other| *other == card) {
            self.using.drawn.remove(at);
        }
    }

    /// The last such card of the player's temp.
    pub(super) fn take_from_temp(&mut self, card: Card) {
        let temp = &mut self.temp[self.cur.index()];
        let at = temp.iter().rposition(|other| *other == card).expect("it was drawn to the temp");
        temp.remove(at);
    }

    pub(super) fn random_of(&mut self, seat: Seat) -> Card {
        let place = self.chance.pick(self.hands[seat.index()].len());
        self.hands[seat.index()][place]
    }

    /// A random card of another hand comes to the player, even into an empty hand.
    pub(super) fn steal_random(&mut self, from: Seat) {
        let card = self.random_of(from);
        self.hands[from.index()].remove_unseen(card, Seats::one(self.cur));
        self.put(card, true, Seats::one(from));
    }
}
