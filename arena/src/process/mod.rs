//! Bots as processes.
//!
//! ```text
//! arena ── starts ──▶ keeper (`arena keep`) ── starts ──▶ bot ──▶ whatever it starts
//!   │                                                      │
//!   └───────────── stdin, stdout, stderr (pipes) ──────────┘
//! ```
//!
//! The keeper opens the pipes for the bot and keeps none of them. It adopts every orphan below it, and when the bot
//! ends it kills everything that is left, says so, and waits for the order to start the bot again. When the arena wants
//! an end, or dies itself (even by `kill -9`), the keeper kills everything and goes.

mod account;
mod attendant;
mod bot;
mod cores;
mod death;
mod diagnosis;
mod evidence;
mod keeper;
mod kept;
mod launch;
mod output;
mod pipes;
mod proc_files;
mod report;
mod starting;
mod stderr_tail;
mod stopwatch;
mod tap;
mod task;

pub use account::Account;
pub use bot::{Answer, Bot, Question};
pub use cores::{Cores, allowed_cores, stay_on};
pub use evidence::Evidence;
pub use keeper::{KEEP, keep};
pub use kept::Keeper;
pub use launch::{LaunchError, check as check_launch};
pub use starting::Starting;
pub use tap::{Heard, Tap};
pub use task::run_task;

/// To be called before bots are started. Orphans of a killed keeper become children of the arena, so that they can be
/// found and killed; and the attendant begins here, rather than on the one core that a worker stays on.
pub fn prepare() {
    if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
        tracing::warn!(%error, "cannot adopt orphaned processes");
    }
    if let Err(error) = attendant::attendant() {
        tracing::warn!(%error, "no thread for the attendant");
    }
}
