//! Searches as other people write them, right and wrong ones.

use lab::Bug;
use rules::Duel;
use search::{Tree, WIN};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

const INFINITE: i32 = i32::MAX / 2;

/// How a search differs from the alpha-beta of a textbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    // Right.
    AlphaBeta,
    Minimax,
    FailSoft,
    Scout,
    TableAndDeepening,
    /// All wins are worth the same, however long they take.
    NoHurry,
    OnePlyFurther,
    CountsLeaves,
    /// Plays the last of the best moves.
    LastOfBest,
    // Right, with odd reports.
    ScoresOfA,
    ScoresOfTheOther,
    RootNotCounted,
    // Wrong.
    BestStartsAtZero,
    WrongWindow,
    FirstFourMoves,
    SignOfEnds,
    /// A mistake of Python programs: `def search(node, depth, best=[-INFINITE])`.
    MutableDefault,
    ScoutOnce,
    TableWithoutDepth,
    EndNotSeen,
    PlayerNotSwitched,
    CutReversed,
    CutTooEarly,
    StopsOnePlyEarly,
}

/// What a search thinks of a position where it looks no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    Arenas,
    /// The search knows only who has won.
    Zero,
    /// The numbers mean nothing.
    Odd,
}

pub const RIGHT: [Kind; 12] = [
    Kind::AlphaBeta,
    Kind::Minimax,
    Kind::FailSoft,
    Kind::Scout,
    Kind::TableAndDeepening,
    Kind::NoHurry,
    Kind::OnePlyFurther,
    Kind::CountsLeaves,
    Kind::LastOfBest,
    Kind::ScoresOfA,
    Kind::ScoresOfTheOther,
    Kind::RootNotCounted,
];

/// The wrong searches, each with the bug that may be named, if there is one.
pub const WRONG: [(Kind, Option<Bug>); 12] = [
    (Kind::BestStartsAtZero, Some(Bug::BestStartsAtZero)),
    (Kind::WrongWindow, None),
    (Kind::FirstFourMoves, None),
    // Where only the end of the game counts, both mistakes are the same.
    (Kind::SignOfEnds, Some(Bug::MaxMinSwapped)),
    (Kind::MutableDefault, Some(Bug::BestNotReset)),
    (Kind::ScoutOnce, None),
    (Kind::TableWithoutDepth, None),
    (Kind::EndNotSeen, Some(Bug::EndNotSeen)),
    (Kind::PlayerNotSwitched, Some(Bug::PlayerNotSwitched)),
    (Kind::CutReversed, Some(Bug::CutReversed)),
    (Kind::CutTooEarly, Some(Bug::CutTooEarly)),
    (Kind::StopsOnePlyEarly, Some(Bug::DepthOffByOne)),
];

/// What is known about a position: the depth, the value, and whether the true value is more, equal
/// or less.
type Known = (u32, i32, Ordering);

pub struct Searcher<P> {
    kind: Kind,
    estimate: Estimate,
    depth: u32,
    pub nodes: u64,
    table: HashMap<P, Known>,
    kept: i32,
}

impl<P: Duel> Searcher<P> {
    pub fn new(kind: Kind, estimate: Estimate, depth: u32) -> Searcher<P> {
        Searcher { kind, estimate, depth, nodes: 0, table: HashMap::new(), kept: -INFINITE }
    }

    /// The estimate for the side to move.
    fn estimate(&self, node: &P) -> i32 {
        let value = match self.estimate {
            Estimate::Arenas => Tree::estimate(node),
            Estimate::Zero => 0,
            Estimate::Odd => {
                let mut hasher = DefaultHasher::new();
                node.hash(&mut hasher);
                (hasher.finish() % 41) as i32 - 20
            }
        };
        if node.max_to_move() { value } else { -value }
    }

    pub fn answer(&mut self, root: &P) -> (P::Move, i32) {
        self.nodes = 1;
        match self.kind {
            Kind::TableAndDeepening => {
                (1..self.depth).for_each(|depth| drop(self.at_root(root, depth)));
                self.at_root(root, self.depth)
            }
            Kind::OnePlyFurther => self.at_root(root, self.depth + 1),
            _ => self.at_root(root, self.depth),
        }
    }

    fn at_root(&mut self, root: &P, depth: u32) -> (P::Move, i32) {
        let mut best: Option<(P::Move, i32)> = None;
        for mv in self.moves(root) {
            let alpha = match (&best, self.kind) {
                (Some((_, best)), kind) if !matches!(kind, Kind::LastOfBest | Kind::Minimax) => *best,
                _ => -INFINITE,
            };
            let value = self.child(root, &mv, depth - 1, alpha, INFINITE);
            let better = best
                .as_ref()
                .is_none_or(|(_, best)| value > *best || value == *best && self.kind == Kind::LastOfBest);
            if better {
                best = Some((mv, value));
            }
        }
        best.unwrap()
    }

    fn moves(&self, node: &P) -> Vec<P::Move> {
        let mut moves = Vec::new();
        node.branches(&mut moves);
        if self.kind == Kind::FirstFourMoves {
            moves.truncate(4);
        }
        moves
    }

    /// What a move is worth for the player who makes it.
    fn child(&mut self, node: &P, mv: &P::Move, depth: u32, alpha: i32, beta: i32) -> i32 {
        let next = node.after(mv);
        let for_max = node.max_to_move();
        if let Some(result) = next.result() {
            self.nodes += 1;
            let hurry = if self.kind == Kind::NoHurry { 0 } else { depth as i32 };
            let result = match self.kind {
                Kind::SignOfEnds => -result,
                Kind::EndNotSeen if depth == 0 => {
                    let estimate = self.estimate(&next);
                    return if next.max_to_move() == for_max { estimate } else { -estimate };
                }
                _ => result,
            };
            return if for_max { result } else { -result } * (WIN + hurry);
        }
        match (next.max_to_move() == for_max, self.kind) {
            (true, _) => self.below(&next, depth, alpha, beta),
            (false, Kind::WrongWindow) => -self.below(&next, depth, alpha, beta),
            _ => -self.below(&next, depth, -beta, -alpha),
        }
    }

    /// The value for the side to move in a game that is not over.
    fn below(&mut self, node: &P, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += u64::from(self.kind != Kind::CountsLeaves || depth == 0);
        if depth == 0 || depth == 1 && self.kind == Kind::StopsOnePlyEarly {
            return self.estimate(node);
        }
        if let Some(value) = self.known(node, depth, &mut alpha, &mut beta) {
            return value;
        }
        let before = alpha;
        let mut best = match self.kind {
            Kind::BestStartsAtZero => 0,
            Kind::MutableDefault => self.kept,
            _ => -INFINITE,
        };
        for (at, mv) in self.moves(node).iter().enumerate() {
            let value = match self.kind {
                Kind::Minimax => self.child(node, mv, depth - 1, -INFINITE, INFINITE),
                Kind::Scout | Kind::ScoutOnce if at > 0 && alpha > -INFINITE => {
                    let quick = self.child(node, mv, depth - 1, alpha, alpha + 1);
                    let again = self.kind == Kind::Scout && quick > alpha && quick < beta;
                    if again { self.child(node, mv, depth - 1, alpha, beta) } else { quick }
                }
                _ => self.child(node, mv, depth - 1, alpha, beta),
            };
            best = best.max(value);
            alpha = alpha.max(best);
            let cut = match self.kind {
                Kind::Minimax => false,
                Kind::CutReversed => alpha <= beta,
                Kind::CutTooEarly => alpha + 1 >= beta,
                _ => alpha >= beta,
            };
            if cut {
                break;
            }
        }
        self.kept = best;
        self.learn(node, depth, best, before, beta);
        // A fail-hard search never returns a value outside its window.
        let hard = matches!(self.kind, Kind::AlphaBeta | Kind::WrongWindow);
        if hard { best.clamp(before, beta) } else { best }
    }

    fn known(&self, node: &P, depth: u32, alpha: &mut i32, beta: &mut i32) -> Option<i32> {
        let &(deep, value, kind) = self.table.get(node)?;
        if deep != depth && self.kind == Kind::TableAndDeepening {
            return None;
        }
        match kind {
            Ordering::Equal => return Some(value),
            Ordering::Greater => *alpha = value.max(*alpha),
            Ordering::Less => *beta = value.min(*beta),
        }
        (alpha >= beta).then_some(value)
    }

    fn learn(&mut self, node: &P, depth: u32, value: i32, alpha: i32, beta: i32) {
        if matches!(self.kind, Kind::TableAndDeepening | Kind::TableWithoutDepth) {
            let kind = if value <= alpha {
                Ordering::Less
            } else if value >= beta {
                Ordering::Greater
            } else {
                Ordering::Equal
            };
            self.table.insert(node.clone(), (depth, value, kind));
        }
    }

    /// Every ply takes the best value for the side at the root.
    pub fn never_switched(&mut self, node: &P, for_max: bool, depth: u32) -> (Option<P::Move>, i32) {
        self.nodes += 1;
        let sign = if for_max { 1 } else { -1 };
        if node.result().is_none() && depth == 0 {
            let estimate = self.estimate(node);
            return (None, if node.max_to_move() == for_max { estimate } else { -estimate });
        }
        if let Some(value) = node.leaf_value(depth) {
            return (None, sign * value);
        }
        let mut best = (None, -INFINITE);
        for mv in self.moves(node) {
            let value = self.never_switched(&node.after(&mv), for_max, depth - 1).1;
            if value > best.1 {
                best = (Some(mv), value);
            }
        }
        best
    }
}
