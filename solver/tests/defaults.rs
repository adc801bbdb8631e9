//! What the defaults of all duels are worth, as far as a minute each and 4 GiB allow.
//!
//! Run with `cargo test --release -p solver --test defaults -- --ignored --nocapture`; the variable `GAMES` names the
//! only games to look at, `SECONDS` the time for each.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rules::{GAMES, Kind};
use serde_json::json;
use solver::{Memory, Options, Refusal};
use std::time::{Duration, Instant};

#[test]
#[ignore = "many minutes in release"]
fn the_defaults() {
    let only = std::env::var("GAMES").unwrap_or_default();
    let seconds = std::env::var("SECONDS").map_or(60, |text| text.parse().unwrap());
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        let id = game.about.id;
        if !only.is_empty() && !only.split_whitespace().any(|name| name == id) {
            continue;
        }
        let begin = Instant::now();
        let options = Options { memory: Memory(4 << 30), ..Options::default() };
        let limit = Duration::from_secs(seconds);
        let found = solver::solve(id, &json!({}), &[], options, &mut |_| begin.elapsed() < limit);
        let took = begin.elapsed().as_secs_f64();
        match found {
            Ok(found) => {
                let solver::Verdict { value, margin, plies } = found.verdict;
                println!("{id}: {value} {margin:?}, plies {plies:?}, {} states, {took:.2} s", found.states);
            }
            Err(Refusal::TooLarge(partial)) => println!(
                "{id}: {} to {}, {} states, {:?} after {took:.2} s",
                partial.at_least, partial.at_most, partial.states, partial.stopped
            ),
            Err(refusal) => panic!("{id}: {refusal}"),
        }
    }
}
