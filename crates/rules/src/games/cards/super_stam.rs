//! Super Stam, for 2.
//!
//! The aim is a gold pack of `n` royal cards (J, Q, K). Each seat has a hidden card, which it alone
//! sees, and open cards, which both see. The hidden card says how many open cards its owner may
//! hold, its *need*: 2 to 5 as printed, 6 to 10 count 1 to 5, J, Q, K, A count 1 to 4. In sums a
//! card counts its high value: 2 to 10 as printed, J 11, Q 12, K 13, A 14.
//!
//! A turn:
//!
//! - Seat 0, then seat 1: whoever has no hidden card draws one. Then each draws open cards up to
//!   its need; whoever holds too many gives some back, `drop C`, one at a time, under the deck.
//! - The *starter* is the seat with the highest open card; of equally high ones a diamond comes
//!   first, then a heart, a club, a spade.
//! - Both say `keep` or `stam` at once. After `stam` the hidden card goes under the deck and the
//!   top card takes its place; then open cards are drawn, or dropped, to fit the new need.
//! - The top card of the deck becomes the main card, and its value is the sum to reach. The starter
//!   is on move.
//! - `swap A B` draws a card and then puts two open cards under the deck. It is allowed when the
//!   own hidden card is royal, or when A and B both have its suit. The same seat stays on move.
//! - `put C...` puts one or more open cards on the board. With `raise` = `fresh` these cards must
//!   add up to at least the sum and their total is the new sum. With `add` they are added to all
//!   that the seat has put this turn, and that total counts. The other seat is on move.
//! - `pass` after the other seat has put gives it the turn. While nobody has put, `pass` is allowed
//!   only to a seat that can put nothing; when both pass so, nobody wins the turn.
//! - After the turn the main card and all put cards go back to the deck. The winner's hidden card
//!   goes into its gold pack if it is royal and no card of its rank is there yet, otherwise to the
//!   deck as well. The deck is shuffled. Hidden and open cards not named here stay.
//!
//! A full gold pack wins at once. After `turn_cap` turns the larger gold pack wins. The score is
//! the number of gold cards. The number of gold cards is known to all, the cards themselves to
//! their owner.
//!
//! Source: card games, section 5, in its formal version; `raise` = `add` is the plain one. Our
//! readings: one shuffle at the end of each turn, dropped and swapped cards go under the deck, and
//! both `stam` decisions are secret.

use super::prelude::*;

params! {
    /// Cards of a full gold pack.
    n: u8 in 1..=3 = 1,
    /// What must reach the sum: the cards put now, or all that the seat has put this turn.
    raise: Raise = Raise::Fresh,
    /// The game ends after this many turns.
    turn_cap: u32 in 1..=100_000 = 200,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events: the shuffle at the end of every turn.
    chance: Option<Script> = None,
}

words! { enum Raise { Fresh = "fresh", Add = "add" } }

const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SuperStam {
    full_pack: u8,
    /// Do all cards put this turn count towards the sum?
    adds: bool,
    turn_cap: u32,
    /// First card on top.
    deck: Vec<Card>,
    hid: [Option<Card>; 2],
    open: [Hand; 2],
    main: Option<Card>,
    /// Cards put this turn, in order.
    board: [Vec<Card>; 2],
    gold: [Vec<Card>; 2],
    sum: u32,
    starter: Seat,
    /// On move; before that the starter.
    cur: Seat,
    /// Has the starter passed because it could put nothing?
    passed: bool,
    /// Open cards of each seat when it was last filled up, which tells its need to all.
    held: [usize; 2],
    /// Seats that hold too many open cards.
    trimming: Seats,
    turns: u32,
    phase: Phase,
    ballot: Ballot<Move>,
    chance: Chance,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    /// Dropping cards at the start of a turn.
    #[default]
    Trim,
    Stam,
    /// Dropping cards after `stam`.
    Retrim,
    Play,
    Over,
}

verbs! {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "drop" Drop(Card),
        "keep" Keep,
        "stam" Stam,
        "swap" Swap(CardPair),
        "put" Put(Several<1, 54>),
        "pass" Pass,
    }
}

fn total(cards: impl IntoIterator<Item = Card>) -> u32 {
    cards.into_iter().map(|card| u32::from(card.high())).sum()
}

/// Decides who starts: the high value, then diamonds before hearts before clubs before spades.
fn precedence(card: Card) -> (u8, u8) {
    let suit = match card.suit() {
        Some(Suit::Diamonds) => 3,
        Some(Suit::Hearts) => 2,
        Some(Suit::Clubs) => 1,
        Some(Suit::Spades) | None => 0,
    };
    (card.high(), suit)
}

impl SuperStam {
    /// Without a hidden card there is no need of open ones.
    fn need(&self, seat: Seat) -> usize {
        self.hid[seat.index()].map_or(0, |card| card.folded() as usize)
    }

    fn refill(&mut self, seat: Seat) {
        while self.open[seat.index()].len() < self.need(seat)
            && let Some(card) = draw(&mut self.deck)
        {
            self.open[seat.index()].add(card, everybody());
        }
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
        for seat in BOTH {
            let hidden = &mut self.hid[seat.index()];
            if hidden.is_none() {
                *hidden = draw(&mut self.deck);
            }
        }
        for seat in BOTH {
            self.refill(seat);
        }
        self.phase = Phase::Trim;
        self.leave_trim();
    }

    /// Goes on when nobody holds too many cards.
    fn leave_trim(&mut self) {
        let too_many = |seat: &Seat| self.open[seat.index()].len() > self.need(*seat);
        self.trimming = BOTH.into_iter().filter(too_many).collect();
        if !self.trimming.is_empty() {
            return;
        }
        self.held = BOTH.map(|seat| self.open[seat.index()].len());
        if self.phase == Phase::Trim {
            let best = |seat: Seat| self.open[seat.index()].iter().map(precedence).max();
            self.starter = if best(Seat::SECOND) > best(Seat::FIRST) { Seat::SECOND } else { Seat::FIRST };
            self.cur = self.starter;
            self.phase = Phase::Stam;
        } else {
            self.main = draw(&mut self.deck);
            self.sum = total(self.main);
            self.phase = Phase::Play;
        }
    }

    /// The seats that decide in this step, whether or not they have.
    fn asked(&self) -> Seats {
        match self.phase {
            Phase::Trim | Phase::Retrim => self.trimming,
            Phase::Stam => Seats::first(2),
            Phase::Play => Seats::one(self.cur),
            Phase::Over => Seats::NONE,
        }
    }

    fn trim(&mut self, chosen: &Ballot<Move>) {
        for (seat, mv) in chosen.iter() {
            if let Move::Drop(card) = mv {
                self.deck.push(self.open[seat.index()].remove(*card));
            }
        }
        self.leave_trim();
    }

    fn change_hidden(&mut self, chosen: &Ballot<Move>) {
        let order = [self.starter, self.starter.other()];
        let changing = || order.into_iter().filter(|&seat| chosen.of(seat) == Some(&Move::Stam));
        for seat in changing() {
            self.deck.extend(self.hid[seat.index()].take());
            self.hid[seat.index()] = draw(&mut self.deck);
        }
        for seat in changing() {
            self.refill(seat);
        }
        self.phase = Phase::Retrim;
        self.leave_trim();
    }

    fn may_swap(&self, seat: Seat, a: Card, b: Card) -> bool {
        self.hid[seat.index()].is_some_and(|hidden| {
            hidden.is_royal() || (a.suit() == hidden.suit() && b.suit() == hidden.suit())
        })
    }

    fn swaps(&self, seat: Seat, out: &mut Vec<Move>) {
        let cards = &self.open[seat.index()];
        for (at, a) in cards.iter().enumerate() {
            for b in cards.iter().skip(at + 1) {
                let swap = Move::Swap(CardPair(a, b));
                if self.may_swap(seat, a, b) && !out.contains(&swap) {
                    out.push(swap);
                }
            }
        }
    }

    /// What counts towards the sum before any card is put.
    fn already(&self, seat: Seat) -> u32 {
        if self.adds { total(self.board[seat.index()].iter().copied()) } else { 0 }
    }

    fn can_put(&self, seat: Seat) -> bool {
        let cards = &self.open[seat.index()];
        !cards.is_empty() && self.already(seat) + total(cards.iter()) >= self.sum
    }

    fn puts(&self, seat: Seat, out: &mut Vec<Move>) {
        let cards = &self.open[seat.index()];
        for set in 1_u32..1 << cards.len() {
            let has = |at: usize| set >> at & 1 == 1;
            // Of equal cards the first are taken, so that no set comes twice.
            let repeats = (1..cards.len()).any(|at| has(at) && !has(at - 1) && cards[at] == cards[at - 1]);
            let chosen: Vec<Card> = (0..cards.len()).filter(|&at| has(at)).map(|at| cards[at]).collect();
            if !repeats && self.already(seat) + total(chosen.iter().copied()) >= self.sum {
                out.push(Move::Put(Several(chosen)));
            }
        }
    }

    fn somebody_has_put(&self) -> bool {
        self.board.iter().any(|board| !board.is_empty())
    }

    fn swap(&mut self, seat: Seat, a: Card, b: Card) {
        let drawn = draw(&mut self.deck);
        let open = &mut self.open[seat.index()];
        self.deck.extend([a, b].map(|card| open.remove(card)));
        open.extend(drawn);
    }

    fn put(&mut self, seat: Seat, cards: &[Card]) {
        self.sum = self.already(seat) + total(cards.iter().copied());
        let open = &mut self.open[seat.index()];
        self.board[seat.index()].extend(cards.iter().map(|card| open.remove(*card)));
        self.cur = seat.other();
    }

    fn pass(&mut self, seat: Seat) {
        if self.somebody_has_put() {
            self.end_turn(Some(seat.other()));
        } else if self.passed {
            self.end_turn(None);
        } else {
            self.passed = true;
            self.cur = seat.other();
        }
    }

    fn end_turn(&mut self, winner: Option<Seat>) {
        self.deck.extend(self.main.take());
        for seat in [self.starter, self.starter.other()] {
            self.deck.append(&mut self.board[seat.index()]);
        }
        if let Some(winner) = winner {
            self.store_hidden(winner);
        }
        self.chance.shuffle(&mut self.deck);
        self.sum = 0;
        self.passed = false;
        if self.has_full_pack() || self.turns >= self.turn_cap {
            self.phase = Phase::Over;
        } else {
            self.begin_turn();
        }
    }

    /// The hidden card of a turn's winner goes to the gold pack, or else under the deck.
    fn store_hidden(&mut self, winner: Seat) {
        let gold = &mut self.gold[winner.index()];
        let Some(card) = self.hid[winner.index()].take() else { return };
        if card.is_royal() && gold.iter().all(|other| other.high() != card.high()) {
            gold.push(card);
        } else {
            self.deck.push(card);
        }
    }

    fn has_full_pack(&self) -> bool {
        self.gold.iter().any(|gold| gold.len() >= self.full_pack as usize)
    }
}

impl Position for SuperStam {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "super-stam",
        name: "Super Stam",
        source: "cards 5",
        summary: "Outbid each other with open cards to bring hidden royals home.",
        notation: "`drop C`, `keep`, `stam`, `swap A B`, `put C...` or `pass`, with your open cards",
        example: "put 2C 6H",
        file: include_str!("super_stam.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        game.deck = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        require(!game.deck.is_empty(), "deck", || "at least one card is needed".to_owned())?;
        game.begin_turn();
        Ok(game)
    }

    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Over => Turn::ranked(if self.has_full_pack() { "gold" } else { "turn_cap" }),
            Phase::Play => Turn::One(self.cur),
            _ => Turn::Together(self.ballot.missing(self.asked())),
        }
    }

    /// By kind: `swap`, then `put`, then `pass`; `keep` before `stam`. Cards in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        if !self.ballot.missing(self.asked()).contains(seat) {
            return;
        }
        match self.phase {
            Phase::Trim | Phase::Retrim => out.extend(self.open[seat.index()].distinct().map(Move::Drop)),
            Phase::Stam => out.extend([Move::Keep, Move::Stam]),
            Phase::Play => {
                self.swaps(seat, out);
                self.puts(seat, out);
                if self.somebody_has_put() || !self.can_put(seat) {
                    out.push(Move::Pass);
                }
            }
            Phase::Over => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        match mv {
            Move::Drop(_) | Move::Keep | Move::Stam => {
                if let Some(chosen) = self.ballot.close(seat, mv.clone(), self.asked()) {
                    if self.phase == Phase::Stam { self.change_hidden(&chosen) } else { self.trim(&chosen) }
                }
            }
            Move::Swap(CardPair(a, b)) => self.swap(seat, *a, *b),
            Move::Put(Several(cards)) => self.put(seat, cards),
            Move::Pass => self.pass(seat),
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let gold = |seat: Seat| self.gold[seat.index()].len();
        Outcome::ranked(2, gold, |seat| Score::whole(gold(seat) as i32), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let piles = |at: usize| {
            [seen.hid[at].faces(), seen.open[at].faces(), seen.board[at].faces(), seen.gold[at].faces()]
        };
        let picture = by_seat(2, ["hidden", "open", "board", "gold"], piles);
        let doing = match self.phase {
            Phase::Trim | Phase::Retrim => "too many open cards: drop",
            Phase::Stam => "keep or stam?",
            Phase::Play => "on move",
            Phase::Over => "over",
        };
        picture.cards("main", self.main.faces()).caption(format!(
            "turn {}, sum {}, {} cards in the deck, seat {}: {doing}",
            self.turns,
            self.sum,
            self.deck.len(),
            self.cur
        ))
    }
}

impl CardGame for SuperStam {
    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let (full_pack, adds, turn_cap) = (params.n, params.raise == Raise::Add, params.turn_cap);
        SuperStam { full_pack, adds, turn_cap, chance, ..Default::default() }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hid).each(Sight::Owner, &mut self.gold);
        let spread = spread.each(Sight::All, &mut self.open).each(Sight::All, &mut self.board);
        spread.open(&mut self.main).deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        facts.word(
            "phase",
            "What is decided: cards to drop at the start of a turn (`trim`), whether to `stam`, cards to drop \
             after that (`retrim`), a move of the turn (`play`); or the game is `over`.",
            &mut self.phase,
        );
        facts.fact("turn", "Turns begun.", &mut self.turns);
        self.trimming = facts.asked(self.asked());
        facts.fact("starter", "The starter of the turn.", &mut self.starter);
        facts.fact("cur", "The seat on move; before that the starter.", &mut self.cur);
        let hid = "The hidden card of each seat, `null` for one that you do not see.";
        facts.maybe(["hid", "has_hid"], hid, &mut self.hid);
        facts.fact("open", "The open cards of each seat.", &mut self.open);
        facts.fact("main", "The main card.", &mut self.main);
        facts.fact("sum", "The sum to reach.", &mut self.sum);
        facts.fact("board", "The cards that each seat has put this turn, in order.", &mut self.board);
        facts.own("gold", "The gold pack of each seat.", &mut self.gold);
        facts.fact("passed", "Has the starter passed because it could put nothing?", &mut self.passed);
        let held = "How many open cards each seat had when they were last filled up.";
        facts.fact("held", held, &mut self.held);
        facts.closed("deck", "The deck.", &mut self.deck);
        facts.chosen(&mut self.ballot);
    }

    fn imagine_hidden(&mut self, mut unseen: Unseen) -> Result<(), String> {
        for gold in &mut self.gold {
            while let Some(at) = gold.iter().position(|card| *card == Card::BACK) {
                let is_new = |card: Card| gold.iter().all(|other| other.high() != card.high());
                let royal = unseen.deal_one(|card| card.is_royal() && is_new(card));
                gold[at] = royal.ok_or("no royal is left for the gold pack")?;
            }
        }
        for seat in BOTH {
            if self.hid[seat.index()] == Some(Card::BACK) {
                self.hid[seat.index()] = self.guess_hidden(seat, &mut unseen);
            }
        }
        self.spread().turn_up(unseen)
    }
}

impl SuperStam {
    /// A hidden card whose need agrees with the open cards seen.
    fn guess_hidden(&self, seat: Seat, unseen: &mut Unseen) -> Option<Card> {
        let trimming = matches!(self.phase, Phase::Trim | Phase::Retrim);
        let count = if trimming { self.open[seat.index()].len() } else { self.held[seat.index()] };
        let need = |card: Card| card.folded() as usize;
        if trimming && self.trimming.contains(seat) {
            return unseen.deal_one(|card| need(card) < count);
        }
        // More than the count only if the deck ran out.
        unseen.deal_one(|card| need(card) == count).or_else(|| unseen.deal_one(|card| need(card) > count))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::after;
    use super::*;
    use crate::Table;
    use serde_json::json;

    #[test]
    fn what_is_legal() {
        // Hidden 2H gives seat 0 two open cards, hidden 2S seat 1 two.
        let deck = |open: &str, main: &str| format!("2H 2S {open} {main} 3C 4C 5C 7C");
        let keep = "0:keep | 1:keep";
        for (title, deck, raise, moves, legal) in [
            ("a tie of ranks: the red seat starts", deck("9C 4D 9D 3S", "JC"), "fresh", keep, "1: put 3S 9D"),
            ("both red: diamonds first", deck("9H 4D 9D 3S", "JC"), "fresh", keep, "1: put 3S 9D"),
            ("both black: clubs first", deck("9C 4D 9S 3S", "JC"), "fresh", keep, "0: put 4D 9C"),
            (
                "swap needs the hidden card's suit",
                deck("9H 4H 8S 3S", "2C"),
                "fresh",
                keep,
                "0: swap 4H 9H, put 4H, put 9H, put 4H 9H",
            ),
            ("who can put must", deck("9C 4C 8S 3S", "KC"), "fresh", keep, "0: put 4C 9C"),
            ("who cannot passes", deck("9C 3D 8S 3S", "KC"), "fresh", keep, "0: pass"),
            (
                "answering is free",
                deck("9C 4C 8S 3C", "5C"),
                "fresh",
                "0:keep | 1:keep | 0:put 9C",
                "1: put 3C 8S, pass",
            ),
            (
                "fresh: earlier cards do not count",
                deck("9C 4C 8S 3C", "5C"),
                "fresh",
                "0:keep | 1:keep | 0:put 9C | 1:put 3C 8S",
                "0: pass",
            ),
            (
                "add: earlier cards count",
                deck("9C 4C 8S 3C", "5C"),
                "add",
                "0:keep | 1:keep | 0:put 9C | 1:put 3C 8S",
                "0: put 4C, pass",
            ),
        ] {
            let game = after::<SuperStam>(&json!({"deck": deck, "raise": raise, "chance": ""}), moves);
            let seat = game.turn().seats().lowest().unwrap();
            assert_eq!(format!("{seat}: {}", game.legal(seat).join(", ")), legal, "{title}");
        }
    }

    #[test]
    fn stam_changes_the_hidden_card_and_the_need() {
        // The starter, seat 1, changes first and gets 2D; seat 0 gets 3D.
        let params = json!({"deck": "2H 3S 4C 5C 6C 7C 9C 2D 3D TC TH TS", "chance": ""});
        let game = after::<SuperStam>(&params, "0:stam | 1:stam");
        let view = game.view(Eyes::Referee).value();
        assert_eq!(view["hid"], json!(["3D", "2D"]));
        assert_eq!(view["open"], json!([["4C", "5C", "TC"], ["6C", "7C", "9C"]]));
        assert_eq!(view["deck"], json!(["TH", "TS", "3S", "2H"]));
        assert_eq!(game.turn(), Turn::Together(Seats::one(Seat(1))));
        assert_eq!(game.legal(Seat(1)), ["drop 6C", "drop 7C", "drop 9C"]);
    }

    #[test]
    fn gold_packs_hold_no_rank_twice_and_stay_secret() {
        let deck = "6S KH 2C AC 3C 3D 5C 6C 7C 8C 9C TC JC";
        let game = after::<SuperStam>(
            &json!({"n": 2, "deck": deck, "chance": ""}),
            "0:keep | 1:keep | 1:put AC | 0:pass",
        );
        assert_eq!(game.view(Eyes::Seat(Seat(0))).value()["gold"], json!([[], null]));
        assert_eq!(game.view(Eyes::Seat(Seat(0))).value()["gold_size"], json!([0, 1]));
        assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["gold"], json!([null, ["KH"]]));
        let mut position = game.position().clone();
        position.hid[1] = Some("KD".parse().unwrap());
        position.store_hidden(Seat(1));
        assert_eq!(position.gold[1].len(), 1, "a second king goes to the deck");
    }

    #[test]
    fn sets_are_read_in_any_order_and_an_empty_deck_is_no_harm() {
        assert_eq!("put KD 2C AH".parse::<Move>().unwrap().to_string(), "put 2C KD AH");
        assert_eq!("swap 9H 9C".parse::<Move>().unwrap().to_string(), "swap 9C 9H");
        for wrong in ["put", "swap 2C", "drop", "keep 2C", "put  2C", "pass "] {
            assert!(wrong.parse::<Move>().is_err(), "`{wrong}`");
        }
        let game =
            after::<SuperStam>(&json!({"deck": "5H", "turn_cap": 1}), "0:stam | 1:stam | 0:pass | 1:pass");
        assert_eq!(game.outcome().unwrap().places(), [1, 1]);
    }
}
