//! The truth about a position: who wins, how fast, and with which moves.
//!
//! ```
//! use serde_json::json;
//! use solver::{Options, Value};
//!
//! let moves = ["b2".to_owned()];
//! let found = solver::solve("tic-tac-toe", &json!({}), &moves, Options::default(), &mut |_| true).unwrap();
//! assert_eq!(found.verdict.value, Value::Draw);
//! assert_eq!(found.best, ["a1", "c1", "a3", "c3"]); // a corner, or it is lost
//! ```
//!
//! Games that can't go in circles are searched ([`Method::Search`]), the others valued backwards from their ends
//! ([`Method::Retrograde`]); large sums of heaps are left to the theory of nim values ([`Method::NimValues`]).
//! Nobody else has to know: [`solve()`] answers one question, an [`Oracle`] many about the same game.

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
