//! The part of a game tree that a search has seen, as somebody saw who stood beside it.

use crate::study::Study;
use crate::technique::Technique;
use search::WIN;

/// Each line of moves is here once, however often the search came back to it.
pub struct SeenTree {
    /// The root first, and every node after the node that it follows.
    pub(crate) nodes: Vec<SeenNode>,
    /// From the root to where the search is now.
    path: Vec<(usize, Study)>,
    /// Is nothing missing?
    whole: bool,
    /// Has the search come to some node more than once?
    pub(crate) came_back: bool,
}

/// Values are for the side that searches, and a win is always worth [`WIN`].
pub(crate) struct SeenNode {
    /// The move that leads here.
    pub(crate) mv: String,
    /// In the order of the first visits.
    pub(crate) children: Vec<usize>,
    /// The number of legal moves.
    pub(crate) legal: usize,
    /// Does the side that searches decide here?
    pub(crate) ours: bool,
    /// What the game is worth if it is over.
    pub(crate) over: Option<i32>,
    /// The arena's estimate.
    pub(crate) estimate: i32,
    /// Has the search asked for the estimate?
    pub(crate) evaluated: bool,
}

/// Larger trees are not kept.
const MOST_NODES: usize = 200_000;

impl SeenTree {
    /// A search that has seen its root.
    pub fn new(start: &Study) -> SeenTree {
        let root = SeenNode::new(String::new(), start, start);
        SeenTree { nodes: vec![root], path: vec![(0, start.clone())], whole: true, came_back: false }
    }

    /// From this depth of its path the search has made these moves, and may have asked for the estimate at the last
    /// node.
    pub fn visit(&mut self, depth: usize, moves: &[&str], evaluated: bool) {
        if !self.whole {
            return;
        }
        self.path.truncate(depth + 1);
        for mv in moves {
            let next = self.path.last().and_then(|(at, study)| {
                let mut after = study.clone();
                let mv = after.play(mv).ok()?;
                Some((*at, mv, after))
            });
            let Some((at, mv, after)) = next.filter(|_| self.nodes.len() < MOST_NODES) else {
                self.whole = false;
                return;
            };
            let known = self.child(at, &mv);
            self.came_back |= known.is_some();
            let next = known.unwrap_or_else(|| {
                self.nodes.push(SeenNode::new(mv, &self.path[0].1, &after));
                let next = self.nodes.len() - 1;
                self.nodes[at].children.push(next);
                next
            });
            self.path.push((next, after));
        }
        if let Some((at, _)) = self.path.last().filter(|_| evaluated) {
            self.nodes[*at].evaluated = true;
        }
    }

    pub(crate) fn child(&self, at: usize, mv: &str) -> Option<usize> {
        self.nodes[at].children.iter().copied().find(|&child| self.nodes[child].mv == mv)
    }

    /// Is there more than the root, and is nothing missing?
    pub(crate) fn is_usable(&self) -> bool {
        self.whole && self.nodes.len() > 1
    }

    fn ends(&self) -> impl Iterator<Item = &SeenNode> {
        self.nodes.iter().filter(|node| node.is_open_end())
    }

    /// Does the search estimate as the arena does? That is so if it asks for nearly all estimates that it needs.
    pub(crate) fn is_evaluated(&self) -> bool {
        let (asked, all) = (self.ends().filter(|node| node.evaluated).count(), self.ends().count());
        asked > 0 && asked * 10 >= all * 9
    }

    /// The number of plies that the search looks ahead, if it goes equally deep everywhere.
    pub fn horizon(&self) -> Option<u32> {
        let depths = self.depths();
        let ends = self.nodes.iter().zip(depths).filter(|(node, _)| node.is_open_end());
        let mut ends = ends.map(|(_, depth)| depth);
        let first = ends.next()?;
        (self.is_usable() && ends.all(|depth| depth == first)).then_some(first)
    }

    /// The length of the longest line.
    pub(crate) fn depth(&self) -> u32 {
        self.depths().into_iter().max().unwrap_or(0)
    }

    fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.children.iter().for_each(|&child| depths[child] = depths[at] + 1);
        }
        depths
    }
}

impl SeenNode {
    /// Were some moves tried here, and not all?
    pub(crate) fn is_cut(&self) -> bool {
        (1..self.legal).contains(&self.children.len())
    }

    /// Does the game go on here, and did the search not?
    fn is_open_end(&self) -> bool {
        self.children.is_empty() && self.over.is_none()
    }

    fn new(mv: String, start: &Study, here: &Study) -> SeenNode {
        let value = start.to_move().sees(here.search(Technique::ALPHA_BETA, 0, 1).map_or(0, |it| it.value));
        let over = here.is_over().then(|| without_hurry(value));
        let ours = over.is_none() && here.to_move() == start.to_move();
        let legal = here.legal().len();
        SeenNode { mv, children: Vec::new(), legal, ours, over, estimate: value, evaluated: false }
    }
}

/// A win is a win, however many moves it takes.
pub(crate) fn without_hurry(value: i32) -> i32 {
    if value.abs() >= WIN { value.signum() * WIN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_kept_once() {
        let start = crate::open(rules::find("nim").unwrap(), &serde_json::json!({"heaps": [2, 1]})).unwrap();
        let mut tree = SeenTree::new(&start);
        assert!(!tree.is_usable());
        // A search of two plies that starts again, and looks at one move only at the first node.
        for (depth, moves) in
            [(0, &["1:1"][..]), (1, &["1:1"]), (0, &["1:2"]), (0, &["1:1", "1:1"]), (0, &["2:1"])]
        {
            tree.visit(depth, moves, depth == 1);
        }
        let lines: Vec<(&str, usize, bool)> =
            tree.nodes.iter().map(|node| (node.mv.as_str(), node.children.len(), node.ours)).collect();
        let expected =
            [("", 3, true), ("1:1", 1, false), ("1:1", 0, true), ("1:2", 0, false), ("2:1", 0, false)];
        assert_eq!(lines, expected);
        assert!(tree.is_usable() && !tree.is_evaluated());
        assert_eq!((tree.depth(), tree.horizon(), tree.came_back), (2, None, true));
        // The last move ends the game, so the search now looks two plies ahead everywhere.
        for mv in ["1:2", "2:1"] {
            let after = if mv == "1:2" { "2:1" } else { "1:1" };
            tree.visit(0, &[mv, after], true);
        }
        assert_eq!((tree.horizon(), tree.is_evaluated()), (Some(2), true));
        assert_eq!(tree.nodes.iter().filter_map(|node| node.over).collect::<Vec<_>>(), [-WIN]);
        tree.visit(0, &["9:9"], false);
        assert!(!tree.is_usable(), "a move that nobody can play");
    }
}
