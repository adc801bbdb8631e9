//! Looks one ply ahead.

use crate::tree::{Tree, WIN};

/// All best moves by looking one ply ahead, in the order of the game, with their value for MAX.
pub fn greedy<T: Tree>(root: &T) -> (i32, Vec<T::Move>) {
    let mut moves = Vec::new();
    root.branches(&mut moves);
    let sign = if root.max_to_move() { 1 } else { -1 };
    let mut best = (-sign * 2 * WIN, Vec::new());
    for mv in moves {
        let value = root.after(&mv).leaf_value(0).unwrap_or(0);
        if sign * value > sign * best.0 {
            best = (value, vec![mv]);
        } else if value == best.0 {
            best.1.push(mv);
        }
    }
    best
}
