//! Attacks, to be tried for real on this host. `arena doctor` starts each of them as a bot.

use crate::process::system::cores::allowed_cores;
use nix::sched::{CloneFlags, CpuSet, sched_setaffinity, unshare};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::{Pid, setsid};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, IoSliceMut, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as UnixAddress, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What an attack is aimed at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AttackTargets {
    /// A file with a secret, in a folder of somebody else.
    pub(super) secret: PathBuf,
    /// A process that must survive.
    pub(super) victim: i32,
    /// The arena itself.
    pub(super) arena: i32,
    pub(super) tcp: SocketAddr,
    pub(super) udp: SocketAddr,
    pub(super) socket: PathBuf,
    pub(super) abstract_socket: String,
    /// The program that can be started again, to sleep, and a word by which a sleeper is known.
    pub(super) program: PathBuf,
    pub(super) marker: String,
}

/// An attack that a bot could make.
pub(super) struct Attack {
    pub(super) name: &'static str,
    /// What the attacker wants, in a few words.
    pub(super) aim: &'static str,
    make: fn(&AttackTargets) -> io::Result<()>,
}

impl Attack {
    /// Succeeds if the attack does.
    pub(super) fn make(&self, targets: &AttackTargets) -> io::Result<()> {
        (self.make)(targets)
    }
}

/// All attacks.
pub(super) const ATTACKS: &[Attack] = &[
    Attack { name: "read-file", aim: "read a file of somebody else", make: |at| read(&at.secret) },
    Attack { name: "change-file", aim: "change a file of somebody else", make: |at| append(&at.secret) },
    Attack {
        name: "list-folder",
        aim: "list a folder of somebody else",
        make: |at| list(at.secret.parent()),
    },
    Attack { name: "leave-note", aim: "leave a file for the next game", make: |at| leave_note(&at.secret) },
    Attack {
        name: "environment",
        aim: "read the arena's environment",
        make: |at| read_proc(at.arena, "environ"),
    },
    Attack {
        name: "command-line",
        aim: "read the arena's command line",
        make: |at| read_proc(at.arena, "cmdline"),
    },
    Attack {
        name: "memory",
        aim: "open the memory of another process",
        make: |at| read_proc(at.victim, "mem"),
    },
    Attack { name: "peek", aim: "read the memory of another process", make: peek },
    Attack { name: "trace", aim: "trace another process", make: trace },
    Attack { name: "pipes", aim: "open the pipes of another process", make: |at| list_proc(at.victim, "fd") },
    Attack { name: "signal", aim: "end another process", make: |at| signal(at.victim) },
    Attack { name: "tcp", aim: "connect by TCP on this machine", make: |at| tcp(at.tcp) },
    Attack { name: "udp", aim: "send a datagram", make: |at| udp(at.udp) },
    Attack {
        name: "unix-socket",
        aim: "connect to a socket in a folder",
        make: |at| UnixStream::connect(&at.socket).map(drop),
    },
    Attack { name: "abstract-socket", aim: "connect to a socket without a file", make: abstract_socket },
    Attack {
        name: "namespace",
        aim: "become root in a namespace",
        make: |_| Ok(unshare(CloneFlags::CLONE_NEWUSER)?),
    },
    Attack { name: "cores", aim: "choose another core", make: |_| cores() },
    Attack { name: "priority", aim: "raise its priority", make: |_| priority() },
    Attack { name: "open-files", aim: "open 2,000 files", make: |_| open_files() },
    Attack { name: "processes", aim: "start 600 processes", make: processes },
    Attack { name: "disk", aim: "write 128 MiB", make: |_| fill(&std::env::temp_dir(), 128) },
    Attack {
        name: "shared-memory",
        aim: "keep 64 MiB in shared memory",
        make: |_| fill(Path::new("/dev/shm"), 64),
    },
    Attack {
        name: "terminal",
        aim: "open the terminal of the operator",
        make: |_| File::open("/dev/tty").map(drop),
    },
    Attack { name: "daemon", aim: "go on after the end", make: daemon },
];

fn read(file: &Path) -> io::Result<()> {
    File::open(file)?.read(&mut [0; 16]).map(drop)
}

fn append(file: &Path) -> io::Result<()> {
    File::options().append(true).open(file)?.write_all(b"changed\n")
}

fn list(folder: Option<&Path>) -> io::Result<()> {
    fs::read_dir(folder.unwrap_or(Path::new("/"))).map(drop)
}

/// Beside the folder of somebody else.
fn leave_note(secret: &Path) -> io::Result<()> {
    let common = secret.parent().and_then(Path::parent).unwrap_or(Path::new("/tmp"));
    let note = common.join(format!("ludus-note-{}", std::process::id()));
    fs::write(&note, "remember me")?;
    fs::remove_file(note)
}

fn read_proc(process: i32, file: &str) -> io::Result<()> {
    let mut file = File::open(format!("/proc/{process}/{file}"))?;
    let _ = file.read(&mut [0; 1]); // the first page is mapped nowhere
    Ok(())
}

fn list_proc(process: i32, folder: &str) -> io::Result<()> {
    let mut open = fs::read_dir(format!("/proc/{process}/{folder}"))?;
    open.next().ok_or(io::ErrorKind::NotFound)?.map(drop)
}

fn peek(targets: &AttackTargets) -> io::Result<()> {
    let mut buffer = [0; 8];
    let maps = fs::read_to_string(format!("/proc/{}/maps", targets.victim)).unwrap_or_default();
    let base =
        maps.split('-').next().and_then(|hex| usize::from_str_radix(hex, 16).ok()).unwrap_or(0x40_0000);
    let remote = RemoteIoVec { base, len: buffer.len() };
    process_vm_readv(Pid::from_raw(targets.victim), &mut [IoSliceMut::new(&mut buffer)], &[remote])?;
    Ok(())
}

fn trace(targets: &AttackTargets) -> io::Result<()> {
    let victim = Pid::from_raw(targets.victim);
    ptrace::attach(victim)?;
    nix::sys::wait::waitpid(victim, None)?;
    Ok(ptrace::detach(victim, None)?)
}

/// Signal 0 asks only whether a signal could be sent.
fn signal(process: i32) -> io::Result<()> {
    kill(Pid::from_raw(process), None::<Signal>)?;
    Ok(())
}

fn tcp(address: SocketAddr) -> io::Result<()> {
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).map(drop)
}

fn udp(address: SocketAddr) -> io::Result<()> {
    UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", address).map(drop)
}

fn abstract_socket(targets: &AttackTargets) -> io::Result<()> {
    UnixStream::connect_addr(&UnixAddress::from_abstract_name(&targets.abstract_socket)?).map(drop)
}

/// A process may always choose the cores that it has already.
fn cores() -> io::Result<()> {
    let mut set = CpuSet::new();
    let others = (0..CpuSet::count()).filter(|core| !allowed_cores().contains(core));
    for core in others.chain(allowed_cores()) {
        set.set(core)?;
    }
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}

fn priority() -> io::Result<()> {
    Ok(rustix::process::setpriority_process(None, -1)?)
}

fn open_files() -> io::Result<()> {
    let files: io::Result<Vec<File>> = (0..2_000).map(|_| File::open("/dev/null")).collect();
    files.map(drop)
}

fn sleeper(targets: &AttackTargets) -> io::Result<Child> {
    let mut command = Command::new(&targets.program);
    command
        .args(["attack", "sleep", &targets.marker])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn()
}

fn processes(targets: &AttackTargets) -> io::Result<()> {
    let mut all = Vec::new();
    let mut last = Ok(());
    for _ in 0..600 {
        match sleeper(targets) {
            Ok(child) => all.push(child),
            Err(problem) => {
                last = Err(problem);
                break;
            }
        }
    }
    for child in &mut all {
        let _ = child.kill(); // it may have ended
        let _ = child.wait();
    }
    last
}

fn fill(folder: &Path, mib: usize) -> io::Result<()> {
    let path = folder.join(format!("ludus-fill-{}", std::process::id()));
    let mut written = Ok(());
    for part in 0..4 {
        let file = format!("{}-{part}", path.display());
        written = written.and_then(|()| fs::write(file, vec![1; (mib << 20) / 4]));
    }
    for part in 0..4 {
        let _ = fs::remove_file(format!("{}-{part}", path.display())); // it may not be there
    }
    written
}

/// A process that leaves its session and sleeps when its parent has ended. Whether it is still
/// there then is for others to see.
fn daemon(targets: &AttackTargets) -> io::Result<()> {
    let _ = setsid(); // a process that leads its group can't
    sleeper(targets).map(drop)
}

/// What a started sleeper does.
pub(super) fn sleep_blocking() {
    std::thread::sleep(Duration::from_secs(20));
}
