//! One game between bots: processes, a referee between them, a record of what happened.
//!
//! ```text
//! submission ──▶ spec                          (a folder or archive becomes a command)
//! runner ──▶ game ◀──▶ Player: process::LastingBot ◀──pipe──▶ the bot, under its keeper
//!    │         │
//!    ▼         ▼
//! record     rules
//! ```
//!
//! Data goes one way. A worker thread owns the games it plays and the bots it has started; nothing
//! is shared.

#[cfg(not(unix))]
compile_error!(
    "the arena needs Linux, or another Unix on which nothing holds its bots; on Windows, build inside WSL 2; \
     docs/install.md says what was tried where"
);

pub mod clock;
pub mod company;
pub mod explorer;
pub mod fault;
pub mod game;
mod notes;
pub mod player;
pub mod process;
pub mod record;
pub mod runner;
pub mod seeds;
pub mod spec;
pub mod submission;
pub mod transcript;
