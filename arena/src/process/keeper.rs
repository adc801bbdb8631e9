//! The keeper: a small process between the arena and a bot that leaves nothing behind.

use super::proc_files::children;
use nix::errno::Errno;
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal, kill, killpg, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getpid, getppid};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// What the arena asks of a keeper.
#[derive(Clone, Debug)]
pub struct KeepOptions {
    /// The arena. If it is no longer the keeper's parent it has died already.
    pub arena: i32,
    /// Limit on the data segment of the bot and of each process it starts.
    pub memory_bytes: Option<u64>,
    /// The user and the group that the bot runs as, if not as the keeper does.
    pub account: Option<(u32, u32)>,
    pub command: Vec<OsString>,
}

/// The exit code of a keeper that could not start its bot.
pub(super) const NOT_STARTED: u8 = 127;

/// Runs as the keeper process until the bot is gone. Ends the way the bot ended.
pub fn keep(options: &KeepOptions) -> ExitCode {
    match start(options) {
        Ok((bot, signals)) => watch(bot, &signals),
        Err(error) => {
            eprintln!("cannot start {}: {error}", options.command[0].display());
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn start(options: &KeepOptions) -> std::io::Result<(Pid, SigSet)> {
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGCHLD, Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        signals.add(signal);
    }
    signals.thread_block()?;
    set_pdeathsig(Signal::SIGTERM)?;
    set_child_subreaper(true)?;
    if getppid() != Pid::from_raw(options.arena) {
        return Err(std::io::Error::other("the arena is gone"));
    }
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    if let Some(bytes) = options.memory_bytes {
        setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?;
    }
    // A group of its own: one signal reaches the bot and all it starts, and a Ctrl-C at the terminal does not.
    let mut bot = Command::new(&options.command[0]);
    bot.args(&options.command[1..]).process_group(0);
    if let Some((uid, gid)) = options.account {
        bot.uid(uid).gid(gid); // and it leaves all other groups
    }
    let bot = bot.spawn()?;
    // The pipes belong to the bot alone now: when it closes one, the arena must see that.
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok((Pid::from_raw(bot.id() as i32), signals))
}

fn watch(bot: Pid, signals: &SigSet) -> ExitCode {
    loop {
        match signals.wait() {
            Ok(Signal::SIGCHLD) => {
                if let Some(status) = reap(bot) {
                    kill_all(bot);
                    return end_like(status);
                }
            }
            Ok(_) | Err(_) => {
                kill_all(bot);
                return ExitCode::SUCCESS;
            }
        }
    }
}

/// Collects everybody that has died; the bot's own end is news.
fn reap(bot: Pid) -> Option<WaitStatus> {
    let mut end = None;
    while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG)) {
        match status.pid() {
            None => break,
            Some(pid) if pid == bot => end = Some(status),
            Some(_) => {}
        }
    }
    end
}

/// Kills the bot's group at one stroke (which no fork can outrun), then whoever left the group. A parent that
/// dies leaves its children to the keeper, so each round reaches one generation further.
fn kill_all(bot: Pid) {
    loop {
        let _ = killpg(bot, Signal::SIGKILL); // it may have no member any more
        for child in children(getpid()) {
            let _ = killpg(child, Signal::SIGKILL); // only leaders of a group have one of that number
            let _ = kill(child, Signal::SIGKILL); // it may be dead already
        }
        if waitpid(None, None) == Err(Errno::ECHILD) {
            return;
        }
    }
}

/// Lets the arena read the bot's end from the keeper's.
fn end_like(status: WaitStatus) -> ExitCode {
    match status {
        WaitStatus::Exited(_, code) => ExitCode::from(code as u8),
        WaitStatus::Signaled(_, signal, _) => {
            let _ = SigSet::all().thread_unblock();
            // Ends here. A segmentation fault may need a second try: the first one only undoes our own
            // runtime's handler.
            let _ = raise(signal).and_then(|()| raise(signal));
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}
