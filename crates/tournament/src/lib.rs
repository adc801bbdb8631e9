//! Tournaments: a config in, a fair tournament played, a journal out.
//!
//! ```text
//! draft ──▶ config ──▶ formats ──▶ schedule ──▶ run ──▶ journal
//! (what is   (checked)   (the next    (its games,    │       (one line
//!  written)               stage)       computed)     ▼        per game)
//!                            ▲                     count
//!                            └────── results ────────┘
//! ```
//!
//! What is played is a pure function of config, seed and the results before it, so that a tournament can stop at any
//! moment and go on from its journal.

mod book;
pub mod config;
pub mod count;
pub mod deal;
mod discipline;
pub mod draft;
pub mod elo_gap;
mod failure_file;
mod fingerprint;
pub mod formats;
pub mod journal;
mod knockout;
mod matching;
pub mod merge;
pub mod openings;
pub mod paired;
pub mod progress;
pub mod roster;
pub mod run;
pub mod schedule;
pub mod seating;
pub mod series;
pub mod sprt;
mod stage_games;
pub mod standings;
pub mod stop;
mod swiss;
pub mod worth;
