//! Negamax: minimax with one case instead of two, since what is good for one side is bad for the other.
//!
//! The value of a node is seen by the side to move there. A child where the same side moves again (an extra turn) is
//! not negated.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};

/// Searches the whole tree down to `depth` plies.
pub fn negamax<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut count = Count::default();
    let (value, mut line) = visit(root, root.max_to_move(), depth, budget, &mut count)?;
    line.reverse();
    Ok(Found { value: if root.max_to_move() { value } else { -value }, line, count, depth })
}

/// The value of a node for MAX if `for_max`, else for MIN, and the best line, last move first.
fn visit<T: Tree>(
    node: &T,
    for_max: bool,
    depth: u32,
    budget: &Budget,
    count: &mut Count,
) -> Result<(i32, Vec<T::Move>), OutOfBudget> {
    budget.spend()?;
    count.nodes += 1;
    if let Some(value) = node.leaf_value(depth) {
        count.leaves += 1;
        return Ok((if for_max { value } else { -value }, Vec::new()));
    }
    let mut moves = Vec::new();
    node.branches(&mut moves);
    let mover_is_max = node.max_to_move();
    let mut best: Option<(i32, Vec<T::Move>)> = None;
    for mv in moves {
        let (value, mut line) = visit(&node.after(&mv), !mover_is_max, depth - 1, budget, count)?;
        if best.as_ref().is_none_or(|(so_far, _)| -value > *so_far) {
            line.push(mv);
            best = Some((-value, line));
        }
    }
    let (value, line) = best.unwrap_or((0, Vec::new()));
    // Values below are the mover's; the caller may have asked for the other side.
    Ok((if mover_is_max == for_max { value } else { -value }, line))
}
