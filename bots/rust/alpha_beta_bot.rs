//! Alpha-beta, one ply deeper each time. Plays every game without hidden cards.

mod ludus;

use ludus::{Position, WIN};

/// For a move; more nodes play better and take longer.
const NODES: u64 = 5_000;
/// Deep enough for the end of most games.
const DEPTH: usize = 50;

fn choose(position: &mut Position) -> String {
    let moves = position.legal();
    let mut best = moves[0].clone();
    for depth in 1..=DEPTH {
        let (mut step, mut value) = (best.clone(), child(position, &best, depth, -2 * WIN, 2 * WIN));
        for other in moves.iter().filter(|&other| *other != best) {
            if out_of_time(position) {
                break;
            }
            let found = child(position, other, depth, value, 2 * WIN);
            if found > value {
                (step, value) = (other.clone(), found);
            }
        }
        if out_of_time(position) {
            break; // this depth is not finished, so the depth before has the best move
        }
        best = step;
        position.info(depth, value as f64, &[&best]);
        if value.abs() >= WIN {
            break; // the rest of the game is known
        }
    }
    best
}

/// The value of the position after a move.
fn child(position: &mut Position, step: &str, depth: usize, alpha: i64, beta: i64) -> i64 {
    if depth == 1 {
        position.play_leaf(step);
    } else {
        position.play(step);
    }
    let value = search(position, depth - 1, alpha, beta);
    position.undo();
    value
}

/// The value of the position for us, if it lies between alpha and beta.
fn search(position: &mut Position, depth: usize, mut alpha: i64, mut beta: i64) -> i64 {
    if position.over() {
        return position.value() * (WIN + depth as i64); // a win is better sooner, a loss later
    }
    if depth == 0 {
        return position.evaluate();
    }
    for step in position.legal() {
        let value = child(position, &step, depth, alpha, beta);
        if position.ours() {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta || out_of_time(position) {
            break;
        }
    }
    if position.ours() {
        alpha
    } else {
        beta
    }
}

fn out_of_time(position: &Position) -> bool {
    position.nodes >= NODES || position.time_left() <= 0.0
}

fn main() {
    ludus::play(choose);
}
