//! A submission, an assignment, a grade.
//!
//! ```text
//! assignment (TOML) ──▶ items, one after another ──▶ Grade ──▶ gradebooks, one thin writer per format
//!                            │
//!             games, positions, truth, sequential
//! ```
//!
//! Everything that may decide a grade comes from the assignment and its seed. Only the arena's own process holds the
//! grade; files are written when no process of the submission is alive, and written again in full after each item.

pub mod assignment;
mod bugs;
mod credit;
mod desk;
mod files;
mod games;
pub mod gradebooks;
mod grader;
mod items;
mod positions;
mod quote;
mod readiness;
pub mod result;
mod sequential;
mod truth;

pub use files::{Folder, write_whole};
pub use grader::{Grader, Trouble};
pub use quote::{line_of, lines_of};
