//! Positions to ask about, drawn from the assignment's seed: the same for the whole class.

use super::assignment::Positions;
use bots::Dice;
use rules::{Seed, Setting};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Positions drawn for each one wanted before the search is given up.
const TRIES: usize = 200;

/// The positions of an item with what `known` tells about each. Random ones about which it knows nothing are left out.
pub fn collect<T>(
    setting: &dyn Setting,
    positions: &Positions,
    item: &str,
    mut known: impl FnMut(&[String]) -> Option<T>,
) -> Result<Vec<(Vec<String>, T)>, String> {
    match positions {
        Positions::Listed(list) => {
            let known = list.iter().map(|moves| match known(moves) {
                Some(truth) => Ok((moves.clone(), truth)),
                None => Err(format!("the position after `{}` is too large to be judged", moves.join(" "))),
            });
            known.collect()
        }
        Positions::Random { count, plies, seed } => {
            let mut dice = Dice::new(number_of(&format!("position {seed} {item}")));
            let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
            for _ in 0..count * TRIES {
                let length = plies.0 + dice.below((plies.1 - plies.0 + 1) as usize) as u32;
                let Some(moves) = walk(setting, length, &mut dice) else { continue };
                if !seen.insert(moves.clone()) {
                    continue;
                }
                if let Some(truth) = known(&moves) {
                    found.push((moves, truth));
                }
                if found.len() == *count {
                    return Ok(found);
                }
            }
            Err(format!(
                "only {} of {count} random positions after {} to {} plies could be judged: \
                try other `plies` or a smaller `depth`",
                found.len(),
                plies.0,
                plies.1
            ))
        }
    }
}

fn walk(setting: &dyn Setting, plies: u32, dice: &mut Dice) -> Option<Vec<String>> {
    let mut table = setting.start(Seed::from_number(0)).ok()?;
    let mut moves = Vec::new();
    for _ in 0..plies {
        let seat = table.turn().seats().lowest()?;
        let mv = dice.choose(&table.legal(seat))?.clone();
        moves.push(table.play(seat, &mv).ok()?);
    }
    (!table.turn().is_over()).then_some(moves)
}

/// The first eight bytes of the SHA-256 of `ludus 1 …`, as all seeds are derived.
pub fn number_of(words: &str) -> u64 {
    let digest: [u8; 32] = Sha256::digest(format!("ludus 1 {words}")).into();
    digest[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_same_seed_gives_the_same_positions() {
        let setting = rules::find("tic-tac-toe").unwrap().prepare(&Value::Null).unwrap();
        let draw = |seed| {
            let random = Positions::Random { count: 10, plies: (2, 5), seed };
            collect(&*setting, &random, "x", |moves| (moves.len() != 3).then_some(())).unwrap()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).iter().all(|(moves, ())| [2, 4, 5].contains(&moves.len())));
        let impossible = Positions::Random { count: 1, plies: (9, 9), seed: 1 };
        let error = collect(&*setting, &impossible, "x", |_| Some(())).unwrap_err();
        assert!(error.contains("only 0 of 1"), "{error}");
    }
}
