//! Home-made card games: hidden hands, chance, decisions made together.

mod asirim;
mod basa;
mod hand;
mod karov_meod;
mod majnun;
mod solo;
mod trishape;
mod unseen;

pub use asirim::Asirim;
pub use basa::Basa;
pub use karov_meod::KarovMeod;
pub use majnun::Majnun;
pub use solo::Solo;
pub use trishape::Trishape;
