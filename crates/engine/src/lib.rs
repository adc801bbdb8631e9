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

pub mod check;
mod login;
pub mod messages;
pub mod rights;
pub mod server;
pub mod status;
pub mod subjects;
mod ticket;

pub use login::{ANYBODY, Login, LoginError, Session, connect, connect_with, inbox, user_word};
pub use ticket::{Ticket, TicketError};
