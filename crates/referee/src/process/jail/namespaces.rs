//! A world of its own for a bot: its own list of processes, its own network without a wire, its own
//! messages, and its own view of which folders are where.

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};
use rustix::thread::{CapabilitySet, CapabilitySets, configure_capability_in_ambient_set, set_capabilities};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// The bytes of a bot's scratch folder, and of its shared memory.
pub(crate) const SCRATCH_BYTES: u64 = 64 << 20;
const SHARED_BYTES: u64 = 16 << 20;
pub(crate) const SHARED: &str = "/dev/shm";
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
    /// So has the shared memory.
    pub(crate) shared: bool,
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
        shared: false,
    };
    if folders {
        found.scratch = memory_folder(scratch, scratch_bytes).is_ok();
        found.shared = memory_folder(Path::new(SHARED), SHARED_BYTES).is_ok();
    }
    found
}

/// Puts new file systems in the place of those that a bot has written to. Even an empty one tells
/// how many files there were. True if there was one.
pub(crate) fn renew(scratch: &Path, scratch_bytes: u64, found: Namespaces) -> nix::Result<bool> {
    let all = [(found.shared, Path::new(SHARED), SHARED_BYTES), (found.scratch, scratch, scratch_bytes)];
    let mut renewed = false;
    for (_, at, bytes) in all.into_iter().filter(|&(own, at, _)| own && !is_untouched(at)) {
        umount2(at, MntFlags::MNT_DETACH)?;
        memory_folder(at, bytes)?;
        renewed = true;
    }
    Ok(renewed)
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
    mount(Some("tmpfs"), at, Some("tmpfs"), flags, Some(options.as_str()))?;
    let _ = File::open(at).and_then(|folder| folder.set_modified(UNTOUCHED)); // else it seems to be touched
    Ok(())
}

/// The time of a folder in which nobody has ever made a file. Bots can't set times.
const UNTOUCHED: SystemTime = SystemTime::UNIX_EPOCH;

fn is_untouched(folder: &Path) -> bool {
    fs::metadata(folder).and_then(|about| about.modified()).is_ok_and(|time| time == UNTOUCHED)
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

/// Shows in `/proc` who is on the own list of processes. A bot sees only what it may trace, which
/// the keeper is not: a keeper knows what the processes of earlier games have used. Called by the
/// first process of a list of processes.
pub(crate) fn own_proc() -> bool {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let show = |options: Option<&str>| mount(Some("proc"), "/proc", Some("proc"), flags, options).is_ok();
    show(Some("hidepid=4")) || show(None) // before Linux 5.8
}

/// Limits the length of the own list of processes, below an own `/proc`. True where the system can.
pub(crate) fn limit_processes(most: u64) -> bool {
    // An older system has one limit for the whole machine, which must not be touched.
    const FIRST: (u32, u32) = (6, 14);
    let most = (LOW_NUMBERS + most).to_string();
    let limited = system_version() >= Some(FIRST) && fs::write("/proc/sys/kernel/pid_max", most).is_ok();
    count_processes_anew();
    limited
}

/// The lowest numbers of processes are given out once only.
const LOW_NUMBERS: u64 = 300;

/// The next process gets the lowest number that is given out more than once, whatever ran before.
pub(crate) fn count_processes_anew() {
    let _ = fs::write("/proc/sys/kernel/ns_last_pid", LOW_NUMBERS.to_string()); // not every system can
}

/// `6.14` of `6.14.3-amd64`.
fn system_version() -> Option<(u32, u32)> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
