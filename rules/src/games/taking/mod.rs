//! Taking things from heaps and rows.

mod block;
mod heaps;
#[cfg(test)]
mod in_tests;
mod nim;
mod row;
mod theory;
mod wythoff;

pub use nim::Nim;
pub use wythoff::Wythoff;
