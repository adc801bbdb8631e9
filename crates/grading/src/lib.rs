//! Grades submissions: reads an assignment, measures a submission, and writes a grade.
//!
//! ```text
//! assignment (TOML) ──▶ items, one after another ──▶ Grade ──▶ gradebooks, one thin writer per format
//!                            │
//!             check, games, positions, examiner, bugs
//! ```
//!
//! Only the assignment and its seed decide a grade. The grade is kept in the arena's own process.
//! After each item, when no process of the submission is alive, the files are compared and written.

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
mod truth;

pub use assignment::Assignment;
pub use files::Results;
pub use grader::{Commands, Exams, Grader, NotGraded, refuse};
pub use items::feedback::quoted;
pub use reader::read;
