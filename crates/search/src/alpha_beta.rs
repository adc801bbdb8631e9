//! Alpha-beta: minimax that leaves a node as soon as the value of the node can no longer matter.
//!
//! *Alpha* is what MAX is sure of on the path from the root, *beta* what MIN is sure of. A node is
//! left when alpha ≥ beta: an *alpha cut* in a MIN node, a *beta cut* in a MAX node. Children are
//! tried in the order in which the game lists them, so that counts can be compared with a textbook.

use crate::budget::{Budget, OutOfBudget};
use crate::desk::Desk;
use crate::tree::{Found, Tree};

/// Searches down to `depth` plies. Gives the value and the advice of minimax.
pub fn alpha_beta<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
    prove(root, depth, budget).map(|(found, _)| found)
}

/// Searches like [`alpha_beta`]. Also returns whether every line was followed to the end of the
/// game. If so, the value is not an estimate.
pub fn prove<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<(Found<T::Move>, bool), OutOfBudget> {
    let mut desk = Desk::new(budget);
    let value = visit(root, depth, Window::FULL, &mut desk)?;
    let complete = !desk.estimated;
    Ok((desk.found(value, depth), complete))
}

/// The values that the two sides are sure of.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    pub(crate) const FULL: Window = Window { alpha: -i32::MAX, beta: i32::MAX };

    /// The window for the other side.
    pub(crate) fn exchanged(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The value of a node if it lies inside the window. Otherwise a bound: the nearer end of the
/// window, or a value beyond that end.
#[expect(clippy::inline_always, reason = "a leaf then costs no call")]
#[inline(always)]
fn visit<T: Tree>(
    node: &T,
    depth: u32,
    window: Window,
    desk: &mut Desk<T::Move>,
) -> Result<i32, OutOfBudget> {
    desk.enter()?;
    match node.leaf_value(depth) {
        Some(value) => {
            // Checked at few leaves: nearly every search meets an estimate early.
            if depth == 0 && !desk.estimated {
                desk.estimated = node.result().is_none();
            }
            Ok(value)
        }
        None => {
            let inner = Inner { node: node.clone(), depth };
            if node.max_to_move() {
                try_all::<T, true>(&inner, window, desk)
            } else {
                try_all::<T, false>(&inner, window, desk)
            }
        }
    }
}

/// An inner node, copied to a place of its own. Only then can the compiler keep a leaf in
/// registers.
struct Inner<T> {
    node: T,
    depth: u32,
}

/// Leaves, which are most of the nodes, do not get here. The function is compiled once for each
/// side, so that the loop does not check whose turn it is.
///
/// A value inside the window leaves its line on the desk. For any other value, the caller drops the
/// line.
#[inline(never)]
fn try_all<T: Tree, const MAX: bool>(
    Inner { node, depth }: &Inner<T>,
    mut window: Window,
    desk: &mut Desk<T::Move>,
) -> Result<i32, OutOfBudget> {
    let mut place = desk.open(node);
    let Some(mut mv) = desk.next_move(node, &mut place, None) else { return Ok(0) };
    loop {
        let mut next = node.clone();
        next.advance(&mv);
        let value = visit(&next, depth - 1, window, desk)?;
        if if MAX { value > window.alpha } else { value < window.beta } {
            *(if MAX { &mut window.alpha } else { &mut window.beta }) = value;
            if window.alpha >= window.beta {
                desk.forget_line(&place);
                // After the last child there is nothing to cut.
                if desk.next_move(node, &mut place, Some(&mv)).is_some() {
                    *(if MAX { &mut desk.count.beta_cuts } else { &mut desk.count.alpha_cuts }) += 1;
                }
                break;
            }
            desk.keep(&mut place, mv.clone());
        }
        match desk.next_move(node, &mut place, Some(&mv)) {
            Some(next) => mv = next,
            None => break,
        }
    }
    desk.close(node, &place);
    Ok(if MAX { window.alpha } else { window.beta })
}
