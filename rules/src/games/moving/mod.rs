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
