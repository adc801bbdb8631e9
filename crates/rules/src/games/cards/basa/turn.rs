//! A turn: drawing with or without a guess, using cards, the end of it.

use super::actions::{Flow, Question, is_unique, steps};
use super::draws::Drawn;
use super::{Amount, Ballot, Basa, Drawing, Move, Now, Phase, Using};
use crate::cards::{Card, Suit, everybody};
use crate::{Seat, Seats};

impl Basa {
    pub(super) fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.hands.len() as u8).map(Seat)
    }

    pub(super) fn is_in(&self, seat: Seat) -> bool {
        self.out[seat.index()] == 0
    }

    pub(super) fn count_in(&self) -> i32 {
        self.all().filter(|&seat| self.is_in(seat)).count() as i32
    }

    /// Seats still in, in the direction of play, beginning with `first` itself if it is in.
    pub(super) fn players_from(&self, first: Seat) -> Vec<Seat> {
        let count = self.hands.len() as i32;
        let seats =
            (0..count).map(|step| Seat((i32::from(first.0) + step * self.dir).rem_euclid(count) as u8));
        seats.filter(|&seat| self.is_in(seat)).collect()
    }

    pub(super) fn others(&self) -> Vec<Seat> {
        let mut seats = self.players_from(self.cur);
        seats.retain(|seat| *seat != self.cur);
        seats
    }

    pub(super) fn others_with_cards(&self) -> Vec<Seat> {
        let mut seats = self.others();
        seats.retain(|seat| !self.hands[seat.index()].is_empty());
        seats
    }

    pub(super) fn everybody_with_cards(&self) -> Seats {
        self.all().filter(|&seat| self.is_in(seat) && !self.hands[seat.index()].is_empty()).collect()
    }

    pub(super) fn next_seat(&self, seat: Seat) -> Seat {
        self.players_from(seat).into_iter().find(|other| *other != seat).unwrap_or(seat)
    }

    pub(super) fn pay(&mut self, from: Seat, to: Seat, points: i32) {
        self.score[from.index()] -= points;
        self.score[to.index()] += points;
    }

    pub(super) fn begin_turn(&mut self, seat: Seat, shield: bool, bonus: bool) {
        let mut next = (seat, shield, bonus);
        loop {
            if self.turn == self.rules.turn_cap {
                self.phase = Phase::Over("cap");
                return;
            }
            self.turn += 1;
            self.cur = next.0;
            self.now = Now { shield: next.1, bonus: next.2, ..Now::default() };
            self.end_reversals_of(self.cur);
            if self.skip[self.cur.index()] == 0 {
                return self.begin_stage();
            }
            self.skip[self.cur.index()] -= 1;
            next = (self.next_seat(self.cur), false, false);
        }
    }

    fn begin_stage(&mut self) {
        self.now.stage += 1;
        self.now.another_stage = false;
        self.phase = Phase::Draw { guess_due: false };
    }

    /// The turn of a seat that has just lost is over.
    fn go_on_after_loss(&mut self) {
        if !self.is_over() {
            self.begin_turn(self.next_seat(self.cur), false, false);
        }
    }

    fn end_turn(&mut self) {
        let temp = std::mem::take(&mut self.temp[self.cur.index()]);
        self.score[self.cur.index()] += 2 * self.count_in() * temp.len() as i32;
        self.clear(temp);
        self.shuffle();
        let Now { again, next_shield, next_bonus, .. } = self.now;
        if again {
            self.begin_turn(self.cur, next_shield, next_bonus);
        } else {
            self.begin_turn(self.next_seat(self.cur), false, false);
        }
    }

    pub(super) fn play_draw(&mut self) {
        self.now.drew = true;
        let first = self.draw_to_temp(self.cur);
        let mut last = first;
        match (self.rules.drawing, first) {
            (Drawing::Mod5, Drawn::Card(card)) => {
                for _ in 0..card.low() % 5 {
                    if last == Drawn::Met {
                        break;
                    }
                    last = self.draw_to_temp(self.cur);
                }
            }
            (Drawing::Red, _) => {
                while let Drawn::Card(card) = last
                    && card.is_red()
                {
                    last = self.draw_to_temp(self.cur);
                }
            }
            _ => {}
        }
        if last == Drawn::Met { self.go_on_after_loss() } else { self.phase = Phase::Use }
    }

    /// A suit, or else the ace of diamonds.
    pub(super) fn play_guess(&mut self, guess: Option<Suit>) {
        self.now.guessed = true;
        self.phase = Phase::Use;
        let shielded = self.now.shield && guess.is_some();
        let card = if shielded { self.safe_draw() } else { self.top_card() };
        match (card, guess) {
            (None, _) => {}
            (Some(Card::ACE_OF_DIAMONDS), None) => {
                for _ in 0..4 {
                    if let Some(card) = self.safe_draw() {
                        self.put(card, self.my_hand() > 0, Seats::NONE);
                    }
                }
                self.put_under([Card::ACE_OF_DIAMONDS]);
                self.shuffle();
            }
            (Some(Card::ACE_OF_DIAMONDS), Some(_)) => {
                self.put_under([Card::ACE_OF_DIAMONDS]);
                self.shuffle();
                self.penalty();
            }
            (Some(card), Some(suit)) if card.suit() == Some(suit) => {
                self.put(card, self.my_hand() > 0, everybody());
            }
            (Some(card), Some(_)) => {
                self.put(card, false, everybody());
                self.phase = Phase::Draw { guess_due: true };
            }
            (Some(card), None) => {
                self.put(card, false, everybody());
                self.penalty();
            }
        }
    }

    /// Three cards, and a free choice for the fourth.
    fn penalty(&mut self) {
        for _ in 0..3 {
            if self.draw_to_temp(self.cur) == Drawn::Met {
                return self.go_on_after_loss();
            }
        }
        self.phase = Phase::Draw { guess_due: false };
    }

    /// Hand cards that may be used now.
    pub(super) fn usable(&self) -> Vec<Card> {
        let three_of_hearts = Card::new(3, Suit::Hearts);
        let mut cards: Vec<Card> = self.hands[self.cur.index()].distinct().collect();
        if self.rules.frozen_below_0 && self.my_score() < 0 {
            cards.clear();
        }
        cards.retain(|card| *card != three_of_hearts || self.my_score() >= 200);
        cards
    }

    /// Cards that may follow the one just used.
    pub(super) fn usable_second(&self) -> Vec<Card> {
        let first = self.using.card;
        if !self.now.guessed || is_unique(first) {
            return Vec::new();
        }
        let fits =
            |card: &Card| card.high() != first.high() && card.suit() != first.suit() && !is_unique(*card);
        self.usable().into_iter().filter(fits).collect()
    }

    pub(super) fn use_card(&mut self, card: Card) {
        let second = self.phase == Phase::UseSecond;
        let me = self.cur;
        self.hands[me.index()].remove(card);
        self.temp[me.index()].push(card);
        self.score[me.index()] += if self.now.bonus { 1 } else { -1 };
        let (due, rest): (Vec<_>, Vec<_>) =
            self.claims.iter().partition(|&&(suit, owner)| Some(suit) == card.suit() && owner != me);
        self.claims = rest;
        for (_, owner) in due {
            self.pay(me, owner, 3);
        }
        self.using = Using { n: self.count_in(), second, ..Using::of(card) };
        self.run_action();
    }

    /// Takes step after step, up to a question or the end of the action.
    pub(super) fn run_action(&mut self) {
        while let Some(step) = steps(self.using.card).get(self.using.step) {
            self.using.step += 1;
            match step(self) {
                Flow::Ask(question) => {
                    self.phase = Phase::Ask(question);
                    return;
                }
                _ if self.is_cut_short() => break,
                Flow::Go => {}
                Flow::Stop => break,
            }
        }
        if !self.is_cut_short() && self.rules.lost_below_0 {
            self.drop_those_below_0();
        }
        self.using.step = 0;
        if self.is_cut_short() { self.go_on_after_loss() } else { self.after_action() }
    }

    fn drop_those_below_0(&mut self) {
        for seat in self.players_from(self.cur) {
            if self.score[seat.index()] < 0 && !self.is_over() {
                self.lose(seat);
            }
        }
    }

    fn after_action(&mut self) {
        if !self.using.second && !self.usable_second().is_empty() {
            self.phase = Phase::UseSecond;
        } else {
            self.end_use();
        }
    }

    pub(super) fn end_use(&mut self) {
        if self.now.another_stage && self.may_have_more() { self.begin_stage() } else { self.end_turn() }
    }

    pub(super) fn may_have_more(&self) -> bool {
        self.now.stage < self.rules.stage_cap
    }

    /// A decision between drawing and the end of the turn that is no answer.
    pub(super) fn play_use(&mut self, mv: &Move) {
        match mv {
            Move::Use(card) => self.use_card(*card),
            Move::More => self.begin_stage(),
            Move::Done => self.end_use(),
            _ => self.end_turn(),
        }
    }

    /// Notes the answer to a question and goes on with the action.
    pub(super) fn answer(&mut self, seat: Seat, mv: &Move) {
        match *mv {
            Move::To(Amount(target)) => self.using.target = Some(Seat(target)),
            Move::Say(Amount(number)) => self.using.y = number.into(),
            Move::Opt(option) => self.using.option = Some(option),
            Move::Card(card) if self.phase == Phase::Ask(Question::EveryCard) => {
                let Some(chosen) = self.ballot.close(seat, card, self.everybody_with_cards()) else { return };
                self.put_back(&chosen);
            }
            Move::Card(card) => self.using.picked = Some(card),
            _ => {}
        }
        self.run_action();
    }

    /// The cards that everybody chose go under the deck.
    pub(super) fn put_back(&mut self, chosen: &Ballot<Card>) {
        for seat in self.players_from(self.cur) {
            if let Some(&card) = chosen.of(seat) {
                self.hands[seat.index()].remove_unseen(card, Seats::NONE);
                self.put_under([card]);
            }
        }
        self.shuffle();
    }
}
