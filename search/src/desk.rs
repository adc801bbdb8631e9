//! What a search carries along on its way through the tree, so that no node needs memory of its own.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};
use std::ops::Range;

/// Two stacks and the counters.
pub(crate) struct Desk<'a, M> {
    budget: &'a Budget,
    /// All but the nodes, which the budget counts.
    pub(crate) count: Count,
    /// What the budget had when the search began.
    allowed: u64,
    /// The moves of all nodes on the way from the root, those of the deepest node last.
    moves: Vec<M>,
    /// The best lines of the nodes on the way, the deepest node's last; in each the last move comes first.
    line: Vec<M>,
}

/// The part of a desk that belongs to one node.
pub(crate) struct Place {
    /// Its moves.
    pub(crate) moves: Range<usize>,
    /// Its best line so far.
    line: Range<usize>,
}

impl<'a, M: Clone> Desk<'a, M> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Desk {
            budget,
            count: Count::default(),
            allowed: budget.nodes_left(),
            moves: Vec::with_capacity(256),
            line: Vec::with_capacity(256),
        }
    }

    /// Counts a node.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), OutOfBudget> {
        self.budget.spend()
    }

    /// Counts a leaf and hands its value back.
    #[inline]
    pub(crate) fn leaf(&mut self, value: i32) -> i32 {
        self.count.leaves += 1;
        value
    }

    /// Lists the moves of a node.
    #[inline]
    pub(crate) fn open<T: Tree<Move = M>>(&mut self, node: &T) -> Place {
        let from = self.moves.len();
        node.branches(&mut self.moves);
        Place { moves: from..self.moves.len(), line: self.line.len()..self.line.len() }
    }

    #[inline]
    pub(crate) fn mv(&self, at: usize) -> M {
        self.moves[at].clone()
    }

    /// The move just tried, with the line that the child left behind, is the best so far.
    #[inline]
    pub(crate) fn keep(&mut self, place: &mut Place, mv: M) {
        self.line.push(mv);
        if !place.line.is_empty() {
            self.line.drain(place.line.clone());
        }
        place.line.end = self.line.len();
    }

    /// Forgets the line that a child left behind.
    #[inline]
    pub(crate) fn forget(&mut self, place: &Place) {
        self.line.truncate(place.line.end);
    }

    /// Takes the moves of a node away; its line stays for the parent.
    #[inline]
    pub(crate) fn close(&mut self, place: &Place) {
        self.moves.truncate(place.moves.start);
    }

    pub(crate) fn found(mut self, value: i32, depth: u32) -> Found<M> {
        self.line.reverse();
        let count = Count { nodes: self.allowed - self.budget.nodes_left(), ..self.count };
        Found { value, line: self.line, count, depth }
    }
}
