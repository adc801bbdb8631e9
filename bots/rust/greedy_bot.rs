//! Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.

mod ludus;

fn choose(position: &mut ludus::Position) -> String {
    let (mut best, mut best_value) = (String::new(), -2 * ludus::WIN);
    for step in position.legal() {
        position.play_leaf(&step);
        let value = position.evaluate();
        position.undo();
        if value > best_value {
            (best, best_value) = (step, value);
        }
    }
    best
}

fn main() {
    ludus::play(choose);
}
