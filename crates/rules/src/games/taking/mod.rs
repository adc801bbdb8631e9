//! Taking things from heaps and rows.

use crate::{About, Family};

mod aliquot;
mod block;
mod coin_ring;
mod corner_the_queen;
mod dawsons_chess;
mod digital_deletions;
mod grundy;
mod heaps;
mod kayles;
mod mock_turtles;
mod nim;
mod nimble;
mod pentanim;
mod plainim;
mod row;
mod rugs;
mod silver_dollar;
mod small_heaps;
mod tactix;
mod theory;
mod wythoff;

pub use aliquot::Aliquot;
pub use coin_ring::CoinRing;
pub use corner_the_queen::CornerTheQueen;
pub use dawsons_chess::DawsonsChess;
pub use digital_deletions::DigitalDeletions;
pub use grundy::Grundy;
pub use kayles::Kayles;
pub use mock_turtles::MockTurtles;
pub use nim::Nim;
pub use nimble::Nimble;
pub use pentanim::Pentanim;
pub use plainim::Plainim;
pub use rugs::Rugs;
pub use silver_dollar::SilverDollar;
pub use tactix::Tactix;
pub use wythoff::Wythoff;

/// What is said of a game of this family unless the game says more.
const TAKING: About = About::of(Family::Taking);

/// What every game of this family uses.
mod prelude {
    pub(super) use super::TAKING;
    pub(super) use crate::games::prelude::*;
}
