//! Trishape, for one.
//!
//! A deck of 52 cards of which only the suits matter. You hold five of them and collect *points*,
//! which are three cards of one suit.
//!
//! - While you hold three cards of a suit you are asked: `point X` lays three cards of suit X (C,
//!   D, H or S) aside as a point, and if your hand is not empty then you draw a card; `skip` goes
//!   on.
//! - Then you lay a card: `lay X` puts one of suit X on the pile of that suit. You draw a card; if
//!   it is of suit X as well it goes on that pile at once, otherwise into your hand. Then you are
//!   asked for points again.
//! - When your hand is empty the upper half of every pile, rounded down, comes back into your hand,
//!   and the rest leaves the game. If nothing comes back the game is over.
//!
//! Where cards of a suit leave your hand they are the lowest. Your score is the number of points.
//!
//! Source: card games, section 8. That the game ends with an empty hand, nothing to collect and
//! cards still in the deck is our reading.

use super::prelude::*;

params! {
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events; this game has none after the deal.
    chance: Option<Script> = None,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trishape {
    /// First card on top.
    deck: Vec<Card>,
    hand: Hand,
    piles: [Vec<Card>; 4],
    points: Vec<[Card; 3]>,
    gone: Vec<Card>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    Point,
    #[default]
    Lay,
    Over,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "point" Point(Suit),
        "skip" Skip,
        "lay" Lay(Suit),
    }
}

impl Trishape {
    fn in_hand(&self, suit: Suit) -> usize {
        self.hand.iter().filter(|card| card.suit() == Some(suit)).count()
    }

    /// The lowest card of a suit leaves the hand.
    fn lowest(&mut self, suit: Suit) -> Card {
        let lowest = self.hand.iter().find(|card| card.suit() == Some(suit));
        self.hand.remove(lowest.expect("a legal move names a suit that is in the hand"))
    }

    fn point(&mut self, suit: Suit) {
        let point = [self.lowest(suit), self.lowest(suit), self.lowest(suit)];
        self.points.push(point);
        if !self.hand.is_empty() {
            self.hand.extend(draw(&mut self.deck));
        }
        self.ask();
    }

    fn lay(&mut self, suit: Suit) {
        let card = self.lowest(suit);
        self.piles[suit.index()].push(card);
        match draw(&mut self.deck) {
            Some(card) if card.suit() == Some(suit) => self.piles[suit.index()].push(card),
            drawn => self.hand.extend(drawn),
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
            self.hand.extend(pile.split_off(pile.len() - pile.len() / 2));
            self.gone.append(&mut pile);
        }
    }
}

impl Position for Trishape {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "trishape",
        name: "Trishape",
        source: "cards 8",
        seats: (1, 1),
        summary: "Solitaire: collect three cards of a suit as often as you can.",
        notation: "`point X`, `skip` or `lay X` with a suit X of C, D, H, S",
        example: "lay H",
        file: include_str!("trishape.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut game = Self::blank(params, chance.clone());
        game.deck = Self::pack(params).without_jokers()?.shuffled(&mut chance);
        require(!game.deck.is_empty(), "deck", || {
            "at least one card is needed, or the game is over at once".into()
        })?;
        game.hand.extend(game.deck.drain(..game.deck.len().min(5)));
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
        match *mv {
            Move::Point(suit) => self.point(suit),
            Move::Skip => self.phase = Phase::Lay,
            Move::Lay(suit) => self.lay(suit),
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        Outcome::ranked(1, |_| 0, |_| Score::whole(self.points.len() as i32), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let mut picture = Picture::default().cards("hand", self.hand.faces());
        for suit in Suit::ALL {
            picture = picture.cards(format!("pile {suit}"), self.piles[suit.index()].faces());
        }
        picture.caption(format!(
            "{} points, {} cards in the deck, {} out of the game",
            self.points.len(),
            self.deck.len(),
            self.gone.len()
        ))
    }
}

impl CardGame for Trishape {
    const MIXING: Mixing = Mixing::TwiceMovingUp;

    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(_: &Params, _: Chance) -> Self {
        Trishape::default()
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().open(&mut self.hand).each(Sight::All, &mut self.piles);
        spread.each(Sight::All, self.points.as_flattened_mut()).open(&mut self.gone).deck(&mut self.deck)
    }

    fn facts(&mut self, facts: &mut Facts) {
        facts.word(
            "phase",
            "What is decided: whether to lay a `point` aside, a card to `lay`; or the game is `over`.",
            &mut self.phase,
        );
        facts.fact("hand", "Your hand.", &mut self.hand);
        facts.by_suit("pile", "The pile of each suit, last card on top.", &mut self.piles);
        facts.fact("points", "The points, each with its three cards.", &mut self.points);
        facts.fact("gone", "The cards that have left the game.", &mut self.gone);
        facts.deck_size(&self.deck);
        facts.deck(&self.deck);
    }
}
