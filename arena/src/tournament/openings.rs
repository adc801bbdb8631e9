//! Random openings: so that deterministic bots do not play one game again and again.

use crate::seeds::{RootSeed, deal_seed, opening_seed};
use bots::Dice;
use rules::{Seat, Setting, Turn};

/// How often a new opening is drawn when one ends the game.
const TRIES: u32 = 100;

/// The opening of a deal: so many random legal plies, after which the game still goes on. The same for everybody who
/// plays this deal.
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
    (table.turn() != Turn::Over).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

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
