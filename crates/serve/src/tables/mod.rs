//! Tables at which people play. Their routes exist only where visitors may play.
//!
//! ```text
//! order ──▶ hall ──▶ host, a thread for each table ──▶ referee ◀──▶ sitter: a bot, or a person
//!             │        │                                              │
//!             ▼        ▼                                              ▼
//! routes ──▶ tokens    room ◀───────────── what happens ──────────────┘
//!   ▲                  │
//!   └──── pages ◀──── scene, for each pair of eyes
//! ```
//!
//! A person is one more player of the referee. Whoever has the link of a seat is the person of that
//! seat, so a link is a secret of 128 bits.

mod hall;
mod host;
mod order;
mod pages;
mod room;
mod routes;
mod scene;
mod sitter;
mod token;

pub use hall::{Links, SetError, Tables, TablesSetup, against};
pub use order::{Order, OrderError, Sitting};
pub(crate) use routes::router;
