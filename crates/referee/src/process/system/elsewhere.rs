//! What takes the place of `linux.rs` on other systems. Nobody there tells which processes a bot has
//! started, how long each has computed, or on which core it runs.

use super::proc_files::Activity;
use nix::errno::Errno as Problem;
use nix::unistd::Pid;
use rustix::io::{Errno, read, write};
use rustix::net::RecvFlags;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Does `/proc` tell about processes?
pub(crate) const HAS_PROC: bool = false;

/// The list of the files that this process has open.
pub(crate) const OWN_OPEN_FILES: &str = "/dev/fd";

/// A message can't close the files that come with it in what this process starts.
pub(crate) const CLOSED_IN_BOTS: RecvFlags = RecvFlags::empty();

/// Apple counts bytes, others count KiB.
pub(crate) const MEMORY_UNITS_PER_KIB: i64 = if cfg!(target_vendor = "apple") { 1_024 } else { 1 };

/// Orphans belong to the first process of the system.
pub(crate) fn adopt_orphans() {}

/// No process has a clock that others can read.
#[derive(Clone, Copy)]
pub(crate) enum CpuClock {}

impl CpuClock {
    pub(crate) fn of(_process: Pid) -> Option<CpuClock> {
        None
    }

    pub(crate) fn read(self) -> Option<Duration> {
        match self {}
    }
}

/// None are known.
pub(crate) fn cores_of(_process: Pid) -> Vec<usize> {
    Vec::new()
}

pub(crate) fn put(_thread: Pid, _core: usize) -> nix::Result<()> {
    Err(Problem::ENOTSUP)
}

pub(crate) fn claim(_name: &str) -> io::Result<UnixDatagram> {
    Err(Problem::ENOTSUP.into())
}

pub(crate) fn is_in_memory(_file: &Path) -> bool {
    false
}

/// Takes what has arrived. `Errno::AGAIN` if that is nothing, and 0 if there will never be more.
pub(crate) fn read_now(end: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    read(end, buffer)
}

/// Writes what there is room for. `Errno::AGAIN` if there is none.
pub(crate) fn write_some(end: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
    write(end, bytes)
}

/// What `ps` says of a process. Takes milliseconds, so nobody asks while a bot plays well.
pub(crate) fn activity(process: Pid) -> Activity {
    let said = Command::new("ps").args(["-o", "state=", "-p", &process.to_string()]).output();
    match said.ok().and_then(|said| said.stdout.trim_ascii().first().copied()) {
        Some(b'R' | b'U' | b'D') => Activity::Computing,
        Some(b'T' | b't') => Activity::Stopped,
        _ => Activity::Idle,
    }
}
