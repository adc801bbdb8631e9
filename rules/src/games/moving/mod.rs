//! Moving pieces about a board.

mod breakthrough_lockout;
mod dynamic_connect_3;
mod fox_and_hounds;
mod isola;
mod knights_duel;
#[cfg(test)]
mod loop_free_in_tests;
mod morris_points;
mod nine_mens_morris;
mod northcott;
mod tandems;
mod three_musketeers;

pub use breakthrough_lockout::BreakthroughLockout;
pub use dynamic_connect_3::DynamicConnect3;
pub use fox_and_hounds::FoxAndHounds;
pub use isola::Isola;
pub use knights_duel::KnightsDuel;
pub use nine_mens_morris::NineMensMorris;
pub use northcott::Northcott;
pub use tandems::Tandems;
pub use three_musketeers::ThreeMusketeers;
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
