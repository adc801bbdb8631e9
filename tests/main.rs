//! Tests of the finished program from outside. Every module runs the commands as a user would.
//!
//! The modules share one binary, which links quickly because no module imports the arena's code.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]

mod attacks;
mod book;
mod browser;
mod cheating;
mod commands;
mod compatibility;
mod deploy;
mod documents;
mod engine_runs;
mod engine_server;
mod exploring;
mod gradebooks;
mod grading;
mod hostile_bots;
mod kits;
mod laboratory;
mod licences;
mod matches;
mod numbers;
mod packages;
mod pictures;
mod play;
mod poor_hosts;
mod practice;
mod reports;
mod reuse;
mod serve;
mod solving;
mod standings;
mod strangers;
mod submissions;
mod support;
mod tournaments;
mod transcripts;
