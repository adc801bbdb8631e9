//! Reading from a bot, writing to a bot, and waiting for a bot: at once where that works, otherwise
//! with the runtime.
//!
//! Whether a pipe blocks is a flag of the pipe. A process of the same user can open the pipe and
//! change the flag. So each read and each write says for itself that it must not block, where the
//! system knows such a call. Elsewhere the flag has to do.

pub(crate) use crate::process::system::calls::read_now;

use crate::process::system::calls::write_some;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::sleep;

pub(crate) fn without_blocking(end: OwnedFd) -> std::io::Result<OwnedFd> {
    fcntl(&end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(end)
}

/// Waits until there is something to read, or the other side has closed the pipe. A socket will do
/// too: nothing is read.
pub(crate) async fn readable(end: &impl AsFd) -> std::io::Result<()> {
    match Receiver::from_owned_fd_unchecked(end.as_fd().try_clone_to_owned()?) {
        Ok(end) => end.readable().await,
        Err(error) => nap_until(end, PollFlags::POLLIN, error).await,
    }
}

async fn writable(end: &OwnedFd) -> std::io::Result<()> {
    match Sender::from_owned_fd_unchecked(end.try_clone()?) {
        Ok(end) => end.writable().await,
        Err(error) => nap_until(end, PollFlags::POLLOUT, error).await,
    }
}

/// Looks again and again. The system lets all processes of an account wait for only so many files
/// the better way, and bots may have used that up.
async fn nap_until(end: &impl AsFd, wanted: PollFlags, error: std::io::Error) -> std::io::Result<()> {
    if ![Some(libc::ENOSPC), Some(libc::ENOMEM)].contains(&error.raw_os_error()) {
        return Err(error);
    }
    while poll(&mut [PollFd::new(end.as_fd(), wanted)], PollTimeout::ZERO)? == 0 {
        sleep(NAP).await;
    }
    Ok(())
}

const NAP: Duration = Duration::from_millis(1);

/// Does anybody have this pipe open for reading?
pub(crate) fn has_reader(stdin: &OwnedFd) -> bool {
    let mut ends = [PollFd::new(stdin.as_fd(), PollFlags::POLLOUT)];
    let looked = poll(&mut ends, PollTimeout::ZERO);
    looked.is_err()
        || !ends[0].revents().is_some_and(|seen| seen.intersects(PollFlags::POLLERR | PollFlags::POLLHUP))
}

/// Writes everything, and counts the bytes on the way.
pub(crate) async fn write_all(stdin: &OwnedFd, bytes: &[u8], written: &mut usize) -> std::io::Result<()> {
    while !write_now(stdin, bytes, written)? {
        writable(stdin).await?;
    }
    Ok(())
}

/// Writes what there is room for, usually everything in one system call. True when all is written.
pub(crate) fn write_now(stdin: &OwnedFd, bytes: &[u8], written: &mut usize) -> std::io::Result<bool> {
    while *written < bytes.len() {
        match write_some(stdin, &bytes[*written..]) {
            Ok(count) => *written += count,
            Err(Errno::AGAIN) => return Ok(false),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wait_needs_nothing_of_which_there_is_only_so_much() {
        let (reader, writer) = std::io::pipe().unwrap();
        let (reader, writer) = (OwnedFd::from(reader), OwnedFd::from(writer));
        let full = || std::io::Error::from_raw_os_error(libc::ENOSPC);
        nap_until(&writer, PollFlags::POLLOUT, full()).await.unwrap();
        let waits = tokio::time::timeout(20 * NAP, nap_until(&reader, PollFlags::POLLIN, full()));
        assert!(waits.await.is_err(), "nothing has come");
        assert!(write_now(&writer, b"x", &mut 0).unwrap());
        nap_until(&reader, PollFlags::POLLIN, full()).await.unwrap();
        let other = std::io::Error::from_raw_os_error(libc::EMFILE);
        assert!(nap_until(&reader, PollFlags::POLLIN, other).await.is_err());
    }
}
