//! Solo, for one, against a computer that plays by a fixed rule.
//!
//! A deck of 52 cards. You hold up to four cards and try to earn the *central card* with them
//! before the computer does. Values run from 2 to 10, J 11, Q 12, K 13, A 14; a *run* is three
//! cards of consecutive values. *In the game* are the cards of the deck, of your hand and the
//! central one.
//!
//! You begin with four cards and no central card. Every pass goes like this:
//!
//! 1. The game ends if there is neither a central card nor a deck, or if every card in the game has
//!    been central once, or if the cards in the game hold no two of equal value and no run.
//! 2. If there is no central card, the top card of the deck becomes it. If there is one and it has
//!    been missed three times, it goes to the bottom, the top card takes its place and the deck is
//!    shuffled. Either way the count of misses starts again at 0.
//! 3. Your hand is filled up to four cards from the deck.
//! 4. You choose one of:
//!    - `take C` with a card of the value of the central card, or `take A B` with two cards that
//!      make a run with it: your cards and then the central one go to your pile (`mine`).
//!    - `return C`: your card goes to the bottom of the deck, and the computer plays.
//!    - `purge A B C` (a run in your hand) or `purge A B C D` (four hand cards of one suit), if the
//!      computer has earned a card: yours and the last card of the computer's pile leave the game;
//!      one more miss.
//!
//! The computer looks at the top four cards. If two of them make a run with the central card it
//! earns these (the first such pair in the order 1-2, 1-3, 1-4, 2-3, 2-4, 3-4), else the first card
//! of equal value, and the central card after them (`theirs`). The other cards that it looked at go
//! to the bottom; if it earned nothing, that is one more miss. Then the deck is shuffled.
//!
//! Cards of one move are named from low to high, suits in the order C, D, H, S. Your score is the
//! number of cards in your pile less the computer's; you win if it is positive. After `pass_cap`
//! passes the game is stopped.
//!
//! Source: card games, section 7. Ace high and no turning of the corner, the first of equal choices
//! for the computer, what counts as a miss, and that purging needs a card of the computer are our
//! readings.

use super::prelude::*;

params! {
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of the shuffles.
    chance: Option<Script> = None,
    /// The game is stopped after this many passes.
    pass_cap: u32 in 1..=100_000 = 200,
}

const HAND: usize = 4;
const LOOK: usize = 4;
const MISSES: u32 = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solo {
    /// First card on top.
    deck: Vec<Card>,
    hand: Hand,
    centre: Option<Card>,
    /// In order of earning.
    mine: Vec<Card>,
    theirs: Vec<Card>,
    gone: Vec<Card>,
    miss: u32,
    /// Cards that have been central, as bits in canonical order.
    been_central: u64,
    /// What the computer looked at last.
    looked: Vec<Card>,
    passes: u32,
    pass_cap: u32,
    chance: Chance,
    over: Option<&'static str>,
}

verbs! {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "take" Take(Several<1, 2>),
        "return" Return(Card),
        "purge" Purge(Several<3, 4>),
    }
}

impl Move {
    fn cards(&self) -> &[Card] {
        match self {
            Move::Take(Several(cards)) | Move::Purge(Several(cards)) => cards,
            Move::Return(card) => std::slice::from_ref(card),
        }
    }
}

/// Three cards of consecutive values, in any order.
fn is_run(mut cards: [Card; 3]) -> bool {
    cards.sort_unstable();
    let [low, middle, high] = cards.map(Card::high);
    low + 1 == middle && middle + 1 == high
}

/// All pairs of different places, in the order 1-2, 1-3, …, 2-3, ….
fn pairs(cards: &[Card]) -> impl Iterator<Item = [Card; 2]> {
    let places = (0..cards.len()).flat_map(|a| (a + 1..cards.len()).map(move |b| (a, b)));
    places.map(|(a, b)| [cards[a], cards[b]])
}

fn triples(cards: &[Card]) -> impl Iterator<Item = [Card; 3]> {
    (0..cards.len()).flat_map(move |a| pairs(&cards[a + 1..]).map(move |[b, c]| [cards[a], b, c]))
}

/// Some two are equal in value, or some three are a run.
fn can_be_earned(cards: impl Iterator<Item = Card>) -> bool {
    let mut count = [0_u8; 15];
    cards.for_each(|card| count[card.high() as usize] += 1);
    count.iter().any(|&n| n >= 2) || count.windows(3).any(|run| run.iter().all(|&n| n >= 1))
}

impl Solo {
    /// From the check of the end to the next decision.
    fn begin_pass(&mut self) {
        self.over = self.check_end();
        if self.over.is_some() {
            return;
        }
        self.passes += 1;
        self.place_centre();
        let missing = HAND.saturating_sub(self.hand.len()).min(self.deck.len());
        self.hand.extend(self.deck.drain(..missing));
    }

    fn check_end(&self) -> Option<&'static str> {
        if self.centre.is_none() && self.deck.is_empty() {
            Some("no_cards")
        } else if self.in_game().all(|card| self.was_central(card)) {
            Some("all_central")
        } else if !can_be_earned(self.in_game()) {
            Some("no_match")
        } else if self.passes >= self.pass_cap {
            Some("cap")
        } else {
            None
        }
    }

    fn in_game(&self) -> impl Iterator<Item = Card> {
        self.deck.iter().copied().chain(self.hand.iter()).chain(self.centre)
    }

    fn was_central(&self, card: Card) -> bool {
        self.been_central >> card.index() & 1 == 1
    }

    fn place_centre(&mut self) {
        match self.centre {
            Some(_) if self.miss < MISSES => return,
            Some(card) => {
                self.deck.push(card);
                self.centre = draw(&mut self.deck);
                self.chance.shuffle(&mut self.deck);
            }
            None => self.centre = draw(&mut self.deck),
        }
        self.miss = 0;
        self.been_central |= self.centre.map_or(0, |card| 1 << card.index());
    }

    fn computer(&mut self) {
        let Some(centre) = self.centre else { return };
        let mut looked: Vec<Card> = self.deck.drain(..self.deck.len().min(LOOK)).collect();
        self.looked.clone_from(&looked);
        let run = pairs(&looked).find(|&[a, b]| is_run([a, b, centre])).map(|pair| pair.to_vec());
        let found = run.or_else(|| Some(vec![*looked.iter().find(|card| card.high() == centre.high())?]));
        match found {
            Some(earned) => {
                for card in &earned {
                    let at = looked.iter().position(|other| other == card);
                    looked.remove(at.expect("it was found there"));
                }
                self.theirs.extend(earned);
                self.theirs.extend(self.centre.take());
            }
            None => self.miss += 1,
        }
        self.deck.append(&mut looked);
        self.chance.shuffle(&mut self.deck);
    }

    fn balance(&self) -> i32 {
        self.mine.len() as i32 - self.theirs.len() as i32
    }
}

impl Position for Solo {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "solo",
        name: "Solo",
        source: "cards 7",
        seats: (1, 1),
        summary: "Solitaire: earn the central card with runs and pairs before a computer.",
        notation: "`take C`, `take A B`, `return C`, `purge A B C` or `purge A B C D` with cards",
        example: "take 5H 6D",
        file: include_str!("solo.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        game.deck = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        game.hand.extend(game.deck.drain(..game.deck.len().min(HAND)));
        game.begin_pass();
        require(game.over.is_none(), "deck", || "with these cards the game is over at once".into())?;
        Ok(game)
    }

    fn seats(&self) -> u8 {
        1
    }

    fn turn(&self) -> Turn {
        self.over.map_or(Turn::One(Seat(0)), Turn::ranked)
    }

    /// `take` one card, two cards, `return`, `purge` three, four; the cards of each from low to
    /// high.
    fn moves(&self, _seat: Seat, out: &mut Vec<Move>) {
        let (Some(centre), true) = (self.centre, self.over.is_none()) else { return };
        let hand: &[Card] = &self.hand.iter().collect::<Vec<_>>();
        let equal = hand.iter().filter(|card| card.high() == centre.high());
        out.extend(equal.map(|&card| Move::Take(Several(vec![card]))));
        let runs = pairs(hand).filter(|&[a, b]| is_run([a, b, centre]));
        out.extend(runs.map(|pair| Move::Take(Several(pair.to_vec()))));
        out.extend(hand.iter().map(|&card| Move::Return(card)));
        if !self.theirs.is_empty() {
            out.extend(
                triples(hand)
                    .filter(|&cards| is_run(cards))
                    .map(|cards| Move::Purge(Several(cards.to_vec()))),
            );
            if hand.len() == HAND && hand.iter().all(|card| card.suit() == hand[0].suit()) {
                out.push(Move::Purge(Several(hand.to_vec())));
            }
        }
        // Only a written deck can hold a card twice.
        let mut at = 0;
        while at < out.len() {
            if out[..at].contains(&out[at]) {
                out.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn play(&mut self, _seat: Seat, mv: &Move) {
        self.looked.clear();
        let cards = mv.cards();
        for card in cards {
            self.hand.remove(*card);
        }
        match mv {
            Move::Take(_) => {
                self.mine.extend(cards);
                self.mine.extend(self.centre.take());
            }
            Move::Return(_) => {
                self.deck.extend(cards);
                self.computer();
            }
            Move::Purge(_) => {
                self.gone.extend(cards);
                self.gone.extend(self.theirs.pop());
                self.miss += 1;
            }
        }
        self.begin_pass();
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        Outcome::ranked(1, |_| 0, |_| Score::whole(self.balance()), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let picture = Picture::default()
            .cards("hand", self.hand.faces())
            .cards("centre", self.centre.faces())
            .cards("mine", self.mine.faces())
            .cards("theirs", self.theirs.faces())
            .cards("looked at", self.looked.faces());
        let (deck, gone) = (self.deck.len(), self.gone.len());
        picture.caption(format!(
            "pass {}, missed {}, {deck} cards in the deck, {gone} out of the game, {:+} points",
            self.passes,
            self.miss,
            self.balance()
        ))
    }
}

impl CardGame for Solo {
    const MIXING: Mixing = Mixing::Twice;

    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        Solo { pass_cap: params.pass_cap, chance, ..Solo::default() }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().open(&mut self.hand).open(&mut self.centre).open(&mut self.mine);
        let spread = spread.open(&mut self.theirs).open(&mut self.gone);
        spread.deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        facts.note_word(
            "over",
            "Why the game is over: `no_cards` are left, `all_central`: all have been central, `no_match` \
             can be made, or by the `cap` of passes; `null` while the game goes on.",
            self.over,
        );
        facts.fact("hand", "Your hand.", &mut self.hand);
        facts.fact("centre", "The central card.", &mut self.centre);
        facts.fact("miss", "How often the central card was missed.", &mut self.miss);
        facts.fact("mine", "The cards that you have earned, in order.", &mut self.mine);
        facts.fact("theirs", "The cards that the computer has earned, in order.", &mut self.theirs);
        facts.fact("gone", "The cards that have left the game.", &mut self.gone);
        let mut central: Vec<Card> =
            Card::deck52().into_iter().filter(|&card| self.was_central(card)).collect();
        facts.fact("been_central", "The cards that have been central.", &mut central);
        self.been_central = central.iter().fold(0, |set, card| set | 1 << card.index());
        facts.fact("looked", "The cards that the computer looked at last.", &mut self.looked);
        facts.fact("pass", "Passes begun.", &mut self.passes);
        facts.deck_size(&self.deck);
        facts.note("win", "Do you have more cards than the computer?", || self.balance() > 0);
        facts.deck(&self.deck);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn start(deck: &str, chance: &str) -> Solo {
        let params = json!({"deck": deck, "chance": chance});
        Solo::start(&crate::read_params(&params).unwrap(), Seed::from_number(0)).unwrap()
    }

    fn legal(game: &Solo) -> Vec<String> {
        let mut moves = Vec::new();
        game.moves(Seat(0), &mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_can_be_played() {
        for (deck, returned, moves) in [
            // The ace is above the king only.
            ("2C 3C QH KD AS", "", "return 2C|return 3C|return QH|return KD|take QH KD"),
            ("AC 2C 3D 9D 3C", "", "return 2C|return 3D|return 9D|return AC|take 3D"),
            ("4C 5C 6D 9D 5H", "", "return 4C|return 5C|return 6D|return 9D|take 4C 6D|take 5C"),
            // Purging needs a card of the computer, which has earned 7C with 7D.
            (
                "2H 3H 4H 6H 7C 7D 5H TH QS",
                "2H",
                "purge 3H 4H 5H|purge 3H 4H 5H 6H|purge 4H 5H 6H|return 3H|return 4H|return 5H|return 6H",
            ),
        ] {
            let mut game = start(deck, "");
            if !returned.is_empty() {
                // 5H is to be drawn next, behind the new central card.
                game = start(deck, "top:QS,5H");
                game.play(Seat(0), &Move::Return(returned.parse().unwrap()));
            }
            let mut found = legal(&game);
            found.sort_unstable();
            let mut expected: Vec<&str> = moves.split('|').collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "deck {deck}");
        }
    }

    #[test]
    fn three_misses_change_the_centre() {
        // Nothing among the cards looked at is near the ten; the pair of twos keeps the game going.
        let mut game = start("2H 3D 4S 5C TH 2D 3C 4D 5S 6H KS", "");
        for (returned, miss, centre) in [("2H", 1, "TH"), ("3D", 2, "TH"), ("4S", 0, "2D")] {
            game.play(Seat(0), &Move::Return(returned.parse().unwrap()));
            assert_eq!((game.miss, game.centre), (miss, centre.parse().ok()), "after {returned}");
        }
    }
}
