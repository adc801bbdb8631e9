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
    prove(root, depth, budget).map(|(found, _)| found)
}

/// The same, and whether every line that was looked at was followed to the end of the game: then the value is no
/// estimate.
pub fn prove<T: Tree>(root: &T, depth: u32, budget: &Budget) -> Result<(Found<T::Move>, bool), OutOfBudget> {
    let mut desk = Desk::new(budget);
    let value = visit(root, depth, Window::FULL, &mut desk)?;
    let complete = !desk.estimated;
    Ok((desk.found(value, depth), complete))
}

/// What the two sides are sure of.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    pub(crate) const FULL: Window = Window { alpha: -i32::MAX, beta: i32::MAX };

    /// As the other side sees it.
    pub(crate) fn exchanged(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The value of a node if it lies inside the window, otherwise the nearer end of the window or what lies beyond it.
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
            // Asked of few leaves: hardly any search gets far without an estimate.
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

/// A node that is no leaf, copied to a place of its own: only then can the compiler keep a leaf in registers.
struct Inner<T> {
    node: T,
    depth: u32,
}

/// Most nodes are leaves and don't get here. Compiled for each side apart, so that nothing asks again whose turn it is.
///
/// A value inside the window leaves its line on the desk; any other is forgotten by whoever asked, and leaves none.
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
                // After the last child there is nothing left to cut.
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
