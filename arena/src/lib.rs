//! The arena: bots as processes, a referee between them, records of what happened.
//!
//! ```text
//! submission ──▶ spec                                   (a folder or archive becomes a command)
//! cli ──▶ check ──▶ referee                              (is a bot ready?)
//! cli ──▶ runner ──▶ referee ◀──▶ process::Bot ◀──pipe──▶ the bot, under its keeper
//!            │          │
//!            ▼          ▼
//!         record      rules
//! ```
//!
//! Data goes one way. A worker thread owns the games it plays and the bots it has started; nothing is shared.

pub mod check;
pub mod cli;
mod clock;
mod config_file;
mod console;
mod elo_gap;
mod fault;
mod grading;
mod harmless;
mod interview;
mod markup;
mod notes;
mod process;
mod record;
mod referee;
mod runner;
mod seeds;
mod spec;
mod standing;
pub mod standings;
mod submission;
mod tournament;
mod truth;
mod wrap;

pub use clock::ClockRules;
pub use fault::{Code, Fault};
pub use process::{Bot, LaunchError};
pub use record::{Record, ReplayError};
pub use referee::{FaultPolicy, Job};
pub use runner::{Plan, run};
pub use seeds::{bot_seed, deal_seed};
pub use spec::{BotSpec, SpecError};
