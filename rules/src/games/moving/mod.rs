//! Moving pieces about a board.

mod morris_points;
mod nine_mens_morris;

pub use nine_mens_morris::NineMensMorris;
