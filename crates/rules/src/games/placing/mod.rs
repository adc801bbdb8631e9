//! Putting marks and pieces on a board.

use crate::{About, Family};

mod amoba;
mod bit_board;
mod bridg_it;
mod diagonal_dots;
mod disc_trail;
mod domineering;
mod dots_and_boxes;
mod four_colours;
mod grid_lines;
mod mark_game;
mod marks;
mod no_touch;
mod obstruction;
mod odd_lines;
mod othello;
mod place;
mod rows;
mod snort_ring;
mod stoplight;
mod tic_tac_toe;
mod trianon;
mod vector_powers;

pub use amoba::{Amoba, StarArm, StarWindow};
pub use bridg_it::BridgIt;
pub use diagonal_dots::DiagonalDots;
pub use disc_trail::DiscTrail;
pub use domineering::Domineering;
pub use dots_and_boxes::DotsAndBoxes;
pub use four_colours::FourColours;
pub use no_touch::NoTouch;
pub use obstruction::Obstruction;
pub use odd_lines::OddLines;
pub use othello::{LargeOthello, Othello};
pub use snort_ring::SnortRing;
pub use stoplight::Stoplight;
pub use tic_tac_toe::{LargeTicTacToe, TicTacToe};
pub use trianon::Trianon;
pub use vector_powers::VectorPowers;

/// What is said of a game of this family unless the game says more.
const PLACING: About = About::of(Family::Placing);

/// What every game of this family uses.
mod prelude {
    pub(super) use super::PLACING;
    pub(super) use crate::games::prelude::*;
}
