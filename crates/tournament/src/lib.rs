//! Series of games between bots, up to whole tournaments. Reads a config, plays fair games, and
//! writes a journal and a table.
//!
//! ```text
//! draft ──▶ config ──▶ formats ──▶ schedule ──▶ stage_games ──▶ runner ──▶ journal
//! (what is   (checked,  (the next   (its games,                    │       (one line
//!  written)   a series)  stage)      computed)                     ▼        per game)
//!                          ▲                                   Collector ──▶ standings
//!                          └──────────── encounters ───────────────┘
//! ```
//!
//! A match is a series with one stage and no journal, counted by the same collector. The next games
//! of a tournament are a pure function of the config, the seed and the results so far. So a
//! tournament can stop at any moment and go on from its journal.

pub mod book;
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
mod seed_file;
pub mod series;
pub mod sprt;
pub mod stage_games;
pub mod standings;
pub mod stop;
mod swiss;
pub mod travel;
pub mod venue;
pub mod worth;
