//! Bots that only look at the list of legal moves.

use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Choice, Move, Turn};

/// Answers a turn of which nothing but the list of legal moves is looked at.
fn pick(line: &[u8], choose: impl for<'a> FnOnce(&[&'a str]) -> Option<&'a str>) -> Option<Move> {
    let choice = Choice::read(line).ok()?;
    Some(Move { id: Some(choice.id), ..Move::new(choose(&choice.legal)?) })
}

/// Always the first legal move.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Strategy for First {
    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        Move::new(turn.legal.first().cloned().unwrap_or_default())
    }

    fn answer(&mut self, _game: &Game, line: &[u8]) -> Option<Move> {
        pick(line, |legal| legal.first().copied())
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

    fn answer(&mut self, _game: &Game, line: &[u8]) -> Option<Move> {
        pick(line, |legal| self.dice.choose(legal).copied())
    }
}
