//! Bots that only look at the list of legal moves.

use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Turn};

/// Always the first legal move.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Strategy for First {
    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        Move::new(turn.legal.first().cloned().unwrap_or_default())
    }
}

/// A random legal move, from the bot's own seed.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Default for Random {
    fn default() -> Self {
        Random { dice: Dice::new(0) }
    }
}

impl Strategy for Random {
    fn start(&mut self, game: &Game) {
        self.dice = Dice::new(game.bot_seed);
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        Move::new(self.dice.choose(&turn.legal).cloned().unwrap_or_default())
    }
}
