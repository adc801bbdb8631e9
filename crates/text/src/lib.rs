//! Text for people: nothing that a stranger wrote reaches a terminal, a log or a page raw.

pub mod harmless;
pub mod markup;
mod screen;
mod time;
pub mod wrap;

pub use screen::Screen;
pub use time::clock;
