//! Krav Maga, for 2.
//!
//! A tug of war on four *fronts*, one for each suit; ranks do not matter. Each seat holds six cards
//! (`hand`).
//!
//! - Both play a card at once, `play C`. It goes to the front of its suit. The *level* of that
//!   front moves one step towards the winning side of whoever played: +1 for seat 0, -1 for seat 1;
//!   if both play the same suit it stays where it is.
//! - A front at level +3 (`depth`) is collected by seat 0, one at -3 by seat 1: its cards go to
//!   that seat's collection and make one point, and the front starts again from nothing.
//! - Then each seat draws a card while the deck lasts, seat 0 first.
//! - When a hand is empty before a card is to be played, the game is over. More points win; with
//!   equal points, more collected cards; else it is a draw.
//!
//! The score is the number of points. Everything is open except the hands and the deck.
//!
//! Source: card games, section 4. Only the setup, the layout and one paragraph have survived;
//! drawing back to six cards, the end and the winner are our completion.

use super::prelude::*;
use crate::NotAMove;
use std::fmt;
use std::str::FromStr;

params! {
    /// Cards in each hand at the start.
    hand: u8 in 1..=26 = 6,
    /// The level at which a front is collected.
    depth: u8 in 1..=26 = 3,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of chance events; this game has none after the deal.
    chance: Option<Script> = None,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KravMaga {
    depth: i32,
    /// First card on top.
    deck: Vec<Card>,
    hands: [Hand; 2],
    /// By suit.
    fronts: [Vec<Card>; 4],
    /// By suit, seen from seat 0.
    levels: [i32; 4],
    /// Collected cards.
    won: [Vec<Card>; 2],
    points: [u32; 2],
    ballot: Ballot<Card>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(Card);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "play {}", self.0)
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let card = text.strip_prefix("play ").ok_or(NotAMove)?;
        card.parse().map(Move).map_err(|_| NotAMove)
    }
}

impl KravMaga {
    fn is_over(&self) -> bool {
        self.hands.iter().any(Hand::is_empty)
    }

    fn finish_round(&mut self, played: &Ballot<Card>) {
        for (seat, &card) in played.iter() {
            self.hands[seat.index()].remove(card);
            if let Some(suit) = card.suit() {
                self.fronts[suit.index()].push(card);
                self.levels[suit.index()] += seat.sign();
            }
        }
        for suit in Suit::ALL {
            self.collect(suit);
        }
        for hand in &mut self.hands {
            hand.extend(draw(&mut self.deck));
        }
    }

    fn collect(&mut self, suit: Suit) {
        let level = &mut self.levels[suit.index()];
        if level.abs() < self.depth {
            return;
        }
        let winner = usize::from(*level < 0);
        *level = 0;
        self.points[winner] += 1;
        self.won[winner].append(&mut self.fronts[suit.index()]);
    }
}

impl Position for KravMaga {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "krav-maga",
        name: "Krav Maga",
        source: "cards 4",
        summary: "Push four fronts, one for each suit, to the other side and collect them.",
        notation: "`play C` with a card C of your hand",
        example: "play 7H",
        file: include_str!("krav_maga.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut deck = Self::pack(params).without_jokers()?.shuffled(&mut chance);
        let hand = params.hand as usize;
        require(deck.len() > hand, "deck", || {
            format!("more than {hand} cards are needed, or seat 1 has none")
        })?;
        let mut game = Self::blank(params, chance);
        for cards in &mut game.hands {
            cards.extend(deck.drain(..hand.min(deck.len())));
        }
        Ok(KravMaga { deck, ..game })
    }

    fn turn(&self) -> Turn {
        if self.is_over() {
            Turn::ranked("no_cards")
        } else {
            Turn::Together(self.ballot.missing(Seats::first(2)))
        }
    }

    /// By card, in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        if self.turn().seats().contains(seat) {
            out.extend(self.hands[seat.index()].distinct().map(Move));
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Some(played) = self.ballot.close(seat, mv.0, Seats::first(2)) {
            self.finish_round(&played);
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let key = |seat: Seat| (self.points[seat.index()], self.won[seat.index()].len());
        let score = |seat: Seat| Score::whole(self.points[seat.index()] as i32);
        Outcome::ranked(2, key, score, reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let mut picture = by_seat(2, ["hand"], |at| [seen.hands[at].faces()]);
        for suit in Suit::ALL {
            let label = format!("front {suit} {:+}", self.levels[suit.index()]);
            picture =
                picture.cards(label, self.fronts[suit.index()].faces()).known_as(format!("front {suit}"));
        }
        picture.caption(format!(
            "points {} to {}, collected {} to {}, {} cards in the deck",
            self.points[0],
            self.points[1],
            self.won[0].len(),
            self.won[1].len(),
            self.deck.len()
        ))
    }
}

impl CardGame for KravMaga {
    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, _: Chance) -> Self {
        KravMaga { depth: i32::from(params.depth), ..Default::default() }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hands);
        spread.each(Sight::All, &mut self.fronts).each(Sight::All, &mut self.won).deck(&mut self.deck)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let phase = if self.is_over() { "over" } else { "play" };
        facts.note_word("phase", "Cards are to be played (`play`), or the game is `over`.", phase);
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.by_suit("front", "The cards of each front, in order.", &mut self.fronts);
        facts.by_suit("level", "The level of each front: above 0 seat 0 is ahead.", &mut self.levels);
        facts.fact("won", "The cards that each seat has collected.", &mut self.won);
        facts.note("collected", "How many cards each seat has collected.", || {
            self.won.each_ref().map(Vec::len)
        });
        facts.fact("points", "The points of each seat.", &mut self.points);
        facts.closed("deck", "The deck.", &mut self.deck);
        facts.chosen(&mut self.ballot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seated;
    use crate::Table;
    use crate::table::Draws;
    use serde_json::{Value, json};

    fn after(params: &Value, rounds: &str) -> Seated<KravMaga> {
        let mut game = Seated::<KravMaga>::start(params, Seed::from_number(0), Draws::Applied).unwrap();
        for round in rounds.split(" | ") {
            let (first, second) = round.split_once(' ').unwrap();
            game.play(Seat(1), &format!("play {second}")).unwrap();
            game.play(Seat(0), &format!("play {first}")).unwrap();
        }
        game
    }

    #[test]
    fn results() {
        for (title, deck, depth, rounds, places, scores) in [
            ("equal in points and cards", "2H 3H 4C 2S 2C 3S", 2, "2H 2S | 3H 2C | 4C 3S", [1, 1], [1, 1]),
            ("the fuller front wins a tie", "2H 3H 4H 2S 5H 3S", 2, "2H 2S | 3H 5H | 4H 3S", [1, 2], [1, 1]),
            ("depth 1 collects at once", "2H 3H 4H 2S 5H 3S", 1, "2H 2S | 3H 5H | 4H 3S", [1, 2], [2, 2]),
            ("nothing collected", "2H 3H 4C 2S 2C 3S", 3, "2H 2S | 3H 2C | 4C 3S", [1, 1], [0, 0]),
        ] {
            let game = after(&json!({"hand": 3, "depth": depth, "deck": deck}), rounds);
            let outcome = game.outcome().unwrap_or_else(|| panic!("{title}"));
            assert_eq!(outcome.places(), places, "{title}");
            assert_eq!(outcome.scores(), scores.map(Score::whole), "{title}");
        }
    }

    #[test]
    fn the_last_card_of_the_deck_goes_to_seat_0() {
        let game = after(&json!({"hand": 1, "deck": "2H 3H 4H"}), "2H 3H");
        assert_eq!(game.view(Eyes::Referee).value()["hand"], json!([["4H"], []]));
        assert!(game.turn().is_over());
    }
}
