//! Solves positions exactly: who wins, how fast, and with which moves.
//!
//! ```
//! use serde_json::json;
//! use solver::{Options, Value};
//!
//! let moves = ["b2".to_owned()];
//! let options = Options::default();
//! let found =
//!     solver::solve("tic-tac-toe", &json!({}), &moves, options, &mut |_| true).unwrap();
//! assert_eq!(found.verdict.value, Value::Draw);
//! assert_eq!(found.best, ["a1", "c1", "a3", "c3"]); // any move but a corner loses
//! ```
//!
//! Games that can't return to a position are searched ([`Method::Search`]). Games with loops are
//! valued backwards from their ends ([`Method::Retrograde`]). Large sums of heaps are left to the
//! theory of nim values ([`Method::NimValues`]). The caller does not choose: [`solve()`] answers
//! one question, and an [`Oracle`] answers many questions about the same game.

mod answer;
mod crew;
mod effort;
mod fingerprint;
mod judge;
mod loop_free;
mod nim_values;
mod node;
mod oracle;
mod proof;
mod questions;
mod retrograde;
mod saved;
mod score;
mod scored;
mod states;
mod table;
mod threads;
mod way;

pub use answer::{Method, Partial, Refusal, Solution, Stopped, Value, ValueAlone, Verdict};
pub use effort::{Advice, Listener, Memory, Options, Progress, TheoryUse};
pub use oracle::{Oracle, oracle, oracle_for_one, solve};
