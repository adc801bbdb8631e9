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
    /// Any of the best moves, by chance.
    RandomOfBest,
    /// Guesses the value, and tests the guess with windows of no width.
    MtdF,
    /// Follows forcing moves beyond its depth.
    Quiescence,
    /// Tries first what has cut elsewhere.
    Killers,
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
    CutTooLate,
    AlphaKept,
    DrawIsLoss,
    /// At the root, a later move that is as good as the bound of a cut is taken for better.
    LastOfBounds,
    /// Sorts the moves at the root, and returns the place in the unsorted list.
    WrongPlace,
    /// Takes the worst of its own moves at the last ply.
    SwappedAtLastPly,
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

pub const RIGHT: [Kind; 16] = [
    Kind::AlphaBeta,
    Kind::Minimax,
    Kind::FailSoft,
    Kind::Scout,
    Kind::TableAndDeepening,
    Kind::NoHurry,
    Kind::OnePlyFurther,
    Kind::CountsLeaves,
    Kind::LastOfBest,
    Kind::RandomOfBest,
    Kind::MtdF,
    Kind::Quiescence,
    Kind::Killers,
    Kind::ScoresOfA,
    Kind::ScoresOfTheOther,
    Kind::RootNotCounted,
];

/// The wrong searches, each with the bug that may be named, if there is one.
pub const WRONG: [(Kind, Option<Bug>); 18] = [
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
    (Kind::CutTooLate, Some(Bug::CutTooLate)),
    (Kind::AlphaKept, Some(Bug::AlphaKept)),
    (Kind::DrawIsLoss, Some(Bug::DrawIsLoss)),
    (Kind::LastOfBounds, None),
    (Kind::WrongPlace, Some(Bug::WrongMoveReturned)),
    (Kind::SwappedAtLastPly, None),
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
    /// MAX's alpha, for a search that never takes it back.
    alpha: i32,
    /// Is MAX to move at the root?
    root_is_max: bool,
    /// The move that has cut at each ply.
    killers: HashMap<usize, String>,
    random: u64,
    /// What the search has looked at: from which ply, by which move.
    pub trail: Vec<(usize, String)>,
    ply: usize,
}

impl<P: Duel> Searcher<P> {
    pub fn new(kind: Kind, estimate: Estimate, depth: u32) -> Searcher<P> {
        Searcher {
            kind,
            estimate,
            depth,
            nodes: 0,
            table: HashMap::new(),
            kept: -INFINITE,
            alpha: -INFINITE,
            root_is_max: true,
            killers: HashMap::new(),
            random: 1,
            trail: Vec::new(),
            ply: 0,
        }
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
        self.begin(root);
        match self.kind {
            Kind::TableAndDeepening => {
                (1..self.depth).for_each(|depth| drop(self.at_root(root, depth)));
                self.at_root(root, self.depth)
            }
            Kind::OnePlyFurther => self.at_root(root, self.depth + 1),
            Kind::MtdF => self.by_tests(root),
            _ => self.at_root(root, self.depth),
        }
    }

    pub fn begin(&mut self, root: &P) {
        self.nodes = 1;
        self.alpha = -INFINITE;
        self.root_is_max = root.max_to_move();
        self.trail.clear();
    }

    /// MTD(f): every test says whether the value is at least the guess.
    fn by_tests(&mut self, root: &P) -> (P::Move, i32) {
        let (mut value, mut lower, mut upper) = (0, -INFINITE, INFINITE);
        let mut best = None;
        while lower < upper {
            let guess = if value == lower { value + 1 } else { value };
            value = -INFINITE;
            for mv in self.moves(root) {
                let found = self.child(root, &mv, self.depth - 1, guess - 1, guess);
                value = value.max(found);
                if found >= guess {
                    best = Some(mv);
                    break;
                }
            }
            if value < guess {
                upper = value;
            } else {
                lower = value;
            }
        }
        (best.unwrap(), value)
    }

    fn at_root(&mut self, root: &P, depth: u32) -> (P::Move, i32) {
        let mut best: Option<(P::Move, i32)> = None;
        let unsorted = self.moves(root);
        let mut sorted = unsorted.clone();
        if self.kind == Kind::WrongPlace {
            let sign = if root.max_to_move() { -1 } else { 1 };
            sorted.sort_by_cached_key(|mv| root.after(mv).leaf_value(0).map(|worth| sign * worth));
        }
        for (place, mv) in sorted.into_iter().enumerate() {
            let alpha = match (&best, self.kind) {
                (Some((_, best)), kind)
                    if !matches!(kind, Kind::LastOfBest | Kind::RandomOfBest | Kind::Minimax) =>
                {
                    *best
                }
                _ => -INFINITE,
            };
            let value = self.child(root, &mv, depth - 1, alpha, INFINITE);
            let also = match self.kind {
                Kind::LastOfBest | Kind::LastOfBounds => true,
                Kind::RandomOfBest => self.coin(),
                _ => false,
            };
            let better = best.as_ref().is_none_or(|(_, best)| value > *best || also && value == *best);
            if better {
                best =
                    Some((if self.kind == Kind::WrongPlace { unsorted[place].clone() } else { mv }, value));
            }
        }
        best.unwrap()
    }

    fn coin(&mut self) -> bool {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.random >> 63 == 1
    }

    fn moves(&self, node: &P) -> Vec<P::Move> {
        let mut moves = Vec::new();
        node.branches(&mut moves);
        if self.kind == Kind::FirstFourMoves {
            moves.truncate(4);
        }
        if let Some(killer) = self.killers.get(&self.ply) {
            moves.sort_by_key(|mv| mv.to_string() != *killer);
        }
        moves
    }

    /// What a move is worth for the player who makes it.
    fn child(&mut self, node: &P, mv: &P::Move, depth: u32, alpha: i32, beta: i32) -> i32 {
        let next = node.after(mv);
        self.trail.push((self.ply, mv.to_string()));
        let for_max = node.max_to_move();
        if let Some(result) = next.result() {
            self.nodes += 1;
            let hurry = if self.kind == Kind::NoHurry { 0 } else { depth as i32 };
            let result = match self.kind {
                Kind::SignOfEnds => -result,
                Kind::DrawIsLoss if result == 0 => {
                    if self.root_is_max {
                        -1
                    } else {
                        1
                    }
                }
                Kind::EndNotSeen if depth == 0 => {
                    let estimate = self.estimate(&next);
                    return if next.max_to_move() == for_max { estimate } else { -estimate };
                }
                _ => result,
            };
            return if for_max { result } else { -result } * (WIN + hurry);
        }
        self.ply += 1;
        let value = match (next.max_to_move() == for_max, self.kind) {
            (true, _) => self.below(&next, depth, alpha, beta),
            (false, Kind::WrongWindow) => -self.below(&next, depth, alpha, beta),
            _ => -self.below(&next, depth, -beta, -alpha),
        };
        self.ply -= 1;
        value
    }

    /// The value for the side to move in a game that is not over.
    fn below(&mut self, node: &P, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += u64::from(self.kind != Kind::CountsLeaves || depth == 0);
        if depth == 0 || depth == 1 && self.kind == Kind::StopsOnePlyEarly {
            let estimate = self.estimate(node);
            return if self.kind == Kind::Quiescence { self.quiet(node, estimate) } else { estimate };
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
            let last_ply = self.kind == Kind::SwappedAtLastPly && depth == 1;
            best = if last_ply && at > 0 { best.min(value) } else { best.max(value) };
            if !last_ply {
                alpha = alpha.max(best);
            }
            if self.kind == Kind::AlphaKept {
                if node.max_to_move() {
                    self.alpha = self.alpha.max(alpha);
                    alpha = self.alpha;
                } else {
                    beta = beta.min(-self.alpha);
                }
            }
            let cut = match self.kind {
                Kind::Minimax => false,
                Kind::CutReversed => alpha <= beta,
                Kind::CutTooEarly => alpha + 1 >= beta,
                Kind::CutTooLate => alpha > beta,
                _ => alpha >= beta,
            };
            if cut {
                if self.kind == Kind::Killers {
                    self.killers.insert(self.ply, mv.to_string());
                }
                break;
            }
        }
        self.kept = best;
        self.learn(node, depth, best, before, beta);
        // A fail-hard search never returns a value outside its window.
        let hard = matches!(self.kind, Kind::AlphaBeta | Kind::WrongWindow | Kind::LastOfBounds);
        if hard { best.clamp(before, beta) } else { best }
    }

    /// The value beyond the depth of the search: the side to move may end the game, or leave it at the estimate.
    fn quiet(&mut self, node: &P, estimate: i32) -> i32 {
        let ends: Vec<P::Move> =
            self.moves(node).into_iter().filter(|mv| node.after(mv).result().is_some()).collect();
        let values = ends.iter().map(|mv| self.child(node, mv, 0, -INFINITE, INFINITE));
        values.fold(estimate, i32::max)
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
            self.trail.push((self.ply, mv.to_string()));
            self.ply += 1;
            let value = self.never_switched(&node.after(&mv), for_max, depth - 1).1;
            self.ply -= 1;
            if value > best.1 {
                best = (Some(mv), value);
            }
        }
        best
    }
}
