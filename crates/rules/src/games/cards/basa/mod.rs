//! Basa, for two to six.
//!
//! `decks` decks of 54 cards with both jokers. You press your luck: cards drawn in a turn lie open
//! in your *temp* and bring points at its end, but whoever draws the ace of diamonds, `AD`, may be
//! out. Suits have a meaning: diamonds are chaos, hearts life, spades death, clubs magic. Values: A
//! 1, 2 to 10, J 11, Q 12, K 13, joker 0. In what follows `n` is the number of seats still in (in
//! an action: when it begins), p the player of the turn, and "next", "others" are seats still in,
//! in the present direction of play.
//!
//! Everybody begins with 20 points and three cards; an `AD` among these is replaced and goes back.
//! Seat 0 begins.
//!
//! **Drawing.** An *exposed* draw takes the top card; whoever draws `AD` that way *loses*: it goes
//! to the bottom, the loser scores 2n for each card of their temp and 1 for each hand card, and all
//! of them go to the bottom; the deck is shuffled, the loser's claims and reversals end, and the
//! turn too if it was the loser's. To *receive* a card is safe: an `AD` on top goes to the bottom,
//! the deck is shuffled and the draw is repeated. If the deck is empty when a draw is due, every
//! seat gives a random hand card for a new one. A card *to the hand* goes there only if the hand is
//! not empty, else to the temp, unless it says "in any case". When one seat is left the game is
//! over; on its own turn it still scores 2 for each card of its temp.
//!
//! **A turn** has stages, each a draw and a use.
//!
//! 1. `draw`: an exposed draw to the temp. Or `guess X`, X a suit C, D, H, S, or A for `AD`: the
//!    right suit goes to the hand; a wrong one (a joker has none) to the temp, and you must guess
//!    again for a further card. `guess A` that is wrong: the card to the temp, then three exposed
//!    draws to the temp, then a new free choice. `guess A` that is right: receive four cards to the
//!    hand. If `AD` comes up for a guessed suit it goes to the bottom, and the three draws and the
//!    new choice follow. Under a shield (A♥) the guessed suit is compared with the first card that
//!    is not `AD`.
//! 2. `use C` uses a hand card; `more` begins another stage; `end` ends the turn, only if there is
//!    no card to use. 3♥ can be used only with 200 points. After a guess in this turn a second card
//!    may be used, or `done`: it must differ in rank and suit, and neither may be unique (marked *
//!    below). Using a card puts it into the temp and costs 1 point; each claim of another seat on
//!    its suit costs 3 points more, paid to that seat, and ends. Once a card was used the turn is
//!    over, unless the card gives another stage.
//! 3. At the end each card in the temp brings 2n points; the temp goes to the bottom and the deck
//!    is shuffled.
//!
//! **The cards.** A choice is answered with `to k` (another seat), `card C` (a hand card), `say v`
//! or `opt` with a word. The hand is meant without the card in use; * marks the unique ones.
//!
//! - XR*: p and then all others make an exposed draw; the cards go back. The draws go on when p
//!   loses.
//! - XB*: seats without hand cards lose 1 point (not from 0); all others choose a card, at once,
//!   that goes back.
//! - 2♦: with more than 2 hand cards, twice: choose a card and a seat with cards; get a random card
//!   of that seat, which gets the chosen one.
//! - 3♦: a die of 1 to 12: a chosen seat pays p that many times n.
//! - 4♦: with more than 100 points and more than 5 hand cards: lose 10n, all others lose 20n,
//!   receive a card to the hand, a chosen seat loses 5.
//! - 5♦: a die of 0 to 9, gain n times one more.
//! - 6♦: with an empty hand take a random card, in any case, from each other seat that has more
//!   than one; the rest pay 3. Otherwise all others pay 2.
//! - 7♦: the next seat loses 3n if it has no cards; else a random one is looked at and it pays p
//!   the value, at most 10, times n.
//! - 8♦: the next seat loses its next turn and n points.
//! - 9♦, 10♦: a chosen seat loses 2n; gain 2n.
//! - J♦: all others give their jacks to the hand; if more than one seat did, move a hand card to
//!   the temp.
//! - Q♦*: all others lose n, and the direction is reversed until p's next turn.
//! - K♦*: with more than 100 points swap hands with a chosen seat; in any case lose n.
//! - A♥, 9♥, J♥: gain n and play again after this turn. `opt shield`: in that turn p can't meet
//!   `AD`; `opt bonus`: each use in it brings 2 points; `opt points`: gain n now; `opt card`: an
//!   exposed draw to the temp now. Then a *gift*: with 2 or more hand cards, if a seat has none,
//!   choose such a seat and a card for it, and gain 5.
//! - 2♥: gain 2n.
//! - 3♥*: gain 20, and all cards that left the game come to the hand.
//! - 4♥: gain 5, receive a card to the hand, another stage.
//! - 5♥: gain 10 if at 0 points; receive 2 cards with an empty hand, else 1, in any case.
//! - 6♥: with an empty hand receive 3 cards, in any case.
//! - 7♥: a claim on spades.
//! - 8♥: with at most 2 hand cards gain 5n; the last card that left the game comes to the hand.
//! - 10♥: gain 10n, then a gift.
//! - Q♥*: gain 10(n+1); the last card that left the game comes to the hand.
//! - K♥*: a chosen seat gains 2n, another (the same, if there is no other) n; gain 10n with an
//!   empty hand, else 5n.
//! - A♠, 2♠, 4♠: the next seat makes an exposed draw, the card goes back. With an empty hand take a
//!   random card, in any case, from the other seat with the fewest cards but at least 2, else from
//!   the next.
//! - 3♠, 7♠, J♠: give up a hand card of value y, which goes back; the next seat makes y mod 6
//!   exposed draws to its temp, and they go back without points if it survives.
//! - 5♠: lose 2n, five exposed draws to the temp; keep up to two spades of these in the hand, in
//!   any case; the other drawn cards leave the game.
//! - 6♠: a claim on hearts.
//! - 8♠, 9♠, 10♠: a chosen seat loses 5n.
//! - Q♠, K♠: the next seat loses 5n.
//! - A♣, 2♣, 3♣: say a value 1 to 13; the next seat makes an exposed draw, which goes back. Gain 2n
//!   if the value is right; gain 1; gain 20n if it is `AD`.
//! - 4♣, K♣: say a number 0 to 4, exposed draw to the temp: gain 10n if that is its value mod 5.
//! - 5♣, 6♣, 9♣: an exposed draw to the hand, another stage.
//! - 7♣, Q♣: say 2 to 13, exposed draw to the temp: gain 10n if its value is divisible by that.
//! - 8♣, J♣: with an empty hand receive 2 cards, in any case; else, if another seat has exactly
//!   twice as many cards, gain 2n and make exposed draws to the hand up to that number.
//! - 10♣*: blindly one of the hand cards and this card is picked; if it is this one gain 3n and
//!   receive a card to the hand, else gain n.
//!
//! A joker never has a right value.
//!
//! **The end**: one seat is left, or `turn_cap` turns are played. The score is the points; more
//! points are better, then being in, being out later, and more hand cards. With `winner:
//! "survivor"` being in or out later comes first.
//!
//! Variations: `v1`: the cards of a temp leave the game instead of going back. `draw: "mod5"`: no
//! guessing; `draw` takes a card of value y and then y mod 5 more; `draw: "red"`: it takes cards up
//! to the first black one. `hp: "lose"`: a seat below 0 points after an action loses; `hp:
//! "freeze"`: below 0 you may not use cards. `v5`: after `draw` only `draw` in the same turn.
//!
//! Source: card games, section 11. Which list belongs to which suit, that "receive" is safe and
//! "draw" is not, dice for the hour and the digit, a missing 10♠ like its neighbours, the gift, and
//! the ranking by points are our readings; so is that every action but XR stops when its player
//! loses.

mod actions;
mod draws;
#[cfg(test)]
mod tests;
mod turn;
mod words;

use super::prelude::*;
use crate::notation::one_word;
use actions::Question;

params! {
    seats: u8 in 2..=6 = 2,
    /// Decks of 54 cards.
    decks: u8 in 1..=10 = 1,
    /// Variation 1: the cards of a cleared temp leave the game instead of returning.
    v1: bool = false,
    /// How cards are drawn: with guesses, variation 2 or variation 3.
    draw: Drawing = Drawing::Guess,
    /// Variation 4: what happens below 0 points.
    hp: Below0 = Below0::None,
    /// Variation 5: after a draw without a guess no more guesses in this turn.
    v5: bool = false,
    /// What counts in the end.
    winner: Ranking = Ranking::Points,
    /// The game is stopped after this many turns.
    turn_cap: u32 in 1..=100_000 = 200,
    /// A turn has no more stages than this.
    stage_cap: u32 in 1..=10_000 = 60,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of shuffles, picks and dice.
    chance: Option<Script> = None,
}

words! { enum Drawing { Guess = "guess", Mod5 = "mod5", Red = "red" } }

words! { enum Below0 { None = "none", Lose = "lose", Freeze = "freeze" } }

words! { enum Ranking { Points = "points", Survivor = "survivor" } }

const DEALT: usize = 3;
const POINTS: i32 = 20;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Basa {
    /// First card on top.
    deck: Vec<Card>,
    hands: Vec<Hand>,
    /// Open, in order.
    temp: Vec<Vec<Card>>,
    /// Out of the game, in order.
    removed: Vec<Card>,
    score: Vec<i32>,
    /// 0 = in, else the order of losing.
    out: Vec<u8>,
    cur: Seat,
    dir: i32,
    claims: Vec<(Suit, Seat)>,
    /// Owners of the reversals that hold.
    reversals: Vec<Seat>,
    skip: Vec<u32>,
    /// Turns begun.
    turn: u32,
    now: Now,
    phase: Phase,
    using: Using,
    /// Cards chosen by everybody at once.
    ballot: Ballot<Card>,
    rules: Fixed,
    chance: Chance,
}

/// What does not change in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fixed {
    temp_leaves: bool,
    drawing: Drawing,
    lost_below_0: bool,
    frozen_below_0: bool,
    draw_ends_guessing: bool,
    ranking: Ranking,
    turn_cap: u32,
    stage_cap: u32,
}

shown! {
    /// What has happened in this turn.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct Now {
        /// Stages begun.
        stage: u32,
        /// Was there a guess?
        guessed: bool,
        /// Was there a `draw`?
        drew: bool,
        /// Does another stage follow?
        another_stage: bool,
        /// Does a shield protect from `AD`?
        shield: bool,
        /// Does each use bring 2 points?
        bonus: bool,
        /// Does another turn of the same seat follow?
        again: bool,
        /// Does that turn have a shield?
        next_shield: bool,
        /// Does that turn have the bonus?
        next_bonus: bool,
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Draw { guess_due: bool },
    Use,
    UseSecond,
    Ask(Question),
    Over(&'static str),
}

shown! {
    /// The card in use, and what its action has come to know.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct Using {
        /// The card.
        card: Card,
        /// The step of its action that comes next.
        step: usize,
        /// Does the card follow another one?
        second: bool,
        /// Seats that were in at the beginning.
        n: i32,
        /// The seat that was chosen.
        target: Option<Seat>,
        /// A number rolled, said or counted.
        y: i32,
        #[serde(skip)]
        option: Option<Opt>,
        /// The hand card that was chosen, if you see the card.
        picked: Option<Card>,
        /// The five cards of 5♠.
        drawn: Vec<Card>,
    }
}

impl Using {
    fn of(card: Card) -> Using {
        Using {
            card,
            step: 0,
            second: false,
            n: 0,
            target: None,
            y: 0,
            option: None,
            picked: None,
            drawn: Vec::new(),
        }
    }

    fn drawn_spades(&self) -> Vec<Card> {
        let mut spades = self.drawn.clone();
        spades.retain(|card| card.suit() == Some(Suit::Spades));
        spades.sort_unstable();
        spades
    }
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "draw" Draw,
        /// That the ace of diamonds comes up.
        "guess A" GuessAce,
        "guess" Guess(Suit),
        "use" Use(Card),
        "more" More,
        "end" End,
        "done" Done,
        "to" To(Amount),
        "card" Card(Card),
        "say" Say(Amount),
        "opt" Opt(Opt),
    }
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Opt { "shield" Shield, "bonus" Bonus, "points" Points, "card" Card }
}

one_word!(Opt);

impl Basa {
    fn asks_everybody(&self) -> bool {
        self.phase == Phase::Ask(Question::EveryCard)
    }

    fn answers(&self, seat: Seat, question: &Question, out: &mut Vec<Move>) {
        match question {
            Question::To { seats } => {
                let mut seats = seats.clone();
                seats.sort_unstable();
                out.extend(seats.into_iter().map(|seat| Move::To(Amount(seat.0))));
            }
            Question::HandCard { .. } | Question::EveryCard => {
                out.extend(self.hands[seat.index()].distinct().map(Move::Card));
            }
            Question::DrawnSpade => {
                let mut spades = self.using.drawn_spades();
                spades.dedup();
                out.extend(spades.into_iter().map(Move::Card));
            }
            Question::Say { low, high } => out.extend((*low..=*high).map(|number| Move::Say(Amount(number)))),
            Question::Opt => out.extend([Opt::Shield, Opt::Bonus, Opt::Points, Opt::Card].map(Move::Opt)),
        }
    }

    fn may_guess(&self) -> bool {
        self.rules.drawing == Drawing::Guess && !(self.rules.draw_ends_guessing && self.now.drew)
    }
}

impl Position for Basa {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "basa",
        name: "Basa",
        source: "cards 11",
        seats: (2, 6),
        summary: "Draw, guess and use 54 different cards, but avoid the ace of diamonds.",
        notation: "`draw`, `guess X`, `use C`, `more`, `end`, `done`, `to k`, `card C`, `say v`, `opt word`",
        example: "guess H",
        version: 2,
        file: include_str!("mod.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        let mut deck = Self::pack(params).shuffled(&mut game.chance);
        require(!deck.is_empty(), "deck", || "at least one card is needed".into())?;
        let mut aside = Vec::new();
        for hand in &mut game.hands {
            while hand.len() < DEALT
                && let Some(card) = draw(&mut deck)
            {
                if card == Card::ACE_OF_DIAMONDS { aside.push(card) } else { hand.add(card, Seats::NONE) }
            }
        }
        if !aside.is_empty() {
            deck.append(&mut aside);
            game.chance.shuffle(&mut deck);
        }
        game.deck = deck;
        game.begin_turn(Seat(0), false, false);
        Ok(game)
    }

    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn turn(&self) -> Turn {
        if let Phase::Over(reason) = self.phase {
            Turn::ranked(reason)
        } else if self.asks_everybody() {
            Turn::Together(self.ballot.missing(self.everybody_with_cards()))
        } else {
            Turn::One(self.cur)
        }
    }

    /// In the order of the rules; cards in canonical order, seats and numbers ascending.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        match &self.phase {
            Phase::Draw { guess_due } => {
                if !guess_due {
                    out.push(Move::Draw);
                }
                if *guess_due || self.may_guess() {
                    out.extend(Suit::ALL.map(Move::Guess));
                    out.push(Move::GuessAce);
                }
            }
            Phase::Use => {
                let usable = self.usable();
                out.extend(usable.iter().map(|&card| Move::Use(card)));
                if self.may_have_more() {
                    out.push(Move::More);
                }
                if usable.is_empty() {
                    out.push(Move::End);
                }
            }
            Phase::UseSecond => {
                out.extend(self.usable_second().into_iter().map(Move::Use));
                out.push(Move::Done);
            }
            Phase::Ask(question) => self.answers(seat, question, out),
            Phase::Over(_) => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        match (&self.phase, mv) {
            (Phase::Ask(_), _) => self.answer(seat, mv),
            (_, Move::Draw) => self.play_draw(),
            (_, Move::Guess(suit)) => self.play_guess(Some(*suit)),
            (_, Move::GuessAce) => self.play_guess(None),
            _ => self.play_use(mv),
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let key = |seat: Seat| {
            let at = seat.index();
            let survival = if self.out[at] == 0 { i32::MAX } else { i32::from(self.out[at]) };
            match self.rules.ranking {
                Ranking::Points => (self.score[at], survival, self.hands[at].len()),
                Ranking::Survivor => (survival, self.score[at], 0),
            }
        };
        Outcome::ranked(self.seats(), key, |seat| Score::whole(self.score[seat.index()]), reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let mut picture = Picture::default();
        for (seat, (hand, temp)) in seen.hands.iter().zip(&self.temp).enumerate() {
            picture = picture.cards(format!("hand {seat}"), hand.faces()).of(Seat(seat as u8));
            if !temp.is_empty() {
                picture = picture.cards(format!("temp {seat}"), temp.faces()).of(Seat(seat as u8));
            }
        }
        if !self.removed.is_empty() {
            picture = picture.cards("removed", self.removed.faces());
        }
        let points: Vec<String> = self.score.iter().map(ToString::to_string).collect();
        let (turn, stage, deck) = (self.turn, self.now.stage, self.deck.len());
        picture = picture
            .caption(format!("points {}", points.join(" ")))
            .caption(format!("turn {turn} of seat {}, stage {stage}, {deck} cards in the deck", self.cur));
        match &self.phase {
            Phase::Ask(_) => picture.caption(format!("{} in use", self.using.card)),
            _ => picture,
        }
    }

    const HIDES_MOVES: bool = true;

    /// A card that goes from a hand to the deck or to another hand is seen by nobody else.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        let hidden = match self.phase {
            Phase::Ask(Question::EveryCard) => true,
            Phase::Ask(Question::HandCard { open }) => {
                !open && !self.using.target.is_some_and(|target| eyes.see_secrets_of(target))
            }
            _ => false,
        };
        if hidden && !eyes.see_secrets_of(seat) { "card".to_owned() } else { mv.to_string() }
    }
}

impl CardGame for Basa {
    const MIXING: Mixing = Mixing::Twice;

    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck54().repeat(params.decks.into()))
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let seats = params.seats as usize;
        Basa {
            deck: Vec::new(),
            hands: vec![Hand::default(); seats],
            temp: vec![Vec::new(); seats],
            removed: Vec::new(),
            score: vec![POINTS; seats],
            out: vec![0; seats],
            cur: Seat(0),
            dir: 1,
            claims: Vec::new(),
            reversals: Vec::new(),
            skip: vec![0; seats],
            turn: 0,
            now: Now::default(),
            phase: Phase::Draw { guess_due: false },
            using: Using::of(Card::RED_JOKER),
            ballot: Ballot::default(),
            rules: Fixed {
                temp_leaves: params.v1,
                drawing: params.draw,
                lost_below_0: params.hp == Below0::Lose,
                frozen_below_0: params.hp == Below0::Freeze,
                draw_ends_guessing: params.v5,
                ranking: params.winner,
                turn_cap: params.turn_cap,
                stage_cap: params.stage_cap,
            },
            chance,
        }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hands).each(Sight::All, &mut self.temp);
        spread.open(&mut self.removed).deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let mut word = self.phase.word().to_owned();
        facts.word(
            "phase",
            "What is decided: to `draw` or guess, what to `guess` again, a card to `use`, a second card \
             (`use-second`), the `answer` to a question; or the game is `over`.",
            &mut word,
        );
        facts.fact("cur", "Whose turn it is.", &mut self.cur);
        facts.fact("dir", "The direction of play: 1 to higher seats, -1 to lower ones.", &mut self.dir);
        facts.each("score", "The points of each seat.", &mut self.score);
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.known("known", "hand", &mut self.hands);
        facts.each("temp", "The temp of each seat, in order.", &mut self.temp);
        facts.fact("removed", "The cards that have left the game, in order.", &mut self.removed);
        facts.each("out", "The order in which seats lost, from 1; 0 is in.", &mut self.out);
        facts.fact("claims", "The claims: a suit, and the seat that has the claim.", &mut self.claims);
        facts.each("skip", "How many turns each seat has to miss.", &mut self.skip);
        facts.fact("reversals", "The seats whose reversal of the direction holds.", &mut self.reversals);
        facts.fact("turn", "Turns begun.", &mut self.turn);
        facts.fact("this_turn", "What has happened in this turn.", &mut self.now);
        facts.deck_size(&self.deck);
        facts.when(matches!(word.as_str(), "use-second" | "answer"), |facts| {
            facts.hide(self.cur, &mut self.using.picked);
            facts.fact("using", "The card in use.", &mut self.using);
        });
        let mut question = if let Phase::Ask(question) = &self.phase { Some(question.clone()) } else { None };
        facts.when(word == "answer", |facts| {
            facts.fact("question", "What is asked.", &mut question);
        });
        self.phase = match (word.as_str(), question) {
            ("draw", _) => Phase::Draw { guess_due: false },
            ("guess", _) => Phase::Draw { guess_due: true },
            ("use", _) => Phase::Use,
            ("use-second", _) => Phase::UseSecond,
            (_, Some(question)) => Phase::Ask(question),
            _ => Phase::Over("over"),
        };
        facts.deck(&self.deck);
    }

    /// The ace of diamonds is never in a hand, so it must be in the deck.
    fn imagine_hidden(&mut self, mut unseen: Unseen) -> Result<(), String> {
        let aces = unseen.set_apart(Card::ACE_OF_DIAMONDS);
        self.spread().turn_up(unseen)?;
        self.deck.extend(aces);
        self.chance.deal(&mut self.deck);
        Ok(())
    }
}

impl Phase {
    fn word(&self) -> &'static str {
        match self {
            Phase::Draw { guess_due: false } => "draw",
            Phase::Draw { guess_due: true } => "guess",
            Phase::Use => "use",
            Phase::UseSecond => "use-second",
            Phase::Ask(_) => "answer",
            Phase::Over(_) => "over",
        }
    }
}
