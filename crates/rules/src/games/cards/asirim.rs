//! Asirim (Prisoners), for two.
//!
//! A deck of 52 cards, four for each seat. You want to win rounds with royal cards, which become your
//! *prisoners*, and then call the end while yours are worth more. The *worth* of a card: 2 to 5 as printed;
//! 6, 7, 8, 9, 10 count 1 to 5; J, Q, K, A count 1 to 4.
//!
//! A round:
//!
//! 1. Both choose at once: `set A B` lays hand card A down as your *alpha* and B as your *tag*; `call` ends
//!    the game, if you hold enough prisoners (`prison`, at least 2 of them and of at least two ranks); with
//!    fewer than two hand cards you can only say `stuck` (or `call`). If somebody is stuck and nobody calls,
//!    nothing is laid: as long as a seat has fewer than two hand cards, one of the seats, drawn by lot, gets
//!    two cards from the top of the *beta*, a closed pile, or from the deck if that is empty. Then both
//!    choose again; if beta and deck are used up before that the game is a draw.
//! 2. The alphas are turned up, the tags stay hidden. Both choose at once `v` (vertical) or `h` (horizontal).
//! 3. Same direction: all lose. Whoever has hand cards (not alpha or tag) throws one on the beta, `drop C`;
//!    without any he frees a prisoner into his hand, `free C`; a seat that can do neither has lost the game
//!    (both: a draw).
//! 4. Different directions: the higher alpha wins the round; if they are worth the same, `v` loses. The
//!    winner chooses what becomes of his tag:
//!    - `hide` takes it back unseen; then a loser with two or more hand cards throws one on the beta,
//!      `drop C`;
//!    - `show` takes it back openly, and cards are exchanged: at once the winner chooses `offer C` from his
//!      hand and the loser `give C` from his hand, or from his prison if the hand is empty. A loser who has
//!      neither takes the top card of the beta (or of the deck) after the offer and says `swap`, for the
//!      offered card unseen, or `keep`. Then the winner may `draw` a card from the deck or `skip`.
//!
//!    The winner's alpha goes to his prison if it is J, Q, K or A, else on the beta.
//! 5. All other alphas and tags go back to the hands of their owners.
//!
//! After a `call` each seat with an ace in its prison names a prisoner of the other side, if there is one,
//! that shall count 1: `reduce C`, both at once. The greater total worth of prisoners wins, whoever called;
//! an equal one is a draw. The scores are these totals. After `round_cap` rounds the game is a draw.
//!
//! Hidden are hands, tags, the cards thrown on the beta and the order of the deck. Cards that you gave away
//! or saw are listed as `known`.
//!
//! Source: card games, section 10. Two seats, "same direction: both lose", alpha and tag returning to the
//! hand, the lot instead of a short side game, and one reduction for each player are our readings.

use super::hand::{self, HalfSeen, Hand, everybody};
use super::unseen::{Unseen, read_card, read_cards};
use crate::cards::{Card, Deck, texts};
use crate::json::{Json, view};
use crate::params::params;
use crate::{
    About, Chance, Eyes, Family, Hidden, NotAMove, Outcome, ParamError, Picture, Position, Score, Script,
    Seat, Seats, Seed, Turn, require,
};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

params! {
    /// Prisoners that are needed to call the end.
    prison: u8 in 2..=52 = 2,
    /// The game is a draw after this many rounds.
    round_cap: u32 in 1..=100_000 = 100,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of the lots drawn when somebody is stuck.
    chance: Option<Script> = None,
}

const DEALT: usize = 4;
const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asirim {
    /// First card on top.
    deck: Vec<Card>,
    hands: Vec<Hand>,
    alpha: [Option<Card>; 2],
    tag: [Option<Card>; 2],
    /// Sorted.
    prison: [Vec<Card>; 2],
    /// Last card on top, each with those who know it.
    beta: Vec<(Card, Seats)>,
    phase: Phase,
    /// Decisions of the present step.
    chosen: [Option<Move>; 2],
    /// Rounds begun.
    round: u32,
    call_size: u8,
    round_cap: u32,
    chance: Chance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Choose,
    Orient,
    AllLose,
    Show {
        winner: Seat,
    },
    Exchange {
        winner: Seat,
    },
    /// A loser without cards has taken `taken` and may swap it for the offered card.
    Swap {
        winner: Seat,
        offered: Card,
        taken: Card,
    },
    Draw {
        winner: Seat,
    },
    LoserDrop {
        winner: Seat,
    },
    Reduce,
    Over(Ending),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Ending {
    /// A draw if nobody has won.
    winner: Option<Seat>,
    /// Totals of the prisons.
    totals: [i32; 2],
    /// `call`, `dead`, `void` or `cap`.
    how: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Set { alpha: Card, tag: Card },
    Call,
    Stuck,
    Vertical,
    Horizontal,
    Drop(Card),
    Free(Card),
    Hide,
    Show,
    Offer(Card),
    Give(Card),
    Swap,
    Keep,
    Draw,
    Skip,
    Reduce(Card),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Set { alpha, tag } => write!(f, "set {alpha} {tag}"),
            Move::Call => f.write_str("call"),
            Move::Stuck => f.write_str("stuck"),
            Move::Vertical => f.write_str("v"),
            Move::Horizontal => f.write_str("h"),
            Move::Drop(card) => write!(f, "drop {card}"),
            Move::Free(card) => write!(f, "free {card}"),
            Move::Hide => f.write_str("hide"),
            Move::Show => f.write_str("show"),
            Move::Offer(card) => write!(f, "offer {card}"),
            Move::Give(card) => write!(f, "give {card}"),
            Move::Swap => f.write_str("swap"),
            Move::Keep => f.write_str("keep"),
            Move::Draw => f.write_str("draw"),
            Move::Skip => f.write_str("skip"),
            Move::Reduce(card) => write!(f, "reduce {card}"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let card = |code: &str| code.parse::<Card>().map_err(|_| NotAMove);
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["set", alpha, tag] => Ok(Move::Set { alpha: card(alpha)?, tag: card(tag)? }),
            ["call"] => Ok(Move::Call),
            ["stuck"] => Ok(Move::Stuck),
            ["v"] => Ok(Move::Vertical),
            ["h"] => Ok(Move::Horizontal),
            ["drop", code] => Ok(Move::Drop(card(code)?)),
            ["free", code] => Ok(Move::Free(card(code)?)),
            ["hide"] => Ok(Move::Hide),
            ["show"] => Ok(Move::Show),
            ["offer", code] => Ok(Move::Offer(card(code)?)),
            ["give", code] => Ok(Move::Give(card(code)?)),
            ["swap"] => Ok(Move::Swap),
            ["keep"] => Ok(Move::Keep),
            ["draw"] => Ok(Move::Draw),
            ["skip"] => Ok(Move::Skip),
            ["reduce", code] => Ok(Move::Reduce(card(code)?)),
            _ => Err(NotAMove),
        }
    }
}

fn worth(cards: &[Card]) -> i32 {
    cards.iter().map(|card| i32::from(card.folded())).sum()
}

/// Takes one such card out of a sorted or unsorted pile.
fn take_out(cards: &mut Vec<Card>, card: Card) {
    let at = cards.iter().position(|other| *other == card).expect("a legal move names a card that is there");
    cards.remove(at);
}

impl Asirim {
    fn hand(&mut self, seat: Seat) -> &mut Hand {
        &mut self.hands[seat.index()]
    }

    fn hand_size(&self, seat: Seat) -> usize {
        self.hands[seat.index()].len()
    }

    fn prison_of(&self, seat: Seat) -> &[Card] {
        &self.prison[seat.index()]
    }

    /// Who is asked in this phase, whether it has answered or not.
    fn asked(&self) -> Seats {
        let both = |asks: &dyn Fn(Seat) -> bool| BOTH.into_iter().filter(|&seat| asks(seat)).collect();
        match self.phase {
            Phase::Choose | Phase::Orient => Seats::first(2),
            Phase::AllLose => both(&|seat| !self.has_nothing(seat)),
            Phase::Exchange { winner } => both(&|seat| seat == winner || !self.has_nothing(seat)),
            Phase::Show { winner } | Phase::Draw { winner } => Seats::one(winner),
            Phase::Swap { winner, .. } | Phase::LoserDrop { winner } => Seats::one(winner.other()),
            Phase::Reduce => both(&|seat| self.may_reduce(seat)),
            Phase::Over(_) => Seats::NONE,
        }
    }

    /// Neither hand cards nor prisoners.
    fn has_nothing(&self, seat: Seat) -> bool {
        self.hand_size(seat) == 0 && self.prison_of(seat).is_empty()
    }

    fn may_call(&self, seat: Seat) -> bool {
        let prison = self.prison_of(seat);
        let ranks = prison.iter().any(|card| card.high() != prison[0].high());
        prison.len() >= usize::from(self.call_size) && ranks
    }

    fn may_reduce(&self, seat: Seat) -> bool {
        let ace = self.prison_of(seat).iter().any(|card| card.high() == 14);
        ace && !self.prison_of(seat.other()).is_empty()
    }

    fn begin_round(&mut self) {
        if self.round == self.round_cap {
            self.end(None, "cap");
        } else {
            self.round += 1;
            self.phase = Phase::Choose;
        }
    }

    fn end(&mut self, winner: Option<Seat>, how: &'static str) {
        let totals = BOTH.map(|seat| worth(self.prison_of(seat)));
        self.phase = Phase::Over(Ending { winner, totals, how });
    }

    /// Carries out a step for which all decisions are in.
    fn carry_out(&mut self) {
        let chosen = std::mem::take(&mut self.chosen);
        match self.phase {
            Phase::Choose => self.place(chosen),
            Phase::Orient => {
                self.compare(chosen[0] == Some(Move::Vertical), chosen[1] == Some(Move::Vertical));
            }
            Phase::AllLose => self.all_lose(chosen),
            Phase::Show { winner } => self.take_tag(winner, chosen[winner.index()] == Some(Move::Show)),
            Phase::Exchange { winner } => self.exchange(winner, chosen),
            Phase::Swap { winner, offered, taken } => {
                self.swap(winner, offered, taken, chosen[winner.other().index()] == Some(Move::Swap));
            }
            Phase::Draw { winner } => {
                if chosen[winner.index()] == Some(Move::Draw) {
                    let card = self.deck.remove(0);
                    self.hand(winner).add(card, Seats::NONE);
                }
                self.reward(winner);
            }
            Phase::LoserDrop { winner } => {
                if let Some(Move::Drop(card)) = chosen[winner.other().index()] {
                    self.drop(winner.other(), card);
                }
                self.reward(winner);
            }
            Phase::Reduce => self.count_up(chosen),
            Phase::Over(_) => {}
        }
    }

    fn place(&mut self, chosen: [Option<Move>; 2]) {
        if chosen.contains(&Some(Move::Call)) {
            self.phase = Phase::Reduce;
            if self.asked().is_empty() {
                self.count_up([None; 2]);
            }
        } else if chosen.contains(&Some(Move::Stuck)) {
            self.forced_play();
        } else {
            for seat in BOTH {
                if let Some(Move::Set { alpha, tag }) = chosen[seat.index()] {
                    self.hand(seat).remove(alpha);
                    self.hand(seat).remove(tag);
                    // The tag may be any card of the hand, so what was known of the rest is so no longer.
                    self.hand(seat).blur(Seats::NONE);
                    self.alpha[seat.index()] = Some(alpha);
                    self.tag[seat.index()] = Some(tag);
                }
            }
            self.phase = Phase::Orient;
        }
    }

    /// Lots decide who gets two cards, until both can play.
    fn forced_play(&mut self) {
        while BOTH.into_iter().any(|seat| self.hand_size(seat) < 2) {
            if self.beta.is_empty() && self.deck.is_empty() {
                return self.end(None, "void");
            }
            let seat = BOTH[self.chance.pick(2)];
            for _ in 0..2 {
                if let Some((card, known_by)) = self.top_of_beta_or_deck() {
                    self.hand(seat).add(card, known_by);
                }
            }
        }
        self.phase = Phase::Choose;
    }

    fn top_of_beta_or_deck(&mut self) -> Option<(Card, Seats)> {
        self.beta.pop().or_else(|| (!self.deck.is_empty()).then(|| (self.deck.remove(0), Seats::NONE)))
    }

    fn compare(&mut self, first_vertical: bool, second_vertical: bool) {
        if first_vertical == second_vertical {
            self.phase = Phase::AllLose;
            if self.asked().is_empty() {
                self.all_lose([None; 2]);
            }
            return;
        }
        let [first, second] = self.alpha.map(|card| card.map_or(0, Card::folded));
        let first_wins = first > second || first == second && second_vertical;
        self.phase = Phase::Show { winner: if first_wins { Seat::FIRST } else { Seat::SECOND } };
    }

    fn all_lose(&mut self, chosen: [Option<Move>; 2]) {
        for seat in BOTH {
            match chosen[seat.index()] {
                Some(Move::Drop(card)) => self.drop(seat, card),
                Some(Move::Free(card)) => {
                    take_out(&mut self.prison[seat.index()], card);
                    self.hand(seat).add(card, everybody());
                }
                _ => {}
            }
        }
        match chosen {
            [Some(_), Some(_)] => self.clean_up(),
            [None, None] => self.end(None, "dead"),
            [alive, _] => self.end(Some(if alive.is_some() { Seat::FIRST } else { Seat::SECOND }), "dead"),
        }
    }

    /// A hand card goes on the beta, unseen.
    fn drop(&mut self, seat: Seat, card: Card) {
        self.hand(seat).remove(card);
        self.hand(seat).blur(Seats::NONE);
        self.beta.push((card, Seats::one(seat)));
    }

    fn take_tag(&mut self, winner: Seat, shown: bool) {
        if let Some(tag) = self.tag[winner.index()].take() {
            self.hand(winner).add(tag, if shown { everybody() } else { Seats::NONE });
        }
        if shown {
            self.phase = Phase::Exchange { winner };
        } else if self.hand_size(winner.other()) >= 2 {
            self.phase = Phase::LoserDrop { winner };
        } else {
            self.reward(winner);
        }
    }

    fn exchange(&mut self, winner: Seat, chosen: [Option<Move>; 2]) {
        let loser = winner.other();
        let Some(Move::Offer(offered)) = chosen[winner.index()] else { return };
        if let Some(Move::Give(given)) = chosen[loser.index()] {
            if self.hand_size(loser) > 0 {
                self.hand(loser).remove(given);
                self.hand(loser).blur(Seats::one(winner));
            } else {
                take_out(&mut self.prison[loser.index()], given);
            }
            self.change(winner, offered, given);
        } else if let Some((taken, known_by)) = self.top_of_beta_or_deck() {
            self.hand(loser).add(taken, known_by);
            self.phase = Phase::Swap { winner, offered, taken };
        } else {
            self.offer_draw(winner);
        }
    }

    /// The winner gives `offered` for `given`, which the loser has laid down already.
    fn change(&mut self, winner: Seat, offered: Card, given: Card) {
        let loser = winner.other();
        self.hand(winner).remove(offered);
        self.hand(winner).blur(Seats::one(loser));
        self.hand(winner).add(given, Seats::one(loser));
        self.hand(loser).add(offered, Seats::one(winner));
        self.offer_draw(winner);
    }

    fn swap(&mut self, winner: Seat, offered: Card, taken: Card, swapped: bool) {
        if swapped {
            self.hand(winner.other()).remove(taken);
            self.change(winner, offered, taken);
        } else {
            self.offer_draw(winner);
        }
    }

    fn offer_draw(&mut self, winner: Seat) {
        if self.deck.is_empty() { self.reward(winner) } else { self.phase = Phase::Draw { winner } }
    }

    /// The winner's alpha becomes a prisoner, or goes on the beta.
    fn reward(&mut self, winner: Seat) {
        if let Some(alpha) = self.alpha[winner.index()].take() {
            if alpha.high() > 10 {
                self.prison[winner.index()].push(alpha);
                self.prison[winner.index()].sort_unstable();
            } else {
                self.beta.push((alpha, everybody()));
            }
        }
        self.clean_up();
    }

    fn clean_up(&mut self) {
        for seat in BOTH {
            if let Some(alpha) = self.alpha[seat.index()].take() {
                self.hand(seat).add(alpha, everybody());
            }
            if let Some(tag) = self.tag[seat.index()].take() {
                self.hand(seat).add(tag, Seats::NONE);
            }
        }
        self.begin_round();
    }

    fn count_up(&mut self, chosen: [Option<Move>; 2]) {
        let mut totals = BOTH.map(|seat| worth(self.prison_of(seat)));
        for seat in BOTH {
            if let Some(Move::Reduce(card)) = chosen[seat.index()] {
                totals[seat.other().index()] -= i32::from(card.folded()) - 1;
            }
        }
        let winner = match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Greater => Some(Seat::FIRST),
            std::cmp::Ordering::Less => Some(Seat::SECOND),
            std::cmp::Ordering::Equal => None,
        };
        self.phase = Phase::Over(Ending { winner, totals, how: "call" });
    }

    fn cards(&self) -> usize {
        let hands: usize = self.hands.iter().map(Hand::len).sum();
        let table = self.alpha.iter().chain(&self.tag).flatten().count();
        let prisons: usize = self.prison.iter().map(Vec::len).sum();
        self.deck.len() + hands + table + prisons + self.beta.len()
    }

    fn full_deck(params: &Params, chance: &mut Chance) -> Vec<Card> {
        Deck::or_shuffled(params.deck.as_ref(), Card::deck52(), chance)
    }
}

impl Phase {
    fn word(self) -> &'static str {
        match self {
            Phase::Choose => "choose",
            Phase::Orient => "orient",
            Phase::AllLose => "all-lose",
            Phase::Show { .. } => "show",
            Phase::Exchange { .. } => "exchange",
            Phase::Swap { .. } => "swap",
            Phase::Draw { .. } => "draw",
            Phase::LoserDrop { .. } => "loser-drop",
            Phase::Reduce => "reduce",
            Phase::Over(_) => "over",
        }
    }

    /// Who has won the round that is being played.
    fn winner(self) -> Option<Seat> {
        match self {
            Phase::Show { winner }
            | Phase::Exchange { winner }
            | Phase::Swap { winner, .. }
            | Phase::Draw { winner }
            | Phase::LoserDrop { winner } => Some(winner),
            _ => None,
        }
    }

    fn is_simultaneous(self) -> bool {
        matches!(
            self,
            Phase::Choose | Phase::Orient | Phase::AllLose | Phase::Exchange { .. } | Phase::Reduce
        )
    }
}

impl Position for Asirim {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "asirim",
        name: "Prisoners (Asirim)",
        source: "cards 10",
        family: Family::Cards,
        seats: (2, 2),
        summary: "Bluff with two cards, take royal prisoners, call the end when ahead.",
        notation: "a word of the phase, such as `set A B`, `call`, `v`, `drop C`, `show`, `offer C`",
        example: "set KH 3C",
        version: 1,
        file: include_str!("asirim.rs"),
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut chance = Chance::scripted(seed, params.chance.as_ref());
        let mut deck = Asirim::full_deck(params, &mut chance);
        require(deck.iter().all(|card| !card.is_joker()), "deck", || "this game has no jokers".into())?;
        let hands = BOTH.map(|_| Hand::secret(deck.drain(..deck.len().min(DEALT)))).into();
        Ok(Asirim {
            deck,
            hands,
            alpha: [None; 2],
            tag: [None; 2],
            prison: [Vec::new(), Vec::new()],
            beta: Vec::new(),
            phase: Phase::Choose,
            chosen: [None; 2],
            round: 1,
            call_size: params.prison,
            round_cap: params.round_cap,
            chance,
        })
    }

    fn turn(&self) -> Turn {
        if let Phase::Over(ending) = self.phase {
            return Turn::ranked(ending.how);
        }
        let open: Seats = self.asked().iter().filter(|seat| self.chosen[seat.index()].is_none()).collect();
        match open.lowest() {
            Some(seat) if !self.phase.is_simultaneous() => Turn::One(seat),
            _ => Turn::Together(open),
        }
    }

    /// In the order of the rules; cards in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = self.hands[seat.index()].kinds();
        let prison = |owner: Seat| {
            let mut cards = self.prison_of(owner).to_vec();
            cards.dedup();
            cards
        };
        match self.phase {
            Phase::Choose => {
                if self.hand_size(seat) < 2 {
                    out.push(Move::Stuck);
                } else {
                    self.settings(seat, &hand, out);
                }
                if self.may_call(seat) {
                    out.push(Move::Call);
                }
            }
            Phase::Orient => out.extend([Move::Vertical, Move::Horizontal]),
            Phase::AllLose if hand.is_empty() => out.extend(prison(seat).into_iter().map(Move::Free)),
            Phase::AllLose | Phase::LoserDrop { .. } => out.extend(hand.into_iter().map(Move::Drop)),
            Phase::Show { .. } => out.extend([Move::Hide, Move::Show]),
            Phase::Exchange { winner } if seat == winner => out.extend(hand.into_iter().map(Move::Offer)),
            Phase::Exchange { .. } if hand.is_empty() => out.extend(prison(seat).into_iter().map(Move::Give)),
            Phase::Exchange { .. } => out.extend(hand.into_iter().map(Move::Give)),
            Phase::Swap { .. } => out.extend([Move::Swap, Move::Keep]),
            Phase::Draw { .. } => out.extend([Move::Draw, Move::Skip]),
            Phase::Reduce => out.extend(prison(seat.other()).into_iter().map(Move::Reduce)),
            Phase::Over(_) => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        let before = self.cards();
        self.chosen[seat.index()] = Some(*mv);
        if self.asked().iter().all(|seat| self.chosen[seat.index()].is_some()) {
            self.carry_out();
        }
        debug_assert_eq!(self.cards(), before, "cards are conserved");
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let Phase::Over(Ending { winner, totals, .. }) = self.phase else { return Outcome::draw(2, reason) };
        let score = |seat: Seat| Score::whole(totals[seat.index()]);
        Outcome::ranked(2, |seat| winner == Some(seat), score, reason)
    }

    /// A seat sees its own hand and tag, the cards it knows elsewhere, and all that is open.
    fn view(&self, eyes: Eyes) -> Json {
        let tags = BOTH.map(|seat| self.tag[seat.index()].filter(|_| eyes.see_secrets_of(seat)));
        let beta: Vec<Option<Card>> =
            self.beta.iter().map(|&(card, by)| hand::sees(eyes, by).then_some(card)).collect();
        let mut view = view!({
            "phase": self.phase.word(),
            "round": self.round,
            "winner": if let Phase::Over(ending) = self.phase { ending.winner } else { self.phase.winner() },
            "hand": hand::view(&self.hands, eyes),
            "hand_size": hand::sizes(&self.hands),
            "known": hand::known(&self.hands, eyes),
            "alpha": self.alpha,
            "tag": tags,
            "prison": self.prison.each_ref().map(|cards| texts(cards)),
            "beta": beta,
            "deck_size": self.deck.len(),
        });
        if let Phase::Swap { winner, offered, taken } = self.phase {
            view.put("offered", &eyes.see_secrets_of(winner).then_some(offered));
            view.put("taken", &eyes.see_secrets_of(winner.other()).then_some(taken));
        }
        if let Phase::Over(ending) = self.phase {
            view.put("end", &ending.how);
        }
        if eyes == Eyes::Referee {
            view.put("deck", &texts(&self.deck));
        }
        view
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let mut picture = Picture::default();
        for seat in BOTH {
            let at = seat.index();
            let tag = self.tag[at].map(|tag| eyes.see_secrets_of(seat).then_some(tag));
            picture = picture
                .cards(format!("hand {seat}"), hand::backs(&self.hands[at], seat, eyes))
                .cards(format!("table {seat}"), self.alpha[at].map(Some).into_iter().chain(tag))
                .cards(format!("prison {seat}"), self.prison[at].iter().copied().map(Some));
        }
        let beta = self.beta.iter().map(|&(card, by)| hand::sees(eyes, by).then_some(card));
        picture = picture.cards("beta", beta).caption(format!(
            "round {}, {}, {} cards in the deck",
            self.round,
            self.phase.word(),
            self.deck.len()
        ));
        match self.phase.winner() {
            Some(winner) => picture.caption(format!("seat {winner} has won the round")),
            None => picture,
        }
    }

    const HIDES_MOVES: bool = true;

    /// Tags, thrown cards and offers are not seen; an exchange is seen by the two who make it. Nor is an
    /// alpha, if somebody is stuck and so nothing is laid.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        if eyes.see_secrets_of(seat) {
            return mv.to_string();
        }
        let loser_chooses = |winner: Seat| !self.has_nothing(winner.other());
        match (*mv, self.phase) {
            (Move::Set { alpha, .. }, _) if BOTH.into_iter().all(|seat| self.hand_size(seat) >= 2) => {
                format!("set {alpha}")
            }
            (Move::Set { .. }, _) => "set".to_owned(),
            (Move::Drop(_), _) => "drop".to_owned(),
            (Move::Offer(_), Phase::Exchange { winner })
                if eyes == Eyes::Spectator || !loser_chooses(winner) =>
            {
                "offer".to_owned()
            }
            (Move::Give(_), _) if eyes == Eyes::Spectator && self.hand_size(seat) > 0 => "give".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl Asirim {
    /// All ordered pairs of hand cards.
    fn settings(&self, seat: Seat, kinds: &[Card], out: &mut Vec<Move>) {
        let hand = &self.hands[seat.index()];
        for &alpha in kinds {
            let twice = hand.iter().filter(|card| *card == alpha).count() > 1;
            let tags = kinds.iter().filter(|&&tag| tag != alpha || twice);
            out.extend(tags.map(|&tag| Move::Set { alpha, tag }));
        }
    }
}

/// What the view says of the stage of the game.
#[derive(Deserialize)]
struct Public {
    phase: String,
    round: u32,
    winner: Option<Seat>,
}

impl Hidden for Asirim {
    fn imagine(params: &Params, view: &Value, seat: Seat, seed: Seed) -> Result<Self, String> {
        let mut chance = Chance::new(seed);
        let Public { phase, round, winner } =
            serde::Deserialize::deserialize(view).map_err(|error| error.to_string())?;
        let hands = HalfSeen::read(seat, &view["hand"], &view["known"], &view["hand_size"])?;
        let maybe = |code: &Value| if code.is_null() { Ok(None) } else { read_card(code).map(Some) };
        let alpha = [maybe(&view["alpha"][0])?, maybe(&view["alpha"][1])?];
        let mut tag = [maybe(&view["tag"][0])?, maybe(&view["tag"][1])?];
        let prison = [read_cards(&view["prison"][0])?, read_cards(&view["prison"][1])?];
        let beta =
            view["beta"].as_array().ok_or("no `beta`")?.iter().map(maybe).collect::<Result<Vec<_>, _>>()?;
        let open = alpha.iter().chain(&tag).chain(&beta).flatten().chain(prison.iter().flatten());
        let seen: Vec<Card> = hands.cards().chain(open.copied()).collect();
        let mut unseen = Unseen::new(Asirim::full_deck(params, &mut chance), seen, &mut chance)?;
        let hands = hands.fill(&mut unseen)?;
        // The other tag lies on the table as long as its owner has not won and taken it.
        let other = seat.other();
        let tag_lies = alpha[other.index()].is_some() && (winner != Some(other) || phase == "show");
        if tag_lies {
            tag[other.index()] = Some(unseen.next()?);
        }
        let beta = beta.into_iter().map(|card| match card {
            Some(card) => Ok((card, Seats::one(seat))),
            None => unseen.next().map(|card| (card, Seats::NONE)),
        });
        let beta = beta.collect::<Result<Vec<_>, String>>()?;
        let mut game = Asirim {
            deck: unseen.rest(),
            hands,
            alpha,
            tag,
            prison,
            beta,
            phase: Phase::Choose,
            chosen: [None; 2],
            round,
            call_size: params.prison,
            round_cap: params.round_cap,
            chance,
        };
        game.phase = game.read_phase(&phase, winner, view)?;
        Ok(game)
    }
}

impl Asirim {
    fn read_phase(&mut self, word: &str, winner: Option<Seat>, view: &Value) -> Result<Phase, String> {
        let winner = winner.ok_or("nobody has won the round");
        Ok(match word {
            "choose" => Phase::Choose,
            "orient" => Phase::Orient,
            "all-lose" => Phase::AllLose,
            "show" => Phase::Show { winner: winner? },
            "exchange" => Phase::Exchange { winner: winner? },
            "swap" => {
                // It is the loser who looks; he can but guess which of the winner's cards is offered.
                let winner = winner?;
                let offered = self.hands[winner.index()].at(self.chance.pick(self.hand_size(winner)));
                Phase::Swap { winner, offered, taken: read_card(&view["taken"])? }
            }
            "draw" => Phase::Draw { winner: winner? },
            "loser-drop" => Phase::LoserDrop { winner: winner? },
            "reduce" => Phase::Reduce,
            other => return Err(format!("nothing to decide in phase `{other}`")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Plays `0:set KH 3C | 1:set 6H QS / 0:v | 1:h`.
    fn after(params: &Value, moves: &str) -> Asirim {
        let mut game = Asirim::start(&crate::read_params(params).unwrap(), Seed::from_number(0)).unwrap();
        for decision in moves.split(['/', '|']).map(str::trim).filter(|text| !text.is_empty()) {
            let (seat, mv) = decision.split_once(':').unwrap();
            let (seat, mv) = (Seat(seat.parse().unwrap()), mv.parse::<Move>().unwrap());
            let mut legal = Vec::new();
            game.moves(seat, &mut legal);
            assert!(legal.contains(&mv) && game.turn().seats().contains(seat), "{decision}");
            game.play(seat, &mv);
        }
        game
    }

    fn legal(game: &Asirim, seat: u8) -> String {
        let mut moves = Vec::new();
        game.moves(Seat(seat), &mut moves);
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn forced_play_deals_from_the_beta_and_then_the_deck() {
        let start = json!({"deck": "2C 3C", "chance": ""});
        let void = after(&start, "0:set 2C 3C | 1:stuck");
        assert_eq!(void.view(Eyes::Referee).value()["end"], "void");
        assert_eq!(Outcome::of(&void).unwrap().places(), [1, 1]);
        let start = json!({"deck": "2C 3C 4C 5C 6C", "chance": ""});
        assert_eq!(after(&start, "0:set 2C 3C | 1:stuck").view(Eyes::Referee).value()["end"], "void");
        let start = json!({"deck": "2C 3C 4C 5C 6C 7C 8C", "chance": "#1"});
        let again = after(
            &start,
            "0:set 4C 3C | 1:set 7C 8C / 0:h | 1:h / 0:drop 2C | 1:drop 6C / \
             0:set 3C 4C | 1:set 8C 7C / 0:v | 1:h / 1:hide / 0:set 3C 4C | 1:stuck",
        );
        assert_eq!((texts(&again.hands[1].cards()).join(" ").as_str(), again.beta.len()), ("6C 7C 8C", 1));
    }

    #[test]
    fn a_loser_without_cards_takes_one_and_may_swap() {
        let start = json!({"deck": "KC 3C 4C 5C 6C 7C", "chance": ""});
        let game = after(&start, "0:set KC 3C | 1:set 6C 7C / 0:v | 1:h / 0:show / 0:offer 4C");
        // Neither hand nor prison, and neither beta nor deck: no exchange at all.
        assert_eq!(game.phase, Phase::Choose);
        let start = json!({"deck": "KC 3C 4C 5C 6C 7C 8C 9C 2D", "chance": ""});
        let moves = "0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 5C | 1:drop 8C / \
                     0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 4C | 1:drop 9C / \
                     0:set KC 3C | 1:set 6C 7C / 0:v | 1:h / 0:show / 0:offer 3C";
        let game = after(&start, moves);
        assert_eq!(
            (legal(&game, 1).as_str(), game.hands[1].cards()),
            ("swap, keep", vec!["9C".parse().unwrap()])
        );
        assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["offered"], Value::Null);
        let swapped = after(&start, &format!("{moves} / 1:swap / 0:skip"));
        assert_eq!(texts(&swapped.hands[0].cards()), ["9C"]);
        assert_eq!(texts(&swapped.hands[1].cards()), ["3C", "6C", "7C"]);
    }

    #[test]
    fn who_cannot_pay_is_dead() {
        let start = json!({"deck": "KC 3C 4C 5C 6C 7C", "chance": ""});
        let dead = after(&start, "0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 5C");
        let dead = Outcome::of(&dead).unwrap();
        assert_eq!((dead.places(), dead.reason), (&[1, 2][..], "dead"));
    }

    #[test]
    fn calling_needs_two_ranks() {
        let mut game = after(&json!({}), "");
        for (prison, may) in [("KC", false), ("KC KD", false), ("KC QD", true)] {
            game.prison[0] = prison.split(' ').map(|code| code.parse().unwrap()).collect();
            assert_eq!(game.may_call(Seat(0)), may, "{prison}");
        }
    }

    #[test]
    fn what_the_other_side_hears() {
        let start = json!({"deck": "KH 3C 7D TS 6H QS 4C 5D 2C AD", "chance": ""});
        for (before, seat, mv, other, spectator) in [
            ("", 0, "set KH 3C", "set KH", "set KH"),
            ("0:set KH 3C | 1:set 6H QS / 0:v | 1:v", 0, "drop 7D", "drop", "drop"),
            ("0:set KH 3C | 1:set 6H QS / 0:v | 1:h / 0:show", 0, "offer 7D", "offer 7D", "offer"),
            ("0:set KH 3C | 1:set 6H QS / 0:v | 1:h / 0:show", 1, "give 4C", "give 4C", "give"),
        ] {
            let game = after(&start, before);
            let hear = |eyes| game.heard(Seat(seat), &mv.parse().unwrap(), eyes);
            assert_eq!(hear(Eyes::Seat(Seat(seat).other())), other, "{mv}");
            assert_eq!(hear(Eyes::Spectator), spectator, "{mv}");
            assert_eq!(hear(Eyes::Seat(Seat(seat))), mv);
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        for (params, field) in [
            (json!({"prison": 1}), "prison"),
            (json!({"round_cap": 0}), "round_cap"),
            (json!({"seats": 2}), "seats"),
            (json!({"deck": "2C XB"}), "deck"),
        ] {
            let started =
                crate::read_params(&params).and_then(|params| Asirim::start(&params, Seed::from_number(0)));
            assert_eq!(started.unwrap_err().field, field, "{params}");
        }
    }
}
