//! Random openings. Without them, deterministic bots would play the same game again and again.

use super::series::GameEntry;
use bots::Dice;
use referee::seeds::{RootSeed, deal_seed, opening_seed};
use rules::{Kind, Seat, Setting};

/// If an opening ends the game, another opening is drawn, at most this often.
const TRIES: u32 = 100;

/// The most plies of an opening.
pub const MOST_PLIES: u32 = 1_000;

/// The opening of a deal: `plies` random legal plies after which the game still goes on. All games
/// of the deal have the same opening.
pub fn opening(
    setting: &dyn Setting,
    seed: RootSeed,
    game: usize,
    deal: u64,
    plies: u32,
) -> Option<Vec<(Seat, String)>> {
    (0..TRIES).find_map(|attempt| {
        let dice = Dice::new(opening_seed(seed, game, deal, attempt));
        draw(setting, seed, deal, plies, dice)
    })
}

/// The opening of a deal with `plies` plies. If the game is too short for them, the opening has as
/// many plies as possible.
pub fn longest_opening(
    setting: &dyn Setting,
    seed: RootSeed,
    game: usize,
    deal: u64,
    plies: u32,
) -> Vec<(Seat, String)> {
    (1..=plies).rev().find_map(|plies| opening(setting, seed, game, deal, plies)).unwrap_or_default()
}

/// Why a game can't begin with `plies` random plies. `game` is its number in the series.
pub fn problem(entry: &GameEntry, game: usize, plies: u32) -> Option<String> {
    if plies == 0 {
        return None;
    }
    if entry.game.kind == Kind::Hidden {
        return Some("openings are for board games, because cards are shuffled".to_owned());
    }
    let none = opening(&*entry.setting, 0.into(), game, 0, plies).is_none();
    none.then(|| format!("{plies} random plies always end {}; use fewer", entry.game.about.id))
}

fn draw(
    setting: &dyn Setting,
    seed: RootSeed,
    deal: u64,
    plies: u32,
    mut dice: Dice,
) -> Option<Vec<(Seat, String)>> {
    let mut table = setting.start(deal_seed(seed, deal)).ok()?;
    let mut moves = Vec::with_capacity(plies as usize);
    for _ in 0..plies {
        let seat = table.turn().seats().lowest()?;
        let mv = dice.choose(&table.legal(seat))?.clone();
        table.play(seat, &mv).ok()?;
        moves.push((seat, mv));
    }
    (!table.turn().is_over()).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The generator that docs/tournaments.md describes, written independently.
    mod as_documented {
        /// The 64-bit numbers of `ChaCha` with 8 rounds. PCG32 makes the key from the seed.
        pub fn numbers(seed: u64) -> impl Iterator<Item = u64> {
            let mut state = seed;
            let key = [0; 8].map(|_: u32| {
                state =
                    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11_634_580_027_462_260_723);
                let mixed = (((state >> 18) ^ state) >> 27) as u32;
                mixed.rotate_right((state >> 59) as u32)
            });
            (0..).flat_map(move |block| {
                let words = block_of(&key, block);
                (0..8).map(move |at| u64::from(words[2 * at + 1]) << 32 | u64::from(words[2 * at]))
            })
        }

        fn block_of(key: &[u32; 8], number: u32) -> [u32; 16] {
            let mut first =
                [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574, 0, 0, 0, 0, 0, 0, 0, 0, number, 0, 0, 0];
            first[4..12].copy_from_slice(key);
            let mut words = first;
            for round in 0..8 {
                for column in 0..4 {
                    let turn = |row: usize| 4 * row + (column + if round % 2 == 1 { row } else { 0 }) % 4;
                    let [a, b, c, d] = [0, 1, 2, 3].map(turn);
                    for (from, to, mixed, by) in [(b, a, d, 16), (d, c, b, 12), (b, a, d, 8), (d, c, b, 7)] {
                        words[to] = words[to].wrapping_add(words[from]);
                        words[mixed] = (words[mixed] ^ words[to]).rotate_left(by);
                    }
                }
            }
            for (word, first) in words.iter_mut().zip(first) {
                *word = word.wrapping_add(first);
            }
            words
        }
    }

    #[test]
    fn openings_can_be_computed_from_the_document() {
        let setting = rules::find("tic-tac-toe").unwrap().prepare(&Value::Null).unwrap();
        let squares = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
        // printf 'ludus 1 opening 7 0 3 0' | sha256sum
        let mut numbers = as_documented::numbers(0x1ddb_879a_92fa_9954);
        let mut free = squares.to_vec();
        let by_hand: Vec<(Seat, String)> = (0..3)
            .map(|ply| {
                let number = u128::from(numbers.next().unwrap());
                (Seat(ply % 2), free.remove(((number * free.len() as u128) >> 64) as usize).to_owned())
            })
            .collect();
        assert_eq!(opening(&*setting, 7.into(), 0, 3, 3), Some(by_hand));
        // More than one block of numbers.
        let mut dice = Dice::new(42);
        assert!(as_documented::numbers(42).take(100).all(|number| number == dice.number()));
    }

    #[test]
    fn openings_leave_a_game_to_play() {
        for id in ["tic-tac-toe", "othello", "quixo-teams", "nim"] {
            let setting = rules::find(id).unwrap().prepare(&Value::Null).unwrap();
            for deal in 0..20 {
                let moves = opening(&*setting, 7.into(), 0, deal, 3).unwrap();
                assert_eq!(moves.len(), 3);
                assert_eq!(Some(moves), opening(&*setting, 7.into(), 0, deal, 3), "{id}: the same again");
            }
            assert_ne!(
                opening(&*setting, 7.into(), 0, 0, 3),
                opening(&*setting, 8.into(), 0, 0, 3),
                "{id}: another seed"
            );
        }
        let setting = rules::find("tic-tac-toe").unwrap().prepare(&Value::Null).unwrap();
        assert_eq!(opening(&*setting, 7.into(), 0, 0, 9), None, "nine plies fill the board");
    }
}
