//! Shlif Shluf, for 2 to 6.
//!
//! Reveal cards one by one and keep them, but never meet the ace of diamonds, `AD`. The deck has 52
//! cards and both jokers. Diamonds are chaos, hearts life, clubs magic, spades death.
//!
//! - On your turn you reveal the top card: `go`, or `last` if you say beforehand that it ends the
//!   turn. The cards revealed in this turn are the *row*; x is their number.
//! - Without `last` the turn ends with a card of a suit that two cards next to each other in the
//!   row had before.
//! - `AD` puts you out. It goes under the deck; the row is shared equally among the other seats
//!   still in, the next seat getting the first cards, and what does not divide goes under the deck,
//!   which is shuffled. You keep what you earned before.
//! - Otherwise the last card of the row has an effect, and then you earn the row.
//!   - Diamonds: the next seat, if the card's high value is even (Q is 12, A is 14), or else you,
//!     reveals up to x cards, stopping at `AD`. They go under the deck, which is shuffled. Whoever
//!     met `AD` is out; if that is you the row is shared as above.
//!   - Hearts: you earn half of x cards from the deck, rounded down.
//!   - Clubs: you `call X`, a suit, and earn up to x cards, the first card of suit X being the last
//!     one.
//!   - Spades: the next seat keeps only the first half of its row, rounded down, in its next turn;
//!     the rest goes under the deck, which is shuffled. Cards earned by an effect are not halved.
//!   - Where hearts or clubs bring up `AD` it goes under the deck, which is shuffled, and the
//!     effect stops.
//! - A joker counts as either suit of its colour: `XR` diamonds or hearts, `XB` clubs or spades. If
//!   the row could be over with some choice of suits but not with every one, you may say `stop`
//!   instead of going on; with a joker as the last card you say which suit it has, `stop X`. When
//!   the turn ends with a joker in another way you choose with `suit X`. A joker of diamonds
//!   strikes you.
//! - If a turn begins with a single card in the deck nothing is asked: you earn it and the game
//!   ends, but if death is on you then you are out, and the turn passes. If the deck runs out in
//!   the middle of a turn the turn ends without an effect.
//!
//! The game ends when the deck is empty at the end of a turn or all seats are out, or after
//! `turn_cap` turns. The score is the number of cards earned. Ties go to a seat that is still in,
//! then to the one that went out later. Who begins is drawn, or given as `first`. Everything is
//! open except the order of the deck.
//!
//! Source: card games, section 1. That losers keep their cards, what becomes of shares that do not
//! divide and of the last card under death, and that magic merely stops at `AD` are our readings.

#[cfg(test)]
mod tests;

use super::prelude::*;
use crate::{Bounds, Domain, Parameter};
use serde_json::Value;
use std::collections::BTreeSet;

params! {
    /// How many play.
    seats: u8 in 2..=6 = 2,
    /// The seat that begins, or `draw` for a random one.
    first: First = First::Draw,
    /// The game ends after this many turns.
    turn_cap: u32 in 1..=100_000 = 300,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events: the first seat if it is drawn, then the shuffles.
    chance: Option<Script> = None,
}

/// The seat that begins.
#[derive(Clone, Copy, Debug)]
enum First {
    Seat(u8),
    Draw,
}

impl Parameter for First {
    fn domain() -> Domain {
        let seat = Domain::Whole { bits: 8, bounds: Bounds::new(&[0], 5) };
        let draw = Domain::Words { name: "Draw", doc: "", words: &["draw"] };
        Domain::Either { name: "First", doc: "", choices: vec![seat, draw] }
    }

    fn read(value: &Value) -> Result<First, String> {
        if value == "draw" { Ok(First::Draw) } else { u8::read(value).map(First::Seat) }
    }

    fn write(&self) -> Value {
        match self {
            First::Seat(seat) => seat.write(),
            First::Draw => "draw".into(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShlifShluf {
    /// First card on top.
    deck: Vec<Card>,
    /// Cards revealed this turn, in order.
    row: Vec<Card>,
    won: Vec<Vec<Card>>,
    death: Vec<bool>,
    /// The order of losing from 1, or 0 for a seat that is in.
    out: Vec<u8>,
    cur: Seat,
    turns: u32,
    turn_cap: u32,
    phase: Phase,
    chance: Chance,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    #[default]
    Reveal,
    /// A joker ended the turn: of which suit is it?
    Suit,
    /// Magic: which suit is called?
    Call,
    Over,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "go" Go,
        "last" Last,
        "stop" Stop,
        "stop" StopAs(Suit),
        "suit" Suit(Suit),
        "call" Call(Suit),
    }
}

/// The suits that a card may count as, in the order C, D, H, S.
fn suits_of(card: Card) -> Vec<Suit> {
    match card.suit() {
        Some(suit) => vec![suit],
        None if card == Card::RED_JOKER => vec![Suit::Diamonds, Suit::Hearts],
        None => vec![Suit::Clubs, Suit::Spades],
    }
}

/// Which choices of suits for the jokers of a row end the turn?
#[derive(Debug, PartialEq, Eq)]
struct Closing {
    /// Every one.
    all: bool,
    /// The suits that the last card has in those that do.
    last: BTreeSet<Suit>,
}

impl Closing {
    /// Walks along the row with all that can be true so far: the suit of the card before, the suits
    /// (as bits) that had two neighbours, and whether a later card met such a pair.
    fn of(row: &[Card]) -> Closing {
        let mut states = BTreeSet::from([(None, 0_u8, false)]);
        for &card in row {
            let mut next = BTreeSet::new();
            for (before, pairs, closed) in states {
                for suit in suits_of(card) {
                    let bit = 1 << suit.index();
                    let pair = if before == Some(suit) { bit } else { 0 };
                    next.insert((Some(suit), pairs | pair, closed || pairs & bit != 0));
                }
            }
            states = next;
        }
        Closing {
            all: states.iter().all(|state| state.2),
            last: states.iter().filter(|state| state.2).filter_map(|state| state.0).collect(),
        }
    }
}

impl ShlifShluf {
    fn is_in(&self, seat: Seat) -> bool {
        self.out[seat.index()] == 0
    }

    /// The other seats still in, beginning with the next one.
    fn others(&self) -> Vec<Seat> {
        let count = self.out.len() as u8;
        (1..count).map(|step| Seat((self.cur.0 + step) % count)).filter(|&seat| self.is_in(seat)).collect()
    }

    /// The next seat, which is the one whose turn it is if it is alone.
    fn next(&self) -> Seat {
        self.others().first().copied().unwrap_or(self.cur)
    }

    fn leave(&mut self, seat: Seat) {
        let already = self.out.iter().filter(|&&order| order > 0).count() as u8;
        self.out[seat.index()] = already + 1;
    }

    fn begin_turn(&mut self) {
        loop {
            if self.turns >= self.turn_cap || self.deck.is_empty() {
                self.phase = Phase::Over;
                return;
            }
            self.turns += 1;
            if self.deck.len() > 1 {
                self.phase = Phase::Reveal;
                return;
            }
            if !self.death[self.cur.index()] {
                self.won[self.cur.index()].append(&mut self.deck);
            } else {
                self.leave(self.cur);
                if !self.pass_turn() {
                    return;
                }
            }
        }
    }

    /// The next seat is on turn; false if nobody is left, which ends the game.
    fn pass_turn(&mut self) -> bool {
        self.cur = self.next();
        if !self.is_in(self.cur) {
            self.phase = Phase::Over;
        }
        self.is_in(self.cur)
    }

    fn end_turn(&mut self) {
        if self.pass_turn() {
            self.begin_turn();
        }
    }

    fn reveal(&mut self, declared_last: bool) {
        match draw(&mut self.deck) {
            None => self.earn(None),
            Some(Card::ACE_OF_DIAMONDS) => {
                self.deck.push(Card::ACE_OF_DIAMONDS);
                self.leave(self.cur);
                self.share_row();
                self.chance.shuffle(&mut self.deck);
                self.end_turn();
            }
            Some(card) => {
                self.row.push(card);
                if declared_last || Closing::of(&self.row).all {
                    match card.suit() {
                        Some(suit) => self.effect(suit),
                        None => self.phase = Phase::Suit,
                    }
                }
            }
        }
    }

    /// The row of a seat that is out goes to the others in equal parts, and the rest under the
    /// deck.
    fn share_row(&mut self) {
        let heirs = self.others();
        let each = self.row.len().checked_div(heirs.len()).unwrap_or(0);
        for seat in heirs {
            self.won[seat.index()].extend(self.row.drain(..each));
        }
        self.deck.append(&mut self.row);
    }

    /// What the last card of the row does, being of this suit.
    fn effect(&mut self, suit: Suit) {
        match suit {
            Suit::Diamonds => self.chaos(),
            Suit::Hearts => {
                self.earn_from_deck(self.row.len() / 2, None);
                self.earn(None);
            }
            Suit::Clubs => self.phase = Phase::Call,
            Suit::Spades => self.earn(Some(self.next())),
        }
    }

    fn chaos(&mut self) {
        let strikes_next = self.row.last().is_some_and(|card| !card.is_joker() && card.high() % 2 == 0);
        let victim = if strikes_next { self.next() } else { self.cur };
        let mut revealed = Vec::new();
        while revealed.len() < self.row.len()
            && revealed.last() != Some(&Card::ACE_OF_DIAMONDS)
            && let Some(card) = draw(&mut self.deck)
        {
            revealed.push(card);
        }
        let lost = revealed.last() == Some(&Card::ACE_OF_DIAMONDS);
        self.deck.append(&mut revealed);
        if lost {
            self.leave(victim);
        }
        if lost && victim == self.cur {
            self.share_row();
            self.chance.shuffle(&mut self.deck);
            self.end_turn();
        } else {
            self.chance.shuffle(&mut self.deck);
            self.earn(None);
        }
    }

    /// Earns up to `count` cards from the deck, the first of the called suit being the last one.
    fn earn_from_deck(&mut self, count: usize, called: Option<Suit>) {
        for _ in 0..count {
            match draw(&mut self.deck) {
                None => return,
                Some(Card::ACE_OF_DIAMONDS) => {
                    self.deck.push(Card::ACE_OF_DIAMONDS);
                    self.chance.shuffle(&mut self.deck);
                    return;
                }
                Some(card) => {
                    self.won[self.cur.index()].push(card);
                    if called.is_some() && card.suit() == called {
                        return;
                    }
                }
            }
        }
    }

    /// The seat on turn gets its row, and its turn is over.
    fn earn(&mut self, new_death: Option<Seat>) {
        let at = self.cur.index();
        if self.death[at] {
            let mut lost = self.row.split_off(self.row.len() / 2);
            self.deck.append(&mut lost);
            self.chance.shuffle(&mut self.deck);
        }
        self.won[at].append(&mut self.row);
        self.death[at] = false;
        if let Some(seat) = new_death {
            self.death[seat.index()] = true;
        }
        self.end_turn();
    }
}

impl Position for ShlifShluf {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "shlif-shluf",
        name: "Shlif Shluf",
        source: "cards 1",
        seats: (2, 6),
        summary: "Press your luck for cards, away from the ace of diamonds.",
        notation: "`go`, `last`, `stop`, or `stop X`, `suit X`, `call X` with a suit X of C, D, H, S",
        example: "go",
        file: include_str!("shlif_shluf.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        game.deck = Self::pack(params).shuffled(&mut game.chance);
        require(game.deck.len() > 1, "deck", || {
            "at least two cards are needed, or nothing is decided".to_owned()
        })?;
        let seats = params.seats;
        game.cur = Seat(match params.first {
            First::Seat(seat) => seat,
            First::Draw => game.chance.pick(seats.into()) as u8,
        });
        let first = game.cur;
        require(first.0 < seats, "first", || {
            format!("expected `draw` or a seat below {seats}, not {first}")
        })?;
        game.begin_turn();
        Ok(game)
    }

    fn seats(&self) -> u8 {
        self.out.len() as u8
    }

    fn turn(&self) -> Turn {
        if self.phase != Phase::Over {
            Turn::One(self.cur)
        } else if self.out.iter().all(|&order| order > 0) {
            Turn::ranked("all_out")
        } else {
            Turn::ranked(if self.deck.is_empty() { "no_cards" } else { "turn_cap" })
        }
    }

    /// `go`, `last`, then what stops the turn; suits in the order C, D, H, S.
    fn moves(&self, _seat: Seat, out: &mut Vec<Move>) {
        match (self.phase, self.row.last()) {
            (Phase::Reveal, last) => {
                out.extend([Move::Go, Move::Last]);
                let closing = Closing::of(&self.row);
                if last.is_some_and(|card| card.is_joker()) {
                    out.extend(closing.last.into_iter().map(Move::StopAs));
                } else if !closing.last.is_empty() {
                    out.push(Move::Stop);
                }
            }
            (Phase::Suit, Some(&joker)) => out.extend(suits_of(joker).into_iter().map(Move::Suit)),
            (Phase::Call, _) => out.extend(Suit::ALL.map(Move::Call)),
            (Phase::Suit | Phase::Over, _) => {}
        }
    }

    fn play(&mut self, _seat: Seat, mv: &Move) {
        match *mv {
            Move::Go => self.reveal(false),
            Move::Last => self.reveal(true),
            Move::Stop => {
                if let Some(suit) = self.row.last().and_then(|card| card.suit()) {
                    self.effect(suit);
                }
            }
            Move::StopAs(suit) | Move::Suit(suit) => self.effect(suit),
            Move::Call(suit) => {
                self.earn_from_deck(self.row.len(), Some(suit));
                self.earn(None);
            }
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let won = |seat: Seat| self.won[seat.index()].len();
        let key = |seat: Seat| (won(seat), self.is_in(seat), self.out[seat.index()]);
        Outcome::ranked(self.seats(), key, |seat| Score::whole(won(seat) as i32), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let mut picture = Picture::default();
        for (seat, won) in self.won.iter().enumerate() {
            let state = match (self.out[seat], self.death[seat]) {
                (0, false) => "",
                (0, true) => " under death",
                _ => " out",
            };
            picture = picture
                .cards(format!("won {seat}{state}"), won.faces())
                .known_as(format!("won {seat}"))
                .of(Seat(seat as u8));
        }
        let doing = match self.phase {
            Phase::Reveal => "reveals",
            Phase::Suit => "names the joker's suit",
            Phase::Call => "calls a suit",
            Phase::Over => "was the last",
        };
        picture.cards("row", self.row.faces()).caption(format!(
            "turn {}, {} cards in the deck, seat {} {doing}",
            self.turns,
            self.deck.len(),
            self.cur
        ))
    }
}

impl CardGame for ShlifShluf {
    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck54())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let seats = params.seats as usize;
        ShlifShluf {
            won: vec![Vec::new(); seats],
            death: vec![false; seats],
            out: vec![0; seats],
            turn_cap: params.turn_cap,
            chance,
            ..Default::default()
        }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().open(&mut self.row).each(Sight::All, &mut self.won);
        spread.deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        facts.word(
            "phase",
            "What is decided: to go on or stop (`reveal`), the `suit` of a joker, a suit to `call`; or the \
             game is `over`.",
            &mut self.phase,
        );
        facts.fact("turn", "Turns begun.", &mut self.turns);
        facts.fact("cur", "Whose turn it is.", &mut self.cur);
        facts.fact("row", "The cards revealed in this turn, in order.", &mut self.row);
        facts.each("won", "The cards that each seat has earned.", &mut self.won);
        facts.each("death", "Is death on each seat?", &mut self.death);
        facts.each("out", "The order in which seats went out, from 1; 0 is in.", &mut self.out);
        facts.closed("deck", "The deck.", &mut self.deck);
    }
}
