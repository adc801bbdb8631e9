//! Home-made card games: hidden hands, chance, decisions made together.

mod asirim;
mod basa;
mod hand;
mod karov_meod;
mod krav_maga;
mod majnun;
mod meidale;
mod metzudotayim;
mod shlif_shluf;
mod solo;
mod super_stam;
mod trishape;
mod unseen;

pub use asirim::Asirim;
pub use basa::Basa;
pub use karov_meod::KarovMeod;
pub use krav_maga::KravMaga;
pub use majnun::Majnun;
pub use meidale::Meidale;
pub use metzudotayim::Metzudotayim;
pub use shlif_shluf::ShlifShluf;
pub use solo::Solo;
pub use super_stam::SuperStam;
pub use trishape::Trishape;
