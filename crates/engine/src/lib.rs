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

mod login;
pub mod messages;
pub mod subjects;

pub use login::{ANYBODY, Login, LoginError, Session, connect, inbox, user_word};
