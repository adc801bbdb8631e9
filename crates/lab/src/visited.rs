//! The tree that a search has visited, as somebody saw who stood beside it. What a bot says of itself
//! is not asked.

use search::Count;

/// The nodes of one search, each as often as it was visited.
pub struct VisitedTree {
    nodes: Vec<VisitedNode>,
    /// From the root to the node that was visited last.
    path: Vec<usize>,
}

struct VisitedNode {
    /// How many moves were tried here.
    tried: usize,
    /// How many moves are legal here. None is known of a node that was only passed.
    legal: usize,
    /// Whether side 0 is to move.
    is_max: bool,
}

impl VisitedTree {
    /// A search that has seen its root.
    pub fn new(legal: usize, is_max: bool) -> VisitedTree {
        VisitedTree { nodes: vec![VisitedNode { tried: 0, legal, is_max }], path: vec![0] }
    }

    /// From this depth of the path the search has made so many moves. At the last node so many moves
    /// are legal.
    pub fn visit(&mut self, depth: usize, moves: usize, legal: usize, is_max: bool) {
        self.path.truncate(depth + 1);
        for left in (0..moves).rev() {
            let at = self.path.last().copied().unwrap_or(0);
            self.nodes[at].tried += 1;
            self.path.push(self.nodes.len());
            self.nodes.push(VisitedNode { tried: 0, legal: if left == 0 { legal } else { 0 }, is_max });
        }
    }

    /// Nodes, leaves, and cuts: nodes where the search has tried some moves, and not all. The cuts
    /// are the difference from the full tree.
    pub fn count(&self) -> Count {
        let inner = self.nodes.iter().filter(|node| node.tried > 0);
        let cuts = |max: bool| {
            inner.clone().filter(|node| node.tried < node.legal && node.is_max == max).count() as u64
        };
        Count {
            nodes: self.nodes.len() as u64,
            leaves: (self.nodes.len() - inner.clone().count()) as u64,
            alpha_cuts: cuts(false),
            beta_cuts: cuts(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MAX has three moves. The first two of them have two answers each, and after the second the
    /// search tries only one.
    #[test]
    fn moves_that_were_not_tried_are_cuts() {
        let mut tree = VisitedTree::new(3, true);
        assert_eq!(tree.count(), Count { nodes: 1, leaves: 1, alpha_cuts: 0, beta_cuts: 0 });
        for (depth, moves, legal, is_max) in
            [(0, 1, 2, false), (1, 1, 5, true), (1, 1, 5, true), (0, 1, 2, false), (1, 1, 0, true)]
        {
            tree.visit(depth, moves, legal, is_max);
        }
        assert_eq!(tree.count(), Count { nodes: 6, leaves: 3, alpha_cuts: 1, beta_cuts: 1 });
        tree.visit(0, 1, 0, false);
        assert_eq!(tree.count(), Count { nodes: 7, leaves: 4, alpha_cuts: 1, beta_cuts: 0 });
        // Of a node that was only passed nobody knows what else there was.
        tree.visit(0, 2, 4, true);
        assert_eq!(tree.count(), Count { nodes: 9, leaves: 5, alpha_cuts: 1, beta_cuts: 0 });
    }
}
