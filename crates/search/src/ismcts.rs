//! Information-set Monte Carlo tree search: looking ahead without knowing everything.
//!
//! Every iteration imagines a position that the searcher cannot tell from the true position. The
//! iteration walks down the trees from there, plays on at random, and remembers how the game ended.
//! ```text
//! imagine --> walk down the trees --> one new arm --> random game --> values back up the walk
//! ```
//! Each seat has a tree of its own (the "multiple observer" kind). A node stands for what its seat
//! has heard since the root. So no choice depends on a face-down card or on a decision that is made
//! at the same time. Which moves are legal varies with the imagined cards. An arm competes only
//! where it is legal, and its bonus counts how often the arm could have been taken, not how often
//! the node was met. Without hidden information, all of this is plain UCT.

use crate::budget::{Budget, OutOfBudget};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rules::{Eyes, Outcome, Position, Seat, Seed};
use std::cmp::Ordering;
use std::collections::HashMap;

/// The weight of the points in a value. Points decide where places are equal.
const POINTS_WEIGHT: f64 = 0.1;
/// A lead of this many points is worth half of the best possible lead.
const POINTS_SCALE: f64 = 10.0;

/// How much work to spend on a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of games imagined for one move.
    pub iterations: u32,
    /// The weight of the bonus for arms that were rarely tried, relative to values from 0 to 1.
    pub exploration: f64,
    /// A random game is stopped after this many plies. Its value is the result so far, or even if
    /// the rules give none.
    pub playout_plies: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { iterations: 400, exploration: 0.7, playout_plies: 150 }
    }
}

/// What the search found.
#[derive(Clone, Debug, PartialEq)]
pub struct IsmctsAdvice<M> {
    pub mv: M,
    /// The mean value of the games that began with the move: the share of opponents left behind,
    /// and a little for points. With one seat, the points.
    pub value: f64,
    /// How often the move was tried.
    pub visits: u32,
    /// The number of imagined games.
    pub iterations: u32,
    /// The number of arms in all trees.
    pub nodes: u64,
}

/// Chooses a move for a seat that has to decide.
///
/// `imagine` gives a random position that fits what the seat knows. The same seed gives the same
/// advice as long as the budget lasts. If the budget runs out, the search ends early. `None` if no
/// position could be imagined.
pub fn ismcts<P: Position>(
    seat: Seat,
    settings: &Settings,
    seed: u64,
    budget: &Budget,
    mut imagine: impl FnMut(Seed) -> Option<P>,
) -> Option<IsmctsAdvice<P::Move>> {
    let mut search = IsmctsRun::new(seat, *settings, seed);
    for _ in 0..settings.iterations {
        let position_seed = Seed::from_number(search.dice.next_u64());
        let Some(game) = imagine(position_seed) else { continue };
        if search.iterate(game, budget).is_err() {
            break;
        }
    }
    search.advice()
}

struct IsmctsRun<P: Position> {
    seat: Seat,
    settings: Settings,
    dice: ChaCha8Rng,
    /// By seat. The trees are made when the first position is imagined.
    trees: Vec<SeatTree<P::Move>>,
    iterations: u32,
    moves: Vec<P::Move>,
}

/// One seat's tree. The first node is the root.
struct SeatTree<M> {
    nodes: Vec<IsmctsNode<M>>,
    /// The lowest and the highest value that this seat has met.
    range: (f64, f64),
}

/// A situation as one seat knows it, and what the seat may do there.
struct IsmctsNode<M> {
    arms: HashMap<M, Arm>,
    children: HashMap<HeardMove, usize>,
}

/// Who moved, and what a seat heard about the move.
type HeardMove = (Seat, String);

#[derive(Clone, Copy, Default)]
struct Arm {
    visits: u32,
    /// How often the arm could have been taken.
    available: u32,
    total: f64,
}

/// The walk down the trees in one iteration.
struct TreeWalk<M> {
    /// The node of each seat in its tree.
    at: Vec<usize>,
    /// The decisions taken: the seat, the node in its tree, and the move.
    steps: Vec<(Seat, usize, M)>,
    /// Decisions of seats that decide together, as each seat will hear them. They are announced
    /// when all have decided.
    pending: Vec<(Seat, Vec<String>)>,
}

impl<P: Position> IsmctsRun<P> {
    fn new(seat: Seat, settings: Settings, seed: u64) -> Self {
        let dice = ChaCha8Rng::seed_from_u64(seed);
        IsmctsRun { seat, settings, dice, trees: Vec::new(), iterations: 0, moves: Vec::new() }
    }

    fn iterate(&mut self, mut game: P, budget: &Budget) -> Result<(), OutOfBudget> {
        let seats = game.seats() as usize;
        self.trees.resize_with(seats, SeatTree::new);
        let mut walk = TreeWalk { at: vec![0; seats], steps: Vec::new(), pending: Vec::new() };
        let mut grown = false;
        while !grown {
            let Some(decider) = self.decider(&game) else { break };
            budget.spend()?;
            grown = self.step(&mut game, decider, &mut walk);
        }
        self.iterations += 1;
        let values = self.play_out(game, budget)?;
        for (seat, node, mv) in walk.steps {
            self.trees[seat.index()].learn(node, &mv, values[seat.index()]);
        }
        Ok(())
    }

    /// The seat that decides next. Of several seats that decide together, the searcher is first.
    /// None of them hears of the others' decisions.
    fn decider(&self, game: &P) -> Option<Seat> {
        let seats = game.turn().seats();
        if seats.contains(self.seat) { Some(self.seat) } else { seats.lowest() }
    }

    /// Takes one decision in the trees. Returns whether the arm was new.
    fn step(&mut self, game: &mut P, decider: Seat, walk: &mut TreeWalk<P::Move>) -> bool {
        self.moves.clear();
        game.moves(decider, &mut self.moves);
        let node = walk.at[decider.index()];
        let tree = &mut self.trees[decider.index()];
        let (mv, new) = tree.select(node, &self.moves, self.settings.exploration, &mut self.dice);
        self.tell(game, decider, &mv, walk);
        game.play(decider, &mv);
        walk.steps.push((decider, node, mv));
        new
    }

    /// Moves every seat to the node that stands for what the seat has heard now.
    fn tell(&mut self, game: &P, decider: Seat, mv: &P::Move, walk: &mut TreeWalk<P::Move>) {
        let listeners = (0..game.seats()).map(|listener| Eyes::Seat(Seat(listener)));
        walk.pending.push((decider, listeners.map(|eyes| game.heard(decider, mv, eyes)).collect()));
        if !game.turn().seats().without(decider).is_empty() {
            return;
        }
        walk.pending.sort_by_key(|(seat, _)| *seat);
        for (seat, heard) in walk.pending.drain(..) {
            for ((tree, at), text) in self.trees.iter_mut().zip(&mut walk.at).zip(heard) {
                *at = tree.child(*at, (seat, text));
            }
        }
    }

    /// Plays on at random. Returns what the game is worth to each seat.
    fn play_out(&mut self, mut game: P, budget: &Budget) -> Result<Vec<f64>, OutOfBudget> {
        for _ in 0..self.settings.playout_plies {
            let Some(seat) = game.turn().seats().lowest() else { break };
            budget.spend()?;
            let dice = &mut self.dice;
            let mv = game.choose_move(seat, &mut self.moves, |count| below(dice, count));
            game.play(seat, &mv);
        }
        let seats = game.seats();
        Ok(match Outcome::of(&game).or_else(|| game.outcome_if_stopped()) {
            Some(outcome) => (0..seats).map(|seat| value(&game, &outcome, Seat(seat))).collect(),
            // With several seats, a game without a result is even. With one seat, such a game has
            // brought no points.
            None => vec![if seats > 1 { 0.5 } else { 0.0 }; seats as usize],
        })
    }

    /// The arm of the searcher that was tried most often. Of several such arms, the best.
    fn advice(self) -> Option<IsmctsAdvice<P::Move>> {
        let nodes = self.trees.iter().flat_map(|tree| &tree.nodes).map(|node| node.arms.len() as u64).sum();
        let root = self.trees.get(self.seat.index())?.nodes.first()?;
        // Sorted by text, so that a choice among equal arms does not depend on the order in the
        // hash table.
        let mut arms: Vec<(String, &P::Move, &Arm)> =
            root.arms.iter().map(|(mv, arm)| (mv.to_string(), mv, arm)).collect();
        arms.sort_by(|a, b| a.0.cmp(&b.0));
        let rank = |arm: &Arm| (f64::from(arm.visits), arm.mean());
        let (_, mv, arm) = arms.into_iter().filter(|(_, _, arm)| arm.visits > 0).max_by(|a, b| {
            let (a, b) = (rank(a.2), rank(b.2));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })?;
        Some(IsmctsAdvice {
            mv: mv.clone(),
            value: arm.mean(),
            visits: arm.visits,
            iterations: self.iterations,
            nodes,
        })
    }
}

impl<M: Clone + Eq + std::hash::Hash> SeatTree<M> {
    fn new() -> Self {
        SeatTree { nodes: vec![IsmctsNode::new()], range: (f64::INFINITY, f64::NEG_INFINITY) }
    }

    /// The node after a seat has heard something.
    fn child(&mut self, node: usize, news: HeardMove) -> usize {
        let next = self.nodes.len();
        let child = *self.nodes[node].children.entry(news).or_insert(next);
        if child == next {
            self.nodes.push(IsmctsNode::new());
        }
        child
    }

    /// Chooses a random move that was never tried here, or else the arm with the highest upper
    /// bound. Returns whether the arm is new.
    fn select(&mut self, node: usize, moves: &[M], exploration: f64, dice: &mut ChaCha8Rng) -> (M, bool) {
        let (low, high) = self.range;
        let width = if high > low { high - low } else { 1.0 };
        let arms = &mut self.nodes[node].arms;
        let mut untried = Vec::new();
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, mv) in moves.iter().enumerate() {
            let arm = match arms.get_mut(mv) {
                Some(arm) => arm,
                None => arms.entry(mv.clone()).or_default(),
            };
            arm.available += 1;
            if arm.visits == 0 {
                untried.push(at);
                continue;
            }
            let bonus = (f64::from(arm.available).ln() / f64::from(arm.visits)).sqrt();
            let bound = (arm.mean() - low) / width + exploration * bonus;
            if bound > best.0 {
                best = (bound, at);
            }
        }
        if untried.is_empty() {
            (moves[best.1].clone(), false)
        } else {
            (moves[untried[below(dice, untried.len())]].clone(), true)
        }
    }

    fn learn(&mut self, node: usize, mv: &M, value: f64) {
        self.range = (self.range.0.min(value), self.range.1.max(value));
        if let Some(arm) = self.nodes[node].arms.get_mut(mv) {
            arm.visits += 1;
            arm.total += value;
        }
    }
}

impl<M> IsmctsNode<M> {
    fn new() -> Self {
        IsmctsNode { arms: HashMap::new(), children: HashMap::new() }
    }
}

impl Arm {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

/// What a finished game is worth to a seat. A single seat wants points. Among several, a seat wants
/// to leave the others behind, and points break ties.
fn value<P: Position>(game: &P, outcome: &Outcome, seat: Seat) -> f64 {
    let rivals: Vec<usize> = (0..game.seats())
        .map(Seat)
        .filter(|&s| game.team_of(s) != game.team_of(seat))
        .map(Seat::index)
        .collect();
    let points = |seat: usize| outcome.scores()[seat].as_f64();
    let own = points(seat.index());
    if rivals.is_empty() {
        return own;
    }
    let count = rivals.len() as f64;
    let places = outcome.places();
    let beaten: f64 = rivals
        .iter()
        .map(|&rival| match places[rival].cmp(&places[seat.index()]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        })
        .sum();
    let lead = own - rivals.iter().map(|&rival| points(rival)).sum::<f64>() / count;
    let share = 0.5 + 0.5 * lead / (lead.abs() + POINTS_SCALE);
    (1.0 - POINTS_WEIGHT) * beaten / count + POINTS_WEIGHT * share
}

/// A random number below `bound`, which must not be zero.
fn below(dice: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(dice.next_u32()) * bound as u64) >> 32) as usize
}
