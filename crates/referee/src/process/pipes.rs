//! Writing to a bot and waiting for it: at once where that works, with the runtime's help where one has to wait.

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::write;
use std::os::fd::{AsFd, OwnedFd};
use tokio::net::unix::pipe::{Receiver, Sender};

pub(super) fn without_blocking(end: OwnedFd) -> std::io::Result<OwnedFd> {
    fcntl(&end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(end)
}

/// Waits until there is something to read, or the other side has closed the pipe.
pub(super) async fn readable(end: &OwnedFd) -> std::io::Result<()> {
    Receiver::from_owned_fd_unchecked(end.try_clone()?)?.readable().await
}

/// Has anybody this pipe open for reading?
pub(super) fn has_reader(stdin: &OwnedFd) -> bool {
    let mut ends = [PollFd::new(stdin.as_fd(), PollFlags::POLLOUT)];
    let looked = poll(&mut ends, PollTimeout::ZERO);
    looked.is_err() || !ends[0].revents().is_some_and(|seen| seen.contains(PollFlags::POLLERR))
}

/// Writes everything, counting as it goes.
pub(super) async fn write_all(stdin: &OwnedFd, bytes: &[u8], written: &mut usize) -> std::io::Result<()> {
    while !write_now(stdin, bytes, written)? {
        Sender::from_owned_fd_unchecked(stdin.try_clone()?)?.writable().await?;
    }
    Ok(())
}

/// Writes what there is room for, usually everything in one system call. True when all is written.
pub(super) fn write_now(stdin: &OwnedFd, bytes: &[u8], written: &mut usize) -> std::io::Result<bool> {
    while *written < bytes.len() {
        match write(stdin, &bytes[*written..]) {
            Ok(count) => *written += count,
            Err(Errno::EAGAIN) => return Ok(false),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}
