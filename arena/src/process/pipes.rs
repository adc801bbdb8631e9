//! Reading and writing the pipes of a bot: at once where that works, with the runtime's help where one has to wait.

use super::bot::locked;
use super::stderr_tail::StderrTail;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::write;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use tokio::net::unix::pipe::{Receiver, Sender};

pub(super) fn without_blocking(end: OwnedFd) -> std::io::Result<OwnedFd> {
    fcntl(&end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(end)
}

/// Waits until there is something to read, or the other side has closed the pipe.
pub(super) async fn readable(end: &OwnedFd) -> std::io::Result<()> {
    Receiver::from_owned_fd_unchecked(end.try_clone()?)?.readable().await
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

/// Reads standard error for as long as there is any.
pub(super) async fn drain(stderr: Receiver, tail: Arc<Mutex<StderrTail>>) {
    while stderr.readable().await.is_ok() {
        // Read under the lock: who finds the pipe empty then finds in the tail what was in it.
        match locked(&tail).take(|buffer| stderr.try_read(buffer)) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
