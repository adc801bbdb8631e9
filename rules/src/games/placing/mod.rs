//! Putting marks and pieces on a board.

mod marks;
mod tic_tac_toe;
#[cfg(test)]
mod trials;

pub use tic_tac_toe::TicTacToe;
