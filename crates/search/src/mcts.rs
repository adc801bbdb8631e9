//! Monte Carlo tree search: random games tell which moves are worth a closer look.
//!
//! Each round walks from the root to the edge of a growing tree. On the way it follows *UCT*:
//! prefer moves that did well, and moves that were rarely tried. At the edge, the round plays one
//! random game to its end and counts the result for every node on the path. A finished game is
//! *proven*: its result is certain. A node is proven too if the mover has a move to a proven win,
//! or if all its moves are proven.

use crate::budget::Budget;
use crate::tree::Tree as _;
use rules::{Duel, SplitMix};

/// A random game that lasts longer is decided by the game's evaluation: the side that stands better
/// has won.
const PLAYOUT_PLIES: usize = 400;
/// A tree of this size stops growing, so that the memory does not run out. Random games then start
/// from its edge.
const MOST_NODES: usize = 1 << 23;
/// How strongly UCT prefers moves that were rarely tried.
const EXPLORATION: f64 = 1.0;

/// What random games say about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled<M> {
    /// The moves tried most often, the advised move first. Empty only at a finished game.
    pub line: Vec<M>,
    /// The mean result for side 0, from -1 to 1.
    pub mean: f64,
    /// The result for side 0 (1, 0 or -1), if the result is certain.
    pub proven: Option<i32>,
    /// Random games played.
    pub games: u64,
    /// Nodes of the tree.
    pub nodes: u64,
}

/// Searches for this many rounds, or until the budget is used up or the root is proven. A round
/// pays for every position on its way, so the clock is read after fewer rounds where games are
/// long. The same seed gives the same advice.
pub fn mcts<P: Duel>(root: &P, rounds: u64, seed: u64, budget: &Budget) -> Sampled<P::Move> {
    let mut search = MctsRun::new(root, seed);
    // At least one round, so that there is a move.
    for _ in 0..rounds.max(1) {
        if search.nodes[ROOT].proven.is_some() {
            break;
        }
        let positions = search.round(root);
        if budget.spend_many(positions).is_err() {
            break;
        }
    }
    search.sampled()
}

const ROOT: usize = 0;

struct MctsRun<M> {
    nodes: Vec<MctsNode<M>>,
    dice: SplitMix,
    /// Used by random games.
    moves: Vec<M>,
    /// The nodes from the root to the current node of this round.
    path: Vec<usize>,
    games: u64,
}

struct MctsNode<M> {
    /// The move that leads here. `None` at the root.
    mv: Option<M>,
    /// The index of the first child and the number of children, which are next to each other. (0,
    /// 0) before the first visit.
    children: (usize, usize),
    max_to_move: bool,
    visits: u32,
    /// The sum of the results of the games through this node, for side 0.
    total: f64,
    proven: Option<i32>,
}

impl<M> MctsNode<M> {
    fn new(mv: Option<M>) -> Self {
        MctsNode { mv, children: (0, 0), max_to_move: true, visits: 0, total: 0.0, proven: None }
    }

    fn mean(&self) -> f64 {
        self.proven.map_or_else(|| self.total / f64::from(self.visits.max(1)), f64::from)
    }
}

impl<M: Clone> MctsRun<M> {
    fn new<P: Duel<Move = M>>(root: &P, seed: u64) -> Self {
        let mut search = MctsRun {
            nodes: vec![MctsNode::new(None)],
            dice: SplitMix::new(seed),
            moves: Vec::new(),
            path: Vec::new(),
            games: 0,
        };
        search.open(ROOT, root);
        search
    }

    /// Walks to the edge of the tree, adds the children of the node there, plays on at random, and
    /// counts the result. Returns the number of positions on the way.
    fn round<P: Duel<Move = M>>(&mut self, root: &P) -> u64 {
        let mut position = root.clone();
        let mut at = ROOT;
        self.path.clear();
        self.path.push(ROOT);
        while self.nodes[at].visits > 0 && self.nodes[at].proven.is_none() && self.nodes[at].children.1 > 0 {
            at = self.choose(at);
            self.path.push(at);
            if let Some(mv) = &self.nodes[at].mv {
                position.play(position.mover(), mv);
            }
            if self.nodes[at].visits == 0 {
                self.open(at, &position);
                break;
            }
        }
        let (result, plies) = match self.nodes[at].proven {
            Some(result) => (result, 0),
            None => self.finish(position),
        };
        self.count(f64::from(result));
        self.path.len() as u64 + plies
    }

    /// Prepares a node that is met for the first time. A finished game is proven; any other node
    /// gets its children.
    fn open<P: Duel<Move = M>>(&mut self, at: usize, position: &P) {
        if let Some(result) = position.result() {
            self.nodes[at].proven = Some(result);
            return;
        }
        self.moves.clear();
        position.moves(position.mover(), &mut self.moves);
        self.nodes[at].max_to_move = position.side(position.mover()) == 0;
        if self.nodes.len() + self.moves.len() > MOST_NODES {
            return;
        }
        self.nodes[at].children = (self.nodes.len(), self.moves.len());
        self.nodes.extend(self.moves.drain(..).map(|mv| MctsNode::new(Some(mv))));
    }

    /// The child to visit next: a child that was never tried, or else the most promising child by
    /// UCT. Proven children need no more visits.
    fn choose(&mut self, at: usize) -> usize {
        let parent = &self.nodes[at];
        let sign = if parent.max_to_move { 1.0 } else { -1.0 };
        let log = f64::from(parent.visits).ln();
        let mut best = (f64::NEG_INFINITY, parent.children.0);
        for child in children(parent) {
            let node = &self.nodes[child];
            let promise = match (node.proven, node.visits) {
                (Some(_), _) => continue,
                (None, 0) => f64::INFINITY,
                (None, visits) => sign * node.mean() + EXPLORATION * (2.0 * log / f64::from(visits)).sqrt(),
            };
            if promise > best.0 {
                best = (promise, child);
            }
        }
        best.1
    }

    /// Plays a random game from here. Returns the result for side 0 and the number of plies.
    fn finish<P: Duel<Move = M>>(&mut self, mut position: P) -> (i32, u64) {
        self.games += 1;
        let mut plies = 0;
        for _ in 0..PLAYOUT_PLIES {
            let Some(seat) = position.turn().seats().lowest() else { break };
            let mv = position.choose_move(seat, &mut self.moves, |count| self.dice.below(count));
            position.play(seat, &mv);
            plies += 1;
        }
        (position.result().unwrap_or_else(|| position.evaluate().signum()), plies)
    }

    /// Adds a result to every node on the path, from its end to the root.
    fn count(&mut self, result: f64) {
        for step in (0..self.path.len()).rev() {
            let at = self.path[step];
            self.nodes[at].visits += 1;
            self.nodes[at].total += result;
            if self.nodes[at].proven.is_none() {
                self.nodes[at].proven = self.prove(at);
            }
        }
    }

    /// The result that follows from the proven children.
    fn prove(&self, at: usize) -> Option<i32> {
        let node = &self.nodes[at];
        let sign = if node.max_to_move { 1 } else { -1 };
        let results = || children(node).map(|child| self.nodes[child].proven.map(|result| sign * result));
        let best = results().flatten().max()?;
        (best == 1 || results().all(|result| result.is_some())).then_some(sign * best)
    }

    /// The child to play: the child tried most often, unless a proven child is at least as good.
    fn best_child(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let sign = if node.max_to_move { 1 } else { -1 };
        let worth = |child: usize| f64::from(sign) * self.nodes[child].mean();
        // `max_by_key` takes the last of equals. In reverse order, that is the first in the order
        // of the game.
        let open = children(node).rev().filter(|&child| self.nodes[child].proven.is_none());
        let tried = open.max_by_key(|&child| self.nodes[child].visits);
        let sure = children(node)
            .rev()
            .filter_map(|child| Some((sign * self.nodes[child].proven?, self.nodes[child].visits, child)))
            .max_by_key(|&(result, visits, _)| (result, visits))
            .map(|(_, _, child)| child);
        match (tried, sure) {
            (Some(tried), Some(sure)) => Some(if worth(sure) >= worth(tried) { sure } else { tried }),
            (tried, sure) => tried.or(sure),
        }
    }

    fn sampled(&self) -> Sampled<M> {
        let mut line = Vec::new();
        let mut at = ROOT;
        while let Some(next) = self.best_child(at).filter(|&next| at == ROOT || self.nodes[next].visits > 0) {
            line.extend(self.nodes[next].mv.clone());
            at = next;
        }
        let root = &self.nodes[ROOT];
        Sampled {
            line,
            mean: root.mean(),
            proven: root.proven,
            games: self.games,
            nodes: self.nodes.len() as u64,
        }
    }
}

fn children<M>(node: &MctsNode<M>) -> std::ops::Range<usize> {
    node.children.0..node.children.0 + node.children.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{DotsAndBoxes, Nim, Seed, TicTacToe};
    use serde_json::{Value, json};

    fn after<P: Duel>(params: &Value, moves: &str) -> P {
        let params = rules::read_params(params).unwrap();
        let mut position = P::start(&params, Seed::from_number(0)).unwrap();
        for text in moves.split_whitespace() {
            let Ok(mv) = text.parse() else { panic!("{text} is not a move") };
            position.play(position.mover(), &mv);
        }
        position
    }

    fn look<P: Duel>(position: &P, rounds: u64) -> Sampled<P::Move> {
        mcts(position, rounds, 3, &Budget::unlimited())
    }

    #[test]
    fn certain_results_are_proven() {
        // X wins at c1; O has to stop X there.
        let wins: TicTacToe = after(&json!({}), "a1 a2 b1 b2");
        let found = look(&wins, 500);
        assert_eq!((found.proven, found.line[0].to_string()), (Some(1), "c1".to_owned()));
        let stops: TicTacToe = after(&json!({}), "a1 b2 b1");
        assert_eq!(look(&stops, 2_000).line[0].to_string(), "c1");
        // 1, 2, 3 is lost for the mover, 3, 4, 5 is not.
        for (heaps, result) in [([1, 2, 3], -1), ([3, 4, 5], 1)] {
            let nim: Nim = after(&json!({ "heaps": heaps }), "");
            assert_eq!(look(&nim, 100_000).proven, Some(result), "{heaps:?}");
        }
        // Extra turns: of two boxes each side gets one.
        let boxes: DotsAndBoxes = after(&json!({"width": 1, "height": 2}), "");
        assert_eq!(look(&boxes, 100_000).proven, Some(0));
    }

    /// Random games of amoba are long: only a few games are played between two readings of the
    /// clock, not 256.
    #[test]
    fn the_clock_is_read_every_few_rounds_of_a_long_game() {
        let start: rules::Amoba = after(&json!({}), "");
        let found = mcts(&start, 10_000, 3, &Budget::unlimited().stop_when(|| true));
        assert!(found.games <= 16, "{} games", found.games);
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        let start: TicTacToe = after(&json!({}), "");
        assert_eq!(look(&start, 300), look(&start, 300));
        assert_ne!(look(&start, 300), mcts(&start, 300, 4, &Budget::unlimited()));
        let found = look(&start, 20);
        assert_eq!((found.games, found.nodes > 20), (20, true));
    }
}
