//! Karov Meod (Very Close), for two to six.
//!
//! A deck of 52 cards; three cards each, and `n` cards face down at positions 0, 1, … are the
//! *environment*. You win cards of it and *save* them; at the end the longest run of values among
//! the saved cards wins. The value of a card: 2 to 5 as printed; 6, 7, 8, 9, 10 count 1 to 5; J, Q,
//! K, A count 1 to 4. One card *beats* another if its value is higher; of equal values red beats
//! black, then diamonds beat hearts and clubs beat spades, then the higher printed rank. Played
//! cards go to the *beta*, an open pile.
//!
//! A round:
//!
//! 1. All seats with hand cards choose at once `bid C k`: hand card C for the card at position k. A
//!    seat that may bid on no position left (see 4) says `sit`. The bids and the cards they are for
//!    are turned up:
//!    - one bidder: if the environment card beats the bid it goes to the hand of the bidder, else
//!      to the beta. The bid goes to the beta;
//!    - several bidders: the bid whose value is nearest to that of the environment card wins it,
//!      among equally near ones the bid that beats the others. If the won card beats the winning
//!      bid the winner saves it, else it goes to the winner's hand. Of the other bidders, the one
//!      whose bid all others beat gets the best of these bids (with one other bidder: the own card
//!      back). The remaining bids go to the beta by seat.
//! 2. All who got a card in this last way choose at once: `save` it or take it to the `hand`.
//! 3. If everybody sat, the rest of the environment goes to the beta.
//! 4. An empty environment is filled again with `n` cards from the deck and then from the beta,
//!    which is shuffled first. If these do not suffice every seat with hand cards adds one of them
//!    face down, `env C`, all at once; nobody may bid on a card that they added themselves. After
//!    that every seat gets a card from the deck or else from the beta.
//! 5. In turn, every seat without hand cards may, once in the game, take a card of the beta: `take
//!    C`, or `wait`.
//!
//! Before a round, if at most one seat has hand cards, the saved cards are counted: the longest run
//! of consecutive values from 1 to 5; then, as `ties` says, the most cards of one value, the most
//! of one suit, and the number of cards. A single best seat wins. Otherwise seats without saved
//! cards are out, and if more than one is left all of them take a saved card back at once, `back
//! C`, and play on; a seat left alone wins.
//!
//! Places: those still in before those who are out, the later out the better, then by the count
//! above, also after `round_cap` rounds. Scores are the lengths of the runs.
//!
//! Source: card games, section 9. The higher printed rank as the last resort, that the winner's
//! card is not among "the rest", runs of folded values, refilling before taking, and a question
//! even if the beta is empty are our readings.

mod round;
#[cfg(test)]
mod tests;

use super::prelude::*;

params! {
    seats: u8 in 2..=6 = 2,
    /// Cards of the environment.
    n: u8 in 5..=52 = 5,
    /// What is counted when runs are equally long; any of the three, in this order.
    ties: Vec<Tie> of ..=3 = [Tie::Value, Tie::Suit, Tie::Count],
    /// The game is stopped after this many rounds.
    round_cap: u32 in 1..=100_000 = 100,
    /// The exact deck, first card on top; shuffled from the seed if it is not given.
    deck: Option<Deck> = None,
    /// Outcomes of the shuffles.
    chance: Option<Script> = None,
}

words! { enum Tie { Value = "value", Suit = "suit", Count = "count" } }

const DEALT: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KarovMeod {
    /// First card on top.
    deck: Vec<Card>,
    hands: Vec<Hand>,
    /// Saved cards.
    res: Vec<Hand>,
    /// By position, which stays the same when others are gone.
    env: Vec<Option<Site>>,
    /// Open, in order.
    beta: Vec<Card>,
    /// Who has taken a card of the beta.
    used: Seats,
    /// 0 = in, else the number of the count in which the seat went out.
    out: Vec<u8>,
    /// Cards that seats got for a lost bid and have not put away.
    got: Vec<Option<Card>>,
    phase: Phase,
    ballot: Ballot<Move>,
    /// Rounds begun.
    round: u32,
    size: usize,
    ties: Vec<Tie>,
    round_cap: u32,
    chance: Chance,
}

/// A face-down card, and who added it from their hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Site {
    card: Card,
    supplier: Option<Seat>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    #[default]
    Bid,
    Keep,
    /// Adding to the environment; remembers whether the beta was shuffled in this refill.
    Env {
        shuffled: bool,
    },
    Rescue(Seat),
    Back,
    Over(&'static str),
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move {
        "bid" Bid(Card, Amount),
        "sit" Sit,
        "save" Save,
        "hand" Hand,
        "env" Env(Card),
        "take" Take(Card),
        "wait" Wait,
        "back" Back(Card),
    }
}

/// Length of the longest run of consecutive values.
fn longest_run(cards: &[Card]) -> u8 {
    let (mut longest, mut here) = (0, 0);
    for value in 1..=5 {
        here = if cards.iter().any(|card| card.folded() == value) { here + 1 } else { 0 };
        longest = longest.max(here);
    }
    longest
}

fn most(cards: &[Card], alike: impl Fn(Card, Card) -> bool) -> u8 {
    cards.iter().map(|&one| cards.iter().filter(|&&card| alike(one, card)).count()).max().unwrap_or(0) as u8
}

/// What `keys` means.
const KEYS: &str = "What the places go by: the longest run of each seat, then what `ties` says.";

impl KarovMeod {
    fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.hands.len() as u8).map(Seat)
    }

    fn still_in(&self) -> impl Iterator<Item = Seat> {
        self.all().filter(|seat| self.out[seat.index()] == 0)
    }

    fn with_cards(&self) -> Seats {
        self.still_in().filter(|seat| !self.hands[seat.index()].is_empty()).collect()
    }

    /// Who is asked in this phase, whether they have answered or not.
    fn asked(&self) -> Seats {
        match self.phase {
            Phase::Bid | Phase::Env { .. } => self.with_cards(),
            Phase::Keep => self.all().filter(|seat| self.got[seat.index()].is_some()).collect(),
            Phase::Rescue(seat) => Seats::one(seat),
            Phase::Back => self.still_in().collect(),
            Phase::Over(_) => Seats::NONE,
        }
    }

    /// Positions that a seat may bid on.
    fn open_to(&self, seat: Seat) -> impl Iterator<Item = usize> {
        let sites = self.env.iter().enumerate();
        sites.filter(move |(_, site)| site.is_some_and(|site| site.supplier != Some(seat))).map(|(at, _)| at)
    }

    fn key(&self, seat: Seat) -> Vec<u8> {
        let saved: Vec<Card> = self.res[seat.index()].iter().collect();
        let ties = self.ties.iter().map(|tie| match tie {
            Tie::Value => most(&saved, |a, b| a.folded() == b.folded()),
            Tie::Suit => most(&saved, |a, b| a.suit() == b.suit()),
            Tie::Count => saved.len() as u8,
        });
        std::iter::once(longest_run(&saved)).chain(ties).collect()
    }

    fn carry_out(&mut self, chosen: &Ballot<Move>) {
        match self.phase {
            Phase::Bid => self.resolve(chosen),
            Phase::Keep => self.put_away(chosen),
            Phase::Env { shuffled } => self.add_to_env(chosen, shuffled),
            Phase::Rescue(seat) => self.rescue(seat, chosen.of(seat).copied()),
            Phase::Back => self.take_back(chosen),
            Phase::Over(_) => {}
        }
    }

    fn word(&self) -> &'static str {
        match self.phase {
            Phase::Bid => "bid",
            Phase::Keep => "keep",
            Phase::Env { .. } => "env",
            Phase::Rescue(_) => "rescue",
            Phase::Back => "back",
            Phase::Over(_) => "over",
        }
    }
}

impl Position for KarovMeod {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "karov-meod",
        name: "Very Close (Karov Meod)",
        source: "cards 9",
        seats: (2, 6),
        summary: "Bid cards near to hidden ones; save the longest run of values.",
        notation: "`bid C k` (card, position), `sit`, `save`, `hand`, `env C`, `take C`, `wait` or `back C`",
        example: "bid 5H 2",
        file: include_str!("karov_meod.rs"),
        ..CARDS
    };

    fn start(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        let ordered = params.ties.windows(2).all(|pair| pair[0] < pair[1]);
        require(ordered, "ties", || "each at most once, in the order value, suit, count".into())?;
        let mut game = Self::blank(params, Chance::scripted(seed, params.chance.as_ref()));
        let mut deck = Self::pack(params).without_jokers()?.shuffled(&mut game.chance);
        for hand in &mut game.hands {
            hand.extend(deck.drain(..deck.len().min(DEALT)));
        }
        let env = deck.drain(..deck.len().min(params.n.into()));
        game.env = env.map(|card| Some(Site { card, supplier: None })).collect();
        game.deck = deck;
        game.begin_round();
        require(!game.turn().is_over(), "deck", || "with these cards the game is over at once".into())?;
        Ok(game)
    }

    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Over(reason) => Turn::ranked(reason),
            Phase::Rescue(seat) => Turn::One(seat),
            _ => Turn::Together(self.ballot.missing(self.asked())),
        }
    }

    /// Cards in canonical order, each with the positions from 0.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let hand = self.hands[seat.index()].distinct();
        match self.phase {
            Phase::Bid => {
                for card in hand {
                    out.extend(self.open_to(seat).map(|at| Move::Bid(card, Amount(at as u8))));
                }
                if out.is_empty() {
                    out.push(Move::Sit);
                }
            }
            Phase::Keep => out.extend([Move::Save, Move::Hand]),
            Phase::Env { .. } => out.extend(hand.map(Move::Env)),
            Phase::Rescue(_) => {
                let beta: Hand = self.beta.iter().copied().collect();
                out.extend(beta.distinct().map(Move::Take));
                out.push(Move::Wait);
            }
            Phase::Back => out.extend(self.res[seat.index()].distinct().map(Move::Back)),
            Phase::Over(_) => {}
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Some(chosen) = self.ballot.close(seat, *mv, self.asked()) {
            self.carry_out(&chosen);
        }
    }

    fn rank(&self, reason: &'static str) -> Outcome {
        let last_out = |seat: Seat| match self.out[seat.index()] {
            0 => u8::MAX,
            number => number,
        };
        let score = |seat: Seat| Score::whole(i32::from(self.key(seat)[0]));
        Outcome::ranked(self.seats(), |seat| (last_out(seat), self.key(seat)), score, reason)
    }

    /// As at the cap.
    fn outcome_if_stopped(&self) -> Option<Outcome> {
        Some(self.rank("round_cap"))
    }

    fn show(&self, view: &mut View) {
        self.show_facts(view);
        let referee = view.eyes == Eyes::Referee;
        view.when(self.turn().is_over() || referee, |view| {
            let keys = self.all().map(|seat| self.key(seat)).collect::<Vec<_>>();
            view.each("keys", KEYS, &keys);
        });
        view.when(referee, |view| view.put("deck", DECK_OF_REFEREE, &self.deck));
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let seen = self.seen_by(eyes);
        let piles = |at: usize| [seen.hands[at].faces(), seen.res[at].faces()];
        let picture = by_seat(self.hands.len(), ["hand", "saved"], piles);
        let places = self.env.iter().enumerate().filter(|(_, site)| site.is_some());
        let free: Vec<String> = places.map(|(at, _)| at.to_string()).collect();
        let picture = picture
            .cards("environment", seen.env.iter().flatten().map(|site| site.card.face()))
            .cards("beta", self.beta.faces())
            .caption(format!("round {}, {} cards in the deck", self.round, self.deck.len()))
            .caption(format!("{} by seats {}", self.word(), listed(self.asked())));
        // Long lists of positions go on in the next line.
        free.chunks(20).enumerate().fold(picture, |picture, (row, part)| {
            picture.caption(format!(
                "{} {}",
                if row == 0 { "positions" } else { "         " },
                part.join(" ")
            ))
        })
    }

    const HIDES_MOVES: bool = true;

    /// What is added to the environment or taken back from the saved cards is not seen.
    fn heard(&self, seat: Seat, mv: &Move, eyes: Eyes) -> String {
        match mv {
            Move::Env(_) if !eyes.see_secrets_of(seat) => "env".to_owned(),
            Move::Back(_) if !eyes.see_secrets_of(seat) => "back".to_owned(),
            _ => mv.to_string(),
        }
    }
}

impl CardGame for KarovMeod {
    const MIXING: Mixing = Mixing::Twice;

    fn pack(params: &Params) -> Pack<'_> {
        Pack::new(params.deck.as_ref(), Card::deck52())
    }

    fn blank(params: &Params, chance: Chance) -> Self {
        let seats = params.seats as usize;
        KarovMeod {
            hands: vec![Hand::default(); seats],
            res: vec![Hand::default(); seats],
            out: vec![0; seats],
            got: vec![None; seats],
            size: params.n.into(),
            ties: params.ties.clone(),
            round_cap: params.round_cap,
            chance,
            ..Default::default()
        }
    }

    fn spread(&mut self) -> Spread<'_> {
        let spread = Spread::default().each(Sight::Owner, &mut self.hands).each(Sight::Owner, &mut self.res);
        let mut spread = spread.open(&mut self.beta).each(Sight::All, &mut self.got);
        for site in self.env.iter_mut().flatten() {
            spread = spread.pile(site.supplier.map_or(Seats::NONE, Seats::one), &mut site.card);
        }
        spread.deck(&mut self.deck).chance(&mut self.chance)
    }

    fn facts(&mut self, facts: &mut Facts) {
        let mut word = self.word().to_owned();
        facts.word(
            "phase",
            "What is decided: a `bid`, what to `keep`, what to add to the environment (`env`), a card of the \
             beta for a seat without cards (`rescue`), a saved card to take `back`; or the game is `over`.",
            &mut word,
        );
        facts.fact("round", "Rounds begun.", &mut self.round);
        let asked = facts.asked(self.asked());
        facts.own("hand", "The hand of each seat.", &mut self.hands);
        facts.known("hand_known", "hand", &mut self.hands);
        facts.own("res", "The saved cards of each seat.", &mut self.res);
        facts.known("res_known", "res", &mut self.res);
        self.env_facts(facts);
        facts.fact("beta", "The beta, in order.", &mut self.beta);
        let mut used: Vec<bool> = self.all().map(|seat| self.used.contains(seat)).collect();
        facts.each("used", "Has each seat taken a card of the beta?", &mut used);
        self.used = self.all().zip(used).filter(|&(_, used)| used).map(|(seat, _)| seat).collect();
        let out = "The number of the count in which each seat went out; 0 is in.";
        facts.each("out", out, &mut self.out);
        let got = "The card that each seat got for a lost bid and has not put away.";
        facts.each("got", got, &mut self.got);
        facts.deck_size(&self.deck);
        let mut shuffled = matches!(self.phase, Phase::Env { shuffled: true });
        facts.when(word == "env", |facts| {
            facts.fact("shuffled", "Was the beta shuffled for this environment?", &mut shuffled);
        });
        self.phase = match (word.as_str(), asked.lowest()) {
            ("bid", _) => Phase::Bid,
            ("keep", _) => Phase::Keep,
            ("env", _) => Phase::Env { shuffled },
            ("rescue", Some(seat)) => Phase::Rescue(seat),
            ("back", _) => Phase::Back,
            _ => Phase::Over("over"),
        };
    }
}

impl KarovMeod {
    /// The environment by position, and who added which card.
    fn env_facts(&mut self, facts: &mut Facts) {
        let mut cards: Vec<Option<Held>> =
            self.env.iter().map(|site| site.map(|site| site.card.into())).collect();
        let mut suppliers: Vec<Option<Seat>> =
            self.env.iter().map(|site| site.and_then(|site| site.supplier)).collect();
        facts.by_place(
            "env",
            "The environment: the card at each position, `null` for a card that you do not see.",
            &mut cards,
        );
        facts.by_place("supplier", "Who added the card at a position from their hand.", &mut suppliers);
        suppliers.resize(cards.len(), None);
        let sites = cards.into_iter().zip(suppliers);
        self.env = sites.map(|(card, supplier)| Some(Site { card: card?.card, supplier })).collect();
    }
}
