//! Minimax as in a textbook: MAX takes the largest value of the children, MIN the smallest.

use crate::budget::{Budget, OutOfBudget};
use crate::desk::Desk;
use crate::tree::{Found, Tree};

/// Searches the whole tree down to `depth` plies.
pub fn minimax<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut desk = Desk::new(budget);
    let value = visit(root, depth, &mut desk)?;
    Ok(desk.found(value, depth))
}

#[expect(clippy::inline_always, reason = "a leaf then costs no call")]
#[inline(always)]
fn visit<T: Tree>(node: &T, depth: u32, desk: &mut Desk<T::Move>) -> Result<i32, OutOfBudget> {
    desk.enter()?;
    match node.leaf_value(depth) {
        Some(value) => Ok(value),
        None => try_all(node, depth, desk),
    }
}

/// Leaves, which are most of the nodes, do not get here.
#[inline(never)]
fn try_all<T: Tree>(node: &T, depth: u32, desk: &mut Desk<T::Move>) -> Result<i32, OutOfBudget> {
    let maximising = node.max_to_move();
    let mut best = None;
    let mut place = desk.open(node);
    let mut coming = desk.next_move(node, &mut place, None);
    while let Some(mv) = coming {
        coming = desk.next_move(node, &mut place, Some(&mv));
        let mut next = node.clone();
        next.advance(&mv);
        let value = visit(&next, depth - 1, desk)?;
        if best.is_none_or(|best| if maximising { value > best } else { value < best }) {
            best = Some(value);
            desk.keep(&mut place, mv);
        } else {
            desk.forget(&place);
        }
    }
    desk.close(node, &place);
    Ok(best.unwrap_or(0))
}
