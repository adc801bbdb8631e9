//! Minimax, as the textbook has it: MAX takes the largest, MIN the smallest value of the children.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};

/// Searches the whole tree down to `depth` plies.
pub fn minimax<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut count = Count::default();
    let (value, mut line) = visit(root, depth, budget, &mut count)?;
    line.reverse();
    Ok(Found { value, line, count, depth })
}

/// The value of a node and the best line from it, last move first.
fn visit<T: Tree>(
    node: &T,
    depth: u32,
    budget: &Budget,
    count: &mut Count,
) -> Result<(i32, Vec<T::Move>), OutOfBudget> {
    budget.spend()?;
    count.nodes += 1;
    if let Some(value) = node.leaf_value(depth) {
        count.leaves += 1;
        return Ok((value, Vec::new()));
    }
    let maximising = node.max_to_move();
    let mut moves = Vec::new();
    node.branches(&mut moves);
    let mut best: Option<(i32, Vec<T::Move>)> = None;
    for mv in moves {
        let (value, mut line) = visit(&node.after(&mv), depth - 1, budget, count)?;
        let better = match &best {
            None => true,
            Some((so_far, _)) => {
                if maximising {
                    value > *so_far
                } else {
                    value < *so_far
                }
            }
        };
        if better {
            line.push(mv);
            best = Some((value, line));
        }
    }
    Ok(best.unwrap_or((0, Vec::new())))
}
