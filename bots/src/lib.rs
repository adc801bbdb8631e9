//! Bots for Ludus in Rust.
//!
//! A bot is one function from a question to an answer. [`run`] does the rest:
//!
//! ```no_run
//! use bots::{Game, run};
//! use protocol::{Move, Turn};
//!
//! fn main() -> std::io::Result<()> {
//!     run("last", |_game: &Game, turn: &Turn| Move::new(turn.legal.last().unwrap()))
//! }
//! ```
//!
//! [`builtin`] holds the strategies that are built into the arena. They use the same protocol
//! through the same pipe.

pub mod builtin;
mod dice;
mod kit;

pub use dice::Dice;
pub use kit::{Game, Strategy, play_lines, run};
