//! Moving pieces about a board.

use crate::{About, Family};

mod armies;
mod ataxx;
mod breakthrough_lockout;
mod campaign;
mod cubes;
mod dao;
mod dynamic_connect_3;
mod five_field_kono;
mod fox_and_hounds;
mod isola;
mod ithaka;
mod knights_duel;
mod lone_pieces;
mod morris_moves;
mod morris_points;
mod morris_sides;
mod mu_torere;
mod nine_mens_morris;
mod northcott;
mod quixo;
mod quixo_teams;
#[cfg(test)]
mod retrograde;
mod roll_to_four;
mod tandems;
mod three_musketeers;

pub use ataxx::Ataxx;
pub use breakthrough_lockout::BreakthroughLockout;
pub use campaign::Campaign;
pub use dao::Dao;
pub use dynamic_connect_3::DynamicConnect3;
pub use five_field_kono::FiveFieldKono;
pub use fox_and_hounds::FoxAndHounds;
pub use isola::Isola;
pub use ithaka::Ithaka;
pub use knights_duel::KnightsDuel;
pub use mu_torere::MuTorere;
pub use nine_mens_morris::NineMensMorris;
pub use northcott::Northcott;
pub use quixo::Quixo;
pub use quixo_teams::QuixoTeams;
pub use roll_to_four::RollToFour;
pub use tandems::Tandems;
pub use three_musketeers::ThreeMusketeers;

/// What is said of a game of this family unless the game says more.
const MOVING: About = About::of(Family::Moving);

/// What every game of this family uses.
mod prelude {
    pub(super) use super::MOVING;
    pub(super) use crate::games::prelude::*;
}
