//! One file per game, named after its id, in the folder of its family.

mod cards;
mod impartial;
mod moving;
mod placing;
mod prelude;
mod taking;
#[cfg(test)]
mod trial;

pub use cards::*;
pub use moving::*;
pub use placing::*;
pub use taking::*;
