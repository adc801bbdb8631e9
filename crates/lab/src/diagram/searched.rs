//! The tree that minimax or alpha-beta visits, with what the search knows at each node.

use super::{Cut, Diagram, DiagramNode, Edge, Label, Marked, Searched, Shape, Side, TooLarge};
use search::Tree;

/// How positions and moves are written.
pub(crate) trait Writing<T: Tree> {
    fn position(&self, node: &T) -> Vec<String>;
    fn mv(&self, mv: &T::Move) -> String;
    /// How the game ended. `None` while the game goes on.
    fn ending(&self, node: &T) -> Option<Label> {
        node.result().map(Label::of_result)
    }
}

/// Saved nodes are counted up to this number.
const MOST_SAVED: u64 = 1_000_000;

/// Searches `depth` plies, with or without cuts. Children that are cut off are in the diagram, but
/// nothing below them.
pub(crate) fn search_tree<T: Tree, W: Writing<T>>(
    root: &T,
    writing: &W,
    cuts: bool,
    depth: u32,
    limit: usize,
) -> Result<Diagram, TooLarge> {
    let mut walk =
        SearchWalk { diagram: Diagram::empty(Shape::Tree), writing, cuts, limit, uncounted: MOST_SAVED };
    let window = Cut { alpha: i32::MIN, beta: i32::MAX };
    walk.add(root, Side::of_max(root.max_to_move()), 0, window)?;
    walk.visit(root, 0, depth, window)?;
    walk.diagram.saved = (walk.uncounted > 0).then(|| MOST_SAVED - walk.uncounted);
    Ok(walk.diagram)
}

struct SearchWalk<'a, W> {
    diagram: Diagram,
    writing: &'a W,
    cuts: bool,
    limit: usize,
    /// How many more of the saved nodes can be counted.
    uncounted: u64,
}

impl<W> SearchWalk<'_, W> {
    fn add<T: Tree>(&mut self, node: &T, to_move: Side, level: usize, window: Cut) -> Result<usize, TooLarge>
    where
        W: Writing<T>,
    {
        let number = self.diagram.nodes.len();
        if number == self.limit {
            return Err(TooLarge { limit: self.limit, level, endless: false });
        }
        let searched = Searched { value: None, alpha: window.alpha, beta: window.beta, cut: None };
        self.diagram.nodes.push(DiagramNode {
            lines: self.writing.position(node),
            to_move,
            result: self.writing.ending(node),
            level,
            unexplored: false,
            known: None,
            label: None,
            bold: false,
            searched: Some(searched),
            drawn: false,
        });
        Ok(number)
    }

    fn visit<T: Tree>(&mut self, node: &T, at: usize, depth: u32, window: Cut) -> Result<i32, TooLarge>
    where
        W: Writing<T>,
    {
        let value = match node.leaf_value(depth) {
            Some(value) => {
                self.diagram.nodes[at].unexplored = node.result().is_none();
                value
            }
            None => self.visit_children(node, at, depth, window)?,
        };
        self.searched(at).value = Some(value);
        Ok(value)
    }

    fn visit_children<T: Tree>(
        &mut self,
        node: &T,
        at: usize,
        depth: u32,
        mut window: Cut,
    ) -> Result<i32, TooLarge>
    where
        W: Writing<T>,
    {
        let maximising = node.max_to_move();
        let (mover, level) = (Side::of_max(maximising), self.diagram.nodes[at].level);
        let mut moves = Vec::new();
        node.branches(&mut moves);
        let mut best = None;
        for mv in moves {
            let child = node.after(&mv);
            let next =
                if child.result().is_some() { mover.other() } else { Side::of_max(child.max_to_move()) };
            let to = self.add(&child, next, level + 1, window)?;
            let cut = self.searched(at).cut.is_some();
            let moves = vec![self.writing.mv(&mv)];
            self.diagram.edges.push(Edge { from: at, to, moves, bold: false, cut });
            if cut {
                self.diagram.nodes[to].unexplored = child.leaf_value(depth - 1).is_none();
                count(&child, depth - 1, &mut self.uncounted);
                continue;
            }
            let value = self.visit(&child, to, depth - 1, window)?;
            let choose = if maximising { i32::max } else { i32::min };
            best = Some(best.map_or(value, |best| choose(best, value)));
            if self.cuts {
                let bound = if maximising { &mut window.alpha } else { &mut window.beta };
                *bound = choose(*bound, value);
                if window.alpha >= window.beta {
                    self.searched(at).cut = Some(window);
                }
            }
        }
        // A cut after the last child does not count, because nothing was left to cut.
        if self.diagram.edges.iter().rev().find(|edge| edge.from == at).is_some_and(|edge| !edge.cut) {
            self.searched(at).cut = None;
        }
        Ok(best.unwrap_or(0))
    }

    fn searched(&mut self, at: usize) -> &mut Searched {
        let empty = Searched { value: None, alpha: i32::MIN, beta: i32::MAX, cut: None };
        self.diagram.nodes[at].searched.get_or_insert(empty)
    }
}

/// Subtracts a node and all nodes below it from `left`.
fn count<T: Tree>(node: &T, depth: u32, left: &mut u64) {
    *left = left.saturating_sub(1);
    if *left == 0 || node.leaf_value(depth).is_some() {
        return;
    }
    let mut moves = Vec::new();
    node.branches(&mut moves);
    for mv in &moves {
        count(&node.after(mv), depth - 1, left);
    }
}

impl Diagram {
    /// Marks the expected line of a searched tree. The line starts at the root and follows the
    /// first child with the same value.
    pub fn mark_line(&mut self) {
        self.unmark();
        self.marked = Marked::Line;
        let out = self.out_edges();
        let value =
            |diagram: &Diagram, node: usize| diagram.nodes[node].searched.and_then(|known| known.value);
        let mut node = 0;
        self.nodes[0].bold = true;
        while let Some(&at) =
            out[node].iter().find(|&&at| value(self, self.edges[at].to) == value(self, node))
        {
            self.edges[at].bold = true;
            node = self.edges[at].to;
            self.nodes[node].bold = true;
        }
    }
}
