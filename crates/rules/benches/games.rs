//! Random games of every game: `cargo bench -p rules`. `arena bench rules` prints the same as a
//! table.

use rules::{Eyes, Seat, Seed, SplitMix};
use serde_json::Value;

fn main() {
    divan::main();
}

fn ids() -> impl Iterator<Item = &'static str> {
    rules::GAMES.iter().map(|game| game.about.id)
}

#[divan::bench(args = ids())]
fn random_game(bencher: divan::Bencher, id: &str) {
    let game = rules::find(id).expect("an id from the registry");
    bencher.bench(|| game.playouts(&Value::Null, 1, 5_000));
}

/// What a turn shows, after a few random moves.
#[divan::bench(args = ids())]
fn view(bencher: divan::Bencher, id: &str) {
    let game = rules::find(id).expect("an id from the registry");
    let mut table = game.start(&Value::Null, Seed::from_number(1)).expect("usual parameters");
    let mut dice = SplitMix::new(1);
    for _ in 0..8 {
        let Some(seat) = table.turn().seats().lowest() else { break };
        let legal = table.legal(seat);
        table.play(seat, &legal[dice.below(legal.len())]).expect("a legal move");
    }
    bencher.bench_local(|| table.view(Eyes::Seat(Seat::FIRST)));
}
