//! Moving pieces about a board.

mod cubes;
mod quixo;
#[cfg(test)]
mod retrograde;

pub use quixo::Quixo;
