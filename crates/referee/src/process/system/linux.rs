//! What only Linux can do. `elsewhere.rs` has the same names for other systems.

use super::proc_files::{Activity, ProcStat, text};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::statfs::{TMPFS_MAGIC, statfs};
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;
use rustix::io::{Errno, ReadWriteFlags, preadv2, pwritev2, read, write};
use rustix::net::RecvFlags;
use std::fs;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// Does `/proc` tell about processes?
pub(crate) const HAS_PROC: bool = true;

/// The list of the files that this process has open.
pub(crate) const OWN_OPEN_FILES: &str = "/proc/self/fd";

/// The files that come with a message are not open in what this process starts.
pub(crate) const CLOSED_IN_BOTS: RecvFlags = RecvFlags::CMSG_CLOEXEC;

/// In which unit the system says how much memory children have had.
pub(crate) const MEMORY_UNITS_PER_KIB: i64 = 1;

/// Makes the orphans below this process its children.
pub(crate) fn adopt_orphans() {
    if let Err(error) = set_child_subreaper(true) {
        tracing::warn!(%error, "cannot adopt orphaned processes");
    }
}

/// The processor time of one process, exactly.
#[derive(Clone, Copy)]
pub(crate) struct CpuClock(ClockId);

impl CpuClock {
    pub(crate) fn of(process: Pid) -> Option<CpuClock> {
        clock_getcpuclockid(process).ok().map(CpuClock)
    }

    /// Costs less than a microsecond.
    pub(crate) fn read(self) -> Option<Duration> {
        self.0.now().ok().map(Duration::from)
    }
}

/// The cores that a process may use. Process 0 is the one that asks.
pub(crate) fn cores_of(process: Pid) -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(process) else { return Vec::new() };
    (0..CpuSet::count()).filter(|&core| allowed.is_set(core).unwrap_or(false)).collect()
}

/// Keeps a thread on a core.
pub(crate) fn put(thread: Pid, core: usize) -> nix::Result<()> {
    let mut set = CpuSet::new();
    set.set(core)?;
    sched_setaffinity(thread, &set)
}

/// Claims a name that only one process of the machine can have. The claim ends with the process at
/// the latest.
pub(crate) fn claim(name: &str) -> io::Result<UnixDatagram> {
    UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

/// Does a file lie in memory?
pub(crate) fn is_in_memory(file: &Path) -> bool {
    statfs(file).is_ok_and(|system| system.filesystem_type() == TMPFS_MAGIC)
}

/// A pipe has no offset: reads and writes happen at the current place.
const HERE: u64 = u64::MAX;

/// Can a read say that it must not block? Tested with an empty pipe. That needs Linux 6.4. On an
/// older system the flag of the pipe has to do.
static KNOWS_NOWAIT: LazyLock<bool> = LazyLock::new(|| {
    let Ok((reader, _writer)) = io::pipe() else { return false };
    preadv2(reader, &mut [IoSliceMut::new(&mut [0])], HERE, ReadWriteFlags::NOWAIT) == Err(Errno::AGAIN)
});

/// Takes what has arrived. `Errno::AGAIN` if that is nothing, and 0 if there will never be more.
pub(crate) fn read_now(end: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    if *KNOWS_NOWAIT {
        preadv2(end, &mut [IoSliceMut::new(buffer)], HERE, ReadWriteFlags::NOWAIT)
    } else {
        read(end, buffer)
    }
}

/// Writes what there is room for. `Errno::AGAIN` if there is none.
pub(crate) fn write_some(end: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
    if *KNOWS_NOWAIT {
        pwritev2(end, &[IoSlice::new(bytes)], HERE, ReadWriteFlags::NOWAIT)
    } else {
        write(end, bytes)
    }
}

pub(crate) fn activity(pid: Pid) -> Activity {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Activity::Idle };
    let mut activity = Activity::Idle;
    for thread in threads.flatten() {
        let read = |name: &str| text(thread.path().join(name)).unwrap_or_default();
        let stat = ProcStat::read(&read("stat"));
        if stat.is_some_and(|stat| matches!(stat.state, 'R' | 'D')) {
            return Activity::Computing;
        }
        if stat.is_some_and(|stat| matches!(stat.state, 'T' | 't')) {
            activity = Activity::Stopped;
        } else if activity == Activity::Idle && reads_stdin(&read("syscall")) {
            activity = Activity::ReadingStdin;
        }
    }
    activity
}

/// `NUMBER ARGUMENT…` of the system call a thread sits in: `read(0, …)`?
fn reads_stdin(syscall: &str) -> bool {
    const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };
    let mut words = syscall.split_whitespace();
    words.next() == Some(READ) && words.next() == Some("0x0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::pipe::ends::write_now;

    /// Both ends block as far as their flags say.
    #[test]
    fn no_flag_makes_anybody_wait() {
        if !*KNOWS_NOWAIT {
            return;
        }
        let (reader, writer) = std::io::pipe().unwrap();
        let (reader, writer) = (OwnedFd::from(reader), OwnedFd::from(writer));
        let mut buffer = [0; 8];
        assert_eq!(read_now(&reader, &mut buffer), Err(Errno::AGAIN));
        let (much, mut written) = (vec![b'x'; 1 << 20], 0);
        assert!(!write_now(&writer, &much, &mut written).unwrap(), "there is not so much room");
        assert!((1..much.len()).contains(&written));
        assert_eq!(read_now(&reader, &mut buffer), Ok(8));
        drop(reader);
        assert!(write_now(&writer, &much, &mut written).is_err(), "nobody reads");
    }
}
