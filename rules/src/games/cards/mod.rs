//! Home-made card games: hidden hands, chance, decisions made together.

mod meidale;
mod trishape;

pub use meidale::Meidale;
pub use trishape::Trishape;
