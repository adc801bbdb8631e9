//! Asirim (Prisoners), for two.
//!
//! A deck of 52 cards, four for each seat. You want to win rounds with royal cards, which become
//! your *prisoners*, and then call the end while yours are worth more. The *worth* of a card: 2 to
//! 5 as printed; 6, 7, 8, 9, 10 count 1 to 5; J, Q, K, A count 1 to 4.
//!
//! A round:
//!
//! 1. Both choose at once: `set A B` lays hand card A down as your *alpha* and B as your *tag*;
//!    `call` ends the game, if you hold enough prisoners (`prison`, at least 2 of them and of at
//!    least two ranks); with fewer than two hand cards you can only say `stuck` (or `call`). If
//!    somebody is stuck and nobody calls, nothing is laid: as long as a seat has fewer than two
//!    hand cards, one of the seats, drawn by lot, gets two cards from the top of the *beta*, a
//!    closed pile, or from the deck if that is empty. Then both choose again; if beta and deck are
//!    used up before that the game is a draw.
//! 2. The alphas are turned up, the tags stay hidden. Both choose at once `v` (vertical) or `h`
//!    (horizontal).
//! 3. Same direction: all lose. Whoever has hand cards (not alpha or tag) throws one on the beta,
//!    `drop C`; without any they free a prisoner into their hand, `free C`; a seat that can do
//!    neither has lost the game (both: a draw).
//! 4. Different directions: the higher alpha wins the round; if they are worth the same, `v` loses.
//!    The winner chooses what becomes of the own tag:
//!    - `hide` takes it back unseen; then a loser with two or more hand cards throws one on the
//!      beta, `drop C`;
//!    - `show` takes it back openly, and cards are exchanged: at once the winner chooses `offer C`
//!      and the loser `give C`, each from the own hand, the loser from the prison if the hand is
//!      empty. A loser who has neither takes the top card of the beta (or of the deck) after the
//!      offer and says `swap`, for the offered card unseen, or `keep`. Then the winner may `draw` a
//!      card from the deck or `skip`.
//!
//!    The winner's alpha goes to the winner's prison if it is J, Q, K or A, else on the beta.
//! 5. All other alphas and tags go back to the hands of their owners.
//!
//! After a `call` each seat with an ace in its prison names a prisoner of the other side, if there
//! is one, that shall count 1: `reduce C`, both at once. The greater total worth of prisoners wins,
//! whoever called; an equal one is a draw. The scores are these totals. After `round_cap` rounds
//! the game is a draw.
//!
//! Hidden are hands, tags, the cards thrown on the beta and the order of the deck. Cards that you
//! gave away or saw are listed as `known`.
//!
//! Source: card games, section 10. Two seats, "same direction: both lose", alpha and tag returning
//! to the hand, the lot instead of a short side game, and one reduction for each player are our
//! readings.

mod round;
#[cfg(test)]
mod tests;

use super::prelude::*;

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

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asirim {
    /// First card on top.
    deck: Vec<Card>,
    hands: [Hand; 2],
    alpha: [Option<Card>; 2],
    tag: [Option<Card>; 2],
    prison: [Hand; 2],
    /// Last card on top.
    beta: Vec<Held>,
    phase: Phase,
    /// Who has won the round that is being played, and in the end who has won the game.
    winner: Option<Seat>,
    /// What a loser without cards may swap: the card that the winner offers, and the one taken for
    /// it.
    offered: Option<Card>,
    taken: Option<Card>,
    ballot: Ballot<Move>,
    /// Rounds begun.
    round: u32,
    /// How the game ended: `call`, `dead`, `void` or `cap`.
    end: &'static str,
    /// In the end, the worth of the prisons.
    totals: [i32; 2],
    call_size: u8,
    round_cap: u32,
    chance: Chance,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Phase {
        "choose" Choose,
        "orient" Orient,
        "all-lose" AllLose,
        "show" Show,
        "exchange" Exchange,
        "swap" Swap,
        "draw" Draw,
        "loser-drop" LoserDrop,
        "reduce" Reduce,
        "over" Over,
    }
}

#[allow(clippy::derivable_impls, reason = "a list of verbs can't mark the default one")]
impl Default for Phase {
    fn default() -> Self {
        Phase::Choose
    }
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "set" Set(Card, Card),
        "call" Call,
        "stuck" Stuck,
        "v" Vertical,
        "h" Horizontal,
        "drop" Drop(Card),
        "free" Free(Card),
        "hide" Hide,
        "show" Show,
        "offer" Offer(Card),
        "give" Give(Card),
        "swap" Swap,
        "keep" Keep,
        "draw" Draw,
        "skip" Skip,
        "reduce" Reduce(Card),
    }
}

fn worth(prison: &Hand) -> i32 {
    prison.iter().map(|card| i32::from(card.folded())).sum()
}

impl Asirim {
    fn hand(&mut self, seat: Seat) -> &mut Hand {
        &mut self.hands[seat.index()]
    }

    fn hand_size(&self, seat: Seat) -> usize {
        self.hands[seat.index()].len()
    }

    fn prison(&mut self, seat: Seat) -> &mut Hand {
        &mut self.prison[seat.index()]
    }

    /// In the phases after a round was won.
    fn round_winner(&self) -> Seat {
        self.winner.unwrap_or(Seat::FIRST)
    }

    /// Who is asked in this phase, whether they have answered or not.
    fn asked(&self) -> Seats {
        let both = |asks: &dyn Fn(Seat) -> bool| BOTH.into_iter().filter(|&seat| asks(seat)).collect();
        let winner = self.round_winner();
        match self.phase {
            Phase::Choose | Phase::Orient => Seats::first(2),
            Phase::AllLose => both(&|seat| !self.has_nothing(seat)),
            Phase::Exchange => both(&|seat| seat == winner || !self.has_nothing(seat)),
            Phase::Show | Phase::Draw => Seats::one(winner),
            Phase::Swap | Phase::LoserDrop => Seats::one(winner.other()),
            Phase::Reduce => both(&|seat| self.may_reduce(seat)),
            Phase::Over => Seats::NONE,
        }
    }

    /// Neither hand cards nor prisoners.
    fn has_nothing(&self, seat: Seat) -> bool {
        self.hand_size(seat) == 0 && self.prison[seat.index()].is_empty()
    }

    fn may_call(&self, seat: Seat) -> bool {
        let prison = &self.prison[seat.index()];
        let ranks = prison.iter().any(|card| card.high() != prison[0].high());
        prison.len() >= usize::from(self.call_size) && ranks
    }

    fn may_reduce(&self, seat: Seat) -> bool {
        let ace = self.prison[seat.index()].iter().any(|card| card.high() == 14);
        ace && !self.prison[seat.other().index()].is_empty()
    }

    /// All ordered pairs of hand cards.
    fn settings(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = &self.hands[seat.index()];
        for alpha in hand.distinct() {
            let twice = hand.iter().filter(|card| *card == alpha).count() > 1;
            let tags = hand.distinct().filter(|&tag| tag != alpha || twice);
            out.extend(tags.map(|tag| Move::Set(alpha, tag)));
        }
    }
}

impl Position for Asirim {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "asirim",
        name: "Prisoners (Asirim)",
        source: "cards 10",
        summary: "Bluff with two cards, take royal prisoners, call the end when ahead.",
        notation: "a word of the phase, such as `set A B`, `call`, `v`, `drop C`, `show`, `offer C`",
        example: "set KH 3C",
        file: include_str!("asirim.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        game.deck = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        for hand in &mut game.hands {
            hand.extend(game.deck.drain(..game.deck.len().min(DEALT)));
        }
        Ok(game)
    }

    fn turn(&self) -> Turn {
        let open = self.ballot.missing(self.asked());
        match (self.phase, open.lowest()) {
            (Phase::Over, _) => Turn::ranked(self.end),
            (Phase::Show | Phase::Swap | Phase::Draw | Phase::LoserDrop, Some(seat)) => Turn::One(seat),
            _ => Turn::Together(open),
        }
    }

    /// In the order of the rules; cards in canonical order.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = self.hands[seat.index()].distinct();
        let empty = self.hand_size(seat) == 0;
        let prison = |owner: Seat| self.prison[owner.index()].distinct();
        match self.phase {
            Phase::Choose => {
                if self.hand_size(seat) < 2 {
                    out.push(Move::Stuck);
                } else {
                    self.settings(seat, out);
                }
                if self.may_call(seat) {
                    out.push(Move::Call);
                }
            }
            Phase::Orient => out.extend([Move::Vertical, Move::Horizontal]),
            Phase::AllLose if empty => out.extend(prison(seat).map(Move::Free)),
            Phase::AllLose | Phase::LoserDrop => out.extend(hand.map(Move::Drop)),
            Phase::Show => out.extend([Move::Hide, Move::Show]),
            Phase::Exchange if seat == self.round_winner() => out.extend(hand.map(Move::Offer)),
            Phase::Exchange if empty => out.extend(prison(seat).map(Move::Give)),
            Phase::Exchange => out.extend(hand.map(Move::Give)),
            Phase::Swap => out.extend([Move::Swap, Move::Keep]),
            Phase::Draw => out.extend([Move::Draw, Move::Skip]),
            Phase::Reduce => out.extend(prison(seat.other()).map(Move::Reduce)),
            Phase::Over => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Some(chosen) = self.ballot.close(seat, *mv, self.asked()) {
            self.carry_out(&chosen);
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let score = |seat: Seat| Score::whole(self.totals[seat.index()]);
        Outcome::ranked(2, |seat| self.winner == Some(seat), score, reason)
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let piles = |at: usize| {
            let table = [seen.alpha[at].faces(), seen.tag[at].faces()].concat();
            [seen.hands[at].faces(), table, seen.prison[at].faces()]
        };
        let picture = by_seat(2, ["hand", "table", "prison"], piles);
        let picture = picture.cards("beta", seen.beta.faces()).caption(format!(
            "round {}, {}, {} cards in the deck",
            self.round,
            self.phase,
            self.deck.len()
        ));
        match self.winner.filter(|_| self.phase != Phase::Over) {
            Some(winner) => picture.caption(format!("seat {winner} has won the round")),
            None => picture,
        }
    }

    const HIDES_MOVES: bool = true;

    /// Tags, thrown cards and offers are not seen. An exchange is seen by the two who make it. An
    /// alpha is not seen if somebody is stuck, because then nothing is laid.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        if eyes.see_secrets_of(seat) {
            return mv.to_string();
        }
        let loser_chooses = !self.has_nothing(self.round_winner().other());
        match *mv {
            Move::Set(alpha, _) if BOTH.into_iter().all(|seat| self.hand_size(seat) >= 2) => {
                format!("set {alpha}")
            }
            Move::Set(..) => "set".to_owned(),
            Move::Drop(_) => "drop".to_owned(),
            Move::Offer(_) if eyes == Eyes::Spectator || !loser_chooses => "offer".to_owned(),
            Move::Give(_) if eyes == Eyes::Spectator && self.hand_size(seat) > 0 => "give".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl CardGame for Asirim {
    const MIXING: Mixing = Mixing::Twice;

    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let (call_size, round_cap) = (params.prison, params.round_cap);
        Asirim { round: 1, call_size, round_cap, chance, ..Default::default() }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hands).each(Sight::All, &mut self.alpha);
        let spread = spread.each(Sight::Owner, &mut self.tag).pile(Seats::NONE, &mut self.beta);
        spread.each(Sight::All, &mut self.prison).deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let mut phase = self.phase.to_string();
        facts.word(
            "phase",
            "What is decided: to `choose` alphas and tags, to `orient` them, what to lose (`all-lose`), to \
             `show` the tag, to `exchange` cards, to `swap`, to `draw`, to drop a card (`loser-drop`), to \
             `reduce` a prisoner; or the game is `over`.",
            &mut phase,
        );
        match phase.parse() {
            Ok(phase) => self.phase = phase,
            Err(_) => facts.refuse(format!("`phase`: `{phase}`")),
        }
        facts.fact("round", "Rounds begun.", &mut self.round);
        facts.fact(
            "winner",
            "The winner of the round; at the end, the winner of the game.",
            &mut self.winner,
        );
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.known("known", "hand", &mut self.hands);
        facts.fact("alpha", "The alpha of each seat.", &mut self.alpha);
        facts.fact("tag", "The tag of each seat; `null` is none, or one that you do not see.", &mut self.tag);
        self.put_down_tags();
        facts.fact("prison", "The prisoners of each seat.", &mut self.prison);
        facts.fact(
            "beta",
            "The beta, last card on top, `null` for a card that you do not know.",
            &mut self.beta,
        );
        facts.deck_size(&self.deck);
        facts.when(self.phase == Phase::Swap, |facts| {
            let winner = self.round_winner();
            facts.hide(winner, &mut self.offered);
            facts.fact("offered", "The card that the winner offers, if you see the card.", &mut self.offered);
            facts.hide(winner.other(), &mut self.taken);
            facts.fact("taken", "The card that the loser took, if you see the card.", &mut self.taken);
        });
        facts.when(self.phase == Phase::Over, |facts| {
            facts.note_word(
                "end",
                "How the game ended: by `call`, because a seat was `dead`, without cards to go on \
                 (`void`), or by the cap of rounds (`cap`).",
                self.end,
            );
        });
        facts.deck(&self.deck);
    }

    /// The loser who looks at a swap can but guess which of the winner's cards is offered.
    fn imagine_hidden(&mut self, unseen: Unseen) -> Result<(), String> {
        self.spread().turn_up(unseen)?;
        if self.phase == Phase::Swap {
            let hand = &self.hands[self.round_winner().index()];
            self.offered = Some(hand[self.chance.pick(hand.len())]);
        }
        Ok(())
    }
}

impl Asirim {
    /// A tag that is not seen lies beside its alpha, as long as its owner has not won and taken it.
    fn put_down_tags(&mut self) {
        for seat in BOTH {
            let taken = self.winner == Some(seat) && self.phase != Phase::Show;
            if self.alpha[seat.index()].is_some() && !taken {
                self.tag[seat.index()].get_or_insert(Card::BACK);
            }
        }
    }
}
