//! `arena serve`: results, rules and running tournaments as pages and JSON.
//!
//! The server answers on this machine alone. `guard` refuses the requests that other sites send
//! through a reader's browser, and gives every answer its headers. Pages are made by the crate `web`
//! and are as strict as pages from disk.
//!
//! ```text
//! listener ──▶ guard ──▶ routes ──▶ pages, JSON
//!                          └──────▶ tables, where people may play
//! ```

pub mod api;
pub mod catalogue;
mod frame;
mod guard;
mod live;
mod pages;
mod refusal;
mod results;
mod server;
mod site;
mod tables;

pub use pages::EngineView;
pub use server::{BindError, DEFAULT_PORT, Server};
pub use site::{Closing, Site};
pub use tables::{Links, Order, OrderError, SetError, Sitting, Tables, TablesSetup, against};
