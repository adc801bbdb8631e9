//! Home-made card games: hidden hands, chance, decisions made together.

mod krav_maga;
mod meidale;
mod metzudotayim;
mod shlif_shluf;
mod super_stam;
mod trishape;

pub use krav_maga::KravMaga;
pub use meidale::Meidale;
pub use metzudotayim::Metzudotayim;
pub use shlif_shluf::ShlifShluf;
pub use super_stam::SuperStam;
pub use trishape::Trishape;
