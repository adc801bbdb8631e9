//! Numbers printed in the thesis, numbers published by others, and small trees counted by hand.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rules::{DotsAndBoxes, Duel, Grundy, Nim, Position, Seed, TicTacToe};
use search::{Budget, Count, Found, Strong, Tree, WIN, alpha_beta, minimax, negamax};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// A tree as a textbook draws it. Numbers are leaves. MAX moves at the root, then MAX and MIN
/// alternate.
#[derive(Clone, Debug)]
struct Drawn {
    node: Value,
    max: bool,
    /// The leaves in the order in which a search looked at them.
    seen: Rc<RefCell<Vec<i64>>>,
}

fn drawn(text: &str) -> Drawn {
    Drawn { node: serde_json::from_str(text).unwrap(), max: true, seen: Rc::default() }
}

impl Tree for Drawn {
    type Move = usize;

    fn result(&self) -> Option<i32> {
        None
    }

    fn estimate(&self) -> i32 {
        let value = self.node.as_i64().expect("a leaf, since no depth is left");
        self.seen.borrow_mut().push(value);
        value as i32
    }

    fn leaf_value(&self, _depth: u32) -> Option<i32> {
        self.node.is_number().then(|| self.estimate())
    }

    fn max_to_move(&self) -> bool {
        self.max
    }

    fn branches(&self, out: &mut Vec<usize>) {
        out.extend(0..self.node.as_array().unwrap().len());
    }

    fn after(&self, mv: &usize) -> Drawn {
        Drawn { node: self.node[*mv].clone(), max: !self.max, seen: Rc::clone(&self.seen) }
    }
}

fn all_three(tree: &Drawn) -> (Found<usize>, Found<usize>) {
    let budget = Budget::unlimited();
    let whole = minimax(tree, 9, &budget).unwrap();
    assert_eq!(negamax(tree, 9, &budget).unwrap(), whole, "negamax is minimax in every respect");
    tree.seen.borrow_mut().clear();
    let cut = alpha_beta(tree, 9, &budget).unwrap();
    assert_eq!((cut.value, cut.advice()), (whole.value, whole.advice()));
    (whole, cut)
}

/// The tree has 35 nodes, of which alpha-beta generates 15: 57 % are cut off.
#[test]
fn the_example_of_the_thesis() {
    let tree = drawn(
        "[[[7, 8], [10, 3, 12], [10, 5, 9]], [-10, [4, 2], [6, 1]], [-10, [0, 5], [3, 9]], [-10, [2], [11]]]",
    );
    let (whole, cut) = all_three(&tree);
    assert_eq!((whole.value, whole.count.nodes, whole.advice()), (8, 35, Some(&0)));
    assert_eq!(cut.count, Count { nodes: 15, leaves: 7, alpha_cuts: 3, beta_cuts: 2 });
    assert_eq!(*tree.seen.borrow(), [7, 8, 10, 10, -10, -10, -10]);
    assert_eq!((100 * (whole.count.nodes - cut.count.nodes)) / whole.count.nodes, 57);
    // MAX goes to the first child. Its value comes from its first child, whose second leaf is the
    // 8.
    assert_eq!(cut.line, [0, 0, 1]);
}

/// Columns: the tree, the value, the nodes of minimax, the counts of alpha-beta, and the leaves
/// that alpha-beta sees.
#[test]
fn small_trees_counted_by_hand() {
    let count = |nodes, leaves, alpha_cuts, beta_cuts| Count { nodes, leaves, alpha_cuts, beta_cuts };
    for (tree, value, nodes, expected, seen) in [
        // A leaf is a tree.
        ("7", 7, 1, count(1, 1, 0, 0), vec![7]),
        // From the thesis: MAX is sure of 9. The second MIN node shows a 4 and is left; the 100 is
        // not seen.
        ("[[9], [4, 100]]", 9, 6, count(5, 2, 1, 0), vec![9, 4]),
        // The mirror image, one level down: MIN is sure of 2. The second MAX node shows a 7.
        ("[[[2], [7, -100]]]", 2, 7, count(6, 2, 0, 1), vec![2, 7]),
        // Equality is enough for a cut.
        ("[[4], [4, 100]]", 4, 6, count(5, 2, 1, 0), vec![4, 4]),
        // A 4 in the last place cuts nothing, because nothing is left.
        ("[[9], [100, 4]]", 9, 6, count(6, 3, 0, 0), vec![9, 100, 4]),
        // The tree of many textbooks. The first MIN node is 3. The second shows 2 <= 3: its 4 and 6
        // are cut. The third shows 14, 5, 2; only the last of these is <= 3.
        ("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", 3, 13, count(11, 7, 1, 0), vec![3, 12, 8, 2, 14, 5, 2]),
        // Best move first everywhere, 3 branches and 2 plies: 3 + 3 - 1 = 5 leaves. Each later MIN
        // node is left after one leaf.
        ("[[3, 4, 5], [2, 9, 9], [1, 9, 9]]", 3, 13, count(9, 5, 2, 0), vec![3, 4, 5, 2, 1]),
        // Best move first everywhere, 2 branches and 3 plies: 4 + 2 - 1 = 5 leaves. [5, 1] is 5.
        // [7, 0] is left at 7 >= 5. Then [3, 2] is 3, and MIN's 3 <= 5 cuts [9, 9].
        ("[[[5, 1], [7, 0]], [[3, 2], [9, 9]]]", 5, 15, count(11, 5, 1, 1), vec![5, 1, 7, 3, 2]),
        // Best move last everywhere: all 15 nodes are needed.
        ("[[[3, 4], [1, 2]], [[7, 8], [5, 6]]]", 6, 15, count(15, 8, 0, 0), vec![3, 4, 1, 2, 7, 8, 5, 6]),
        // Alpha is passed down the whole path: MAX's 10 at the root cuts the 100 three levels
        // below.
        ("[10, [[[5, 100], [20]], [30]]]", 20, 11, count(10, 4, 1, 0), vec![10, 5, 20, 30]),
        // So is beta: MIN's 10 cuts the -100 in a MAX node three levels below. [-20] is the smaller
        // child of its MIN node.
        ("[[10, [[[15, -100], [-20]], [-30]]]]", -20, 12, count(11, 4, 0, 1), vec![10, 15, -20, -30]),
    ] {
        let drawn = drawn(tree);
        let (whole, cut) = all_three(&drawn);
        assert_eq!((whole.value, whole.count.nodes), (value, nodes), "{tree}");
        assert_eq!((whole.count.alpha_cuts, whole.count.beta_cuts), (0, 0), "{tree}: minimax cuts nothing");
        assert_eq!(cut.count, expected, "{tree}");
        assert_eq!(*drawn.seen.borrow(), seen, "{tree}");
    }
}

fn start<P: Position>(params: &Value) -> P {
    P::start(&rules::read_params(params).unwrap(), Seed::from_number(0)).unwrap()
}

/// Grundy's game from 7, whose tree the thesis draws: 24 nodes, 7 games, and B wins.
///
/// A win is worth WIN plus the depth left. Under `6,1`, alpha-beta sees two children. The first is
/// `5,1,1` (A wins: `4,1,1,1`, `3,1,1,1,1` and its leaf; then `3,2,1,1` and its leaf, where B
/// wins). The second is `4,2,1` (`3,2,1,1`, leaf: B wins). With the root, these are 1 + 1 + 6 + 3 =
/// 11 nodes. Now A is sure of a loss at level 4. Under `5,2`, the first child `4,2,1` (3 nodes) is
/// such a loss too, so the rest is cut. The same holds under `4,3`. In total 11 + 4 + 4 = 19 nodes
/// and 5 leaves.
#[test]
fn grundys_game_from_seven() {
    let grundy: Grundy = start(&json!({"piles": [7]}));
    let budget = Budget::unlimited();
    let whole = minimax(&grundy, 10, &budget).unwrap();
    assert_eq!(whole.count, Count { nodes: 24, leaves: 7, alpha_cuts: 0, beta_cuts: 0 });
    assert_eq!(whole.value, -(WIN + 6), "B wins after 4 of 10 plies");
    assert_eq!(negamax(&grundy, 10, &budget).unwrap(), whole);
    let cut = alpha_beta(&grundy, 10, &budget).unwrap();
    assert_eq!((cut.value, cut.advice()), (whole.value, whole.advice()));
    assert_eq!(cut.count, Count { nodes: 19, leaves: 5, alpha_cuts: 2, beta_cuts: 0 });
}

/// A game in which only the result counts (1, 0 or -1), not how soon the result comes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ResultOnly<P>(P);

impl<P: Duel> Tree for ResultOnly<P> {
    type Move = P::Move;

    fn result(&self) -> Option<i32> {
        self.0.result()
    }

    fn estimate(&self) -> i32 {
        panic!("the game is searched to its end")
    }

    fn leaf_value(&self, _depth: u32) -> Option<i32> {
        self.result()
    }

    fn max_to_move(&self) -> bool {
        self.0.max_to_move()
    }

    fn branches(&self, out: &mut Vec<P::Move>) {
        self.0.branches(out);
    }

    fn after(&self, mv: &P::Move) -> Self {
        ResultOnly(self.0.after(mv))
    }
}

/// The numbers 549,946 (nodes) and 255,168 (games) are well known. The alpha-beta of `OpenSpiel`,
/// in C++, generates the same 18,297 nodes.
#[test]
fn tic_tac_toe_needs_the_published_number_of_nodes() {
    let budget = Budget::unlimited();
    let tic_tac_toe = ResultOnly(start::<TicTacToe>(&json!({})));
    let whole = minimax(&tic_tac_toe, 9, &budget).unwrap();
    assert_eq!((whole.value, whole.count.nodes, whole.count.leaves), (0, 549_946, 255_168));
    assert_eq!(alpha_beta(&tic_tac_toe, 9, &budget).unwrap().count.nodes, 18_297);
}

/// Positions with exchanged sides, turned boards, or heaps in another order have the same value,
/// whoever is to move.
#[test]
fn alike_positions_have_the_same_value() {
    fn compare<P: Duel>(params: &Value, depth: u32) {
        let mut position: P = start(params);
        let mut kept = Strong::new(1);
        // Follows the line of alpha-beta, so that both sides are to move now and then.
        for depth in (6..=depth).rev() {
            let plain = alpha_beta(&position, depth, &Budget::unlimited()).unwrap();
            let strong = kept.search(&position, depth, &Budget::unlimited()).unwrap();
            assert_eq!(strong.value, plain.value, "{position:?} at depth {depth}");
            let Some(mv) = plain.advice() else { break };
            position.play(position.mover(), mv);
        }
    }
    compare::<TicTacToe>(&json!({}), 9);
    compare::<Nim>(&json!({"heaps": [3, 4, 4]}), 11);
    compare::<Nim>(&json!({"heaps": [2, 3, 5], "misere": true}), 10);
    compare::<DotsAndBoxes>(&json!({"width": 2, "height": 1}), 7);
    compare::<DotsAndBoxes>(&json!({"width": 3, "height": 1}), 10);
}

/// The table and the move order save most of the work, and the value stays the same.
#[test]
fn the_strong_search_needs_fewer_nodes() {
    let tic_tac_toe: TicTacToe = start(&json!({}));
    let budget = Budget::unlimited();
    let plain = alpha_beta(&tic_tac_toe, 9, &budget).unwrap();
    let mut searcher = Strong::new(1);
    let strong = searcher.search(&tic_tac_toe, 9, &budget).unwrap();
    assert_eq!(strong.value, plain.value);
    assert!(strong.count.nodes < plain.count.nodes / 2, "{} of {}", strong.count.nodes, plain.count.nodes);
    // The second time the table helps from the beginning.
    let again = searcher.search(&tic_tac_toe, 9, &budget).unwrap();
    assert_eq!(again.value, plain.value);
    assert!(again.count.nodes < strong.count.nodes, "{} of {}", again.count.nodes, strong.count.nodes);
    // Alike positions share an entry, so at most a tenth of the work is left.
    assert!(strong.count.nodes < plain.count.nodes / 10, "{} of {}", strong.count.nodes, plain.count.nodes);
    // A whole game is not searched again for depths that the game does not have.
    let deep = searcher.search(&tic_tac_toe, 90, &budget).unwrap();
    assert_eq!((deep.value, deep.depth), (0, 90));
}
