//! Numbers that the thesis prints, and small trees counted by hand.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use search::{Budget, Count, Tree, alpha_beta, minimax, negamax};

/// A tree as a textbook draws it: numbers are leaves, MAX moves at the root, then they take turns.
#[derive(Clone, Debug)]
struct Drawn {
    node: Node,
    max: bool,
}

#[derive(Clone, Debug)]
enum Node {
    Leaf(i32),
    Inner(Vec<Node>),
}

fn drawn(text: &str) -> Drawn {
    fn node(value: &serde_json::Value) -> Node {
        match value.as_array() {
            Some(children) => Node::Inner(children.iter().map(node).collect()),
            None => Node::Leaf(value.as_i64().unwrap() as i32),
        }
    }
    Drawn { node: node(&serde_json::from_str(text).unwrap()), max: true }
}

impl Tree for Drawn {
    type Move = usize;

    fn result(&self) -> Option<i32> {
        None
    }

    fn estimate(&self) -> i32 {
        match self.node {
            Node::Leaf(value) => value,
            Node::Inner(_) => panic!("depth is larger than the tree"),
        }
    }

    fn leaf_value(&self, _depth: u32) -> Option<i32> {
        matches!(self.node, Node::Leaf(_)).then(|| self.estimate())
    }

    fn max_to_move(&self) -> bool {
        self.max
    }

    fn branches(&self, out: &mut Vec<usize>) {
        if let Node::Inner(children) = &self.node {
            out.extend(0..children.len());
        }
    }

    fn after(&self, mv: &usize) -> Drawn {
        let Node::Inner(children) = &self.node else { panic!("a leaf has no children") };
        Drawn { node: children[*mv].clone(), max: !self.max }
    }
}

#[test]
fn the_example_of_the_thesis() {
    let tree = drawn(
        "[[[7, 8], [10, 3, 12], [10, 5, 9]], [-10, [4, 2], [6, 1]], [-10, [0, 5], [3, 9]], [-10, [2], [11]]]",
    );
    let budget = Budget::unlimited();
    let whole = minimax(&tree, 9, &budget).unwrap();
    assert_eq!((whole.value, whole.count.nodes, whole.advice()), (8, 35, Some(&0)));
    assert_eq!(negamax(&tree, 9, &budget).unwrap().value, 8);
    let cut = alpha_beta(&tree, 9, &budget).unwrap();
    assert_eq!((cut.value, cut.advice()), (8, Some(&0)));
    assert_eq!(cut.count, Count { nodes: 15, leaves: 7, alpha_cuts: 3, beta_cuts: 2 });
}

#[test]
fn an_alpha_cut_and_its_mirror_image() {
    let budget = Budget::unlimited();
    // MAX is sure of 9; the second MIN node shows a 4 and is left.
    let alpha = alpha_beta(&drawn("[[9], [4, 100]]"), 9, &budget).unwrap();
    assert_eq!((alpha.value, alpha.count.alpha_cuts, alpha.count.nodes), (9, 1, 5));
    let beta = alpha_beta(&drawn("[[[2], [7, -100]]]"), 9, &budget).unwrap();
    assert_eq!((beta.value, beta.count.beta_cuts), (2, 1));
    // Equality is enough for a cut.
    assert_eq!(alpha_beta(&drawn("[[4], [4, 100]]"), 9, &budget).unwrap().count.alpha_cuts, 1);
}
