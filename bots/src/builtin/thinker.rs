//! Bots that know the rules and look ahead.
//!
//! In a game of open information the bot keeps the position itself: it starts from the parameters and follows the
//! moves that the arena reports. With hidden cards it imagines positions that fit its view.

use super::Options;
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use rules::{Duel, DuelVisitor, Hidden, HiddenVisitor, Seat, Seed};
use search::{Budget, Found, Strong, Tree, WIN, alpha_beta, deepen_counting, greedy, mcts, minimax, negamax};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Greedy,
    Minimax,
    Negamax,
    AlphaBeta,
    Strong,
    Mcts,
}

/// Plies, where no limit is given.
pub(super) const USUAL_DEPTH: u32 = 4;
/// Of `strong`, where its nodes are the limit.
const USUAL_STRONG_DEPTH: u32 = 100;
/// Rounds of `mcts`.
const USUAL_ITERATIONS: u64 = 2_000;
/// Positions imagined for each move of a card game.
const DREAMS: usize = 12;
/// A random game is given up as even after this many plies.
const PLAYOUT_PLIES: usize = 400;

/// A bot with an algorithm for whichever game is announced.
pub struct Searcher {
    algorithm: Algorithm,
    options: Options,
    thinker: Option<Box<dyn Thinker>>,
}

/// The typed half of a [`Searcher`].
trait Thinker {
    /// Makes the moves that were reported.
    fn follow(&mut self, turn: &Turn);
    fn think(&mut self, turn: &Turn) -> Move;
}

impl Searcher {
    pub fn new(algorithm: Algorithm, options: Options) -> Searcher {
        Searcher { algorithm, options, thinker: None }
    }

    /// Keeps up with the game while somebody else decides.
    pub(super) fn follow(&mut self, turn: &Turn) {
        if let Some(thinker) = &mut self.thinker {
            thinker.follow(turn);
        }
    }
}

impl Strategy for Searcher {
    fn start(&mut self, game: &Game) {
        let seating = Seating { algorithm: self.algorithm, options: self.options, game: game.clone() };
        self.thinker = rules::visit_duel(&game.game, &game.params, seating.clone())
            .or_else(|| rules::visit_hidden(&game.game, seating))
            .flatten();
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        match &mut self.thinker {
            Some(thinker) => thinker.think(turn),
            // A game this bot does not know: still a legal move.
            None => Move::new(turn.legal.first().cloned().unwrap_or_default()),
        }
    }
}

/// Sits a thinker of the right type down at a game.
#[derive(Clone)]
struct Seating {
    algorithm: Algorithm,
    options: Options,
    game: Game,
}

impl DuelVisitor for Seating {
    type Output = Option<Box<dyn Thinker>>;

    fn visit<P: Duel>(self) -> Self::Output {
        let params = rules::read_params::<P::Params>(&self.game.params).ok()?;
        let position = P::start(&params, Seed::from_number(0)).ok()?;
        let dice = Dice::new(self.game.bot_seed);
        let strong = Strong::new(self.options.table as usize);
        Some(Box::new(Following { position, dice, strong, algorithm: self.algorithm, options: self.options }))
    }
}

impl HiddenVisitor for Seating {
    type Output = Option<Box<dyn Thinker>>;

    fn visit<P: Hidden>(self) -> Self::Output {
        let params = rules::read_params::<P::Params>(&self.game.params).ok()?;
        let dice = Dice::new(self.game.bot_seed);
        Some(Box::new(Imagining::<P> { params, seat: Seat(self.game.seat), dice }))
    }
}

/// Follows an open game move by move.
struct Following<P: Duel> {
    position: P,
    dice: Dice,
    /// Remembers positions from one move to the next.
    strong: Strong<P>,
    algorithm: Algorithm,
    options: Options,
}

impl<P: Duel> Thinker for Following<P> {
    fn follow(&mut self, turn: &Turn) {
        for event in turn.events.iter().filter(|event| event.kind == "move") {
            if let Ok(mv) = event.mv.parse::<P::Move>() {
                self.position.play(Seat(event.seat), &mv);
            }
        }
    }

    fn think(&mut self, turn: &Turn) -> Move {
        self.follow(turn);
        match self.algorithm {
            Algorithm::Greedy => self.greedy(),
            Algorithm::Minimax => self.deepen(turn, minimax),
            Algorithm::Negamax => self.deepen(turn, negamax),
            Algorithm::AlphaBeta => self.deepen(turn, alpha_beta),
            Algorithm::Strong => {
                let (depth, nodes) = (self.options.depth_or(USUAL_STRONG_DEPTH), self.options.most_nodes());
                let found = self.strong.deepen(&self.position, depth, &self.budget(turn, nodes));
                self.report(&found)
            }
            Algorithm::Mcts => self.sample(turn),
        }
    }
}

impl<P: Duel> Following<P> {
    fn greedy(&mut self) -> Move {
        let (value, best) = greedy(&self.position);
        let text = self.dice.choose(&best).map(ToString::to_string).unwrap_or_default();
        let score = if self.position.max_to_move() { value } else { -value };
        let info = Search { depth: Some(1), score: Some(f64::from(score)), ..Search::default() };
        Move { info: Some(info.into()), ..Move::new(text) }
    }

    fn deepen(
        &self,
        turn: &Turn,
        search: impl Fn(&P, u32, &Budget) -> Result<Found<P::Move>, search::OutOfBudget>,
    ) -> Move {
        let (depth, nodes) = (self.options.depth_or(USUAL_DEPTH), self.options.most_nodes());
        let deepened = deepen_counting(&self.position, depth, &self.budget(turn, nodes), search);
        let mut found = deepened.found;
        // A search that came to its end has the counts of a textbook. One that was stopped tells all it did.
        if deepened.stopped {
            found.count = deepened.all;
        }
        self.report(&found)
    }

    /// Unless a time is given the nodes decide, so that a game can be repeated; the clock of the match is a safety net.
    fn budget(&self, turn: &Turn, nodes: u64) -> Budget {
        let patience = u64::midpoint(turn.clock.move_ms, turn.clock.bank_ms / 20);
        let ms = self.options.ms.map_or(patience, |ms| ms.min(patience));
        let budget = Budget::nodes(nodes).until(Instant::now() + Duration::from_millis(ms));
        match self.options.cpu_ms {
            None => budget,
            Some(ms) => {
                let end = cpu_time() + Duration::from_millis(ms);
                budget.stop_when(move || cpu_time() >= end)
            }
        }
    }

    fn sample(&mut self, turn: &Turn) -> Move {
        let budget = self.budget(turn, u64::MAX);
        let rounds = self.options.iterations_or(USUAL_ITERATIONS);
        let sampled = mcts(&self.position, rounds, self.dice.number(), &budget);
        let sign = if self.position.max_to_move() { 1 } else { -1 };
        let info = Search {
            nodes: Some(sampled.nodes),
            leaves: Some(sampled.games),
            score: Some(f64::from(sign) * sampled.mean),
            proven: sampled.proven.map(|result| match sign * result {
                1 => Proven::Win,
                -1 => Proven::Loss,
                _ => Proven::Draw,
            }),
            pv: Some(sampled.line.iter().map(ToString::to_string).collect()),
            ..Search::default()
        };
        Move {
            info: Some(info.into()),
            ..Move::new(sampled.line.first().map(ToString::to_string).unwrap_or_default())
        }
    }

    fn report(&self, found: &Found<P::Move>) -> Move {
        let info = Search {
            depth: Some(found.depth),
            nodes: Some(found.count.nodes),
            leaves: Some(found.count.leaves),
            cutoffs: Some(found.count.alpha_cuts + found.count.beta_cuts),
            score: Some(f64::from(if self.position.max_to_move() { found.value } else { -found.value })),
            proven: proven(found.value, self.position.max_to_move()),
            pv: Some(found.line.iter().map(ToString::to_string).collect()),
            ..Search::default()
        };
        Move {
            info: Some(info.into()),
            ..Move::new(found.advice().map(ToString::to_string).unwrap_or_default())
        }
    }
}

/// The processor time of this thread so far.
fn cpu_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map_or(Duration::MAX / 2, Duration::from)
}

/// A value beyond every evaluation is a game that was played to its end.
pub(super) fn proven(value: i32, for_max: bool) -> Option<Proven> {
    match value {
        WIN.. => Some(if for_max { Proven::Win } else { Proven::Loss }),
        value if value <= -WIN => Some(if for_max { Proven::Loss } else { Proven::Win }),
        _ => None,
    }
}

/// Tries every move in some imagined positions and plays on at random.
struct Imagining<P: Hidden> {
    params: P::Params,
    seat: Seat,
    dice: Dice,
}

impl<P: Hidden> Thinker for Imagining<P> {
    /// The view says it all.
    fn follow(&mut self, _turn: &Turn) {}

    fn think(&mut self, turn: &Turn) -> Move {
        let seeds: Vec<Seed> = (0..DREAMS).map(|_| Seed::from_number(self.dice.number())).collect();
        let view = turn.view();
        let dreams: Vec<P> = seeds
            .into_iter()
            .filter_map(|seed| P::imagine(&self.params, &view, self.seat, seed).ok())
            .collect();
        let mut best: (f64, &str) = (f64::NEG_INFINITY, turn.legal.first().map_or("", String::as_str));
        for text in &turn.legal {
            let Ok(mv) = text.parse::<P::Move>() else { continue };
            let total: f64 = dreams.iter().map(|dream| self.finish(dream.clone(), &mv)).sum();
            if total > best.0 {
                best = (total, text);
            }
        }
        let info = Search { depth: Some(1), ..Search::default() };
        Move { info: Some(info.into()), ..Move::new(best.1) }
    }
}

impl<P: Hidden> Imagining<P> {
    /// How one random game after this move ends for the bot: 1 is best, 0 worst, and more points break ties.
    fn finish(&mut self, mut game: P, mv: &P::Move) -> f64 {
        game.play(self.seat, mv);
        let mut moves = Vec::new();
        for _ in 0..PLAYOUT_PLIES {
            let Some(seat) = game.turn().seats().lowest() else { break };
            moves.clear();
            game.moves(seat, &mut moves);
            let Some(choice) = self.dice.choose(&moves) else { break };
            game.play(seat, choice);
        }
        let Some(outcome) = game.outcome() else { return 0.5 };
        let score = outcome.scores()[self.seat.index()].as_f64();
        let place = f64::from(outcome.places()[self.seat.index()] - 1);
        1.0 - place / f64::from(game.seats()) + score / 1_000.0
    }
}
