//! The working memory of a search on its way through the tree. No node needs memory of its own.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};
use std::ops::Range;

/// Two stacks and the counters.
pub(crate) struct Desk<'a, M> {
    budget: &'a Budget,
    /// What is left of the budget. The budget itself is updated when the desk is dropped.
    nodes_left: u64,
    /// Only the cuts are counted here. The nodes follow from the budget, and the nodes that were
    /// not opened are leaves.
    pub(crate) count: Count,
    /// The number of inner nodes.
    opened: u64,
    /// Whether some node was estimated because no depth was left. Only alpha-beta sets this.
    pub(crate) estimated: bool,
    /// The moves of all nodes on the path from the root. Those of the deepest node come last.
    moves: Vec<M>,
    /// The best lines of the nodes on the path. The line of the deepest node comes last. In each
    /// line, the last move comes first.
    line: Vec<M>,
}

/// The parts of the two stacks that belong to one node.
pub(crate) struct Place {
    /// Where the moves of the node begin, if they are listed.
    moves: usize,
    /// Where the next of these moves is.
    at: usize,
    /// The best line of the node so far.
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

    /// Counts an inner node. Lists its moves, unless the tree finds moves one by one.
    #[inline]
    pub(crate) fn open<T: Tree<Move = M>>(&mut self, node: &T) -> Place {
        self.opened += 1;
        let (moves, line) = (self.moves.len(), self.line.len());
        if !T::STEPWISE {
            node.branches(&mut self.moves);
        }
        Place { moves, at: moves, line: line..line }
    }

    /// The move that is tried after `last`, or the first move.
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

    /// Makes the move just tried, with the line that the child left, the best line so far.
    #[inline]
    pub(crate) fn keep(&mut self, place: &mut Place, mv: M) {
        self.line.push(mv);
        if !place.line.is_empty() {
            self.line.drain(place.line.clone());
        }
        place.line.end = self.line.len();
    }

    /// Removes the best line of a node, and the line that a child left.
    #[inline]
    pub(crate) fn forget_line(&mut self, place: &Place) {
        self.line.truncate(place.line.start);
    }

    /// Removes the line that a child left.
    #[inline]
    pub(crate) fn forget(&mut self, place: &Place) {
        self.line.truncate(place.line.end);
    }

    /// Removes the moves of a node. The line of the node stays for the parent.
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
