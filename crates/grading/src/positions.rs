//! Positions for questions, drawn from the seed of the assignment. The whole class gets the same
//! positions.

use super::assignment::Positions;
use bots::Dice;
use rules::{Seed, Setting};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// At most this many positions are drawn for each position that is found, and before the first.
const TRIES: usize = 60;

/// The positions of an item, each with the result of `known`. An error of `known` says why a
/// position can't be used. Random positions that can't be used are left out. `progress` gets the
/// number of positions found and wanted.
pub fn collect<T>(
    setting: &dyn Setting,
    positions: &Positions,
    item: &str,
    mut known: impl FnMut(&[String]) -> Result<T, &'static str>,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<(Vec<String>, T)>, String> {
    match positions {
        Positions::Listed(list) => {
            let known = list.iter().map(|moves| match known(moves) {
                Ok(truth) => Ok((moves.clone(), truth)),
                Err(why) if moves.is_empty() => Err(format!("the starting position {why}")),
                Err(why) => Err(format!("the position after `{}` {why}", moves.join(" "))),
            });
            known.collect()
        }
        Positions::Random { count, plies, seed } => {
            let mut dice = Dice::new(number_of(&format!("position {seed} {item}")));
            let (mut seen, mut found, mut unfit) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
            let mut tried = 0;
            while tried < TRIES * (found.len() + 1) {
                tried += 1;
                let length = plies.0 + dice.below((plies.1 - plies.0 + 1) as usize) as u32;
                let Some(moves) = walk(setting, length, &mut dice) else { continue };
                if !seen.insert(moves.clone()) {
                    continue;
                }
                match known(&moves) {
                    Ok(truth) => found.push((moves, truth)),
                    Err(why) => *unfit.entry(why).or_insert(0) += 1,
                }
                progress(found.len(), *count);
                if found.len() == *count {
                    return Ok(found);
                }
            }
            Err(too_few(found.len(), *count, *plies, (seen.len(), &unfit)))
        }
    }
}

fn too_few(
    found: usize,
    count: usize,
    (low, high): (u32, u32),
    (seen, unfit): (usize, &BTreeMap<&str, usize>),
) -> String {
    let reasons: Vec<String> =
        unfit.iter().map(|(why, times)| format!("{times} times: the position {why}")).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    format!(
        "only {found} of {count} random positions after {low} to {high} plies can be used, of {seen} that were \
        drawn{reasons}; change `plies` or `depth`, use a smaller board, or list the `positions`"
    )
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

/// The first eight bytes of the SHA-256 of `ludus 1 …`. All seeds are derived like this.
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
        let draw = |seed: u64| {
            let random = Positions::Random { count: 10, plies: (2, 5), seed: seed.into() };
            let known = |moves: &[String]| if moves.len() == 3 { Err("has three") } else { Ok(()) };
            collect(&*setting, &random, "x", known, |_, _| ()).unwrap()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).iter().all(|(moves, ())| [2, 4, 5].contains(&moves.len())));
        let impossible = Positions::Random { count: 1, plies: (9, 9), seed: 1.into() };
        let error = collect(&*setting, &impossible, "x", |_| Ok(()), |_, _| ()).unwrap_err();
        assert!(error.contains("only 0 of 1"), "{error}");
        let unfit = Positions::Random { count: 1, plies: (1, 1), seed: 1.into() };
        let error = collect(&*setting, &unfit, "x", |_| Err::<(), _>("is bad"), |_, _| ()).unwrap_err();
        assert!(error.contains("of 9 that were drawn (9 times: the position is bad)"), "{error}");
    }
}
