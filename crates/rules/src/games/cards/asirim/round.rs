//! A round: cards are set and compared, prisoners taken, exchanged and counted.

use super::{Asirim, BOTH, Move, Phase, worth};
use crate::games::cards::prelude::*;

impl Asirim {
    fn begin_round(&mut self) {
        if self.round == self.round_cap {
            self.finish(None, "cap");
        } else {
            self.round += 1;
            self.winner = None;
            self.phase = Phase::Choose;
        }
    }

    fn finish(&mut self, winner: Option<Seat>, how: &'static str) {
        self.phase = Phase::Over;
        self.winner = winner;
        self.end = how;
        self.totals = self.prison.each_ref().map(worth);
    }

    /// Carries out a step for which all decisions are in.
    pub(super) fn carry_out(&mut self, chosen: &Ballot<Move>) {
        let winner = self.round_winner();
        let says = |seat: Seat, mv: Move| chosen.of(seat) == Some(&mv);
        match self.phase {
            Phase::Choose => self.place(chosen),
            Phase::Orient => self.compare(BOTH.map(|seat| says(seat, Move::Vertical))),
            Phase::AllLose => self.all_lose(chosen),
            Phase::Show => self.take_tag(winner, says(winner, Move::Show)),
            Phase::Exchange => self.exchange(winner, chosen),
            Phase::Swap => self.swap(winner, says(winner.other(), Move::Swap)),
            Phase::Draw => {
                if says(winner, Move::Draw) {
                    let card = draw(&mut self.deck);
                    self.hand(winner).extend(card);
                }
                self.reward(winner);
            }
            Phase::LoserDrop => {
                self.drop_chosen(chosen);
                self.reward(winner);
            }
            Phase::Reduce => self.count_up(chosen),
            Phase::Over => {}
        }
    }

    fn place(&mut self, chosen: &Ballot<Move>) {
        if chosen.iter().any(|(_, mv)| *mv == Move::Call) {
            self.phase = Phase::Reduce;
            if self.asked().is_empty() {
                self.count_up(chosen);
            }
        } else if chosen.iter().any(|(_, mv)| *mv == Move::Stuck) {
            self.forced_play();
        } else {
            for (seat, mv) in chosen.iter() {
                if let &Move::Set(alpha, tag) = mv {
                    self.hand(seat).remove(alpha);
                    // The tag may be any card of the hand, so nobody else knows what is left.
                    self.hand(seat).remove_unseen(tag, Seats::NONE);
                    self.alpha[seat.index()] = Some(alpha);
                    self.tag[seat.index()] = Some(tag);
                }
            }
            self.phase = Phase::Orient;
        }
    }

    /// Lots decide who gets two cards, until both can play.
    fn forced_play(&mut self) {
        while BOTH.into_iter().any(|seat| self.hand_size(seat) < 2) {
            if self.beta.is_empty() && self.deck.is_empty() {
                return self.finish(None, "void");
            }
            let seat = BOTH[self.chance.pick(2)];
            for _ in 0..2 {
                if let Some(top) = self.top_of_beta_or_deck() {
                    self.hand(seat).add(top.card, top.known_by);
                }
            }
        }
        self.phase = Phase::Choose;
    }

    fn top_of_beta_or_deck(&mut self) -> Option<Held> {
        self.beta.pop().or_else(|| draw(&mut self.deck).map(Held::from))
    }

    /// By who has chosen vertical.
    fn compare(&mut self, vertical: [bool; 2]) {
        if vertical[0] == vertical[1] {
            self.phase = Phase::AllLose;
            if self.asked().is_empty() {
                self.all_lose(&Ballot::default());
            }
            return;
        }
        let [first, second] = self.alpha.map(|card| card.map_or(0, Card::folded));
        let first_wins = first > second || first == second && vertical[1];
        self.winner = Some(if first_wins { Seat::FIRST } else { Seat::SECOND });
        self.phase = Phase::Show;
    }

    fn all_lose(&mut self, chosen: &Ballot<Move>) {
        self.drop_chosen(chosen);
        for (seat, mv) in chosen.iter() {
            if let &Move::Free(card) = mv {
                self.prison(seat).remove(card);
                self.hand(seat).add(card, everybody());
            }
        }
        match BOTH.map(|seat| chosen.of(seat).is_some()) {
            [true, true] => self.clean_up(),
            [false, false] => self.finish(None, "dead"),
            [alive, _] => self.finish(Some(if alive { Seat::FIRST } else { Seat::SECOND }), "dead"),
        }
    }

    /// Hand cards go on the beta, unseen.
    fn drop_chosen(&mut self, chosen: &Ballot<Move>) {
        for (seat, mv) in chosen.iter() {
            if let &Move::Drop(card) = mv {
                self.hand(seat).remove_unseen(card, Seats::NONE);
                self.beta.push(Held { card, known_by: Seats::one(seat) });
            }
        }
    }

    fn take_tag(&mut self, winner: Seat, shown: bool) {
        if let Some(tag) = self.tag[winner.index()].take() {
            self.hand(winner).add(tag, if shown { everybody() } else { Seats::NONE });
        }
        if shown {
            self.phase = Phase::Exchange;
        } else if self.hand_size(winner.other()) >= 2 {
            self.phase = Phase::LoserDrop;
        } else {
            self.reward(winner);
        }
    }

    fn exchange(&mut self, winner: Seat, chosen: &Ballot<Move>) {
        let loser = winner.other();
        let Some(&Move::Offer(offered)) = chosen.of(winner) else { return };
        if let Some(&Move::Give(given)) = chosen.of(loser) {
            if self.hand_size(loser) > 0 {
                self.hand(loser).remove_unseen(given, Seats::one(winner));
            } else {
                self.prison(loser).remove(given);
            }
            self.change(winner, offered, given);
        } else if let Some(top) = self.top_of_beta_or_deck() {
            self.hand(loser).add(top.card, top.known_by);
            (self.offered, self.taken) = (Some(offered), Some(top.card));
            self.phase = Phase::Swap;
        } else {
            self.offer_draw(winner);
        }
    }

    /// The winner gives `offered` for `given`, which the loser has laid down already.
    fn change(&mut self, winner: Seat, offered: Card, given: Card) {
        let loser = winner.other();
        self.hand(winner).remove_unseen(offered, Seats::one(loser));
        self.hand(winner).add(given, Seats::one(loser));
        self.hand(loser).add(offered, Seats::one(winner));
        self.offer_draw(winner);
    }

    fn swap(&mut self, winner: Seat, swapped: bool) {
        match (self.offered.take(), self.taken.take()) {
            (Some(offered), Some(taken)) if swapped => {
                self.hand(winner.other()).remove(taken);
                self.change(winner, offered, taken);
            }
            _ => self.offer_draw(winner),
        }
    }

    fn offer_draw(&mut self, winner: Seat) {
        if self.deck.is_empty() { self.reward(winner) } else { self.phase = Phase::Draw }
    }

    /// The winner's alpha becomes a prisoner, or goes on the beta.
    fn reward(&mut self, winner: Seat) {
        if let Some(alpha) = self.alpha[winner.index()].take() {
            if alpha.high() > 10 {
                self.prison(winner).add(alpha, everybody());
            } else {
                self.beta.push(Held { card: alpha, known_by: everybody() });
            }
        }
        self.clean_up();
    }

    fn clean_up(&mut self) {
        for seat in BOTH {
            if let Some(alpha) = self.alpha[seat.index()].take() {
                self.hand(seat).add(alpha, everybody());
            }
            if let Some(tag) = self.tag[seat.index()].take() {
                self.hand(seat).add(tag, Seats::NONE);
            }
        }
        self.begin_round();
    }

    fn count_up(&mut self, chosen: &Ballot<Move>) {
        self.finish(None, "call");
        for (seat, mv) in chosen.iter() {
            if let Move::Reduce(card) = mv {
                self.totals[seat.other().index()] -= i32::from(card.folded()) - 1;
            }
        }
        self.winner = match self.totals[0].cmp(&self.totals[1]) {
            std::cmp::Ordering::Greater => Some(Seat::FIRST),
            std::cmp::Ordering::Less => Some(Seat::SECOND),
            std::cmp::Ordering::Equal => None,
        };
    }
}
