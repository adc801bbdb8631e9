//! The system calls that a bot may not make.
//!
//! The filter is a list of what is forbidden, not of what is allowed, so that every language works.
//! Forbidden is what reaches other processes, the network or the machine, and what no bot needs.

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;

/// Answered with "Operation not permitted".
const FORBIDDEN: &[i64] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Cores and priorities.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // Keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_setns,
    libc::SYS_unshare,
    // Numbers of mounts, which are never given out twice.
    STATMOUNT,
    LISTMOUNT,
    // Ways around the other rules.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_add_watch,
    // Things of which the account, or even the machine, has only so many for all its processes.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_io_setup,
    // Sockets beyond a pair of connected ones.
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    // Memory that belongs to no process while it is passed on.
    libc::SYS_memfd_create,
    MEMFD_SECRET,
    // Open files on their way through a socket. They count for all processes of the account, so
    // that nobody else could pass any on.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // Messages and memory that outlive a process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Owners, modes, times and attributes of files, which Landlock leaves to anybody who owns a file.
/// Compilers change these, and bots do not need to.
const FILE_ATTRIBUTES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Answered as if all were written. Nothing of a bot is on a disk, and whoever has the disk write at
/// every moment slows down everybody else who writes.
const PRETENDED: &[i64] =
    &[libc::SYS_sync, libc::SYS_syncfs, libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_sync_file_range];

/// The same numbers on every machine.
const FCHMODAT2: i64 = 452;
const QUOTACTL_FD: i64 = 443;
const STATMOUNT: i64 = 457;
const LISTMOUNT: i64 = 458;
const MEMFD_SECRET: i64 = 447;

/// The first system call that these rules do not know. A later system has calls that do what is
/// forbidden here, such as `setxattrat`. Programs take the answer for that of an older system.
const FIRST_UNKNOWN: u32 = 463;

/// Settings of a file that its owner can change without the right to write to the file: those of
/// ext4, of its older relatives, and of XFS, which other file systems share. With those of Btrfs an
/// owner makes folders in a folder.
const FILE_SETTINGS: [u64; 4] = [(b'f' as u64) << 8, (b'v' as u64) << 8, (b'X' as u64) << 8, 0x94 << 8];

/// The number of a mount, which is never given out twice, among the facts of a file.
const MOUNT_NUMBER: u64 = 0x4000;

/// Keeps everybody else from the other half of a processor core.
const SHARE_CORE: u64 = 62;

/// A lease makes others wait who open the file. A notification tells of their files.
const FILE_WATCHES: [u64; 2] = [libc::F_SETLEASE as u64, libc::F_NOTIFY as u64];

/// The kinds of namespaces that a process could enter with a child of its own.
const NEW_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Writing into a terminal as if its user had typed.
const TERMINAL_INPUT: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];

/// Sockets are answered with an error that nothing else gives, so that a bot that stumbles over it
/// can be told why. A pair of sockets of one process is allowed.
const NO_SOCKETS: i32 = libc::EAFNOSUPPORT;

/// Restricts this thread, and whatever the thread starts. `Err` where the system can't.
/// What is built needs its attributes.
pub(crate) fn apply(is_build: bool) -> Result<(), seccompiler::Error> {
    let mut forbidden: Rules = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    if !is_build {
        forbidden.extend(FILE_ATTRIBUTES.iter().map(|&call| (call, Vec::new())));
    }
    forbidden.insert(libc::SYS_fcntl, any_of(1, &FILE_WATCHES, |_| SeccompCmpOp::Eq)?);
    // A datagram can be sent to any socket, a stream or a packet only to the other end. `SOCK_RAW` is
    // another name for datagrams. Rust starts processes with the help of a pair for packets.
    let connected = [libc::SOCK_STREAM as u64, libc::SOCK_SEQPACKET as u64];
    let others: Vec<u64> = (0..16).filter(|kind| !connected.contains(kind)).collect();
    forbidden.insert(libc::SYS_socketpair, any_of(1, &others, |_| SeccompCmpOp::MaskedEq(0xf))?);
    let namespaces = NEW_NAMESPACES.map(|kind| kind as u64);
    forbidden.insert(libc::SYS_clone, any_of(0, &namespaces, SeccompCmpOp::MaskedEq)?);
    let mut controls = any_of(1, &TERMINAL_INPUT, |_| SeccompCmpOp::Eq)?;
    controls.extend(any_of(1, &FILE_SETTINGS, |_| SeccompCmpOp::MaskedEq(0xff00))?);
    forbidden.insert(libc::SYS_ioctl, controls);
    // All processes at once: in its own list of processes that is the bot itself, elsewhere others too.
    forbidden.insert(libc::SYS_kill, any_of(0, &[u64::from(u32::MAX)], |_| SeccompCmpOp::Eq)?);
    forbidden.insert(libc::SYS_statx, any_of(3, &[MOUNT_NUMBER], SeccompCmpOp::MaskedEq)?);
    forbidden.insert(libc::SYS_prctl, any_of(0, &[SHARE_CORE], |_| SeccompCmpOp::Eq)?);
    // The limits of another process of the same user could be lowered until that process fails.
    forbidden.insert(libc::SYS_prlimit64, any_of(0, &[0], |_| SeccompCmpOp::Ne)?);
    // What a new thread asks for stands in memory, where no filter can look. Without this call the
    // C library uses the older one.
    install([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS)?;
    forbid_unknown_calls()?;
    install([(libc::SYS_socket, Vec::new())].into(), NO_SOCKETS)?;
    install(PRETENDED.iter().map(|&call| (call, Vec::new())).collect(), 0)?;
    install(forbidden, libc::EPERM)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// One of the values in an argument.
fn any_of(
    argument: u8,
    values: &[u64],
    operator: impl Fn(u64) -> SeccompCmpOp,
) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let rule = |&value: &u64| {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator(value), value)?;
        SeccompRule::new(vec![condition])
    };
    Ok(values.iter().map(rule).collect::<Result<_, _>>()?)
}

fn install(rules: Rules, answer: i32) -> Result<(), seccompiler::Error> {
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(answer as u32), machine)?;
    apply_filter(&BpfProgram::try_from(filter)?)
}

/// The highest numbers are for programs with short pointers, which call the same system under other
/// numbers. Nothing needs them.
fn forbid_unknown_calls() -> Result<(), seccompiler::Error> {
    const LOAD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let step = |code, jf, k| sock_filter { code, jt: 0, jf, k };
    apply_filter(&[
        step(LOAD, 0, 0),
        step(JUMP_IF_AT_LEAST, 1, FIRST_UNKNOWN),
        step(RETURN, 0, REFUSED),
        step(RETURN, 0, libc::SECCOMP_RET_ALLOW),
    ])
}
