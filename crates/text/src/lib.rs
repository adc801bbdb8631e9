//! Text for people. Whatever a stranger wrote is made harmless before a terminal, a log or a page
//! shows it.

pub mod harmless;
pub mod markup;
mod screen;
mod ticker;
mod time;
pub mod wrap;

pub use screen::Screen;
pub use ticker::Ticker;
pub use time::clock;
