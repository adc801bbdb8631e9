//! Unfolds a position into all positions that can follow.

use super::{Diagram, DiagramNode, Edge, Label, Shape, Side, TooLarge};
use crate::compact;
use rules::Duel;
use search::Tree;
use std::collections::HashMap;

/// All positions up to `depth` moves away, level by level.
pub(crate) fn unfold<P: Duel>(
    start: &P,
    shape: Shape,
    depth: usize,
    limit: usize,
) -> Result<Diagram, TooLarge> {
    let mut growing =
        Growing { positions: Vec::new(), known: HashMap::new(), diagram: Diagram::empty(shape), limit };
    growing.add(start.clone(), Side::of_max(start.max_to_move()), 0)?;
    let mut next = 0;
    while next < growing.positions.len() {
        if growing.diagram.nodes[next].level < depth {
            growing.expand(next)?;
        } else {
            let node = &mut growing.diagram.nodes[next];
            node.unexplored = node.result.is_none();
        }
        next += 1;
    }
    Ok(growing.diagram)
}

struct Growing<P> {
    /// By node.
    positions: Vec<P>,
    /// The node of each position, in a graph only.
    known: HashMap<P, usize>,
    diagram: Diagram,
    limit: usize,
}

impl<P: Duel> Growing<P> {
    fn add(&mut self, position: P, to_move: Side, level: usize) -> Result<usize, TooLarge> {
        let number = self.positions.len();
        if number == self.limit {
            return Err(TooLarge { limit: self.limit, level, endless: self.goes_in_circles() });
        }
        let result = position.result().map(Label::of_result);
        self.diagram.nodes.push(DiagramNode {
            lines: compact::lines(&position),
            to_move,
            result,
            level,
            unexplored: false,
            known: None,
            label: None,
            bold: false,
            searched: None,
            drawn: false,
        });
        if self.diagram.shape == Shape::Graph {
            self.known.insert(position.clone(), number);
        }
        self.positions.push(position);
        Ok(number)
    }

    /// Whether some branch of the tree so far returns to an earlier position of the same branch.
    fn goes_in_circles(&self) -> bool {
        if self.diagram.shape == Shape::Graph {
            return false;
        }
        let mut parents = vec![None; self.positions.len()];
        self.diagram.edges.iter().for_each(|edge| parents[edge.to] = Some(edge.from));
        let comes_again = |node: usize| {
            let mut above = std::iter::successors(parents[node], |&at| parents[at]);
            above.any(|at| self.positions[at] == self.positions[node])
        };
        (0..self.positions.len()).any(comes_again)
    }

    fn expand(&mut self, from: usize) -> Result<(), TooLarge> {
        if self.diagram.nodes[from].result.is_some() {
            return Ok(());
        }
        let (mover, level) = (self.diagram.nodes[from].to_move, self.diagram.nodes[from].level);
        let first_edge = self.diagram.edges.len();
        let mut moves = Vec::new();
        self.positions[from].branches(&mut moves);
        for mv in moves {
            let position = self.positions[from].after(&mv);
            let to = match self.known.get(&position) {
                Some(&node) => node,
                None => {
                    let over = position.result().is_some();
                    let next = if over { mover.other() } else { Side::of_max(position.max_to_move()) };
                    self.add(position, next, level + 1)?
                }
            };
            // Two moves to the same position are one edge.
            match self.diagram.edges[first_edge..].iter_mut().find(|edge| edge.to == to) {
                Some(edge) => edge.moves.push(mv.to_string()),
                None => {
                    let moves = vec![mv.to_string()];
                    self.diagram.edges.push(Edge { from, to, moves, bold: false, cut: false });
                }
            }
        }
        Ok(())
    }
}
