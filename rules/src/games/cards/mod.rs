//! Home-made card games: hidden hands, chance, decisions made together.

mod meidale;
mod super_stam;
mod trishape;

pub use meidale::Meidale;
pub use super_stam::SuperStam;
pub use trishape::Trishape;
