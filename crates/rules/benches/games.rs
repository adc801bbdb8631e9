//! Random games of every game: `cargo bench -p rules`. `arena bench rules` prints the same as a table.

fn main() {
    divan::main();
}

fn ids() -> impl Iterator<Item = &'static str> {
    rules::GAMES.iter().map(|game| game.about.id)
}

#[divan::bench(args = ids())]
fn random_game(bencher: divan::Bencher, id: &str) {
    let game = rules::find(id).expect("an id from the registry");
    bencher.bench(|| game.playouts(&serde_json::Value::Null, 1, 5_000));
}
