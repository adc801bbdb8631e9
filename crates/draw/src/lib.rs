//! Draws the picture of a position as SVG, one drawing for all games.
//!
//! [`still`] draws one position. [`moving`] draws a whole game that plays by itself, with key frames
//! of CSS and without a script. A reader who wants no motion sees the end of the game.
//!
//! The colours are classes, so that a page in light or dark shows them well. The words need no font
//! of their own and no property that some programs lack: `dominant-baseline` is such a property.

mod board;
mod canvas;
mod card;
mod film;
mod piece;
mod piles;
mod sheet;
mod style;

pub use film::moving;
pub use sheet::{Heading, Scene, bare, still};
pub use style::STYLE;
