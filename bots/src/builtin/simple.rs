//! Bots that read only the list of legal moves.

use crate::dice::Dice;
use crate::kit::Listener;
use protocol::{Choice, Move, read_message};
use serde::Deserialize;

/// Answers a turn by its list of legal moves alone.
fn pick(line: &[u8], choose: impl for<'a> FnOnce(&[&'a str]) -> Option<&'a str>) -> Option<Move> {
    let choice = Choice::read(line).ok()?;
    Some(Move { id: Some(choice.id), ..Move::new(choose(&choice.legal)?) })
}

/// Always plays the first legal move.
pub struct First;

impl Listener for First {
    fn start(&mut self, _line: &[u8]) {}

    fn answer(&mut self, line: &[u8]) -> Option<Move> {
        pick(line, |legal| legal.first().copied())
    }
}

/// Plays a random legal move, by the bot's own seed.
pub struct Random {
    dice: Dice,
}

impl Default for Random {
    fn default() -> Self {
        Random { dice: Dice::new(0) }
    }
}

/// The only field that `Random` needs from `start`.
#[derive(Deserialize)]
struct Seeded {
    bot_seed: u64,
}

impl Listener for Random {
    fn start(&mut self, line: &[u8]) {
        if let Ok(Seeded { bot_seed }) = read_message(line) {
            self.dice = Dice::new(bot_seed);
        }
    }

    fn answer(&mut self, line: &[u8]) -> Option<Move> {
        pick(line, |legal| self.dice.choose(legal).copied())
    }
}
