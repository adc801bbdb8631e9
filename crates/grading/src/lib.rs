//! A submission, an assignment, a grade.
//!
//! ```text
//! assignment (TOML) ──▶ items, one after another ──▶ Grade ──▶ gradebooks, one thin writer per format
//!                            │
//!             check, games, positions, examiner, bugs
//! ```
//!
//! Everything that may decide a grade comes from the assignment and its seed. Only the arena's own process holds the
//! grade; files are compared and written when no process of the submission is alive, after each item.

mod assignment;
mod bugs;
pub mod check_bot;
mod credit;
mod desk;
mod draft;
mod examiner;
mod files;
mod games;
pub mod gradebooks;
mod grader;
pub mod interview;
mod items;
mod positions;
mod reader;
pub mod result;
mod ticker;
mod truth;

pub use assignment::Assignment;
pub use files::Results;
pub use grader::{Commands, Exams, Grader, NotGraded, refuse};
pub use items::feedback::quoted;
pub use reader::read;
pub use ticker::Ticker;
