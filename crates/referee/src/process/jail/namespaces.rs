//! A world of its own for a bot: its own list of processes, its own network without a wire, its own
//! messages, and its own view of which folders are where.

use super::Namespaces;
use super::network::SharedNetwork;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, setns, unshare};
use nix::unistd::{getegid, geteuid};
use rustix::thread::{CapabilitySet, CapabilitySets, configure_capability_in_ambient_set, set_capabilities};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The bytes of a bot's shared memory.
const SHARED_BYTES: u64 = 16 << 20;
pub(crate) const SHARED: &str = "/dev/shm";
/// Files and folders in either.
const SCRATCH_FILES: u64 = 4_096;

/// Enters what the host gives. Must be called before the process has threads. Only what is started
/// afterwards has its own list of processes.
pub(crate) fn enter(shared: Option<&SharedNetwork>) -> Namespaces {
    let has_network = shared.is_some_and(|shared| enter_network(shared).is_ok());
    // Without rights of its own, a process gets them in a namespace of users.
    let users = own_users().is_ok();
    if !users && !geteuid().is_root() {
        return Namespaces::default();
    }
    let folders = unshare(CloneFlags::CLONE_NEWNS).is_ok() && keep_to_ourselves().is_ok();
    Namespaces {
        users,
        folders,
        processes: unshare(CloneFlags::CLONE_NEWPID).is_ok(),
        network: has_network || unshare(CloneFlags::CLONE_NEWNET).is_ok(),
        messages: unshare(CloneFlags::CLONE_NEWIPC).is_ok(),
        scratch: false,
        shared: false,
    }
}

/// The process has all rights over this network until it makes a namespace of users of its own.
fn enter_network(shared: &SharedNetwork) -> io::Result<()> {
    let (users, network) = (File::open(&shared.users)?, File::open(&shared.network)?);
    setns(users, CloneFlags::CLONE_NEWUSER)?;
    Ok(setns(network, CloneFlags::CLONE_NEWNET)?)
}

/// Gives the bot its own folders. A bot that builds something needs the disk too; to every other bot
/// the disk is read-only. Comes after the own `/proc`, as it does whenever the folders are renewed,
/// so that no bot can tell from the order of its folders whether they were.
pub(crate) fn furnish(scratch: &Path, scratch_bytes: u64, is_build: bool, found: &mut Namespaces) {
    if !found.folders {
        return;
    }
    found.scratch = memory_folder(scratch, scratch_bytes).is_ok();
    found.shared = memory_folder(Path::new(SHARED), SHARED_BYTES).is_ok();
    if found.scratch && !is_build {
        keep_disks_as_they_are(scratch);
    }
}

/// Puts new file systems in the place of both, if a bot has written to one. Even an empty one tells
/// how many files there were, and a single new one tells that there were any. True if there was one.
pub(crate) fn renew(scratch: &Path, scratch_bytes: u64, found: Namespaces) -> nix::Result<bool> {
    let all = [(found.scratch, scratch, scratch_bytes), (found.shared, Path::new(SHARED), SHARED_BYTES)];
    let own = || all.into_iter().filter(|&(own, ..)| own);
    if own().all(|(_, at, _)| is_untouched(at)) {
        return Ok(false);
    }
    for (_, at, _) in own() {
        umount2(at, MntFlags::MNT_DETACH)?;
    }
    for (_, at, bytes) in own() {
        memory_folder(at, bytes)?;
    }
    Ok(true)
}

/// File systems that can be changed on this machine. A network may not answer.
const ON_DISK: [&str; 10] =
    ["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "overlay", "tmpfs"];

/// Lets nobody change anything on the disks of this machine from here, also not the time at which a
/// file was last read: a bot could leave a message there for its next game. What the host refuses
/// is left to Landlock.
fn keep_disks_as_they_are(scratch: &Path) {
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    for disk in table.lines().filter_map(Disk::read) {
        if disk.can_be_changed && disk.at != scratch && disk.at != Path::new(SHARED) {
            let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | disk.flags;
            let _ = mount(None::<&str>, &disk.at, None::<&str>, flags, None::<&str>);
        }
    }
}

/// A line about a file system: `36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw`.
#[derive(Debug, PartialEq, Eq)]
struct Disk {
    at: PathBuf,
    /// Flags that must stay.
    flags: MsFlags,
    can_be_changed: bool,
}

impl Disk {
    fn read(line: &str) -> Option<Disk> {
        let (about, kind) = line.split_once(" - ")?;
        let words: Vec<&str> = about.split(' ').collect();
        let kind = kind.split(' ').next()?;
        let has = |flag: &str| words.get(5).is_some_and(|flags| flags.split(',').any(|word| word == flag));
        let kept =
            [("nosuid", MsFlags::MS_NOSUID), ("nodev", MsFlags::MS_NODEV), ("noexec", MsFlags::MS_NOEXEC)];
        let flags = kept.into_iter().filter(|(word, _)| has(word)).map(|(_, flag)| flag).collect();
        let at = words.get(4)?.replace("\\040", " ").into();
        Some(Disk { at, flags, can_be_changed: has("rw") && ON_DISK.contains(&kind) })
    }
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
    count_from(LOW_NUMBERS);
    limited
}

/// The lowest numbers of processes are given out once only. Those that follow are for the threads of
/// the keeper.
const LOW_NUMBERS: u64 = 300;
const KEEPER_NUMBERS: u64 = 10;

/// The next process is a thread of the keeper.
pub(crate) fn count_keeper_anew() {
    count_from(LOW_NUMBERS);
}

/// The next process is a bot. It gets the same number as every bot before, whatever these did.
pub(crate) fn count_bots_anew() {
    count_from(LOW_NUMBERS + KEEPER_NUMBERS);
}

fn count_from(last: u64) {
    let _ = fs::write("/proc/sys/kernel/ns_last_pid", last.to_string()); // not every system can
}

/// `6.14` of `6.14.3-amd64`.
fn system_version() -> Option<(u32, u32)> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_told_from_other_file_systems() {
        let disk = |line: &str| Disk::read(line).map(|disk| (disk.at, disk.flags, disk.can_be_changed));
        let (none, safe) = (MsFlags::empty(), MsFlags::MS_NOSUID | MsFlags::MS_NODEV);
        for (line, at, flags, can_be_changed) in [
            ("36 35 98:0 / / rw,relatime - ext4 /dev/root rw", "/", none, true),
            ("36 35 98:0 /a /my\\040disk rw,nosuid,nodev shared:1 - xfs /dev/x rw", "/my disk", safe, true),
            ("36 35 98:0 / /mnt ro,relatime master:1 - ext3 /dev/root rw", "/mnt", none, false),
            ("36 35 0:21 / /proc rw,nosuid,nodev - proc proc rw", "/proc", safe, false),
            ("36 35 0:50 / /home rw - nfs4 server:/home rw", "/home", none, false),
        ] {
            assert_eq!(disk(line), Some((at.into(), flags, can_be_changed)), "{line}");
        }
        assert_eq!(disk("nonsense"), None);
    }
}
