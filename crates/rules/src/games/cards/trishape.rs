//! Trishape, for one.
//!
//! A deck of 52 cards of which only the suits matter. You hold five of them and collect *points*, which are
//! three cards of one suit.
//!
//! - While you hold three cards of a suit you are asked: `point X` lays three cards of suit X (C, D, H or S)
//!   aside as a point, and if your hand is not empty then you draw a card; `skip` goes on.
//! - Then you lay a card: `lay X` puts one of suit X on the pile of that suit. You draw a card; if it is of suit X
//!   as well it goes on that pile at once, otherwise into your hand. Then you are asked for points again.
//! - When your hand is empty the upper half of every pile, rounded down, comes back into your hand, and the rest
//!   leaves the game. If nothing comes back the game is over.
//!
//! Where cards of a suit leave your hand they are the lowest. Your score is the number of points.
//!
//! Source: card games, section 8. That the game ends with an empty hand, nothing to collect and cards still in
//! the deck is our reading.

use crate::cards::{Card, Deck, Suit, texts};
use crate::json::{Json, view};
use crate::params::params;
use crate::{
    About, Chance, Eyes, Family, Hidden, NotAMove, Outcome, ParamError, Picture, Position, Score, Script,
    Seat, Seed, Turn, require,
};
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

params! {
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events; this game has none after the deal.
    chance: Option<Script> = None,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trishape {
    /// First card on top.
    deck: Vec<Card>,
    /// Sorted.
    hand: Vec<Card>,
    piles: [Vec<Card>; 4],
    points: Vec<[Card; 3]>,
    gone: Vec<Card>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Point,
    Lay,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Point(Suit),
    Skip,
    Lay(Suit),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Point(suit) => write!(f, "point {suit}"),
            Move::Skip => f.write_str("skip"),
            Move::Lay(suit) => write!(f, "lay {suit}"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let suit = |word: &str| word.parse().map_err(|_| NotAMove);
        match text.split_once(' ') {
            Some(("point", word)) => Ok(Move::Point(suit(word)?)),
            Some(("lay", word)) => Ok(Move::Lay(suit(word)?)),
            None if text == "skip" => Ok(Move::Skip),
            _ => Err(NotAMove),
        }
    }
}

impl Trishape {
    fn in_hand(&self, suit: Suit) -> usize {
        self.hand.iter().filter(|card| card.suit() == Some(suit)).count()
    }

    /// The lowest card of a suit leaves the hand.
    fn lowest(&mut self, suit: Suit) -> Card {
        let at = self.hand.iter().position(|card| card.suit() == Some(suit));
        self.hand.remove(at.expect("a legal move names a suit that is in the hand"))
    }

    fn draw(&mut self) -> Option<Card> {
        (!self.deck.is_empty()).then(|| self.deck.remove(0))
    }

    fn pick_up(&mut self, card: Card) {
        let at = self.hand.partition_point(|other| *other < card);
        self.hand.insert(at, card);
    }

    fn point(&mut self, suit: Suit) {
        let point = [self.lowest(suit), self.lowest(suit), self.lowest(suit)];
        self.points.push(point);
        if !self.hand.is_empty()
            && let Some(card) = self.draw()
        {
            self.pick_up(card);
        }
        self.ask();
    }

    fn lay(&mut self, suit: Suit) {
        let card = self.lowest(suit);
        self.piles[suit.index()].push(card);
        match self.draw() {
            Some(card) if card.suit() == Some(suit) => self.piles[suit.index()].push(card),
            Some(card) => self.pick_up(card),
            None => {}
        }
        self.ask();
    }

    /// Finds the next question: a point, else a card to lay, else collect and look again.
    fn ask(&mut self) {
        if self.hand.is_empty() {
            self.collect();
        }
        self.phase = if self.hand.is_empty() {
            Phase::Over
        } else if Suit::ALL.into_iter().any(|suit| self.in_hand(suit) >= 3) {
            Phase::Point
        } else {
            Phase::Lay
        };
    }

    fn collect(&mut self) {
        for suit in Suit::ALL {
            let mut pile = std::mem::take(&mut self.piles[suit.index()]);
            let back = pile.split_off(pile.len() - pile.len() / 2);
            self.gone.append(&mut pile);
            for card in back {
                self.pick_up(card);
            }
        }
    }

    fn cards(&self) -> usize {
        let piles: usize = self.piles.iter().map(Vec::len).sum();
        self.deck.len() + self.hand.len() + piles + 3 * self.points.len() + self.gone.len()
    }
}

impl Position for Trishape {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "trishape",
        name: "Trishape",
        source: "cards 8",
        family: Family::Cards,
        seats: (1, 1),
        summary: "Solitaire: collect three cards of a suit as often as you can.",
        notation: "`point X`, `skip` or `lay X` with a suit X of C, D, H, S",
        example: "lay H",
        version: 1,
        file: include_str!("trishape.rs"),
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut deck = Deck::or_shuffled(params.deck.as_ref(), Card::deck52(), &mut chance);
        require(!deck.is_empty(), "deck", || {
            "at least one card is needed, or the game is over at once".into()
        })?;
        require(deck.iter().all(|card| !card.is_joker()), "deck", || "this game has no jokers".into())?;
        let mut hand: Vec<Card> = deck.drain(..deck.len().min(5)).collect();
        hand.sort_unstable();
        let piles = std::array::from_fn(|_| Vec::new());
        let mut game =
            Trishape { deck, hand, piles, points: Vec::new(), gone: Vec::new(), phase: Phase::Lay };
        game.ask();
        Ok(game)
    }

    fn seats(&self) -> u8 {
        1
    }

    fn turn(&self) -> Turn {
        if self.phase == Phase::Over { Turn::ranked("no_cards") } else { Turn::One(Seat(0)) }
    }

    /// Suits in the order C, D, H, S, `skip` last.
    fn moves(&self, _seat: Seat, out: &mut Vec<Move>) {
        match self.phase {
            Phase::Point => {
                out.extend(Suit::ALL.into_iter().filter(|&suit| self.in_hand(suit) >= 3).map(Move::Point));
                out.push(Move::Skip);
            }
            Phase::Lay => {
                out.extend(Suit::ALL.into_iter().filter(|&suit| self.in_hand(suit) >= 1).map(Move::Lay));
            }
            Phase::Over => {}
        }
    }

    fn play(&mut self, _seat: Seat, mv: &Move) {
        let before = self.cards();
        match *mv {
            Move::Point(suit) => self.point(suit),
            Move::Skip => self.phase = Phase::Lay,
            Move::Lay(suit) => self.lay(suit),
        }
        debug_assert_eq!(self.cards(), before, "cards are conserved");
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        Outcome::ranked(1, |_| 0, |_| Score::whole(self.points.len() as i32), reason)
    }

    /// Everything but the order of the deck is open; the referee sees that too.
    fn view(&self, eyes: Eyes) -> Json {
        let piles: serde_json::Map<String, Value> = Suit::ALL
            .into_iter()
            .map(|suit| (suit.to_string(), json!(texts(&self.piles[suit.index()]))))
            .collect();
        let mut view = view!({
            "phase": match self.phase { Phase::Point => "point", Phase::Lay => "lay", Phase::Over => "over" },
            "hand": texts(&self.hand),
            "pile": piles,
            "points": self.points.iter().map(|point| texts(point)).collect::<Vec<_>>(),
            "gone": texts(&self.gone),
            "deck_size": self.deck.len(),
        });
        if eyes == Eyes::Referee {
            view.put("deck", &texts(&self.deck));
        }
        view
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let shown = |cards: &[Card]| cards.iter().copied().map(Some).collect::<Vec<_>>();
        let mut picture = Picture::default().cards("hand", shown(&self.hand));
        for suit in Suit::ALL {
            picture = picture.cards(format!("pile {suit}"), shown(&self.piles[suit.index()]));
        }
        picture.caption(format!(
            "{} points, {} cards in the deck, {} out of the game",
            self.points.len(),
            self.deck.len(),
            self.gone.len()
        ))
    }
}

impl Hidden for Trishape {
    fn imagine(params: &Params, view: &Value, _seat: Seat, seed: Seed) -> Result<Self, String> {
        let cards = |value: &Value| -> Result<Vec<Card>, String> {
            let texts: Vec<String> =
                serde::Deserialize::deserialize(value).map_err(|error| error.to_string())?;
            texts.iter().map(|text| text.parse().map_err(|error| format!("{error}"))).collect()
        };
        let mut game = Trishape {
            deck: Vec::new(),
            hand: cards(&view["hand"])?,
            piles: [Vec::new(), Vec::new(), Vec::new(), Vec::new()],
            points: Vec::new(),
            gone: cards(&view["gone"])?,
            phase: match view["phase"].as_str() {
                Some("point") => Phase::Point,
                Some("lay") => Phase::Lay,
                _ => Phase::Over,
            },
        };
        for suit in Suit::ALL {
            game.piles[suit.index()] = cards(&view["pile"][suit.to_string()])?;
        }
        for point in view["points"].as_array().into_iter().flatten() {
            game.points.push(cards(point)?.try_into().map_err(|_| "a point has three cards".to_owned())?);
        }
        // The unseen cards are those of the whole deck that lie nowhere in sight.
        let mut chance = Chance::new(seed);
        let mut unseen = Deck::or_shuffled(params.deck.as_ref(), Card::deck52(), &mut chance);
        let seen = game.hand.iter().chain(game.piles.iter().flatten()).chain(game.points.iter().flatten());
        for card in seen.chain(&game.gone) {
            let at = unseen.iter().position(|other| other == card).ok_or("a card that is not in the deck")?;
            unseen.remove(at);
        }
        chance.deal(&mut unseen);
        game.deck = unseen;
        Ok(game)
    }
}
