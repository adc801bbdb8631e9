//! Taking things from heaps and rows.

mod heaps;
mod nim;

pub use nim::Nim;
