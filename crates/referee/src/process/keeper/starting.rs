//! A bot between the order to its keeper and the keeper's word that it runs.

use super::handle::Keeper;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// A bot that was ordered and that nobody waits for yet, so that several bots can start at the same
/// time.
pub struct Starting {
    pub(crate) keeper: Keeper,
    /// The arena's ends of its pipes.
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

impl Starting {
    /// Tells a keeper to start its bot.
    pub fn order(mut keeper: Keeper) -> io::Result<Starting> {
        let (input, stdin) = io::pipe()?;
        let (stdout, output) = io::pipe()?;
        let (stderr, error) = io::pipe()?;
        keeper.order([input.as_fd(), output.as_fd(), error.as_fd()])?;
        let (stdin, stdout, stderr) = (stdin.into(), stdout.into(), stderr.into());
        Ok(Starting { keeper, stdin, stdout, stderr })
    }
}
