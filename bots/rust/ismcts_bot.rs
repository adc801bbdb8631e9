//! Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards.

mod ludus;

use ludus::{Position, WIN};

/// For a move; more nodes play better and take longer.
const NODES: u64 = 5_000;
/// A game that goes on for longer is judged by the arena's estimate.
const PLIES: usize = 60;

fn choose(position: &mut Position) -> String {
    let mut moves = position.legal();
    let mut results = vec![(0.0, 0.0); moves.len()]; // the total and the number of games
    let mut dream = 0;
    while moves.len() > 1 && !out_of_time(position) {
        position.imagine(dream); // other cards each time
        dream += 1;
        for (step, (total, games)) in moves.iter().zip(&mut results) {
            if !out_of_time(position) {
                *total += play_out(position, step); // each move with the same cards
                *games += 1.0;
            }
        }
    }
    let mut best = 0;
    for (at, (total, games)) in results.iter().enumerate() {
        if *games > 0.0 && total / games > results[best].0 / results[best].1 {
            best = at;
        }
    }
    moves.swap_remove(best)
}

/// Plays the move, then at random to the end. Gives the result, and goes back.
fn play_out(position: &mut Position, step: &str) -> f64 {
    position.play(step);
    while !position.over() && position.depth() < PLIES {
        let moves = position.legal();
        let at = position.random(moves.len());
        position.play(&moves[at]);
    }
    let result = if position.over() { worth(position) } else { position.evaluate() as f64 / WIN as f64 };
    while position.depth() > 0 {
        position.undo();
    }
    result
}

/// The seats behind us, less the seats before us. Points decide between equals.
fn worth(position: &Position) -> f64 {
    let ours = position.places()[position.seat];
    let behind = position.places().iter().filter(|&&place| place > ours).count();
    let before = position.places().iter().filter(|&&place| place < ours).count();
    behind as f64 - before as f64 + position.scores()[position.seat] / 1_000.0
}

fn out_of_time(position: &Position) -> bool {
    position.nodes >= NODES || position.time_left() <= 0.0
}

fn main() {
    ludus::play(choose);
}
