//! Game graphs, game trees and searched trees as plain data for the drawings.

mod labels;
mod searched;
mod unfold;

pub(crate) use searched::{Writing, search_tree};
pub(crate) use unfold::unfold;

use serde::Serialize;
use std::fmt;

/// The two sides. A is seat 0 and its team, and B is the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Side {
    A,
    B,
}

impl Side {
    pub fn of_max(max: bool) -> Side {
        if max { Side::A } else { Side::B }
    }

    #[must_use]
    pub fn other(self) -> Side {
        Side::of_max(self == Side::B)
    }

    /// Converts a value for A to a value for this side.
    pub fn sees(self, value: i32) -> i32 {
        if self == Side::A { value } else { -value }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// Who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    Wins(Side),
    Draw,
}

impl Label {
    /// The label of a finished game, from its result for A: 1, 0 or -1.
    pub(crate) fn of_result(result: i32) -> Label {
        match result {
            0 => Label::Draw,
            result => Label::Wins(Side::of_max(result > 0)),
        }
    }
}

impl Label {
    /// 1 if A wins, -1 if B does, 0 for a draw.
    pub fn value(self) -> i32 {
        match self {
            Label::Wins(Side::A) => 1,
            Label::Wins(Side::B) => -1,
            Label::Draw => 0,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Wins(side) => side.fmt(f),
            Label::Draw => f.write_str("draw"),
        }
    }
}

impl Serialize for Label {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a position that is reached in several ways is one node or several nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Graph,
    Tree,
}

/// A position in a diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagramNode {
    /// The lines of the compact position.
    pub lines: Vec<String>,
    /// The side to move. At the end of a game, the side that would be next.
    pub to_move: Side,
    /// How the game ended. `None` while the game goes on.
    pub result: Option<Label>,
    /// The number of moves from the root.
    pub level: usize,
    /// The game goes on from here, but the diagram does not.
    pub unexplored: bool,
    /// Who wins here with best play, if that is known from elsewhere. The diagram itself shows
    /// nothing beyond its horizon.
    pub known: Option<Label>,
    pub label: Option<Label>,
    /// Whether the node is marked, see [`Marked`].
    pub bold: bool,
    pub searched: Option<Searched>,
    /// Whether the node belongs to a tree written by hand. If so, its lines are its whole name.
    pub drawn: bool,
}

impl DiagramNode {
    /// Whether alpha-beta never visited the node.
    pub fn is_cut_off(&self) -> bool {
        self.searched.is_some_and(|known| known.value.is_none())
    }

    /// The cut that ended the node before all its children were visited.
    pub fn cut(&self) -> Option<Cut> {
        self.searched.and_then(|known| known.cut)
    }

    /// How the game ends from here, if that is known without the nodes below.
    pub fn ending(&self) -> Option<Label> {
        self.result.or(self.known)
    }

    /// The name of the node as in the thesis: the position, then the side to move.
    pub fn name(&self) -> String {
        let position = self.lines.join("/");
        if self.drawn { position } else { format!("{position};{}", self.to_move) }
    }
}

/// What a search knows about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Searched {
    /// The value for A. `None` if the node was cut off and never visited.
    pub value: Option<i32>,
    /// The window with which the node was entered.
    pub alpha: i32,
    pub beta: i32,
    /// The cut that ended the node before all its children were visited.
    pub cut: Option<Cut>,
}

/// Alpha and beta at the moment of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    pub alpha: i32,
    pub beta: i32,
}

/// A move from one node to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The moves that lead there.
    pub moves: Vec<String>,
    /// Whether the edge is marked, see [`Marked`].
    pub bold: bool,
    /// Whether alpha-beta cut the edge off.
    pub cut: bool,
}

/// The meaning of the bold nodes and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// Every move that the winner may play, with all answers.
    Strategy,
    /// The line that a search expects.
    Line,
    /// One game that ends at the node with this number.
    Game(usize),
}

/// How values and labels are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// Values are for the player to move, as in negamax. Otherwise they are for A.
    pub for_mover: bool,
    /// Results are written as 1 (A wins), 0 (draw) and -1 (B wins). Otherwise they are written in
    /// words.
    pub numbers: bool,
}

/// The nodes with the root first, and the edges in the order in which the game lists its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    pub shape: Shape,
    pub nodes: Vec<DiagramNode>,
    pub edges: Vec<Edge>,
    /// The player of an AND/OR tree. The player's own moves are OR edges, and the moves of the
    /// other side are AND edges.
    pub view: Option<Side>,
    /// The only player whose winning strategy is marked, if one was chosen.
    pub strategy_of: Option<Side>,
    pub marked: Marked,
    pub notation: Notation,
    /// The number of nodes that the cuts saved, in the diagram and below it. `None` if there are
    /// too many to count.
    pub saved: Option<u64>,
}

/// There are more nodes than can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are more than {limit} nodes: {}", self.way_out())]
pub struct TooLarge {
    pub limit: usize,
    pub level: usize,
    /// Whether the diagram is a tree in which a position repeats below itself.
    pub endless: bool,
}

impl TooLarge {
    fn way_out(&self) -> String {
        // The depth that fits, if any depth fits.
        let smaller = if self.level > 1 { format!("--depth {}", self.level - 1) } else { String::new() };
        match (self.endless, smaller.as_str()) {
            (true, "") => "the game can go in circles, so its tree never ends; use --as graph".to_owned(),
            (true, _) => {
                format!("the game can go in circles, so its tree never ends; use --as graph, or {smaller}")
            }
            (false, "") => format!("level {} is not complete; use a larger --limit", self.level),
            (false, _) => {
                format!("level {} is not complete; use {smaller}, or a larger --limit", self.level)
            }
        }
    }
}

impl Diagram {
    pub(crate) fn empty(shape: Shape) -> Diagram {
        Diagram {
            shape,
            nodes: Vec::new(),
            edges: Vec::new(),
            view: None,
            strategy_of: None,
            marked: Marked::Strategy,
            notation: Notation::default(),
            saved: Some(0),
        }
    }

    pub fn root_label(&self) -> Option<Label> {
        self.nodes[0].label
    }

    /// By node, the numbers of its outgoing edges.
    pub fn out_edges(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.nodes.len()];
        self.edges.iter().enumerate().for_each(|(at, edge)| out[edge.from].push(at));
        out
    }

    /// The number of nodes on each level.
    pub fn levels(&self) -> Vec<usize> {
        let deepest = self.nodes.iter().map(|node| node.level).max().unwrap_or(0);
        let mut levels = vec![0; deepest + 1];
        self.nodes.iter().for_each(|node| levels[node.level] += 1);
        levels
    }

    /// The number of nodes without outgoing edges. Nodes from which the game goes on are not
    /// counted, unless a search treated them as leaves.
    pub fn leaves(&self) -> usize {
        let ends = self.out_edges().iter().filter(|edges| edges.is_empty()).count();
        ends - self.horizon().count()
    }

    /// The nodes where the diagram stops before the game does. A searched diagram has none.
    pub fn horizon(&self) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.unexplored && node.searched.is_none()).map(|(at, _)| at)
    }

    /// By node, moves that lead there from the root.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let mut paths: Vec<Option<Vec<String>>> = vec![None; self.nodes.len()];
        paths[0] = Some(Vec::new());
        // The edges come level by level, so the path to the start of an edge is known.
        for edge in &self.edges {
            if paths[edge.to].is_none() {
                let before = paths[edge.from].iter().flatten();
                paths[edge.to] = Some(before.chain(edge.moves.first()).cloned().collect());
            }
        }
        paths.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Marks one game that starts at the root. If the game leaves the diagram, the error is the
    /// number of moves before that.
    pub fn mark_game(&mut self, moves: &[String]) -> Result<(), usize> {
        let out = self.out_edges();
        self.unmark();
        let mut node = 0;
        self.nodes[0].bold = true;
        for (at, mv) in moves.iter().enumerate() {
            let edge = out[node].iter().find(|&&edge| self.edges[edge].moves.contains(mv)).ok_or(at)?;
            self.edges[*edge].bold = true;
            node = self.edges[*edge].to;
            self.nodes[node].bold = true;
        }
        self.marked = Marked::Game(node);
        Ok(())
    }

    fn unmark(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.bold = false);
        self.edges.iter_mut().for_each(|edge| edge.bold = false);
    }

    /// The number of nodes that a search visited.
    pub fn generated(&self) -> usize {
        self.nodes.iter().filter(|node| node.searched.is_some_and(|known| known.value.is_some())).count()
    }

    /// Whether all moves of this node must be answered.
    pub fn is_and(&self, node: usize) -> bool {
        self.view.is_some_and(|view| self.nodes[node].to_move != view)
    }
}
