//! Majnun, for three to six; best with three.
//!
//! One deck of 52 cards for every three players. Everybody is dealt three cards, and the next card
//! opens the pile. You want to be the only one with cards: then you have won.
//!
//! In each round every seat has one turn, beginning with seat 0. Let V be the value of the top card
//! of the pile (2 to 10, J 11, Q 12, K 13, A 14). The player of the turn
//!
//! 1. lays cards of the colour of the top card, red or black, on the pile: as many as there are in
//!    the hand, but no more than V. With more than V of them each is chosen, `lay C`; otherwise all
//!    are laid, lowest first, without a question;
//! 2. draws the cards that are missing to V from the closed deck, as far as it goes;
//! 3. if some are still missing, gets them from the others: the *share* of each is the number
//!    missing, divided by the number of other seats and rounded up. Whoever holds no more than the
//!    share gives all; the others choose, all at once and card by card, `give C`. Only giver and
//!    receiver see the card.
//!    - If nobody else has cards then, the player has won.
//!    - Those who held exactly the share divide the pile: each in turn takes its equal part,
//!      rounded up, from the top.
//!    - Those who held less *owe* the rest of the share. They are served one after another: every
//!      seat that owes nothing (the player first) gives the debtor a part of the debt: the debt
//!      divided by the number of other seats, rounded up, or all it has if that is less. A giver
//!      who held less joins the end of the queue and owes the difference; a giver who held exactly
//!      that much takes the whole pile. If only one seat owes nothing before a debtor is served,
//!      that seat has won. After `loop_cap` services in a turn the only debt-free seat with cards
//!      wins, if there is just one; otherwise the debts are forgotten;
//! 4. takes the whole pile if left without cards;
//! 5. puts the top card of the closed deck on the pile or, if there is none, a card of the hand:
//!    `end C`.
//!
//! Whenever exactly one seat has cards (before and after step 5) it has won. After the turn of the
//! last seat every hand moves on: seat 0 gets that of seat 1, seat 1 that of seat 2, and the last
//! seat that of seat 0.
//!
//! The score is the number of cards in the hand. The winner is first and all others are second;
//! after `round_cap` rounds the places go by the number of cards, more is better.
//!
//! Source: card games, section 6, its plain and its algorithmic version merged. That turn order
//! decides where the source leaves it to diplomacy, that every division is rounded up and that each
//! debt is divided anew are our readings. So is an empty pile: it asks for nothing.

use super::prelude::*;

params! {
    seats: u8 in 3..=6 = 3,
    /// Decks of 52 cards; one for every three seats if it is not given.
    decks: Option<u8> in 1..=10 = None,
    /// The game is stopped after this many rounds.
    round_cap: u32 in 1..=10_000 = 100,
    /// Debts are forgotten after this many services in one turn.
    loop_cap: u32 in 1..=1_000 = 40,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events; this game has none after the deal.
    chance: Option<Script> = None,
}

const DEALT: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Majnun {
    /// First card on top.
    deck: Vec<Card>,
    /// Last card on top.
    pile: Vec<Card>,
    hands: Vec<Hand>,
    cur: Seat,
    phase: Phase,
    /// Who owes how many cards in this turn; the first is being served.
    debts: Vec<(Seat, usize)>,
    /// Debts served in this turn.
    services: u32,
    /// Rounds begun.
    round: u32,
    round_cap: u32,
    loop_cap: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    /// So many cards of the pile's colour are still to be laid.
    Lay(usize),
    Give(Giving),
    #[default]
    End,
    Over {
        winner: Option<Seat>,
        reason: &'static str,
    },
}

/// Cards on their way to one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Giving {
    to: Seat,
    /// What each giver should give.
    share: usize,
    /// The givers in order, with what they held before.
    held: Vec<(Seat, usize)>,
    /// Cards that each giver with a choice has still to give.
    left: usize,
    ballot: Ballot<Card>,
}

impl Giving {
    /// Those who hold more than the share choose what they give.
    fn choosers(&self) -> Seats {
        self.held.iter().filter(|&&(_, held)| held > self.share).map(|&(seat, _)| seat).collect()
    }

    fn undecided(&self) -> Seats {
        self.ballot.missing(self.choosers())
    }
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "lay" Lay(Card),
        "give" Give(Card),
        "end" End(Card),
    }
}

impl Majnun {
    fn count(&self) -> usize {
        self.hands.len()
    }

    fn hand(&mut self, seat: Seat) -> &mut Hand {
        &mut self.hands[seat.index()]
    }

    /// All seats in turn order, beginning with a given one.
    fn from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let count = self.hands.len() as u8;
        (0..count).map(move |step| Seat((first.0 + step) % count))
    }

    /// What each of the others gives of a number of cards.
    fn part(&self, cards: usize) -> usize {
        cards.div_ceil(self.count() - 1)
    }

    /// Lays what is laid without a question, or asks.
    fn begin_turn(&mut self) {
        let wanted = self.pile.last().map_or(0, |top| top.high() as usize);
        let fitting = self.fitting();
        if fitting.len() > wanted {
            self.phase = Phase::Lay(wanted);
            return;
        }
        for &card in &fitting {
            self.lay(card);
        }
        self.collect(wanted - fitting.len());
    }

    /// Cards of the player that have the colour of the top card.
    fn fitting(&self) -> Vec<Card> {
        let Some(top) = self.pile.last() else { return Vec::new() };
        self.hands[self.cur.index()].iter().filter(|card| card.is_red() == top.is_red()).collect()
    }

    fn lay(&mut self, card: Card) {
        self.hand(self.cur).remove(card);
        self.pile.push(card);
    }

    /// Draws the missing cards, or gets them from the others.
    fn collect(&mut self, missing: usize) {
        let drawn = missing.min(self.deck.len());
        for card in self.deck.drain(..drawn) {
            self.hands[self.cur.index()].add(card, Seats::NONE);
        }
        if missing == drawn {
            self.check_last_giver();
        } else {
            let others = self.from(self.cur).skip(1).collect();
            if self.ask_for(self.cur, self.part(missing - drawn), others) {
                self.share_out();
            }
        }
    }

    /// Moves what moves without a question. True if nobody has a choice.
    fn ask_for(&mut self, to: Seat, share: usize, givers: Vec<Seat>) -> bool {
        let held: Vec<(Seat, usize)> =
            givers.into_iter().map(|seat| (seat, self.hands[seat.index()].len())).collect();
        for &(giver, _) in held.iter().filter(|&&(_, cards)| cards <= share) {
            let mut all = std::mem::take(self.hand(giver));
            all.show(Seats::one(giver));
            all.pour_into(self.hand(to));
        }
        let giving = Giving { to, share, held, left: share, ballot: Ballot::default() };
        let done = giving.undecided().is_empty();
        self.phase = Phase::Give(giving);
        done
    }

    /// Moves the chosen cards of one step. True if that was the last step.
    fn hand_over(&mut self, chosen: &Ballot<Card>) -> bool {
        let Phase::Give(giving) = &mut self.phase else { return false };
        let to = giving.to;
        // The first to give is the first after the player.
        for giver in giving.held.iter().map(|&(seat, _)| seat) {
            if let Some(&card) = chosen.of(giver) {
                self.hands[giver.index()].remove_unseen(card, Seats::one(to));
                self.hands[to.index()].add(card, Seats::one(giver));
            }
        }
        giving.left -= 1;
        giving.left == 0
    }

    /// After the share of every seat has been given: who divides the pile, who owes.
    fn share_out(&mut self) {
        let Phase::Give(Giving { share, held, .. }) = self.phase.clone() else { return };
        if self.others_have_nothing() {
            return self.win(self.cur, "all_given");
        }
        let exact: Vec<Seat> =
            held.iter().filter(|&&(_, cards)| cards == share).map(|&(seat, _)| seat).collect();
        if !exact.is_empty() {
            let part = self.pile.len().div_ceil(exact.len());
            for seat in exact {
                self.take_from_pile(seat, part);
            }
        }
        self.note_debts(&held, share);
        self.serve();
    }

    fn others_have_nothing(&self) -> bool {
        self.from(self.cur).skip(1).all(|seat| self.hands[seat.index()].is_empty())
    }

    fn take_from_pile(&mut self, seat: Seat, count: usize) {
        let rest = self.pile.len().saturating_sub(count);
        for card in self.pile.split_off(rest) {
            self.hand(seat).add(card, everybody());
        }
    }

    fn note_debts(&mut self, held: &[(Seat, usize)], share: usize) {
        let short = held.iter().filter(|&&(_, cards)| cards < share);
        self.debts.extend(short.map(|&(seat, cards)| (seat, share - cards)));
    }

    fn owes(&self, seat: Seat) -> bool {
        self.debts.iter().any(|&(debtor, _)| debtor == seat)
    }

    /// Serves one debtor after another, until a giver has a choice or all is settled.
    fn serve(&mut self) {
        while let Some(&(debtor, owed)) = self.debts.first() {
            let free: Vec<Seat> = self.from(self.cur).filter(|&seat| !self.owes(seat)).collect();
            if self.services == self.loop_cap {
                let mut rich = free.iter().filter(|seat| !self.hands[seat.index()].is_empty());
                if let (Some(&seat), None) = (rich.next(), rich.next()) {
                    return self.win(seat, "loop_cap");
                }
                self.debts.clear();
                break;
            }
            if let [seat] = free[..] {
                return self.win(seat, "no_debt");
            }
            self.services += 1;
            if !self.ask_for(debtor, self.part(owed), free) {
                return;
            }
            self.settle();
        }
        self.close_turn();
    }

    /// After a debtor was served.
    fn settle(&mut self) {
        let Phase::Give(Giving { share, held, .. }) = self.phase.clone() else { return };
        self.note_debts(&held, share);
        if let Some(&(seat, _)) = held.iter().find(|&&(_, cards)| cards == share) {
            self.take_from_pile(seat, self.pile.len());
        }
        self.debts.remove(0);
    }

    fn check_last_giver(&mut self) {
        if self.others_have_nothing() { self.win(self.cur, "all_given") } else { self.close_turn() }
    }

    fn close_turn(&mut self) {
        if self.hand(self.cur).is_empty() {
            self.take_from_pile(self.cur, self.pile.len());
        }
        if self.check_only_hand() {
            return;
        }
        if !self.deck.is_empty() {
            self.pile.push(self.deck.remove(0));
            self.next_turn();
        } else if self.hand(self.cur).is_empty() {
            self.next_turn();
        } else {
            self.phase = Phase::End;
        }
    }

    /// True if exactly one seat has cards, which wins.
    fn check_only_hand(&mut self) -> bool {
        let mut with_cards = self.from(Seat(0)).filter(|seat| !self.hands[seat.index()].is_empty());
        let (Some(seat), None) = (with_cards.next(), with_cards.next()) else { return false };
        self.win(seat, "only_hand");
        true
    }

    fn win(&mut self, seat: Seat, reason: &'static str) {
        self.phase = Phase::Over { winner: Some(seat), reason };
    }

    fn next_turn(&mut self) {
        self.debts.clear();
        self.services = 0;
        self.cur = Seat(self.cur.0 + 1);
        if self.cur.index() == self.count() {
            self.cur = Seat(0);
            for (seat, hand) in self.hands.iter_mut().enumerate() {
                hand.show(Seats::one(Seat(seat as u8)));
            }
            self.hands.rotate_left(1);
            if self.round == self.round_cap {
                self.phase = Phase::Over { winner: None, reason: "cap" };
                return;
            }
            self.round += 1;
        }
        self.begin_turn();
    }
}

impl Position for Majnun {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "majnun",
        name: "Majnun",
        source: "cards 6",
        seats: (3, 6),
        summary: "Lay as the top card demands, make the others give: keep the only hand.",
        notation: "`lay C`, `give C` or `end C` with a card",
        example: "lay 3C",
        file: include_str!("majnun.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut deck = Self::pack(params).without_jokers()?.shuffled(&mut chance);
        let mut game = Self::blank(params, chance);
        for hand in &mut game.hands {
            hand.extend(deck.drain(..deck.len().min(DEALT)));
        }
        game.pile.extend(draw(&mut deck));
        game.deck = deck;
        game.begin_turn();
        Ok(game)
    }

    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn turn(&self) -> Turn {
        match &self.phase {
            Phase::Lay(_) | Phase::End => Turn::One(self.cur),
            Phase::Give(giving) => Turn::Together(giving.undecided()),
            Phase::Over { reason, .. } => Turn::ranked(reason),
        }
    }

    /// Cards in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = &self.hands[seat.index()];
        match &self.phase {
            Phase::Lay(_) => {
                let mut cards = self.fitting();
                cards.dedup();
                out.extend(cards.into_iter().map(Move::Lay));
            }
            Phase::Give(_) => out.extend(hand.distinct().map(Move::Give)),
            Phase::End => out.extend(hand.distinct().map(Move::End)),
            Phase::Over { .. } => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        match (&mut self.phase, *mv) {
            (Phase::Lay(left), Move::Lay(card)) => {
                *left -= 1;
                let done = *left == 0;
                self.lay(card);
                if done {
                    self.collect(0);
                }
            }
            (Phase::Give(giving), Move::Give(card)) => {
                let choosers = giving.choosers();
                if let Some(chosen) = giving.ballot.close(seat, card, choosers)
                    && self.hand_over(&chosen)
                {
                    if self.debts.is_empty() {
                        self.share_out();
                    } else {
                        self.settle();
                        self.serve();
                    }
                }
            }
            (_, Move::End(card)) => {
                self.lay(card);
                if !self.check_only_hand() {
                    self.next_turn();
                }
            }
            _ => debug_assert!(false, "a move of another phase"),
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let winner = if let Phase::Over { winner, .. } = self.phase { winner } else { None };
        let cards = |seat: Seat| self.hands[seat.index()].len() as i32;
        let key = |seat| winner.map_or(cards(seat), |winner| i32::from(seat == winner));
        Outcome::ranked(self.seats(), key, |seat| Score::whole(cards(seat)), reason)
    }

    /// As at the cap.
    fn outcome_if_stopped(&self) -> Option<Outcome> {
        Some(self.rank("round_cap"))
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let mut picture = Picture::default().cards("pile", self.pile.faces());
        for (seat, hand) in seen.hands.iter().enumerate() {
            picture = picture.cards(format!("hand {seat}"), hand.faces()).of(Seat(seat as u8));
        }
        let deck = self.deck.len();
        picture = picture
            .caption(format!("round {}, turn of seat {}, {deck} cards in the deck", self.round, self.cur));
        match &self.phase {
            Phase::Lay(left) => picture.caption(format!("{left} more to lay")),
            Phase::Give(giving) => {
                picture.caption(format!("{} more to give to seat {}", giving.left, giving.to))
            }
            Phase::End => picture.caption("a card of the hand ends the turn"),
            Phase::Over { .. } => picture,
        }
    }

    const HIDES_MOVES: bool = true;

    /// A given card is seen by giver and receiver only.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        let receiver = if let Phase::Give(giving) = &self.phase { giving.to } else { seat };
        let told = eyes.see_secrets_of(seat) || eyes.see_secrets_of(receiver);
        match mv {
            Move::Give(_) if !told => "give".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl CardGame for Majnun {
    const MIXING: Mixing = Mixing::Twice;

    fn pack(params: &Params) -> Pack<'_> {
        let decks = params.decks.unwrap_or(params.seats / 3);
        Pack::new(params.deck.as_ref(), Card::deck52().repeat(decks.into()))
    }

    fn blank(params: &Params, _: Chance) -> Self {
        let hands = vec![Hand::default(); params.seats.into()];
        let (round_cap, loop_cap) = (params.round_cap, params.loop_cap);
        Majnun { hands, round: 1, round_cap, loop_cap, ..Default::default() }
    }

    /// In the other hands a seat knows the cards that it gave, that all saw taken from the pile,
    /// and that were in the hand it passed on.
    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hands);
        spread.open(&mut self.pile).deck(&mut self.deck)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let mut word = self.phase.word().to_owned();
        facts.word(
            "phase",
            "What is decided: a card to `lay`, a card to `give`, a card to `end` the turn with; or the game \
             is `over`.",
            &mut word,
        );
        facts.fact("cur", "Whose turn it is.", &mut self.cur);
        facts.fact("round", "Rounds begun.", &mut self.round);
        facts.fact("pile", "The pile, last card on top.", &mut self.pile);
        facts.deck_size(&self.deck);
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.known("known", "hand", &mut self.hands);
        let debts = "Who owes how many cards in this turn; the first is served.";
        facts.fact("debts", debts, &mut self.debts);
        facts.fact("services", "Debts served in this turn.", &mut self.services);
        for phase in ["lay", "give", "end", "over"] {
            facts.when(word == phase, |facts| self.phase.facts(phase, facts));
        }
        facts.deck(&self.deck);
    }
}

/// What is left in two of the phases.
const LEFT: &str = "How many cards are still to be laid, or to be given by each giver.";

impl Phase {
    fn word(&self) -> &'static str {
        match self {
            Phase::Lay(_) => "lay",
            Phase::Give(_) => "give",
            Phase::End => "end",
            Phase::Over { .. } => "over",
        }
    }

    /// What a view says of this phase only.
    fn facts(&mut self, word: &str, facts: &mut Facts) {
        if self.word() != word {
            *self = match word {
                "lay" => Phase::Lay(0),
                "give" => Phase::Give(Giving::default()),
                _ => Phase::Over { winner: None, reason: "over" },
            };
        }
        match self {
            Phase::Lay(left) => facts.fact("left", LEFT, left),
            Phase::Give(giving) => {
                facts.fact("to", "Who gets the cards.", &mut giving.to);
                facts.fact("share", "How many cards each giver should give.", &mut giving.share);
                facts.fact("left", LEFT, &mut giving.left);
                let held = "The givers in order, each with how many cards they held before.";
                facts.fact("held", held, &mut giving.held);
            }
            Phase::End => {}
            Phase::Over { winner, .. } => facts.fact("winner", "The winner, if there is one.", winner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn start(deck: &str) -> Majnun {
        let params = json!({"deck": deck});
        Majnun::start(&crate::read_params(&params).unwrap(), Seed::from_number(0)).unwrap()
    }

    #[test]
    fn hands_move_on_and_stay_known_to_those_who_held_them() {
        // Every top card is a two of the other colour, so each seat draws two; the last two are
        // red.
        let game = start("3D 4D 5D 3C 4C 5C 3H 4H 5H 2S 7D 8D 2H 7C 8C 2S 7H 8H 2H");
        assert_eq!((game.round, game.cur), (2, Seat(0)));
        let view = game.view(Eyes::Seat(Seat(1))).value();
        assert_eq!(view["hand"][1], json!(["3H", "4H", "5H", "7H", "8H"]));
        assert_eq!(view["known"], json!([["3C", "4C", "5C", "7C", "8C"], [], []]));
    }

    #[test]
    fn a_gift_is_seen_by_giver_and_receiver_only() {
        let mut game = start("3D 4D 5D 3C 4C 5C 3H 4H 5H 2S");
        let Turn::Together(seats) = game.turn() else { panic!("seats 1 and 2 give one card each") };
        assert_eq!(seats.iter().collect::<Vec<_>>(), [Seat(1), Seat(2)]);
        let give = Move::Give("4C".parse().unwrap());
        let heard = [0, 1, 2].map(|seat| game.heard(Seat(1), &give, Eyes::Seat(Seat(seat))));
        assert_eq!(heard, ["give 4C", "give 4C", "give"]);
        game.play(Seat(1), &give);
        game.play(Seat(2), &Move::Give("5H".parse().unwrap()));
        assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["known"], json!([["4C"], [], []]));
        assert_eq!(game.view(Eyes::Seat(Seat(0))).value()["known"], json!([[], [], []]));
    }
}
