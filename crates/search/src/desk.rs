//! What a search carries along on its way through the tree, so that no node needs memory of its own.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};
use std::ops::Range;

/// Two stacks and the counters.
pub(crate) struct Desk<'a, M> {
    budget: &'a Budget,
    /// What is left of it: it learns of that when the desk is cleared.
    nodes_left: u64,
    /// The cuts alone: nodes are what the budget has lost, and those that were not opened are leaves.
    pub(crate) count: Count,
    /// The nodes that are no leaves.
    opened: u64,
    /// Was some node estimated, because the search went no further? Noted by alpha-beta alone.
    pub(crate) estimated: bool,
    /// The moves of all nodes on the way from the root, those of the deepest node last.
    moves: Vec<M>,
    /// The best lines of the nodes on the way, the deepest node's last; in each the last move comes first.
    line: Vec<M>,
}

/// The part of a desk that belongs to one node.
pub(crate) struct Place {
    /// Where its moves begin, if they are listed.
    moves: usize,
    /// Where the next of them is.
    at: usize,
    /// Its best line so far.
    line: Range<usize>,
}

impl<'a, M: Clone> Desk<'a, M> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Desk {
            budget,
            nodes_left: budget.nodes_left(),
            count: Count::default(),
            opened: 0,
            estimated: false,
            moves: Vec::with_capacity(256),
            line: Vec::with_capacity(256),
        }
    }

    /// Counts a node.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), OutOfBudget> {
        self.budget.spend_from(&mut self.nodes_left)
    }

    /// Counts a node that is no leaf, and lists its moves unless it finds them one by one.
    #[inline]
    pub(crate) fn open<T: Tree<Move = M>>(&mut self, node: &T) -> Place {
        self.opened += 1;
        let (moves, line) = (self.moves.len(), self.line.len());
        if !T::STEPWISE {
            node.branches(&mut self.moves);
        }
        Place { moves, at: moves, line: line..line }
    }

    /// The move that is tried after `last`, or first.
    #[inline]
    pub(crate) fn next_move<T: Tree<Move = M>>(
        &self,
        node: &T,
        place: &mut Place,
        last: Option<&M>,
    ) -> Option<M> {
        if T::STEPWISE {
            return node.next_branch(last);
        }
        let next = self.moves.get(place.at).cloned();
        place.at += 1;
        next
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

    /// Forgets the best line of a node, and what a child left behind.
    #[inline]
    pub(crate) fn forget_line(&mut self, place: &Place) {
        self.line.truncate(place.line.start);
    }

    /// Forgets the line that a child left behind.
    #[inline]
    pub(crate) fn forget(&mut self, place: &Place) {
        self.line.truncate(place.line.end);
    }

    /// Takes the moves of a node away; its line stays for the parent.
    #[inline]
    pub(crate) fn close<T: Tree<Move = M>>(&mut self, _node: &T, place: &Place) {
        if !T::STEPWISE {
            self.moves.truncate(place.moves);
        }
    }

    pub(crate) fn found(mut self, value: i32, depth: u32) -> Found<M> {
        let mut line = std::mem::take(&mut self.line);
        line.reverse();
        let nodes = self.budget.nodes_left() - self.nodes_left;
        let count = Count { nodes, leaves: nodes - self.opened, ..self.count };
        Found { value, line, count, depth }
    }
}

impl<M> Drop for Desk<'_, M> {
    fn drop(&mut self) {
        self.budget.set_nodes_left(self.nodes_left);
    }
}
