//! Putting marks and pieces on a board.

mod bit_board;
mod marks;
mod othello;
mod place;
mod tic_tac_toe;
#[cfg(test)]
mod trials;

pub use othello::Othello;
pub use tic_tac_toe::TicTacToe;
