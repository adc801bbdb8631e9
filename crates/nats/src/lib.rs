//! A small client of NATS and its JetStream.
//!
//! ```text
//! callers ── publish, request ──▶ outbox ──▶ owner (one thread) ──▶ server
//!    ▲                                          │
//!    └────── inboxes and subscriptions ◀────────┘
//! ```
//!
//! Only the owner touches the socket. The owner connects again for ever, and nothing is kept over a
//! lost connection: a request that was on its way fails, and whoever needs the answer asks again.
//! All calls block, as everywhere in this house, so no asynchronous runtime is needed.

mod address;
mod connection;
mod jetstream;
mod message;
mod nkey;
mod owner;
mod pull;
mod random;
mod socket;
mod wire;

pub use address::{Address, AddressError};
pub use connection::{
    ConnectError, Connection, Credentials, Inbox, Mailbox, Refused, RequestError, ServerInfo, Subscription,
};
pub use jetstream::{ApiError, Delivery, JetStream, JetStreamError, PubAck, Stored};
pub use message::{Headers, Message};
pub use nkey::{Nkey, NkeyError, NkeyKind};
pub use pull::Pull;
pub use random::{random_bytes, random_word};
