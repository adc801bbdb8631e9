//! Home-made card games: hidden hands, chance, decisions made together.

mod trishape;

pub use trishape::Trishape;
