//! The keeper: a small process between the arena and a bot that leaves nothing behind.
//!
//! `inside` is the keeper process itself, and `linux` or `elsewhere` is how it holds a bot. `handle`
//! is the arena's side of it, and they speak in the lines of `report`. `births` counts what a bot
//! starts. `family` knows which children of the arena are keepers, and `ending` ends processes.
//! `starting` and `task` are what a keeper is for: a bot that begins, or a build that is run to its
//! end. `preflight` and `account` come before that.

pub(crate) mod account;
pub(crate) mod births;
pub(crate) mod ending;
pub(crate) mod family;
pub(crate) mod handle;
#[cfg_attr(plain, path = "elsewhere.rs")]
#[cfg_attr(not(plain), path = "linux.rs")]
mod holding;
pub(crate) mod inside;
pub(crate) mod preflight;
pub(crate) mod report;
pub(crate) mod scratch;
pub(crate) mod starting;
pub(crate) mod task;
