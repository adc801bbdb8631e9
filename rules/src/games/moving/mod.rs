//! Moving pieces about a board.

mod cubes;
mod quixo;
mod quixo_teams;
#[cfg(test)]
mod retrograde;

pub use quixo::Quixo;
pub use quixo_teams::QuixoTeams;
