//! Alpha-beta: minimax that stops looking at a node as soon as its value can't matter any more.
//!
//! *Alpha* is what MAX is sure of on the way from the root, *beta* what MIN is sure of. A node is left when
//! alpha ≥ beta: an *alpha cut* in a MIN node, a *beta cut* in a MAX node. Children are tried in the order
//! the game lists them, so that counts can be compared with a textbook.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};

/// Searches down to `depth` plies; gives the value and the advice of minimax.
pub fn alpha_beta<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut count = Count::default();
    let window = Window { alpha: i32::MIN, beta: i32::MAX };
    let (value, mut line) = visit(root, depth, window, budget, &mut count)?;
    line.reverse();
    Ok(Found { value, line, count, depth })
}

#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

fn visit<T: Tree>(
    node: &T,
    depth: u32,
    mut window: Window,
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
    let last = moves.len().saturating_sub(1);
    let mut best: Option<(i32, Vec<T::Move>)> = None;
    for (at, mv) in moves.into_iter().enumerate() {
        let (value, mut line) = visit(&node.after(&mv), depth - 1, window, budget, count)?;
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
        if maximising {
            window.alpha = window.alpha.max(value);
        } else {
            window.beta = window.beta.min(value);
        }
        if window.alpha >= window.beta {
            // After the last child there is nothing left to cut.
            if at < last {
                *(if maximising { &mut count.beta_cuts } else { &mut count.alpha_cuts }) += 1;
            }
            break;
        }
    }
    Ok(best.unwrap_or((0, Vec::new())))
}
