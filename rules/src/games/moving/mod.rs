//! Moving pieces about a board.

mod ataxx;
mod campaign;
mod cubes;
mod dao;
mod five_field_kono;
mod ithaka;
mod mu_torere;
mod quixo;
mod quixo_teams;
#[cfg(test)]
mod retrograde;
mod roll_to_four;

pub use ataxx::Ataxx;
pub use campaign::Campaign;
pub use dao::Dao;
pub use five_field_kono::FiveFieldKono;
pub use ithaka::Ithaka;
pub use mu_torere::MuTorere;
pub use quixo::Quixo;
pub use quixo_teams::QuixoTeams;
pub use roll_to_four::RollToFour;
