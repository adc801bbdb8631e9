//! What a bot may use: time for a question, as a `stopwatch` measures it, and memory.
//!
//! `cpu_watch` adds up the processor time of a bot and of all that it has started. `disturbance`
//! tells whether others have kept the core from the bot.

pub(crate) mod cpu_watch;
pub(crate) mod disturbance;
pub(crate) mod memory;
pub(crate) mod stopwatch;
pub(crate) mod usage;
