//! A world of its own for a bot: its own list of processes, its own network without a wire, its own
//! messages, and its own view of which folders are where.

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};
use rustix::thread::{CapabilitySet, CapabilitySets, configure_capability_in_ambient_set, set_capabilities};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// The bytes of a bot's scratch folder, and of its shared memory.
pub(crate) const SCRATCH_BYTES: u64 = 64 << 20;
const SHARED_BYTES: u64 = 16 << 20;
/// Files and folders in either.
const SCRATCH_FILES: u64 = 4_096;

/// Which kinds the host has given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Namespaces {
    pub(crate) users: bool,
    pub(crate) processes: bool,
    pub(crate) network: bool,
    pub(crate) messages: bool,
    pub(crate) folders: bool,
    /// The scratch folder has a limit of its own.
    pub(crate) scratch: bool,
}

/// Enters what the host gives. Must be called before the process has threads. Only what is started
/// afterwards has its own list of processes.
pub(crate) fn enter(scratch: &Path, scratch_bytes: u64) -> Namespaces {
    // Without rights of its own, a process gets them in a namespace of users.
    let users = own_users().is_ok();
    if !users && !geteuid().is_root() {
        return Namespaces::default();
    }
    let folders = unshare(CloneFlags::CLONE_NEWNS).is_ok() && keep_to_ourselves().is_ok();
    let mut found = Namespaces {
        users,
        folders,
        processes: unshare(CloneFlags::CLONE_NEWPID).is_ok(),
        network: unshare(CloneFlags::CLONE_NEWNET).is_ok(),
        messages: unshare(CloneFlags::CLONE_NEWIPC).is_ok(),
        scratch: false,
    };
    if folders {
        found.scratch = memory_folder(scratch, scratch_bytes).is_ok();
        let _ = memory_folder(Path::new("/dev/shm"), SHARED_BYTES); // without it nobody gets in there
    }
    found
}

/// The user keeps their number, and has all rights over what was made in this namespace.
fn own_users() -> io::Result<()> {
    let (uid, gid) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))
}

/// What is mounted from now on is seen by nobody else.
fn keep_to_ourselves() -> nix::Result<()> {
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
}

fn memory_folder(at: &Path, bytes: u64) -> nix::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = format!("size={bytes},nr_inodes={SCRATCH_FILES},mode=700");
    mount(Some("tmpfs"), at, Some("tmpfs"), flags, Some(options.as_str()))
}

/// Takes the scratch folder's file system away, so that the folder below it can be removed. There may
/// be none.
pub(crate) fn leave(scratch: &Path) {
    let _ = umount2(scratch, MntFlags::MNT_DETACH);
}

/// Lets the program that is started next mount its list of processes.
pub(crate) fn pass_on_rights() -> rustix::io::Result<()> {
    let all = CapabilitySet::SYS_ADMIN | CapabilitySet::DAC_OVERRIDE | CapabilitySet::SYS_RESOURCE;
    set_capabilities(None, CapabilitySets { effective: all, permitted: all, inheritable: all })?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    configure_capability_in_ambient_set(CapabilitySet::DAC_OVERRIDE, true)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_RESOURCE, true)
}

/// Gives up all rights for this thread, and for whatever the thread starts.
pub(crate) fn give_up_rights() -> rustix::io::Result<()> {
    let _ = rustix::thread::clear_ambient_capability_set(); // an old system has none
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}

/// Shows this process and its children in `/proc`, and nobody else. Called by the first process of
/// a list of processes.
pub(crate) fn own_proc() -> bool {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>).is_ok()
}

/// Limits the length of the own list of processes, below an own `/proc`. True where the system can.
pub(crate) fn limit_processes(most: u64) -> bool {
    // An older system has one limit for the whole machine, which must not be touched.
    const FIRST: (u32, u32) = (6, 14);
    // The lowest 300 numbers are given out once only.
    system_version() >= Some(FIRST) && fs::write("/proc/sys/kernel/pid_max", (300 + most).to_string()).is_ok()
}

/// `6.14` of `6.14.3-amd64`.
fn system_version() -> Option<(u32, u32)> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
