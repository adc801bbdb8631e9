//! Positions for experiments: the start, and random positions that are the same for the same seed.

use crate::study::Study;
use rules::{Chance, Seed};
use std::collections::BTreeSet;

/// A position and the moves that lead to it.
pub struct Sample {
    pub moves: Vec<String>,
    pub study: Study,
}

/// Random games are stopped after this many moves.
const LONGEST: usize = 60;
/// After this many random games in a row without a new position, the search ends.
const GAMES_IN_VAIN: usize = 200;

/// The given position and up to `count - 1` others. A small game may give fewer.
pub fn sample(start: &Study, count: usize, seed: u64) -> Vec<Sample> {
    samples(start, seed).take(count).collect()
}

/// The given position, and then others. Each of the others comes from a random game that starts at
/// the given position, at a random moment before the end of that game. No position comes twice. The
/// iterator ends when many games in a row have brought no new position.
pub fn samples(start: &Study, seed: u64) -> impl Iterator<Item = Sample> {
    let mut chance = Chance::new(Seed::from_number(seed));
    let mut seen = BTreeSet::from([key(start)]);
    let first = Sample { moves: Vec::new(), study: start.clone() };
    let others = std::iter::from_fn(move || {
        (0..GAMES_IN_VAIN).find_map(|_| {
            let sample = random_position(start, &mut chance)?;
            seen.insert(key(&sample.study)).then_some(sample)
        })
    });
    std::iter::once(first).chain(others)
}

fn random_position(start: &Study, chance: &mut Chance) -> Option<Sample> {
    let mut moves = random_game(start, chance);
    if moves.len() < 2 {
        return None;
    }
    moves.truncate(1 + chance.pick(moves.len() - 1));
    let mut study = start.clone();
    let played = moves.iter().all(|mv| study.play(mv).is_ok());
    played.then_some(Sample { moves, study })
}

fn key(study: &Study) -> String {
    format!("{} {:?}", study.compact().join("/"), study.to_move())
}

fn random_game(start: &Study, chance: &mut Chance) -> Vec<String> {
    let mut study = start.clone();
    let mut moves = Vec::new();
    while !study.is_over() && moves.len() < LONGEST {
        let mut legal = study.legal();
        let mv = legal.swap_remove(chance.pick(legal.len()));
        if study.play(&mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_seed_gives_the_same_positions() {
        let start = crate::open(rules::find("tic-tac-toe").unwrap(), &json!({})).unwrap();
        let keys =
            |seed| sample(&start, 12, seed).iter().map(|sample| key(&sample.study)).collect::<Vec<_>>();
        assert_eq!(keys(3), keys(3));
        assert_ne!(keys(3), keys(4));
        assert_eq!(keys(3).len(), 12);
        assert!(sample(&start, 40, 1).iter().all(|sample| !sample.study.is_over()));
    }
}
