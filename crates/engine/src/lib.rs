//! Tournaments on several machines.
//!
//! ```text
//! coordinator ── WORK: batches of whole blocks ──▶ workers
//!      ▲                                              │
//!      └───────── RES: records, checked ◀─────────────┘
//!      │
//!      ▼
//!   journal (the only truth)
//! ```
//!
//! The engine (a NATS server with JetStream) is a transport that may forget everything. The
//! coordinator offers what is not in its journal, appends and syncs what comes back, and
//! acknowledges after that.

mod audit;
pub mod bundles;
pub mod check;
mod coordinator;
mod login;
pub mod messages;
pub mod parcel;
mod program;
mod record_check;
pub mod rights;
pub mod server;
mod statistics;
pub mod status;
pub mod subjects;
mod ticket;
mod worker;

pub use coordinator::{Coordinator, CoordinatorOptions, create_streams, tournament_id};
pub use login::{ANYBODY, Login, LoginError, Session, connect, connect_with, inbox, user_word};
pub use program::build;
pub use ticket::{Ticket, TicketError};
pub use worker::{WorkDone, WorkerError, WorkerOptions, unfit, usual_cache, work};

use std::path::Path;

/// The name of this machine.
pub fn host() -> String {
    nix::unistd::gethostname()
        .map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The room for files of this user where a folder is. The numbers have other types on other systems.
pub(crate) fn free_bytes(folder: &Path) -> nix::Result<u64> {
    let free = nix::sys::statvfs::statvfs(folder)?;
    Ok(free.blocks_available() as u64 * free.fragment_size() as u64)
}
