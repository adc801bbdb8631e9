//! The parameter sets that a game is tested with, and random games with them. The sets are those of
//! the perft file of the game, `tests/perft/<id>.txt`.
//!
//! A line of such a file is a set of parameters as JSON, a colon, and the number of legal move
//! sequences of length 1, 2, 3, …; a line that begins with `//` is a remark.

#![allow(dead_code, reason = "each test file uses its own part of this module")]

use rules::{Eyes, GAMES, Game, Seat, Seed, Table};
use serde_json::Value;
use std::path::PathBuf;

pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Parameters with their counts.
pub fn perft(id: &str) -> Vec<(Value, Vec<u64>)> {
    let path = folder("perft").join(format!("{id}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let cases: Vec<_> = lines.map(|line| read(line).unwrap_or_else(|| panic!("{id}: `{line}`"))).collect();
    assert!(!cases.is_empty(), "{id}: no parameter set to test");
    cases
}

fn read(line: &str) -> Option<(Value, Vec<u64>)> {
    let (params, counts) = line.rsplit_once(':')?;
    let counts = counts.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((serde_json::from_str(params).ok()?, counts))
}

pub fn params(id: &str) -> Vec<Value> {
    perft(id).into_iter().map(|(params, _)| params).collect()
}

/// A small generator for tests, so that a failure names a number that reproduces it.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

pub fn everyone(table: &dyn Table) -> Vec<Eyes> {
    let seats = (0..table.seats()).map(|seat| Eyes::Seat(Seat(seat)));
    seats.chain([Eyes::Spectator, Eyes::Referee]).collect()
}

/// Plays random games of every game and parameter set, calling `look` before each decision step.
pub fn walk(games_each: u64, mut look: impl FnMut(&Game, &dyn Table, &str)) {
    for game in GAMES {
        for params in params(game.about.id) {
            for seed in 0..games_each {
                let name = format!("{} {params} seed {seed}", game.about.id);
                random_game(game, &params, seed, |table| look(game, table, &name));
            }
        }
    }
}

/// The moves of one random game, after `look` has seen every position of it.
pub fn random_game(
    game: &Game,
    params: &Value,
    seed: u64,
    mut look: impl FnMut(&dyn Table),
) -> Vec<(Seat, String)> {
    let mut dice = Dice(seed + 1);
    let mut table =
        game.start(params, Seed::from_number(seed)).unwrap_or_else(|error| panic!("{params}: {error}"));
    let mut played = Vec::new();
    loop {
        look(&*table);
        let owed = table.turn().seats();
        if owed.is_empty() {
            return played;
        }
        // Seats that decide together come in any order.
        let seat = owed.iter().nth(dice.below(owed.len())).unwrap();
        let legal = table.legal(seat);
        let mv = legal[dice.below(legal.len())].clone();
        table.play(seat, &mv).unwrap();
        played.push((seat, mv));
    }
}
