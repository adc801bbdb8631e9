//! Random openings: so that deterministic bots do not play one game again and again.

use super::positions::number_of;
use crate::seeds::deal_seed;
use bots::Dice;
use rules::{Seat, Setting};

/// How often a new opening is drawn when one ends the game.
const TRIES: u32 = 100;

/// The opening of a deal: so many random legal plies, after which the game still goes on. The same for the whole class.
pub fn opening(setting: &dyn Setting, seed: u64, deal: u64, plies: u32) -> Option<Vec<(Seat, String)>> {
    (0..TRIES).find_map(|attempt| {
        let mut dice = Dice::new(number_of(&format!("opening {seed} 0 {deal} {attempt}")));
        let mut table = setting.start(deal_seed(seed, deal)).ok()?;
        let mut moves = Vec::with_capacity(plies as usize);
        for _ in 0..plies {
            let seat = table.turn().seats().lowest()?;
            let mv = dice.choose(&table.legal(seat))?.clone();
            table.play(seat, &mv).ok()?;
            moves.push((seat, mv));
        }
        (!table.turn().is_over()).then_some(moves)
    })
}
