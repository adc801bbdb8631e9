//! Metzudotayim (two fortresses), for 2.
//!
//! Break the other fortress, a row of face-down cards. Each seat gets half the deck as its stock,
//! and the top five cards of the stock (`fort`), unseen, are its fortress. There is one common open
//! pile, the *beta*.
//!
//! A turn:
//!
//! - Seat 0, then seat 1, throws the top card of its stock into the air: face up it goes to the
//!   hand and the next one is thrown, face down it goes unseen under the stock and that is all.
//! - Both prepare at the same time, step by step. `fort C` adds a hand card of rank 6 to 10 face
//!   down to the end of the own fortress; `trade A B C` adds A so, whatever it is, and puts B and C
//!   into the beta. Then the seat is asked again, until it commits a card with `play C`, face down.
//!   With an empty hand there is `pass`, or if the stock is empty as well `sac i`, which commits
//!   the card number i of the own fortress, counted from 0.
//! - The committed cards are shown. If there are none or their ranks are equal nothing happens, and
//!   they go to the back of the beta, seat 0's first. A single ace captures one card and goes to
//!   the beta before the other card. Otherwise the higher rank attacks (2 is lowest, K highest) and
//!   the other seat, even if it has no card, defends.
//! - A seat whose card is J, Q or K may call a card of its fortress for `help i`, or `none`. Both
//!   choose at once.
//! - Battle: the attacker, then the defender, throws as many cards as the played and the called
//!   card are worth: 2 to 5 as printed, 6 to 10 count 1 to 5, J, Q, K count 1 to 3, an ace nothing.
//!   They come from the top of the own stock, and when that is empty from the front of the beta. If
//!   the attacker has more cards face up, the attacker captures the difference. If the defender has
//!   more, the defender captures one.
//! - A captured card is picked at random from the loser's row and goes face down to the end of the
//!   winner's.
//! - Then, the attacker's cards first, the played and the called card go to the back of the beta,
//!   and the thrown cards in order: face up to the beta, face down under the own stock or, if they
//!   came from the beta, back to it. But a seat that threw an ace face up from the beta takes its
//!   own face-down cards from the beta into its hand.
//! - A fortress without cards after the turn is destroyed and its owner has lost; if both are, it
//!   is a draw.
//!
//! The score is the size of the fortress. After `turn_cap` turns the larger one wins. You know your
//! hand, the beta, all sizes, and of your fortress the cards that you put there from your hand.
//!
//! Source: card games, section 2. That a throw is even odds, that equal ranks cancel, that a seat
//! with stock but no hand passes, and that captured cards are picked at random are our readings. In
//! a deck of odd size, which only a test would use, seat 1 gets the odd card.

use super::prelude::*;

params! {
    /// Cards of a fortress at the start.
    fort: u8 in 1..=26 = 5,
    /// The game ends after this many turns.
    turn_cap: u32 in 1..=100_000 = 300,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events: throws (`U`, `D`) and picks of captured cards (`#k`).
    chance: Option<Script> = None,
}

const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Metzudotayim {
    /// First card on top.
    stock: [Vec<Card>; 2],
    /// A seat knows the cards that it put there itself.
    fort: [Vec<Held>; 2],
    hand: [Hand; 2],
    /// First card in front.
    beta: Vec<Card>,
    /// The played card, then the called one.
    table: [Vec<Held>; 2],
    committed: [bool; 2],
    turns: u32,
    turn_cap: u32,
    phase: Phase,
    ballot: Ballot<Move>,
    chance: Chance,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    #[default]
    Prep,
    Help,
    Over,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "fort" Fort(Card),
        "trade" Trade(Card, CardPair),
        "play" Play(Card),
        "pass" Pass,
        "sac" Sac(Amount),
        "help" Help(Amount),
        "none" NoHelp,
    }
}

/// A card thrown in a battle.
struct Thrown {
    card: Card,
    up: bool,
    from_beta: bool,
}

/// How many cards a card throws.
fn base(card: Card) -> usize {
    if is_ace(card) { 0 } else { card.folded() as usize }
}

fn is_ace(card: Card) -> bool {
    card.high() == 14
}

impl Metzudotayim {
    fn begin_turn(&mut self) {
        self.turns += 1;
        self.committed = [false; 2];
        self.phase = Phase::Prep;
        for at in 0..2 {
            while let Some(card) = draw(&mut self.stock[at]) {
                if !self.chance.flip() {
                    self.stock[at].push(card);
                    break;
                }
                self.hand[at].add(card, Seats::NONE);
            }
        }
    }

    /// The seats that decide in this step, whether or not they have.
    fn asked(&self) -> Seats {
        let owes = |seat: &Seat| {
            let at = seat.index();
            match self.phase {
                Phase::Prep => !self.committed[at],
                Phase::Help => {
                    !self.fort[at].is_empty()
                        && self.table[at].first().is_some_and(|held| held.card.is_royal())
                }
                Phase::Over => false,
            }
        };
        BOTH.into_iter().filter(owes).collect()
    }

    fn preparations(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = &self.hand[seat.index()];
        if hand.is_empty() && !self.stock[seat.index()].is_empty() {
            out.push(Move::Pass);
        } else if hand.is_empty() {
            out.extend((0..self.fort[seat.index()].len() as u8).map(|at| Move::Sac(Amount(at))));
        }
        out.extend(hand.distinct().filter(|card| (6..=10).contains(&card.high())).map(Move::Fort));
        trades(hand, out);
        out.extend(hand.distinct().map(Move::Play));
    }

    /// Everybody asked has decided.
    fn finish_step(&mut self, chosen: &Ballot<Move>) {
        for (seat, mv) in chosen.iter() {
            self.carry_out(seat, *mv);
        }
        if self.phase == Phase::Help {
            self.battle();
        } else if self.committed == [true; 2] {
            self.reveal();
        }
    }

    fn carry_out(&mut self, seat: Seat, mv: Move) {
        let at = seat.index();
        let own = |card| Held { card, known_by: Seats::one(seat) };
        match mv {
            Move::Fort(card) => self.fort[at].push(own(self.hand[at].remove(card))),
            Move::Trade(a, CardPair(b, c)) => {
                self.fort[at].push(own(self.hand[at].remove(a)));
                self.beta.extend([b, c].map(|card| self.hand[at].remove(card)));
            }
            Move::Play(card) => self.table[at].push(own(self.hand[at].remove(card))),
            Move::Sac(Amount(index)) | Move::Help(Amount(index)) => {
                let called = self.fort[at].remove(index as usize);
                self.table[at].push(called);
            }
            Move::Pass | Move::NoHelp => {}
        }
        self.committed[at] |= matches!(mv, Move::Play(_) | Move::Pass | Move::Sac(_));
    }

    /// The high value of a seat's committed card; 0 without one.
    fn rank(&self, seat: Seat) -> u8 {
        self.table[seat.index()].first().map_or(0, |held| held.card.high())
    }

    /// Both have committed.
    fn reveal(&mut self) {
        let ranks = BOTH.map(|seat| self.rank(seat));
        let ace = BOTH.into_iter().find(|seat| ranks[seat.index()] == 14);
        if ranks[0] == ranks[1] {
            self.clear_table(Seat::FIRST);
            self.end_turn();
        } else if let Some(owner) = ace {
            self.capture(owner, 1);
            self.clear_table(owner);
            self.end_turn();
        } else {
            self.phase = Phase::Help;
            if self.asked().is_empty() {
                self.battle();
            }
        }
    }

    /// The played cards go to the beta, those of one seat before the other's.
    fn clear_table(&mut self, first: Seat) {
        for seat in [first, first.other()] {
            self.beta.extend(self.table[seat.index()].drain(..).map(|held| held.card));
        }
    }

    fn battle(&mut self) {
        let attacker =
            if self.rank(Seat::SECOND) > self.rank(Seat::FIRST) { Seat::SECOND } else { Seat::FIRST };
        let order = [attacker, attacker.other()];
        let thrown = order.map(|seat| self.throw(seat));
        let [ups, against] =
            [&thrown[0], &thrown[1]].map(|cards| cards.iter().filter(|card| card.up).count());
        if ups > against {
            self.capture(attacker, ups - against);
        } else if against > ups {
            self.capture(attacker.other(), 1);
        }
        for (seat, thrown) in order.into_iter().zip(thrown) {
            self.clean_up(seat, thrown);
        }
        self.end_turn();
    }

    fn throw(&mut self, seat: Seat) -> Vec<Thrown> {
        let count: usize = self.table[seat.index()].iter().map(|held| base(held.card)).sum();
        let mut thrown = Vec::new();
        for _ in 0..count {
            let from_beta = self.stock[seat.index()].is_empty();
            let pile = if from_beta { &mut self.beta } else { &mut self.stock[seat.index()] };
            let Some(card) = draw(pile) else { break };
            thrown.push(Thrown { card, up: self.chance.flip(), from_beta });
        }
        thrown
    }

    fn capture(&mut self, winner: Seat, count: usize) {
        for _ in 0..count {
            let row = &mut self.fort[winner.other().index()];
            if row.is_empty() {
                return;
            }
            let card = row.remove(self.chance.pick(row.len())).card;
            self.fort[winner.index()].push(card.into());
        }
    }

    fn clean_up(&mut self, seat: Seat, thrown: Vec<Thrown>) {
        let at = seat.index();
        self.beta.extend(self.table[at].drain(..).map(|held| held.card));
        let ace_from_beta = thrown.iter().any(|thrown| thrown.up && thrown.from_beta && is_ace(thrown.card));
        for Thrown { card, up, from_beta } in thrown {
            if !up && !from_beta {
                self.stock[at].push(card);
            } else if !up && ace_from_beta {
                self.hand[at].add(card, Seats::NONE);
            } else {
                self.beta.push(card);
            }
        }
    }

    fn end_turn(&mut self) {
        if self.fort.iter().any(Vec::is_empty) || self.turns >= self.turn_cap {
            self.phase = Phase::Over;
        } else {
            self.begin_turn();
        }
    }
}

/// Every way to keep one of three cards and give up the other two.
fn trades(hand: &Hand, out: &mut Vec<Move>) {
    let repeats = hand.distinct().count() < hand.len();
    for (kept, a) in hand.iter().enumerate() {
        for (at, b) in hand.iter().enumerate().filter(|(at, _)| *at != kept) {
            for (_, c) in hand.iter().enumerate().skip(at + 1).filter(|(at, _)| *at != kept) {
                let trade = Move::Trade(a, CardPair(b, c));
                if !repeats || !out.contains(&trade) {
                    out.push(trade);
                }
            }
        }
    }
}

impl Position for Metzudotayim {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "metzudotayim",
        name: "Metzudotayim",
        source: "cards 2",
        summary: "Two face-down fortresses, and cards thrown into the air to take them.",
        notation: "`fort C`, `trade A B C`, `play C`, `pass`, `sac i`, `help i` or `none`",
        example: "play KS",
        file: include_str!("metzudotayim.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        let mut first = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        require(first.len() > 1, "deck", || "each seat needs at least one card".to_owned())?;
        let second = first.split_off(first.len() / 2);
        game.stock = [first, second];
        for (fort, stock) in game.fort.iter_mut().zip(&mut game.stock) {
            fort.extend(stock.drain(..stock.len().min(params.fort as usize)).map(Held::from));
        }
        game.begin_turn();
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.phase != Phase::Over {
            return Turn::Together(self.ballot.missing(self.asked()));
        }
        Turn::ranked(if self.fort.iter().any(Vec::is_empty) { "destroyed" } else { "turn_cap" })
    }

    /// `fort`, `trade`, `play` in canonical order of their cards, or `pass`, or `sac` by index;
    /// `none` before `help`.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        if !self.ballot.missing(self.asked()).contains(seat) {
            return;
        }
        if self.phase == Phase::Prep {
            self.preparations(seat, out);
        } else {
            out.push(Move::NoHelp);
            out.extend((0..self.fort[seat.index()].len() as u8).map(|at| Move::Help(Amount(at))));
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Some(chosen) = self.ballot.close(seat, *mv, self.asked()) {
            self.finish_step(&chosen);
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let size = |seat: Seat| self.fort[seat.index()].len();
        Outcome::ranked(2, size, |seat| Score::whole(size(seat) as i32), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let piles = |at: usize| [seen.fort[at].faces(), seen.hand[at].faces(), seen.table[at].faces()];
        let picture = by_seat(2, ["fort", "hand", "table"], piles);
        let asked = listed(self.asked());
        let doing = match self.phase {
            Phase::Prep => format!("seats preparing: {asked}"),
            Phase::Help => format!("seats that may call for help: {asked}"),
            Phase::Over => "over".to_owned(),
        };
        picture.cards("beta", self.beta.faces()).caption(format!(
            "turn {}, stocks {} and {}, {doing}",
            self.turns,
            self.stock[0].len(),
            self.stock[1].len()
        ))
    }

    const HIDES_MOVES: bool = true;

    /// A card laid face down is known to its owner; a committed one to all if the other seat had
    /// committed before.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        if eyes.see_secrets_of(seat) {
            return mv.to_string();
        }
        let last_to_commit = self.committed[seat.other().index()];
        match mv {
            Move::Fort(_) => "fort ?".to_owned(),
            Move::Trade(_, CardPair(b, c)) => format!("trade ? {b} {c}"),
            Move::Play(_) if !last_to_commit => "play ?".to_owned(),
            Move::Sac(_) if !last_to_commit => "sac ?".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl CardGame for Metzudotayim {
    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        Metzudotayim { turn_cap: params.turn_cap, chance, ..Default::default() }
    }

    /// A committed card is hidden until both have committed, even from its owner if it came unseen
    /// out of the fortress.
    fn spread(&mut self) -> Spread<'_> {
        let shown = if self.phase == Phase::Prep { Seats::NONE } else { everybody() };
        let mut spread = Spread::default();
        for (fort, table) in self.fort.iter_mut().zip(&mut self.table) {
            spread = spread.pile(Seats::NONE, fort).pile(shown, table);
        }
        let spread = spread.each(Sight::Owner, &mut self.hand).each(Sight::Nobody, &mut self.stock);
        spread.open(&mut self.beta).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let phase = "The seats prepare (`prep`), may call for `help`, or the game is `over`.";
        facts.word("phase", phase, &mut self.phase);
        facts.fact("turn", "Turns begun.", &mut self.turns);
        facts.asked(self.asked());
        facts.fact("committed", "Has each seat committed a card?", &mut self.committed);
        facts.own("hand", "The hand of each seat.", &mut self.hand);
        let fort = "The fortress of each seat in order, `null` where you do not know the card.";
        facts.fact("fort", fort, &mut self.fort);
        facts.closed_each("stock", "The stock of each seat.", &mut self.stock);
        facts.fact("beta", "The beta, first card in front.", &mut self.beta);
        let table = "The played card of each seat, then the called one, `null` where you do not see them.";
        facts.fact("table", table, &mut self.table);
        facts.chosen(&mut self.ballot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::cards::tests;
    use crate::{Seated, Table};
    use serde_json::json;

    fn after(deck: &str, chance: &str, moves: &str) -> Seated<Metzudotayim> {
        let params = json!({"fort": 2, "deck": deck, "chance": chance});
        tests::after(&params, moves)
    }

    #[test]
    fn what_is_legal_in_preparation() {
        for (title, deck, chance, legal) in [
            ("no card came up, but there is stock", "2C 3C 4C 2S 3S 4S", "D D", "pass"),
            ("neither hand nor stock", "2C 3C 2S 3S", "", "sac 0, sac 1"),
            ("6 to 10 may be built in", "2C 3C TC 2S 3S 4S", "U", "fort TC, play TC"),
            ("others may not", "2C 3C JC 5C 2S 3S 4S 6S", "U U", "play 5C, play JC"),
            (
                "three cards may be traded",
                "2C 3C 5C JC AC 2S 3S 4S 6S 7S",
                "U U U",
                "trade 5C JC AC, trade JC 5C AC, trade AC 5C JC, play 5C, play JC, play AC",
            ),
        ] {
            assert_eq!(after(deck, chance, "").legal(Seat(0)).join(", "), legal, "{title}");
        }
    }

    #[test]
    fn battles() {
        for (title, deck, chance, moves, forts, beta) in [
            ("equal ranks cancel", "2C 3C 4C 2S 3S 4S", "U U", "0:play 4C | 1:play 4S", [2, 2], "4C 4S"),
            (
                "an ace against nothing captures",
                "2C 3C AC 2S 3S 4S",
                "U D #0",
                "0:play AC | 1:pass",
                [3, 1],
                "AC",
            ),
            // 5S throws 6S down, 4C throws 9C up, and neither has more.
            (
                "a defender captures one",
                "2C 3C 4C 9C 2S 3S 5S 6S",
                "U D U D D U #1",
                "0:play 4C | 1:play 5S",
                [3, 1],
                "5S 4C 9C",
            ),
            (
                "a card attacks a seat without one",
                "2C 3C 4C 9C 2S 3S 5S 6S",
                "U D D U #0",
                "0:play 4C | 1:pass",
                [3, 1],
                "4C 9C",
            ),
        ] {
            let game = after(deck, chance, moves);
            let view = game.view(Eyes::Referee).value();
            let sizes: Vec<usize> = game.position().fort.iter().map(Vec::len).collect();
            assert_eq!(sizes, forts, "{title}");
            assert_eq!(crate::cards::texts(&game.position().beta).join(" "), beta, "{title}: {view}");
        }
    }

    #[test]
    fn secrets() {
        let deck = "2C 3C TC 9C 8C 2S 3S 4S 6S 7S";
        let game = after(deck, "U U U U U U", "0:fort TC | 1:play 4S");
        let [own, other] = [0, 1].map(|seat| game.view(Eyes::Seat(Seat(seat))).value());
        assert_eq!(own["fort"], json!([[null, null, "TC"], [null, null]]));
        assert_eq!(own["table"], json!([[], [null]]));
        assert_eq!(own["asked"], json!([0]));
        assert_eq!(other["fort"], json!([[null, null, null], [null, null]]));
        assert_eq!(other["table"], json!([[], ["4S"]]));
        let heard = |game: &Seated<Metzudotayim>, eyes| {
            game.news(eyes, 0).iter().map(|news| news.mv.clone()).collect::<Vec<_>>()
        };
        assert_eq!(heard(&game, Eyes::Seat(Seat(0))), ["fort TC", "play ?"]);
        assert_eq!(heard(&game, Eyes::Seat(Seat(1))), ["fort ?", "play 4S"]);
        // A sacrificed card that came with the deal is as unknown to its owner as before.
        for (sacrifice, shown) in [("1:sac 0", json!([null])), ("1:sac 2", json!(["4S"]))] {
            let moves = format!("0:fort TC | 1:trade 4S 6S 7S | 0:fort 9C | {sacrifice}");
            let game = after(deck, "U U U U U U", &moves);
            assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["table"], json!([[], shown]), "{sacrifice}");
            assert_eq!(game.view(Eyes::Seat(Seat(0))).value()["table"], json!([[], [null]]), "{sacrifice}");
        }
        let game = after(deck, "U U U U U U", "0:trade TC 9C 8C | 1:play 4S");
        assert_eq!(heard(&game, Eyes::Spectator), ["trade ? 8C 9C", "play ?"]);
    }

    #[test]
    fn moves_are_read_in_one_way() {
        assert_eq!("trade KD 9C 8C".parse::<Move>().unwrap().to_string(), "trade KD 8C 9C");
        for wrong in ["sac", "sac 00", "sac +1", "help 1 2", "trade KD 9C", "none 1", "fort", "play 10C"] {
            assert!(wrong.parse::<Move>().is_err(), "`{wrong}`");
        }
    }
}
