//! Alpha-beta: minimax that stops looking at a node as soon as its value can't matter any more.
//!
//! *Alpha* is what MAX is sure of on the way from the root, *beta* what MIN is sure of. A node is left when
//! alpha ≥ beta: an *alpha cut* in a MIN node, a *beta cut* in a MAX node. Children are tried in the order
//! the game lists them, so that counts can be compared with a textbook.

use crate::budget::{Budget, OutOfBudget};
use crate::desk::Desk;
use crate::tree::{Found, Tree};

/// Searches down to `depth` plies; gives the value and the advice of minimax.
pub fn alpha_beta<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    let mut desk = Desk::new(budget);
    let value = visit(root, depth, Window::FULL, &mut desk)?;
    Ok(desk.found(value, depth))
}

/// What the two sides are sure of.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    pub(crate) const FULL: Window = Window { alpha: -i32::MAX, beta: i32::MAX };
}

fn visit<T: Tree>(
    node: &T,
    depth: u32,
    mut window: Window,
    desk: &mut Desk<T::Move>,
) -> Result<i32, OutOfBudget> {
    desk.enter()?;
    if let Some(value) = node.leaf_value(depth) {
        return Ok(desk.leaf(value));
    }
    let maximising = node.max_to_move();
    let mut best = None;
    let mut place = desk.open(node);
    for at in place.moves.clone() {
        let mv = desk.mv(at);
        let mut next = node.clone();
        next.advance(&mv);
        let value = visit(&next, depth - 1, window, desk)?;
        if best.is_none_or(|best| if maximising { value > best } else { value < best }) {
            best = Some(value);
            desk.keep(&mut place, mv);
        } else {
            desk.forget(&place);
        }
        if maximising {
            window.alpha = window.alpha.max(value);
        } else {
            window.beta = window.beta.min(value);
        }
        // After the last child there is nothing left to cut.
        if window.alpha >= window.beta && at + 1 < place.moves.end {
            *(if maximising { &mut desk.count.beta_cuts } else { &mut desk.count.alpha_cuts }) += 1;
            break;
        }
    }
    desk.close(&place);
    Ok(best.unwrap_or(0))
}
