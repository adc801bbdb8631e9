//! Taking things from heaps and rows.

mod block;
mod corner_the_queen;
mod heaps;
#[cfg(test)]
mod in_tests;
mod nim;
mod row;
mod theory;
mod wythoff;

pub use corner_the_queen::CornerTheQueen;
pub use nim::Nim;
pub use wythoff::Wythoff;
