//! Labelling for the winning strategy.
//!
//! Leaves are labelled with their winner. Upwards, a node gets the label of the side to move if
//! some child has that label. A node gets the label of the other side if all children have that
//! label. In a graph with cycles, this is a fixed point: a position where neither side can force a
//! win is a draw. Where the diagram stops before the game does and the result is unknown, a label
//! is given only if the label holds in any case.

use super::{Diagram, Label, Marked, Shape, Side};
use std::collections::VecDeque;

impl Diagram {
    /// Labels an AND/OR tree for one player, and marks the winning subtrees of that player.
    pub fn label_and_or(&mut self, view: Side) {
        self.view = Some(view);
        self.label(Some(view));
    }

    /// Labels all nodes and marks the winning strategy, if there is one. With `side`, only a
    /// strategy of that side is marked.
    pub fn label(&mut self, side: Option<Side>) {
        self.strategy_of = side;
        let certain = [Side::A, Side::B].map(|side| self.forced(side, false));
        let possible = [Side::A, Side::B].map(|side| self.forced(side, true));
        for node in 0..self.nodes.len() {
            self.nodes[node].label = if certain[0][node].is_some() {
                Some(Label::Wins(Side::A))
            } else if certain[1][node].is_some() {
                Some(Label::Wins(Side::B))
            } else if possible.iter().all(|ranks| ranks[node].is_none()) {
                Some(Label::Draw)
            } else {
                None
            };
        }
        if let Some(Label::Wins(winner)) = self.root_label()
            && side.is_none_or(|side| side == winner)
        {
            self.mark_strategy(winner, &certain[winner as usize]);
        }
    }

    /// The nodes from which a side can force a win. Each has the number of steps of the fixed point
    /// after which the win is known. With `hoping`, nodes of unknown result count as won.
    fn forced(&self, side: Side, hoping: bool) -> Vec<Option<u32>> {
        let out = self.out_edges();
        let mut into = vec![Vec::new(); self.nodes.len()];
        self.edges.iter().for_each(|edge| into[edge.to].push(edge.from));
        let mut open: Vec<usize> = out.iter().map(Vec::len).collect();
        let mut ranks = vec![None; self.nodes.len()];
        let mut queue = VecDeque::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let unknown = node.unexplored && node.known.is_none();
            if node.ending() == Some(Label::Wins(side)) || hoping && unknown {
                ranks[at] = Some(0);
                queue.push_back((at, 0));
            }
        }
        while let Some((node, rank)) = queue.pop_front() {
            for &parent in &into[node] {
                open[parent] -= 1;
                let won = self.nodes[parent].to_move == side || open[parent] == 0;
                if won && ranks[parent].is_none() {
                    ranks[parent] = Some(rank + 1);
                    queue.push_back((parent, rank + 1));
                }
            }
        }
        ranks
    }

    /// Marks all moves of the winner that keep the winner's label, and all moves of the other side,
    /// from the root on. In a graph with cycles, a move of the winner must also bring the end
    /// nearer.
    fn mark_strategy(&mut self, winner: Side, ranks: &[Option<u32>]) {
        self.unmark();
        self.marked = Marked::Strategy;
        let out = self.out_edges();
        let cyclic = self.is_cyclic();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.nodes[node].bold, true) {
                continue;
            }
            for &at in &out[node] {
                let edge = &mut self.edges[at];
                let own = self.nodes[node].to_move == winner;
                let good =
                    ranks[edge.to].is_some_and(|rank| !cyclic || ranks[node].is_some_and(|here| rank < here));
                if !own || good {
                    edge.bold = true;
                    stack.push(edge.to);
                }
            }
        }
    }

    /// Whether a position can repeat.
    pub fn is_cyclic(&self) -> bool {
        if self.shape == Shape::Tree {
            return false;
        }
        let out = self.out_edges();
        let mut entering = vec![0; self.nodes.len()];
        self.edges.iter().for_each(|edge| entering[edge.to] += 1);
        let mut ready: Vec<usize> = (0..entering.len()).filter(|&node| entering[node] == 0).collect();
        let mut removed = 0;
        while let Some(node) = ready.pop() {
            removed += 1;
            for &at in &out[node] {
                let to = self.edges[at].to;
                entering[to] -= 1;
                if entering[to] == 0 {
                    ready.push(to);
                }
            }
        }
        removed < self.nodes.len()
    }

    /// The number of winning subtrees in a labelled AND/OR tree, as far as the diagram goes. A
    /// subtree chooses one edge at each node of its player.
    pub fn winning_subtrees(&self) -> Option<u128> {
        let view = self.view.filter(|_| self.shape == Shape::Tree)?;
        let out = self.out_edges();
        let mut counts = vec![0_u128; self.nodes.len()];
        // A child has a greater number than its parent.
        for node in (0..self.nodes.len()).rev() {
            let children = out[node].iter().map(|&at| counts[self.edges[at].to]);
            counts[node] = if out[node].is_empty() {
                u128::from(self.nodes[node].ending() == Some(Label::Wins(view)))
            } else if self.nodes[node].to_move == view {
                children.fold(0, u128::saturating_add)
            } else {
                children.fold(1, u128::saturating_mul)
            };
        }
        Some(counts[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    fn unfolded(game: &str, params: &Value, shape: Shape, depth: usize) -> Diagram {
        open(rules::find(game).unwrap(), params).unwrap().unfold(shape, depth, 100_000).unwrap()
    }

    /// Nodes, edges and labels are those of the thesis.
    #[test]
    fn grundy_from_seven() {
        let mut graph = unfolded("grundy", &json!({}), Shape::Graph, 99);
        graph.label(None);
        let name = |node: usize| graph.nodes[node].name();
        let edges: BTreeSet<String> =
            graph.edges.iter().map(|edge| format!("{} {}", name(edge.from), name(edge.to))).collect();
        let expected = "7;A 6,1;B|7;A 5,2;B|7;A 4,3;B|6,1;B 5,1,1;A|6,1;B 4,2,1;A|5,2;B 4,2,1;A|5,2;B 3,2,2;A|\
            4,3;B 4,2,1;A|4,3;B 3,3,1;A|5,1,1;A 4,1,1,1;B|5,1,1;A 3,2,1,1;B|4,2,1;A 3,2,1,1;B|3,2,2;A 2,2,2,1;B|\
            3,3,1;A 3,2,1,1;B|4,1,1,1;B 3,1,1,1,1;A|3,2,1,1;B 2,2,1,1,1;A|3,1,1,1,1;A 2,1,1,1,1,1;B";
        assert_eq!(edges, expected.split('|').map(str::to_owned).collect());
        assert_eq!((graph.nodes.len(), graph.edges.len(), graph.leaves()), (14, 17, 3));
        let labelled = |side| {
            let nodes = graph.nodes.iter().filter(move |node| node.label == Some(Label::Wins(side)));
            nodes.map(super::super::DiagramNode::name).collect::<BTreeSet<_>>()
        };
        let a = "5,1,1;A 4,1,1,1;B 3,1,1,1,1;A 2,1,1,1,1,1;B 3,2,2;A 2,2,2,1;B";
        assert_eq!(labelled(Side::A), a.split(' ').map(str::to_owned).collect());
        assert_eq!(labelled(Side::B).len(), 8);
        assert_eq!(graph.root_label(), Some(Label::Wins(Side::B)));
        let replies: BTreeSet<String> = (graph.edges.iter().filter(|edge| edge.bold))
            .filter(|edge| graph.nodes[edge.from].level == 1)
            .map(|edge| format!("{} {}", name(edge.from), name(edge.to)))
            .collect();
        let expected = "6,1;B 4,2,1;A|5,2;B 4,2,1;A|4,3;B 4,2,1;A|4,3;B 3,3,1;A";
        assert_eq!(replies, expected.split('|').map(str::to_owned).collect());
    }

    #[test]
    fn grundy_from_seven_as_trees() {
        let mut tree = unfolded("grundy", &json!({}), Shape::Tree, 99);
        assert_eq!((tree.nodes.len(), tree.levels(), tree.leaves()), (24, vec![1, 3, 6, 7, 6, 1], 7));
        let won = |side| tree.nodes.iter().filter(|node| node.result == Some(Label::Wins(side))).count();
        assert_eq!((won(Side::A), won(Side::B)), (2, 5));
        tree.label_and_or(Side::B);
        assert_eq!(tree.winning_subtrees(), Some(2));
        // The root, all three first moves, the four good replies, and everything that follows.
        assert_eq!(tree.nodes.iter().filter(|node| node.bold).count(), 16);
        assert!(tree.is_and(0) && !tree.is_and(1));
        let mut tree = unfolded("grundy", &json!({}), Shape::Tree, 99);
        tree.label_and_or(Side::A);
        assert_eq!(tree.winning_subtrees(), Some(0));
        assert!(!tree.nodes.iter().any(|node| node.bold));
    }

    /// The first game is from the thesis, and A wins it. Two other games leave the drawing.
    #[test]
    fn a_game_is_a_path() {
        let moves = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (shape, depth, game, end) in [
            (Shape::Graph, 99, "7:5+2 5:3+2 3:2+1", Ok("2,2,2,1;B")),
            (Shape::Tree, 99, "7:5+2 5:3+2 3:2+1", Ok("2,2,2,1;B")),
            (Shape::Graph, 99, "7:4+3 3:2+1", Ok("4,2,1;A")),
            (Shape::Graph, 2, "7:5+2 5:3+2 3:2+1", Err(2)),
            (Shape::Graph, 99, "7:5+2 6:4+2", Err(1)),
        ] {
            let mut diagram = unfolded("grundy", &json!({}), shape, depth);
            let found = diagram.mark_game(&moves(game));
            let bold = diagram.nodes.iter().filter(|node| node.bold).count();
            let end_found = found.map(|()| {
                assert_eq!(bold, moves(game).len() + 1, "{game}");
                let Marked::Game(end) = diagram.marked else { panic!("{game}: no game is marked") };
                diagram.nodes[end].name()
            });
            assert_eq!(end_found, end.map(str::to_owned), "{game}");
        }
    }

    #[test]
    fn draws_and_cycles() {
        let mut board = unfolded("tic-tac-toe", &json!({}), Shape::Graph, 99);
        board.label(None);
        assert_eq!((board.nodes.len(), board.root_label()), (5_478, Some(Label::Draw)));
        // With best play the game never ends. This is known about the whole game.
        let mut star = unfolded("mu-torere", &json!({}), Shape::Graph, 999);
        star.label(None);
        assert!(star.is_cyclic());
        assert_eq!(star.root_label(), Some(Label::Draw));
    }

    #[test]
    fn results_beyond_the_depth_are_not_guessed() {
        let mut short = unfolded("tic-tac-toe", &json!({}), Shape::Tree, 3);
        short.label(None);
        assert_eq!(short.root_label(), None);
        // With one heap, the first player takes everything, and the win is seen at once.
        let mut heap = unfolded("nim", &json!({"heaps": [3]}), Shape::Tree, 1);
        heap.label(None);
        assert_eq!(heap.root_label(), Some(Label::Wins(Side::A)));
        assert_eq!(heap.nodes.iter().filter(|node| node.label.is_none()).count(), 2);
    }

    #[test]
    fn known_results_at_the_horizon_label_the_nodes_above() {
        let mut cut = unfolded("grundy", &json!({}), Shape::Graph, 2);
        let mut whole = unfolded("grundy", &json!({}), Shape::Graph, 99);
        whole.label(None);
        let horizon: Vec<usize> = cut.horizon().collect();
        assert_eq!((horizon.len(), cut.leaves()), (4, 0));
        for at in horizon {
            let twin = whole.nodes.iter().find(|node| node.lines == cut.nodes[at].lines).unwrap();
            cut.nodes[at].known = twin.label;
        }
        cut.label(None);
        assert_eq!(cut.root_label(), Some(Label::Wins(Side::B)));
        assert!(cut.nodes.iter().zip(&whole.nodes).all(|(near, far)| near.label == far.label));
    }

    #[test]
    fn a_strategy_can_be_asked_of_one_side() {
        for (side, bold) in [(Side::A, 0), (Side::B, 8)] {
            let mut graph = unfolded("grundy", &json!({}), Shape::Graph, 99);
            graph.label(Some(side));
            assert_eq!(graph.nodes.iter().filter(|node| node.bold).count(), bold, "{side}");
            assert_eq!((graph.view, graph.root_label()), (None, Some(Label::Wins(Side::B))));
        }
    }

    #[test]
    fn a_tree_that_never_ends_is_named() {
        let study = open(rules::find("mu-torere").unwrap(), &json!({})).unwrap();
        let error = study.unfold(Shape::Tree, usize::MAX, 2_000).unwrap_err().to_string();
        assert_eq!(
            error,
            "there are more than 2000 nodes: the game can go in circles, so its tree never ends; use --as graph, \
            or --depth 13"
        );
    }

    #[test]
    fn too_many_nodes_are_refused() {
        let study = open(rules::find("tic-tac-toe").unwrap(), &json!({})).unwrap();
        let error = study.unfold(Shape::Tree, 9, 500).unwrap_err().to_string();
        assert_eq!(
            error,
            "there are more than 500 nodes: level 3 is not complete; use --depth 2, or a larger --limit"
        );
    }
}
