//! Numbers of legal move sequences, against `tests/perft/<id>.txt`.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use rules::{Draws, GAMES, Kind, Seed};

#[test]
fn move_sequences_are_counted_right() {
    for game in GAMES {
        let id = game.about.id;
        for (params, counts) in cases::perft(id) {
            let found = game.perft(&params, Seed::from_number(0), counts.len(), Draws::Off);
            assert_eq!(found.unwrap(), counts, "{id} {params}");
        }
    }
}

/// A hundred thousand sequences from the default start, or the whole game if it is shorter than
/// that.
#[test]
fn duels_are_counted_deep_enough() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        let id = game.about.id;
        let (params, counts) = cases::perft(id).swap_remove(0);
        assert_eq!(params, serde_json::json!({}), "{id}: the first line is the default");
        let total: u64 = counts.iter().sum();
        let whole_game = || {
            let deeper = game.perft(&params, Seed::from_number(0), counts.len() + 1, Draws::Off).unwrap();
            deeper.last() == Some(&0)
        };
        assert!(total >= 100_000 || whole_game(), "{id}: only {total} sequences are counted");
    }
}
