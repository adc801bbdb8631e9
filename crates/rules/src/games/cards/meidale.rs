//! Meidale, for 3 to 6.
//!
//! Whoever runs out of cards is a "meidale" and out of the game; the last seat left wins. One deck of 52
//! for every three seats is dealt out evenly. What is left over lies aside until the first round is won;
//! one of these cards, drawn at random, names the first trump suit. If nothing is left over, round 1 has no
//! trump. Every seat holds a hand, which it sees, and wins cards into a stock, which nobody sees.
//!
//! - A round: every seat plays a card, `play C`, all at once. Two things are decided: who takes the cards,
//!   and who rules, that is names the next trump.
//! - Without a trump on the table the highest card both takes and rules; suits do not matter (2 is lowest,
//!   the ace is high). So it is too when the highest trump is as high as the highest card of all.
//! - Otherwise the highest trump takes and the highest card of all rules.
//! - If several cards are equally good there is a war between their seats. When both the taking and the
//!   ruling need a war, the one for taking comes first.
//! - The taker puts all cards on the table, and the left-over ones, into its stock. The next trump is the
//!   suit of the card that the ruler played at the start of the round, whatever it laid in a war.
//! - Then a seat with an empty hand takes up its stock. A seat without any card is out.
//!
//! War: a seat of the war with fewer than three cards in hand takes up its stock first. Each lays two cards
//! face down, `down C` and `down C`, then one open, `up C`, all fighting seats together step by step. A
//! seat with fewer than three cards lays one or none face down and waits with its last one until all open
//! cards are shown. The best open card wins: a trump of this round beats the others, then the higher card.
//! Equally good ones fight again. A seat without cards loses the war at once; if only one has cards it wins
//! without laying; if none has, a random pick decides. All these cards lie on the table for the taker.
//!
//! The score is the number of cards owned. Seats still in come first, by cards owned; those that are out
//! follow, the later the better. After `round_cap` rounds the game ends as it stands.
//!
//! Source: card games, section 3. That round 1 may have no trump, that wars are fought with trumps, and
//! what happens to a seat with too few cards for a war are our readings; so is that a short seat's open
//! card is shown together with the others'.

use crate::cards::{Card, Deck, Hand, Suit, Unseen};
use crate::json::Json;
use crate::params::params;
use crate::{
    About, Chance, Eyes, Family, Hidden, MAX_SEATS, NotAMove, Outcome, ParamError, Picture, Position, Score,
    Script, Seat, Seats, Seed, Turn, require,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

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

impl Params {
    fn all_cards(&self) -> Vec<Card> {
        Card::deck52().repeat(self.decks.unwrap_or(self.seats / 3) as usize)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// Decisions of this step that wait for the others.
    chosen: [Option<Card>; MAX_SEATS],
    chance: Chance,
}

/// A card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Laid {
    seat: Seat,
    card: Card,
    open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Play,
    War(War),
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct War {
    prize: Prize,
    fighters: Seats,
    /// How many cards each seat has yet to lay face down.
    downs: [u8; MAX_SEATS],
}

/// What a war decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Prize {
    Both,
    Take,
    Rule { taker: Seat },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Play(Card),
    Down(Card),
    Up(Card),
}

impl Move {
    fn card(self) -> Card {
        let (Move::Play(card) | Move::Down(card) | Move::Up(card)) = self;
        card
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(card) => write!(f, "play {card}"),
            Move::Down(card) => write!(f, "down {card}"),
            Move::Up(card) => write!(f, "up {card}"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let (word, card) = text.split_once(' ').ok_or(NotAMove)?;
        let card = card.parse().map_err(|_| NotAMove)?;
        match word {
            "play" => Ok(Move::Play(card)),
            "down" => Ok(Move::Down(card)),
            "up" => Ok(Move::Up(card)),
            _ => Err(NotAMove),
        }
    }
}

/// What a bot is sent. Fields that these eyes may not see are `null`.
#[derive(Serialize, Deserialize)]
struct View {
    /// `play`, `war` or `over`.
    phase: String,
    round: u32,
    /// The seats that decide in this step, whether or not they have.
    asked: Vec<Seat>,
    hand: Vec<Option<Hand>>,
    hand_size: Vec<usize>,
    stock: Option<Vec<Vec<Card>>>,
    stock_size: Vec<usize>,
    trump: Option<Suit>,
    left: Option<Vec<Card>>,
    left_size: usize,
    /// In the order laid; `null` is face down.
    table: Vec<Option<Card>>,
    table_seat: Vec<Seat>,
    table_open: Vec<bool>,
    out: Vec<u32>,
    /// The card given in this step, while others are waited for.
    chosen: Option<Card>,
    war: Option<WarView>,
}

#[derive(Serialize, Deserialize)]
struct WarView {
    /// `take`, `rule` or `both`.
    prize: String,
    /// Who takes, when that is decided.
    taker: Option<Seat>,
    fighters: Vec<Seat>,
    /// How many cards each seat has yet to lay face down.
    downs: Vec<u8>,
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
        match self.phase {
            Phase::Play => self.still_in(),
            Phase::War(war) => {
                let laying: Seats = war.fighters.iter().filter(|seat| war.downs[seat.index()] > 0).collect();
                if laying.is_empty() { war.fighters } else { laying }
            }
            Phase::Over => Seats::NONE,
        }
    }

    fn missing(&self) -> Seats {
        self.asked().iter().filter(|seat| self.chosen[seat.index()].is_none()).collect()
    }

    fn word(&self, card: Card) -> Move {
        match self.phase {
            Phase::War(war) if war.downs.iter().any(|&downs| downs > 0) => Move::Down(card),
            Phase::War(_) => Move::Up(card),
            _ => Move::Play(card),
        }
    }

    /// The chosen cards go to the table by seat.
    fn lay_chosen(&mut self, open: bool) {
        for seat in self.asked().iter() {
            let card = self.chosen[seat.index()].take().and_then(|card| self.hands[seat.index()].take(card));
            self.table.extend(card.map(|card| Laid { seat, card, open }));
        }
    }

    /// Everybody asked has decided.
    fn finish_step(&mut self) {
        match self.phase {
            Phase::Play => {
                self.lay_chosen(true);
                self.judge();
            }
            Phase::War(mut war) => {
                let down = war.downs.iter().any(|&downs| downs > 0);
                let laid_before = self.table.len();
                self.lay_chosen(!down);
                if down {
                    war.downs.iter_mut().for_each(|downs| *downs = downs.saturating_sub(1));
                    self.phase = Phase::War(war);
                } else {
                    let best = best(&self.table[laid_before..], |card| self.war_strength(card));
                    self.settle(war.prize, best);
                }
            }
            Phase::Over => {}
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
            self.settle(Prize::Both, self.highest());
        } else {
            self.settle(Prize::Take, best(&trumps, Card::high));
        }
    }

    /// A question stands between these seats: one alone has won it.
    fn settle(&mut self, prize: Prize, rivals: Seats) {
        match (prize, rivals.lowest()) {
            (_, Some(_)) if rivals.len() > 1 => self.start_war(prize, rivals),
            (Prize::Both, Some(winner)) => self.end_round(winner, winner),
            (Prize::Take, Some(taker)) => self.settle(Prize::Rule { taker }, self.highest()),
            (Prize::Rule { taker }, Some(ruler)) => self.end_round(taker, ruler),
            (_, None) => {}
        }
    }

    fn start_war(&mut self, prize: Prize, rivals: Seats) {
        for seat in rivals.iter().filter(|seat| self.hands[seat.index()].len() < 3).collect::<Vec<_>>() {
            self.take_up_stock(seat);
        }
        let fighters: Seats = rivals.iter().filter(|seat| !self.hands[seat.index()].is_empty()).collect();
        if fighters.is_empty() {
            let picked = self.chance.pick(rivals.len());
            self.settle(prize, rivals.iter().skip(picked).take(1).collect());
        } else if fighters.len() == 1 {
            self.settle(prize, fighters);
        } else {
            let mut downs = [0; MAX_SEATS];
            for seat in fighters.iter() {
                downs[seat.index()] = (self.hands[seat.index()].len() - 1).min(2) as u8;
            }
            self.phase = Phase::War(War { prize, fighters, downs });
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

    fn cards(&self) -> usize {
        self.everyone().map(|seat| self.owned(seat)).sum::<usize>() + self.table.len() + self.left.len()
    }

    fn war_view(&self) -> Option<WarView> {
        let Phase::War(War { prize, fighters, downs }) = self.phase else { return None };
        let (prize, taker) = match prize {
            Prize::Both => ("both", None),
            Prize::Take => ("take", None),
            Prize::Rule { taker } => ("rule", Some(taker)),
        };
        let downs = downs[..self.hands.len()].to_vec();
        Some(WarView { prize: prize.to_owned(), taker, fighters: fighters.iter().collect(), downs })
    }
}

/// The seats whose cards are strongest.
fn best<K: Ord>(laid: &[Laid], strength: impl Fn(Card) -> K) -> Seats {
    let most = laid.iter().map(|laid| strength(laid.card)).max();
    laid.iter().filter(|laid| Some(strength(laid.card)) == most).map(|laid| laid.seat).collect()
}

impl WarView {
    fn read(&self) -> Result<War, String> {
        let prize = match (self.prize.as_str(), self.taker) {
            ("both", _) => Prize::Both,
            ("take", _) => Prize::Take,
            ("rule", Some(taker)) => Prize::Rule { taker },
            (other, _) => return Err(format!("a war for `{other}`")),
        };
        let mut downs = [0; MAX_SEATS];
        self.downs.iter().zip(&mut downs).for_each(|(from, to)| *to = *from);
        Ok(War { prize, fighters: self.fighters.iter().copied().collect(), downs })
    }
}

impl Position for Meidale {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "meidale",
        name: "Meidale",
        source: "cards 3",
        family: Family::Cards,
        seats: (3, 6),
        summary: "A war of trumps in which the highest card names the next trump.",
        notation: "`play C`, or in a war `down C` or `up C`, with a card C of your hand",
        example: "play KH",
        version: 1,
        file: include_str!("meidale.rs"),
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        Deck::refuse_jokers(params.deck.as_ref())?;
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut left = Deck::or_shuffled(params.deck.as_ref(), params.all_cards(), &mut chance);
        let seats = params.seats as usize;
        let each = left.len() / seats;
        require(each > 0, "deck", || format!("{seats} seats need at least a card each"))?;
        let hands = (0..seats).map(|_| left.drain(..each).collect::<Vec<_>>().into()).collect();
        let trump = if left.is_empty() { None } else { left[chance.pick(left.len())].suit() };
        Ok(Meidale {
            hands,
            stocks: vec![Vec::new(); seats],
            trump,
            left,
            table: Vec::new(),
            out: vec![0; seats],
            round: 1,
            round_cap: params.round_cap,
            phase: Phase::Play,
            chosen: [None; MAX_SEATS],
            chance,
        })
    }

    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn turn(&self) -> Turn {
        if self.phase != Phase::Over {
            return Turn::Together(self.missing());
        }
        Turn::ranked(if self.still_in().len() <= 1 { "last_left" } else { "round_cap" })
    }

    /// By card, in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        if self.missing().contains(seat) {
            out.extend(self.hands[seat.index()].distinct().map(|card| self.word(card)));
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        let before = self.cards();
        self.chosen[seat.index()] = Some(mv.card());
        if self.missing().is_empty() {
            self.finish_step();
        }
        debug_assert_eq!(self.cards(), before, "cards are conserved");
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

    /// Own hand, counts, trump and open cards; a seat also knows the cards that it laid face down itself.
    fn view(&self, eyes: Eyes) -> Json {
        let referee = eyes == Eyes::Referee;
        let seen = |laid: &Laid| (laid.open || eyes.see_secrets_of(laid.seat)).then_some(laid.card);
        let hand = |seat: Seat| eyes.see_secrets_of(seat).then(|| self.hands[seat.index()].clone());
        let phase = match self.phase {
            Phase::Play => "play",
            Phase::War(_) => "war",
            Phase::Over => "over",
        };
        Json::of(&View {
            phase: phase.to_owned(),
            round: self.round,
            asked: self.asked().iter().collect(),
            hand: self.everyone().map(hand).collect(),
            hand_size: self.hands.iter().map(|hand| hand.len()).collect(),
            stock: referee.then(|| self.stocks.clone()),
            stock_size: self.stocks.iter().map(Vec::len).collect(),
            trump: self.trump,
            left: referee.then(|| self.left.clone()),
            left_size: self.left.len(),
            table: self.table.iter().map(seen).collect(),
            table_seat: self.table.iter().map(|laid| laid.seat).collect(),
            table_open: self.table.iter().map(|laid| laid.open).collect(),
            out: self.out.clone(),
            chosen: match eyes {
                Eyes::Seat(seat) => self.chosen[seat.index()],
                _ => None,
            },
            war: self.war_view(),
        })
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let mut picture = Picture::default();
        for seat in self.everyone() {
            let shown =
                self.hands[seat.index()].iter().map(|card| eyes.see_secrets_of(seat).then_some(*card));
            picture = picture.cards(format!("hand {seat}"), shown);
        }
        let table =
            self.table.iter().map(|laid| (laid.open || eyes.see_secrets_of(laid.seat)).then_some(laid.card));
        let stocks: Vec<String> = self.stocks.iter().map(|stock| stock.len().to_string()).collect();
        let trump = self.trump.map_or("no trump".to_owned(), |suit| format!("trump {suit}"));
        let asked: Vec<String> = self.asked().iter().map(|seat| seat.to_string()).collect();
        let phase = match self.phase {
            Phase::Play => format!("all play: {}", asked.join(" ")),
            Phase::War(_) => format!("war: {}", asked.join(" ")),
            Phase::Over => "over".to_owned(),
        };
        picture
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

impl Hidden for Meidale {
    fn imagine(params: &Params, view: &Value, seat: Seat, seed: Seed) -> Result<Self, String> {
        let view = View::deserialize(view).map_err(|error| error.to_string())?;
        let mut chance = Chance::new(seed);
        let seen = view.hand.iter().flatten().flat_map(|hand| hand.iter()).chain(view.table.iter().flatten());
        let unseen = Unseen::all(params.deck.as_ref(), params.all_cards()).without(seen)?;
        let mut unseen = unseen.shuffled(&mut chance);
        // The first trump came from the cards left over.
        let named = if view.left_size > 0 { unseen.deal_one(|card| card.suit() == view.trump) } else { None };
        let mut left = unseen.deal(view.left_size - usize::from(named.is_some()))?;
        left.extend(named);
        let mut hands = Vec::new();
        for (hand, size) in view.hand.into_iter().zip(view.hand_size) {
            hands.push(match hand {
                Some(hand) => hand,
                None => unseen.deal(size)?.into(),
            });
        }
        let mut table = Vec::new();
        for ((card, seat), open) in view.table.into_iter().zip(view.table_seat).zip(view.table_open) {
            let card = card.or_else(|| unseen.deal_one(|_| true)).ok_or("too few unseen cards")?;
            table.push(Laid { seat, card, open });
        }
        let stocks = view.stock_size.into_iter().map(|size| unseen.deal(size)).collect::<Result<_, _>>()?;
        let phase = match (view.phase.as_str(), view.war) {
            ("play", _) => Phase::Play,
            ("war", Some(war)) => Phase::War(war.read()?),
            _ => Phase::Over,
        };
        let mut chosen = [None; MAX_SEATS];
        chosen[seat.index()] = view.chosen;
        Ok(Meidale {
            hands,
            stocks,
            trump: view.trump,
            left,
            table,
            out: view.out,
            round: view.round,
            round_cap: params.round_cap,
            phase,
            chosen,
            chance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Draws;
    use crate::{Seated, Table};
    use serde_json::json;

    fn after(seats: u8, deck: &str, moves: &str) -> Seated<Meidale> {
        let params = json!({"seats": seats, "deck": deck, "chance": "#0 #1"});
        let mut game = Seated::<Meidale>::start(&params, Seed::from_number(0), Draws::Applied).unwrap();
        for step in moves.split(" | ").filter(|step| !step.is_empty()) {
            let (seat, mv) = step.split_once(':').unwrap();
            game.play(Seat(seat.parse().unwrap()), mv).unwrap_or_else(|error| panic!("{step}: {error}"));
        }
        game
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

    #[test]
    fn bad_parameters_are_refused() {
        for bad in [
            json!({"seats": 2}),
            json!({"seats": 7}),
            json!({"decks": 0}),
            json!({"round_cap": 0}),
            json!({"deck": "KH KD"}),
            json!({"deck": "KH KD XR"}),
        ] {
            assert!(Seated::<Meidale>::start(&bad, Seed::from_number(0), Draws::Applied).is_err(), "{bad}");
        }
    }
}
