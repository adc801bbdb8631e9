//! The pipes between the arena and a bot.
//!
//! `ends` reads and writes without blocking, `output` waits for what a bot answers, and `drainer`
//! empties the standard error of all bots.

pub(crate) mod drainer;
pub(crate) mod ends;
pub(crate) mod output;
