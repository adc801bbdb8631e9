//! A round: bids are compared, prizes put away, the environment refilled, and seats without cards
//! asked.

use super::{KarovMeod, Move, Phase, Site};
use crate::games::cards::prelude::*;
use std::cmp::Reverse;

/// Greater beats smaller.
fn strength(card: Card) -> (u8, bool, bool, u8) {
    let leads_its_colour = matches!(card.suit(), Some(Suit::Diamonds | Suit::Clubs));
    (card.folded(), card.is_red(), leads_its_colour, card.high())
}

pub(super) fn beats(card: Card, other: Card) -> bool {
    strength(card) > strength(other)
}

impl KarovMeod {
    pub(super) fn begin_round(&mut self) {
        if self.round == self.round_cap {
            self.phase = Phase::Over("cap");
        } else if self.with_cards().len() <= 1 {
            self.score();
        } else {
            self.round += 1;
            self.phase = Phase::Bid;
        }
    }

    pub(super) fn resolve(&mut self, chosen: &Ballot<Move>) {
        let everybody_sat = chosen.iter().all(|(_, mv)| *mv == Move::Sit);
        for at in 0..self.env.len() {
            let bid = |(seat, mv): (Seat, &Move)| match *mv {
                Move::Bid(card, Amount(position)) if usize::from(position) == at => Some((seat, card)),
                _ => None,
            };
            let bids: Vec<(Seat, Card)> = chosen.iter().filter_map(bid).collect();
            if !bids.is_empty()
                && let Some(site) = self.env[at].take()
            {
                self.award(site.card, &bids);
            }
        }
        if everybody_sat {
            let rest = std::mem::take(&mut self.env);
            self.beta.extend(rest.into_iter().flatten().map(|site| site.card));
        }
        self.phase = Phase::Keep;
        if self.asked().is_empty() {
            self.refill();
        }
    }

    /// Decides who gets an environment card; bids come by seat.
    fn award(&mut self, prize: Card, bids: &[(Seat, Card)]) {
        for &(seat, card) in bids {
            self.hands[seat.index()].remove(card);
        }
        if let [(seat, card)] = *bids {
            if beats(prize, card) {
                self.hands[seat.index()].add(prize, everybody());
            } else {
                self.beta.push(prize);
            }
            self.beta.push(card);
            return;
        }
        let far = |card: Card| prize.folded().abs_diff(card.folded());
        let nearest = bids.iter().copied().min_by_key(|&(_, card)| (far(card), Reverse(strength(card))));
        let Some((winner, winning)) = nearest else { return };
        let pile = if beats(prize, winning) { &mut self.res } else { &mut self.hands };
        pile[winner.index()].add(prize, everybody());
        let others = || bids.iter().copied().filter(|&(seat, _)| seat != winner);
        let best = others().max_by_key(|&(_, card)| strength(card));
        let worst = others().min_by_key(|&(_, card)| strength(card));
        if let (Some((giver, best)), Some((consoled, _))) = (best, worst) {
            self.got[consoled.index()] = Some(best);
            self.beta.extend(bids.iter().filter(|&&(seat, _)| seat != giver).map(|&(_, card)| card));
        }
    }

    pub(super) fn put_away(&mut self, chosen: &Ballot<Move>) {
        for seat in self.all() {
            if let Some(card) = self.got[seat.index()].take() {
                let saves = chosen.of(seat) == Some(&Move::Save);
                let pile = if saves { &mut self.res } else { &mut self.hands };
                pile[seat.index()].add(card, everybody());
            }
        }
        self.refill();
    }

    /// Fills an empty environment, or goes on.
    fn refill(&mut self) {
        if self.env.iter().any(Option::is_some) {
            return self.ask_rescue(Seat(0));
        }
        self.env.clear();
        let mut shuffled = false;
        while self.env.len() < self.size {
            let Some(card) = self.next_card(&mut shuffled) else { break };
            self.env.push(Some(Site { card, supplier: None }));
        }
        self.phase = Phase::Env { shuffled };
        if self.env.len() == self.size || self.asked().is_empty() {
            self.hand_out(shuffled);
        }
    }

    /// From the deck, else from the beta, which is shuffled when it is first needed.
    fn next_card(&mut self, shuffled: &mut bool) -> Option<Card> {
        if self.deck.is_empty() && !*shuffled {
            self.chance.shuffle(&mut self.beta);
            *shuffled = true;
        }
        draw(&mut self.deck).or_else(|| draw(&mut self.beta))
    }

    pub(super) fn add_to_env(&mut self, chosen: &Ballot<Move>, shuffled: bool) {
        for (seat, mv) in chosen.iter() {
            if let &Move::Env(card) = mv {
                self.hands[seat.index()].remove_unseen(card, Seats::NONE);
                self.env.push(Some(Site { card, supplier: Some(seat) }));
            }
        }
        self.hand_out(shuffled);
    }

    /// After a refill every seat gets a card.
    fn hand_out(&mut self, mut shuffled: bool) {
        for seat in self.still_in().collect::<Vec<_>>() {
            let card = self.next_card(&mut shuffled);
            self.hands[seat.index()].extend(card);
        }
        self.ask_rescue(Seat(0));
    }

    /// Asks the next seat without cards, from a given one on.
    fn ask_rescue(&mut self, from: Seat) {
        let poor = |seat: &Seat| self.hands[seat.index()].is_empty() && !self.used.contains(*seat);
        let next = self.still_in().find(|seat| *seat >= from && poor(seat));
        match next {
            Some(seat) => self.phase = Phase::Rescue(seat),
            None => self.begin_round(),
        }
    }

    pub(super) fn rescue(&mut self, seat: Seat, chosen: Option<Move>) {
        if let Some(Move::Take(card)) = chosen {
            let at = self
                .beta
                .iter()
                .position(|other| *other == card)
                .expect("a legal move names a card of the beta");
            self.beta.remove(at);
            self.hands[seat.index()].add(card, everybody());
            self.used = self.used.with(seat);
        }
        self.ask_rescue(Seat(seat.0 + 1));
    }

    fn score(&mut self) {
        let best = self.still_in().map(|seat| self.key(seat)).max();
        if self.still_in().filter(|&seat| Some(self.key(seat)) == best).count() == 1 {
            self.phase = Phase::Over("count");
            return;
        }
        let number = 1 + self.out.iter().max().copied().unwrap_or(0);
        for seat in self.still_in().collect::<Vec<_>>() {
            if self.res[seat.index()].is_empty() {
                self.out[seat.index()] = number;
            }
        }
        self.phase = if self.still_in().count() <= 1 { Phase::Over("last_left") } else { Phase::Back };
    }

    pub(super) fn take_back(&mut self, chosen: &Ballot<Move>) {
        for (seat, mv) in chosen.iter() {
            if let &Move::Back(card) = mv {
                self.res[seat.index()].remove_unseen(card, Seats::NONE);
                self.hands[seat.index()].add(card, Seats::NONE);
            }
        }
        self.begin_round();
    }
}
