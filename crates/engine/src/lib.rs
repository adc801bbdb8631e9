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

/// The name of this machine.
pub fn host() -> String {
    nix::unistd::gethostname()
        .map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}
