//! Putting marks and pieces on a board.

mod bit_board;
mod dots_and_boxes;
mod marks;
mod othello;
mod place;
mod tic_tac_toe;
#[cfg(test)]
mod trials;

pub use dots_and_boxes::DotsAndBoxes;
pub use othello::Othello;
pub use tic_tac_toe::TicTacToe;
