//! What can be had in a position, and which moves keep it.
//!
//! Exactly, where the game can't return to a position and is small enough; or as far as a full search of some plies
//! sees, where a win and a loss within that horizon are certain and everything else is open.

use rules::{Duel, DuelVisitor, Seed, Turn};
use search::{Budget, Tree, WIN, alpha_beta, minimax};
use serde_json::Value;
use std::cell::Cell;
use std::collections::HashMap;

/// For the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    Loss,
    /// A draw, or, with a horizon, not decided within it.
    Even,
    Win,
}

/// A position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub worth: Worth,
    pub moves: Vec<(String, Worth)>,
    horizon: Option<u32>,
}

impl Judged {
    /// The moves that keep what can be had.
    pub fn keeping(&self) -> Vec<&str> {
        let keeps = self.moves.iter().filter(|(_, worth)| *worth >= self.worth);
        keeps.map(|(mv, _)| mv.as_str()).collect()
    }

    pub fn worth_of(&self, mv: &str) -> Option<Worth> {
        self.moves.iter().find(|(other, _)| other == mv).map(|(_, worth)| *worth)
    }

    /// Is there anything to be done wrong?
    pub fn matters(&self) -> bool {
        self.moves.iter().any(|(_, worth)| *worth < self.worth)
    }

    pub fn word(&self, worth: Worth) -> String {
        match (worth, self.horizon) {
            (Worth::Win, None) => "a win".to_owned(),
            (Worth::Even, None) => "a draw".to_owned(),
            (Worth::Loss, None) => "a loss".to_owned(),
            (Worth::Win, Some(plies)) => format!("a win within {plies} plies"),
            (Worth::Even, Some(plies)) => format!("open for {plies} plies"),
            (Worth::Loss, Some(plies)) => format!("a loss within {plies} plies"),
        }
    }
}

/// What full minimax says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// For the player to move, as the built-in bots report it.
    pub value: i32,
    pub nodes: u64,
    /// Every line was searched to the end of the game: nothing was estimated.
    pub complete: bool,
    pub moves: usize,
}

/// Positions remembered before a game counts as too large, and nodes searched for one position.
const STATES: usize = 1_000_000;
const NODES: u64 = 30_000_000;

/// The truth about the position after these moves; `None` if it can't be found out.
pub fn judge(game: &str, params: &Value, moves: &[String], horizon: Option<u32>) -> Option<Judged> {
    rules::visit_duel(game, Judge { params, moves, horizon })?
}

/// Minimax to a depth; `None` if that is too much work.
pub fn reference(game: &str, params: &Value, moves: &[String], depth: u32) -> Option<Reference> {
    rules::visit_duel(game, Refer { params, moves, depth })?
}

struct Judge<'a> {
    params: &'a Value,
    moves: &'a [String],
    horizon: Option<u32>,
}

struct Refer<'a> {
    params: &'a Value,
    moves: &'a [String],
    depth: u32,
}

fn position<P: Duel>(params: &Value, moves: &[String]) -> Option<P> {
    let params = rules::read_params::<P::Params>(params).ok()?;
    let mut position = P::start(&params, Seed::from_number(0)).ok()?;
    for text in moves {
        let mv = text.parse::<P::Move>().ok()?;
        position.play(position.mover(), &mv);
    }
    (position.turn() != Turn::Over).then_some(position)
}

impl DuelVisitor for Judge<'_> {
    type Output = Option<Judged>;

    fn visit<P: Duel>(self) -> Option<Judged> {
        let root: P = position(self.params, self.moves)?;
        let mut memory = HashMap::new();
        let mut judged = Vec::new();
        let mut moves = Vec::new();
        root.branches(&mut moves);
        for mv in moves {
            let child = root.after(&mv);
            let for_max = match self.horizon {
                None => exact(&child, &mut memory)?,
                Some(plies) => within(&child, plies.saturating_sub(1))?,
            };
            let worth = match if root.max_to_move() { for_max } else { -for_max } {
                1 => Worth::Win,
                0 => Worth::Even,
                _ => Worth::Loss,
            };
            judged.push((mv.to_string(), worth));
        }
        let worth = judged.iter().map(|(_, worth)| *worth).max()?;
        Some(Judged { worth, moves: judged, horizon: self.horizon })
    }
}

/// 1 if MAX wins, 0 for a draw, -1 if MIN does.
fn exact<P: Duel>(node: &P, memory: &mut HashMap<P, i32>) -> Option<i32> {
    if let Some(result) = node.result() {
        return Some(result);
    }
    // Only where no line can go in a circle is a remembered value right in every line.
    node.longest()?;
    if let Some(known) = memory.get(node) {
        return Some(*known);
    }
    let mut moves = Vec::new();
    node.branches(&mut moves);
    let sign = if node.max_to_move() { 1 } else { -1 };
    let mut best = -1;
    for mv in moves {
        best = best.max(sign * exact(&node.after(&mv), memory)?);
        if best == 1 {
            break;
        }
    }
    if memory.len() >= STATES {
        return None;
    }
    memory.insert(node.clone(), sign * best);
    Some(sign * best)
}

/// The same as far as so many plies show it.
fn within<P: Duel>(node: &P, plies: u32) -> Option<i32> {
    let found = alpha_beta(node, plies, &Budget::nodes(NODES)).ok()?;
    Some(match found.value {
        value if value >= WIN => 1,
        value if value <= -WIN => -1,
        _ => 0,
    })
}

impl DuelVisitor for Refer<'_> {
    type Output = Option<Reference>;

    fn visit<P: Duel>(self) -> Option<Reference> {
        let position: P = position(self.params, self.moves)?;
        let guessed = Cell::new(false);
        let root = Watched { node: position.clone(), guessed: &guessed };
        let found = minimax(&root, self.depth, &Budget::nodes(NODES)).ok()?;
        let mut moves = Vec::new();
        position.branches(&mut moves);
        let value = if position.max_to_move() { found.value } else { -found.value };
        Some(Reference { value, nodes: found.count.nodes, complete: !guessed.get(), moves: moves.len() })
    }
}

/// A tree that notices when a node is estimated.
#[derive(Clone)]
struct Watched<'a, P> {
    node: P,
    guessed: &'a Cell<bool>,
}

impl<P: Duel> Tree for Watched<'_, P> {
    type Move = P::Move;

    fn result(&self) -> Option<i32> {
        self.node.result()
    }

    fn estimate(&self) -> i32 {
        self.guessed.set(true);
        self.node.estimate()
    }

    fn max_to_move(&self) -> bool {
        self.node.max_to_move()
    }

    fn branches(&self, out: &mut Vec<P::Move>) {
        self.node.branches(out);
    }

    fn after(&self, mv: &P::Move) -> Self {
        Watched { node: self.node.after(mv), guessed: self.guessed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn moves(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn known_truths() {
        let centre = judge("tic-tac-toe", &json!({}), &moves("b2"), None).unwrap();
        assert_eq!((centre.worth, centre.keeping()), (Worth::Even, vec!["a1", "c1", "a3", "c3"]));
        // 3, 4, 5: the only winning move makes the exclusive or zero.
        let nim = judge("nim", &json!({}), &[], None).unwrap();
        assert_eq!((nim.worth, nim.keeping()), (Worth::Win, vec!["1:2"]));
        // A line of two that can be completed at once, seen from one ply.
        let threat = judge("tic-tac-toe", &json!({}), &moves("a1 b2 a2 c3"), Some(1)).unwrap();
        assert_eq!((threat.worth, threat.keeping()), (Worth::Win, vec!["a3"]));
        assert_eq!(judge("quixo", &json!({}), &[], None), None, "quixo goes in circles");
    }

    #[test]
    fn minimax_is_the_reference() {
        let whole = reference("tic-tac-toe", &json!({}), &[], 9).unwrap();
        assert_eq!(whole, Reference { value: 0, nodes: 549_946, complete: true, moves: 9 });
        let shallow = reference("tic-tac-toe", &json!({}), &[], 1).unwrap();
        assert_eq!((shallow.nodes, shallow.complete), (10, false));
    }
}
