//! Chooses a legal move at random. Plays every game.

mod ludus;

fn choose(position: &mut ludus::Position) -> String {
    let mut moves = position.legal();
    moves.swap_remove(position.random(moves.len()))
}

fn main() {
    ludus::play(choose);
}
