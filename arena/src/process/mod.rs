//! Bots as processes.
//!
//! ```text
//! arena ── starts ──▶ keeper (`arena keep`) ── starts ──▶ bot ──▶ whatever it starts
//!   │                                                      │
//!   └───────────── stdin, stdout, stderr (pipes) ──────────┘
//! ```
//!
//! The keeper never touches the pipes. It adopts every orphan below it, and when the bot ends, when the arena says
//! so, or when the arena itself dies (even by `kill -9`), it kills everything that is left and goes.

mod account;
mod bot;
mod death;
mod diagnosis;
mod evidence;
mod keeper;
mod kept;
mod launch;
mod ledger;
mod pipes;
mod proc_files;
mod stderr_tail;
mod stopwatch;
mod tap;
mod task;

pub use account::Account;
pub use bot::{Answer, Bot, Others, Question};
pub use evidence::Evidence;
pub use keeper::{KEEP, keep};
pub use launch::{LaunchError, check as check_launch};
pub use tap::{Heard, Tap};
pub use task::run_task;

/// Makes orphans of a killed keeper children of the arena, so that they can be found and killed.
pub fn adopt_orphans() {
    if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
        tracing::warn!(%error, "cannot adopt orphaned processes");
    }
}
