//! Meidale, for 3 to 6.
//!
//! Whoever runs out of cards is a "meidale" and out of the game; the last seat left wins. One deck
//! of 52 for every three seats is dealt out evenly. What is left over lies aside until the first
//! round is won; one of these cards, drawn at random, names the first trump suit. If nothing is
//! left over, round 1 has no trump. Every seat holds a hand, which it sees, and wins cards into a
//! stock, which nobody sees.
//!
//! - A round: every seat plays a card, `play C`, all at once. Two things are decided: who takes the
//!   cards, and who rules, that is names the next trump.
//! - Without a trump on the table the highest card both takes and rules; suits do not matter (2 is
//!   lowest, the ace is high). So it is too when the highest trump is as high as the highest card
//!   of all.
//! - Otherwise the highest trump takes and the highest card of all rules.
//! - If several cards are equally good there is a war between their seats. When both the taking and
//!   the ruling need a war, the one for taking comes first.
//! - The taker puts all cards on the table, and the left-over ones, into its stock. The next trump
//!   is the suit of the card that the ruler played at the start of the round, whatever it laid in a
//!   war.
//! - Then a seat with an empty hand takes up its stock. A seat without any card is out.
//!
//! War: a seat of the war with fewer than three cards in hand takes up its stock first. Each lays
//! two cards face down, `down C` and `down C`, then one open, `up C`, all fighting seats together
//! step by step. A seat with fewer than three cards lays one or none face down and waits with its
//! last one until all open cards are shown. The best open card wins: a trump of this round beats
//! the others, then the higher card. Equally good ones fight again. A seat without cards loses the
//! war at once; if only one has cards it wins without laying; if none has, a random pick decides.
//! All these cards lie on the table for the taker.
//!
//! The score is the number of cards owned. Seats still in come first, by cards owned; those that
//! are out follow, the later the better. After `round_cap` rounds the game ends as it stands.
//!
//! Source: card games, section 3. That round 1 may have no trump, that wars are fought with trumps,
//! and what happens to a seat with too few cards for a war are our readings; so is that a short
//! seat's open card is shown together with the others'.

use super::prelude::*;
use serde_json::{Value, json};

params! {
    /// How many play.
    seats: u8 in 3..=6 = 3,
    /// How many decks of 52 are dealt; one for every three seats if it is not given.
    decks: Option<u8> in 1..=6 = None,
    /// The game ends after this many rounds.
    round_cap: u32 in 1..=100_000 = 500,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events: the first trump, and wars that nobody can fight.
    chance: Option<Script> = None,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Meidale {
    hands: Vec<Hand>,
    stocks: Vec<Vec<Card>>,
    trump: Option<Suit>,
    left: Vec<Card>,
    /// In the order laid.
    table: Vec<Laid>,
    /// The round of leaving, 0 for a seat that is in.
    out: Vec<u32>,
    round: u32,
    round_cap: u32,
    phase: Phase,
    /// The war that is being fought.
    war: Option<War>,
    ballot: Ballot<Card>,
    chance: Chance,
}

/// A card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Laid {
    seat: Seat,
    card: Card,
    open: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    #[default]
    Play,
    War,
    Over,
}

shown! {
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct War {
        /// What the war decides: who takes (`take`), who rules (`rule`), or `both`.
        prize: Prize,
        /// Who takes, when that is decided.
        taker: Option<Seat>,
        /// The seats that fight.
        fighters: Vec<Seat>,
        /// How many cards each seat has yet to lay face down.
        downs: Vec<u8>,
    }
}

impl War {
    /// Who lays a card face down; nobody when the open ones are due.
    fn laying(&self) -> Seats {
        self.fighters.iter().copied().filter(|seat| self.downs[seat.index()] > 0).collect()
    }
}

/// What a war decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Prize {
    Both,
    Take,
    Rule,
}

impl Typed for Prize {
    fn schema() -> Value {
        json!({ "enum": ["both", "take", "rule"] })
    }
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "play" Play(Card),
        "down" Down(Card),
        "up" Up(Card),
    }
}

impl Move {
    fn card(self) -> Card {
        let (Move::Play(card) | Move::Down(card) | Move::Up(card)) = self;
        card
    }
}

impl Laid {
    fn seen_by(self) -> Seats {
        if self.open { everybody() } else { Seats::one(self.seat) }
    }
}

impl Meidale {
    fn everyone(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.hands.len() as u8).map(Seat)
    }

    fn still_in(&self) -> Seats {
        self.everyone().filter(|seat| self.out[seat.index()] == 0).collect()
    }

    fn owned(&self, seat: Seat) -> usize {
        self.hands[seat.index()].len() + self.stocks[seat.index()].len()
    }

    /// The seats that decide in this step, whether or not they have.
    fn asked(&self) -> Seats {
        match (self.phase, &self.war) {
            (Phase::War, Some(war)) => {
                let laying = war.laying();
                if laying.is_empty() { war.fighters.iter().copied().collect() } else { laying }
            }
            (Phase::Over, _) => Seats::NONE,
            _ => self.still_in(),
        }
    }

    fn word(&self, card: Card) -> Move {
        match &self.war {
            None => Move::Play(card),
            Some(war) if war.laying().is_empty() => Move::Up(card),
            Some(_) => Move::Down(card),
        }
    }

    /// Everybody asked has decided; the cards go to the table by seat.
    fn finish_step(&mut self, chosen: &Ballot<Card>) {
        let down = self.war.as_ref().is_some_and(|war| !war.laying().is_empty());
        let laid_before = self.table.len();
        for (seat, &card) in chosen.iter() {
            self.hands[seat.index()].remove(card);
            self.table.push(Laid { seat, card, open: !down });
        }
        match self.war.take() {
            None => self.judge(),
            Some(mut war) if down => {
                war.downs.iter_mut().for_each(|downs| *downs = downs.saturating_sub(1));
                self.war = Some(war);
            }
            Some(war) => {
                let best = best(&self.table[laid_before..], |card| self.war_strength(card));
                self.settle(war.prize, war.taker, best);
            }
        }
    }

    fn war_strength(&self, card: Card) -> (bool, u8) {
        (self.is_trump(card), card.high())
    }

    fn is_trump(&self, card: Card) -> bool {
        self.trump.is_some() && card.suit() == self.trump
    }

    /// The cards of PLAY, which lie first on the table.
    fn played(&self) -> &[Laid] {
        &self.table[..self.still_in().len().min(self.table.len())]
    }

    fn highest(&self) -> Seats {
        best(self.played(), Card::high)
    }

    /// All have played: who takes, who rules?
    fn judge(&mut self) {
        let trumps: Vec<Laid> =
            self.played().iter().copied().filter(|laid| self.is_trump(laid.card)).collect();
        let top = |laid: &[Laid]| laid.iter().map(|laid| laid.card.high()).max();
        if trumps.is_empty() || top(&trumps) == top(self.played()) {
            self.settle(Prize::Both, None, self.highest());
        } else {
            self.settle(Prize::Take, None, best(&trumps, Card::high));
        }
    }

    /// A question stands between these seats: one alone has won it.
    fn settle(&mut self, prize: Prize, taker: Option<Seat>, rivals: Seats) {
        let Some(winner) = rivals.lowest() else { return };
        if rivals.len() > 1 {
            return self.start_war(prize, taker, rivals);
        }
        match prize {
            Prize::Both => self.end_round(winner, winner),
            Prize::Take => self.settle(Prize::Rule, Some(winner), self.highest()),
            Prize::Rule => self.end_round(taker.unwrap_or(winner), winner),
        }
    }

    fn start_war(&mut self, prize: Prize, taker: Option<Seat>, rivals: Seats) {
        for seat in rivals.iter() {
            if self.hands[seat.index()].len() < 3 {
                self.take_up_stock(seat);
            }
        }
        let fighters: Vec<Seat> = rivals.iter().filter(|seat| !self.hands[seat.index()].is_empty()).collect();
        if fighters.is_empty() {
            let picked = self.chance.pick(rivals.len());
            self.settle(prize, taker, rivals.iter().skip(picked).take(1).collect());
        } else if let [seat] = fighters[..] {
            self.settle(prize, taker, Seats::one(seat));
        } else {
            let mut downs = vec![0; self.hands.len()];
            for seat in &fighters {
                downs[seat.index()] = (self.hands[seat.index()].len() - 1).min(2) as u8;
            }
            self.phase = Phase::War;
            self.war = Some(War { prize, taker, fighters, downs });
        }
    }

    fn take_up_stock(&mut self, seat: Seat) {
        let stock = std::mem::take(&mut self.stocks[seat.index()]);
        self.hands[seat.index()].extend(stock);
    }

    fn end_round(&mut self, taker: Seat, ruler: Seat) {
        let ruling = self.played().iter().find(|laid| laid.seat == ruler);
        self.trump = ruling.and_then(|laid| laid.card.suit());
        let stock = &mut self.stocks[taker.index()];
        stock.extend(self.table.drain(..).map(|laid| laid.card));
        stock.append(&mut self.left);
        for seat in self.still_in().iter() {
            if self.hands[seat.index()].is_empty() {
                self.take_up_stock(seat);
            }
            if self.hands[seat.index()].is_empty() {
                self.out[seat.index()] = self.round;
            }
        }
        if self.still_in().len() <= 1 || self.round >= self.round_cap {
            self.phase = Phase::Over;
        } else {
            self.phase = Phase::Play;
            self.round += 1;
        }
    }
}

/// The seats whose cards are strongest.
fn best<K: Ord>(laid: &[Laid], strength: impl Fn(Card) -> K) -> Seats {
    let most = laid.iter().map(|laid| strength(laid.card)).max();
    laid.iter().filter(|laid| Some(strength(laid.card)) == most).map(|laid| laid.seat).collect()
}

impl Position for Meidale {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "meidale",
        name: "Meidale",
        source: "cards 3",
        seats: (3, 6),
        summary: "A war of trumps in which the highest card names the next trump.",
        notation: "`play C`, or in a war `down C` or `up C`, with a card C of your hand",
        example: "play KH",
        file: include_str!("meidale.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        game.left = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        let seats = params.seats as usize;
        let each = game.left.len() / seats;
        require(each > 0, "deck", || format!("{seats} seats need at least a card each"))?;
        for hand in &mut game.hands {
            hand.extend(game.left.drain(..each));
        }
        if !game.left.is_empty() {
            game.trump = game.left[game.chance.pick(game.left.len())].suit();
        }
        Ok(game)
    }

    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn turn(&self) -> Turn {
        if self.phase != Phase::Over {
            return Turn::Together(self.ballot.missing(self.asked()));
        }
        Turn::ranked(if self.still_in().len() <= 1 { "last_left" } else { "round_cap" })
    }

    /// By card, in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        if self.ballot.missing(self.asked()).contains(seat) {
            out.extend(self.hands[seat.index()].distinct().map(|card| self.word(card)));
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Some(chosen) = self.ballot.close(seat, mv.card(), self.asked()) {
            self.finish_step(&chosen);
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let key = |seat: Seat| match self.out[seat.index()] {
            0 => (true, self.owned(seat)),
            round => (false, round as usize),
        };
        Outcome::ranked(self.seats(), key, |seat| Score::whole(self.owned(seat) as i32), reason)
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
        let table = seen.table.iter().map(|laid| laid.card.face());
        let stocks: Vec<String> = self.stocks.iter().map(|stock| stock.len().to_string()).collect();
        let trump = self.trump.map_or("no trump".to_owned(), |suit| format!("trump {suit}"));
        let phase = match self.phase {
            Phase::Play => format!("all play: {}", listed(self.asked())),
            Phase::War => format!("war: {}", listed(self.asked())),
            Phase::Over => "over".to_owned(),
        };
        by_seat(self.hands.len(), ["hand"], |at| [seen.hands[at].faces()])
            .cards("table", table)
            .caption(format!("round {}, {trump}; {phase}", self.round))
            .caption(format!("stocks {}, {} left over", stocks.join(" "), self.left.len()))
    }

    const HIDES_MOVES: bool = true;

    /// A card laid face down is known to its owner alone.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        match mv {
            Move::Down(_) if !eyes.see_secrets_of(seat) => "down ?".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl CardGame for Meidale {
    fn pack(params: &Params) -> Pack<'_> {
        let decks = params.decks.unwrap_or(params.seats / 3);
        Pack::new(params.deck.as_ref(), Card::deck52().repeat(decks.into()))
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let seats = params.seats as usize;
        Meidale {
            hands: vec![Hand::default(); seats],
            stocks: vec![Vec::new(); seats],
            out: vec![0; seats],
            round: 1,
            round_cap: params.round_cap,
            chance,
            ..Default::default()
        }
    }

    /// A seat knows the cards that it laid face down itself.
    fn spread(&mut self) -> Spread<'_> {
        let mut spread =
            Spread::default().pile(Seats::NONE, &mut self.left).each(Sight::Owner, &mut self.hands);
        for laid in &mut self.table {
            spread = spread.pile(laid.seen_by(), &mut laid.card);
        }
        spread.each(Sight::Nobody, &mut self.stocks).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let phase = "Cards are to be played (`play`), to be laid in a `war`, or the game is `over`.";
        facts.word("phase", phase, &mut self.phase);
        facts.fact("round", "Rounds begun.", &mut self.round);
        facts.asked(self.asked());
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.closed_each("stock", "The stock of each seat.", &mut self.stocks);
        facts.fact("trump", "The trump suit, if there is one.", &mut self.trump);
        facts.closed("left", "The cards that lie aside.", &mut self.left);
        let mut cards: Vec<Held> = self.table.iter().map(|laid| laid.card.into()).collect();
        let mut seats: Vec<Seat> = self.table.iter().map(|laid| laid.seat).collect();
        let mut opens: Vec<bool> = self.table.iter().map(|laid| laid.open).collect();
        facts.fact(
            "table",
            "The cards on the table in the order laid, `null` where you do not see them.",
            &mut cards,
        );
        facts.fact("table_seat", "Who laid each card of `table`.", &mut seats);
        facts.fact("table_open", "Was each card of `table` laid open?", &mut opens);
        let laid = cards.into_iter().zip(seats).zip(opens);
        self.table = laid.map(|((held, seat), open)| Laid { seat, card: held.card, open }).collect();
        facts.each("out", "The round in which each seat went out; 0 is in.", &mut self.out);
        facts.chosen(&mut self.ballot);
        facts.fact("war", "The war that is fought, if there is one.", &mut self.war);
    }

    /// The first trump came from the cards left over.
    fn imagine_hidden(&mut self, mut unseen: Unseen) -> Result<(), String> {
        if let Some(last) = self.left.last_mut() {
            *last = unseen.deal_one(|card| card.suit() == self.trump).unwrap_or(Card::BACK);
        }
        self.spread().turn_up(unseen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::cards::tests;
    use crate::{Seated, Table};
    use serde_json::json;

    fn after(seats: u8, deck: &str, moves: &str) -> Seated<Meidale> {
        let params = json!({"seats": seats, "deck": deck, "chance": "#0 #1"});
        tests::after(&params, moves)
    }

    #[test]
    fn takers_rulers_and_wars() {
        for (title, deck, moves, trump, sizes, asked) in [
            // Two cards each and a spade left over unless the title says more.
            (
                "a low trump takes, the high card rules",
                "2S 3C KH 4C 9D 5C TS",
                "0:play 2S | 1:play KH | 2:play 9D",
                "H",
                [5, 1, 1],
                "012",
            ),
            (
                "the highest trump is the highest card",
                "AS 3C KH 4C 9D 5C TS",
                "0:play AS | 1:play KH | 2:play 9D",
                "S",
                [5, 1, 1],
                "012",
            ),
            (
                "a war with one card each",
                "KS 3C KH 4C 9D 5C TS",
                "0:play KS | 1:play KH | 2:play 9D",
                "S",
                [1, 1, 1],
                "01",
            ),
            (
                "a trump wins a war against a higher card",
                "KD 3S KH 4C 9D 5C TS",
                "0:play KD | 1:play KH | 2:play 9D | 0:up 3S | 1:up 4C",
                "D",
                [6, 0, 1],
                "02",
            ),
            (
                "a war that nobody can fight is picked",
                "KH KD 4C",
                "0:play KH | 1:play KD | 2:play 4C",
                "H",
                [3, 0, 0],
                "",
            ),
        ] {
            let game = after(3, deck, moves);
            let view = game.view(Eyes::Referee).value();
            let owned: Vec<usize> =
                game.position().everyone().map(|seat| game.position().owned(seat)).collect();
            let asked_now: String = game.turn().seats().iter().map(|seat| seat.to_string()).collect();
            assert_eq!(view["trump"], *trump, "{title}");
            assert_eq!(owned, sizes, "{title}");
            assert_eq!(asked_now, asked, "{title}");
        }
    }

    #[test]
    fn the_last_seat_wins_and_those_that_leave_together_share_a_place() {
        // One card each and none left over: a war without cards, decided by a pick.
        let game = after(3, "KH KD 4C", "0:play KH | 1:play KD | 2:play 4C");
        assert_eq!(game.outcome().unwrap().places(), [1, 2, 2]);
        assert_eq!(game.outcome().unwrap().reason, "last_left");
    }

    #[test]
    fn open_cards_of_a_war_are_shown_together() {
        let deck = "AH 2C 3C KH 2H 4D 5D 6D KD 2D 7D 8D 9D TD 3D";
        let rounds = ["AH 4D 7D", "2C 5D 8D", "3C 6D 9D", "KH KD TD"].map(|cards| {
            let plays = cards.split(' ').enumerate().map(|(seat, card)| format!("{seat}:play {card}"));
            plays.collect::<Vec<_>>().join(" | ")
        });
        // Seat 0 takes up its stock for the war, seat 1 has a single card and waits with it.
        let war = format!("{} | 0:down 2H", rounds.join(" | "));
        let game = after(3, deck, &war);
        assert_eq!(game.turn(), Turn::Together(Seats::one(Seat(0))));
        assert_eq!(game.legal(Seat(0)), ["down 4D", "down 7D", "down AH"]);
        let game = after(3, deck, &format!("{war} | 0:down 4D"));
        assert_eq!(game.legal(Seat(0)), ["up 7D", "up AH"]);
        assert_eq!(game.legal(Seat(1)), ["up 2D"]);
    }

    #[test]
    fn a_card_face_down_is_known_to_its_owner() {
        let deck = "KS 4C 5C 6C 7C KH 9C 2H 3H 4H 2C 3C JC 2D 3D 2S";
        let game = after(3, deck, "0:play KS | 1:play KH | 2:play 2C | 0:down 4C | 1:down 2H");
        let heard = |eyes| game.news(eyes, 3).iter().map(|news| news.mv.clone()).collect::<Vec<_>>();
        assert_eq!(heard(Eyes::Seat(Seat(0))), ["down 4C", "down ?"]);
        assert_eq!(heard(Eyes::Spectator), ["down ?", "down ?"]);
        assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["table"], json!(["KS", "KH", "2C", null, "2H"]));
    }
}
