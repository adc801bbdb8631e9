//! Negamax: minimax with one case instead of two, because what is good for one side is bad for the
//! other.
//!
//! The value of a node is the value for the side to move there. A child in which the same side
//! moves again (an extra turn) is not negated.

use crate::budget::{Budget, OutOfBudget};
use crate::desk::Desk;
use crate::tree::{Found, Tree};

/// Searches the whole tree down to `depth` plies.
pub fn negamax<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut desk = Desk::new(budget);
    let value = visit(root, true, depth, &mut desk)?;
    Ok(desk.found(value, depth))
}

/// The value of a node for MAX if `for_max`, else for MIN.
#[expect(clippy::inline_always, reason = "a leaf then costs no call")]
#[inline(always)]
fn visit<T: Tree>(node: &T, for_max: bool, depth: u32, desk: &mut Desk<T::Move>) -> Result<i32, OutOfBudget> {
    desk.enter()?;
    match node.leaf_value(depth) {
        Some(value) => Ok(if for_max { value } else { -value }),
        None => try_all(node, for_max, depth, desk),
    }
}

/// Leaves, which are most of the nodes, do not get here.
#[inline(never)]
fn try_all<T: Tree>(
    node: &T,
    for_max: bool,
    depth: u32,
    desk: &mut Desk<T::Move>,
) -> Result<i32, OutOfBudget> {
    let mover_is_max = node.max_to_move();
    let mut best = None;
    let mut place = desk.open(node);
    let mut coming = desk.next_move(node, &mut place, None);
    while let Some(mv) = coming {
        coming = desk.next_move(node, &mut place, Some(&mv));
        let mut next = node.clone();
        next.advance(&mv);
        let value = -visit(&next, !mover_is_max, depth - 1, desk)?;
        if best.is_none_or(|best| value > best) {
            best = Some(value);
            desk.keep(&mut place, mv);
        } else {
            desk.forget(&place);
        }
    }
    desk.close(node, &place);
    let value = best.unwrap_or(0);
    // The value is for the mover; the caller may have asked for the other side.
    Ok(if mover_is_max == for_max { value } else { -value })
}
