//! Bots that know the rules and look ahead.
//!
//! In a game of open information, the bot keeps the position itself. The bot starts from the
//! parameters and follows the moves that the arena reports. With hidden cards, the bot imagines
//! positions that fit its view.

use super::Options;
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use rules::{Hidden, HiddenVisitor, Outcome, Seat, Seed};
use search::{Algorithm, Budget, Engine, Found, WIN};
use std::time::{Duration, Instant};

/// How a searcher finds its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// Looks one ply ahead. With hidden cards, plays random games.
    Greedy,
    /// Searches to depth 1, 2, 3, ….
    Deepening(Algorithm),
    /// Monte Carlo tree search.
    Sampling,
}

/// The default depth in plies, where no limit is given.
pub(super) const USUAL_DEPTH: u32 = 4;
/// The default depth of `strong`, whose nodes are the limit.
const USUAL_STRONG_DEPTH: u32 = 100;
/// The default number of rounds of `mcts`.
const USUAL_ITERATIONS: u64 = 2_000;
/// The number of positions imagined for each move of a card game.
const IMAGINED_POSITIONS: usize = 12;
/// A random game that lasts longer counts as even.
const PLAYOUT_PLIES: usize = 400;

/// A bot that looks ahead in any game.
pub struct Searcher {
    approach: Approach,
    options: Options,
    thinker: Option<Box<dyn Thinker>>,
}

/// The part of a [`Searcher`] that knows the game.
trait Thinker {
    /// Plays the moves that were reported.
    fn follow(&mut self, turn: &Turn);
    fn think(&mut self, turn: &Turn) -> Move;
}

impl Searcher {
    pub fn new(approach: Approach, options: Options) -> Searcher {
        Searcher { approach, options, thinker: None }
    }

    fn following(&self, mut engine: Box<dyn Engine>, game: &Game) -> Box<dyn Thinker> {
        engine.set_table(self.options.table as usize);
        let dice = Dice::new(game.bot_seed);
        Box::new(Following { engine, dice, approach: self.approach, options: self.options })
    }

    /// Follows the game while another strategy decides.
    pub(super) fn follow(&mut self, turn: &Turn) {
        if let Some(thinker) = &mut self.thinker {
            thinker.follow(turn);
        }
    }
}

impl Strategy for Searcher {
    fn start(&mut self, game: &Game) {
        self.thinker = match search::engine(&game.game, &game.params) {
            Some(engine) => engine.ok().map(|engine| self.following(engine, game)),
            None => rules::visit_hidden(&game.game, ThinkerSeating(game)).flatten(),
        };
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        match &mut self.thinker {
            Some(thinker) => thinker.think(turn),
            // The bot does not know the game: play a legal move anyway.
            None => Move::new(turn.legal.first().cloned().unwrap_or_default()),
        }
    }
}

/// Makes a thinker of the right type for a game with hidden cards.
struct ThinkerSeating<'a>(&'a Game);

impl HiddenVisitor for ThinkerSeating<'_> {
    type Output = Option<Box<dyn Thinker>>;

    fn visit<P: Hidden>(self) -> Self::Output {
        let params = rules::read_params::<P::Params>(&self.0.params).ok()?;
        let dice = Dice::new(self.0.bot_seed);
        Some(Box::new(Imagining::<P> { params, seat: Seat(self.0.seat), dice }))
    }
}

/// Follows a game of open information move by move.
struct Following {
    engine: Box<dyn Engine>,
    dice: Dice,
    approach: Approach,
    options: Options,
}

impl Thinker for Following {
    fn follow(&mut self, turn: &Turn) {
        for event in turn.events.iter().filter(|event| event.kind == "move") {
            // The referee has checked the move.
            let _ = self.engine.play(&event.mv);
        }
    }

    fn think(&mut self, turn: &Turn) -> Move {
        self.follow(turn);
        match self.approach {
            Approach::Greedy => self.greedy(),
            Approach::Deepening(algorithm) => self.deepen(turn, algorithm),
            Approach::Sampling => self.sample(turn),
        }
    }
}

impl Following {
    /// Converts values for MAX to values for the mover.
    fn sign(&self) -> i32 {
        if self.engine.max_to_move() { 1 } else { -1 }
    }

    fn greedy(&mut self) -> Move {
        let (value, best) = self.engine.greedy();
        let text = self.dice.choose(&best).cloned().unwrap_or_default();
        let score = f64::from(self.sign() * value);
        let info = Search { depth: Some(1), score: Some(score), ..Search::default() };
        Move { info: Some(info.into()), ..Move::new(text) }
    }

    fn deepen(&mut self, turn: &Turn, algorithm: Algorithm) -> Move {
        let usual = if algorithm == Algorithm::Strong { USUAL_STRONG_DEPTH } else { USUAL_DEPTH };
        let (depth, nodes) = (self.options.depth_or(usual), self.options.most_nodes());
        let budget = self.budget(turn, nodes);
        let found = self.engine.deepen(algorithm, depth, &budget);
        report(found, self.engine.max_to_move())
    }

    /// The limits of a search. Unless a time is given, the nodes decide, so that a game can be
    /// repeated. The clock of the match is a safety net.
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
        let sampled = self.engine.sample(rounds, self.dice.number(), &budget);
        let sign = self.sign();
        let info = Search {
            nodes: Some(sampled.nodes),
            leaves: Some(sampled.games),
            score: Some(f64::from(sign) * sampled.mean),
            proven: sampled.proven.map(|result| match sign * result {
                1 => Proven::Win,
                -1 => Proven::Loss,
                _ => Proven::Draw,
            }),
            pv: Some(sampled.line.clone()),
            ..Search::default()
        };
        advised(sampled.line, info)
    }
}

/// The advice of a search, with everything that the search reports.
pub(super) fn report(found: Found<String>, for_max: bool) -> Move {
    let info = Search {
        depth: Some(found.depth),
        nodes: Some(found.count.nodes),
        leaves: Some(found.count.leaves),
        cutoffs: Some(found.count.alpha_cuts + found.count.beta_cuts),
        score: Some(f64::from(if for_max { found.value } else { -found.value })),
        proven: proven(found.value, for_max),
        pv: Some(found.line.clone()),
        ..Search::default()
    };
    advised(found.line, info)
}

/// A move with its report: the first move of a line.
fn advised(line: Vec<String>, info: Search) -> Move {
    Move { info: Some(info.into()), ..Move::new(line.into_iter().next().unwrap_or_default()) }
}

/// The processor time of this thread so far.
fn cpu_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map_or(Duration::MAX / 2, Duration::from)
}

/// A value beyond every evaluation means that the search reached the end of the game.
fn proven(value: i32, for_max: bool) -> Option<Proven> {
    match value {
        WIN.. => Some(if for_max { Proven::Win } else { Proven::Loss }),
        value if value <= -WIN => Some(if for_max { Proven::Loss } else { Proven::Win }),
        _ => None,
    }
}

/// Tries every move in some imagined positions, and plays on at random.
struct Imagining<P: Hidden> {
    params: P::Params,
    seat: Seat,
    dice: Dice,
}

impl<P: Hidden> Thinker for Imagining<P> {
    /// The view of a turn says everything, so there is nothing to follow.
    fn follow(&mut self, _turn: &Turn) {}

    fn think(&mut self, turn: &Turn) -> Move {
        let seeds: Vec<Seed> =
            (0..IMAGINED_POSITIONS).map(|_| Seed::from_number(self.dice.number())).collect();
        let view = turn.view();
        let positions: Vec<P> = seeds
            .into_iter()
            .filter_map(|seed| P::imagine(&self.params, &view, self.seat, seed).ok())
            .collect();
        let mut best: (f64, &str) = (f64::NEG_INFINITY, turn.legal.first().map_or("", String::as_str));
        for text in &turn.legal {
            let Ok(mv) = text.parse::<P::Move>() else { continue };
            let total: f64 = positions.iter().map(|position| self.finish(position.clone(), &mv)).sum();
            if total > best.0 {
                best = (total, text);
            }
        }
        let info = Search { depth: Some(1), ..Search::default() };
        Move { info: Some(info.into()), ..Move::new(best.1) }
    }
}

impl<P: Hidden> Imagining<P> {
    /// The result of one random game after this move for the bot: 1 is best, 0 is worst, and points
    /// break ties.
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
        let Some(outcome) = Outcome::of(&game) else { return 0.5 };
        let score = outcome.scores()[self.seat.index()].as_f64();
        let place = f64::from(outcome.places()[self.seat.index()] - 1);
        1.0 - place / f64::from(game.seats()) + score / 1_000.0
    }
}
