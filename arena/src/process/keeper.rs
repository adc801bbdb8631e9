//! The keeper: a small process between the arena and a bot that leaves nothing behind.

use super::ledger::Statement;
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

/// The first word of a keeper's command line: `keep ARENA MEMORY LEDGER UID:GID COMMAND…`. It is read by hand, because a keeper
/// is started with every bot and there is no time to lose.
pub const KEEP: &str = "keep";

/// Stands on that line for what is not asked for.
pub(super) const NONE: &str = "none";

/// What the arena asks of a keeper.
struct Task {
    /// The arena. If it is no longer the keeper's parent it has died already.
    arena: Pid,
    /// Limit on the data segment of the bot and of each process it starts.
    memory_bytes: Option<u64>,
    /// The number of the pipe at which the arena hears what the bot has used.
    ledger: String,
    /// The user and the group that the bot runs as, if not as the keeper does.
    account: Option<(u32, u32)>,
    command: Vec<OsString>,
}

impl Task {
    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Task> {
        let arena = Pid::from_raw(words.next()?.to_str()?.parse().ok()?);
        let memory_bytes = words.next()?.to_str()?.parse().ok();
        let ledger = words.next()?.into_string().ok()?;
        let account = match words.next()?.to_str()? {
            NONE => None,
            ids => ids.split_once(':').map(|(uid, gid)| Some((uid.parse().ok()?, gid.parse().ok()?)))?,
        };
        let command: Vec<OsString> = words.collect();
        (!command.is_empty()).then_some(Task { arena, memory_bytes, ledger, account, command })
    }
}

/// The exit code of a keeper that could not start its bot.
pub(super) const NOT_STARTED: u8 = 127;

/// Runs as the keeper process until the bot is gone. Ends the way the bot ended.
pub fn keep(words: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(task) = Task::read(words) else {
        eprintln!("error: `arena {KEEP}` is for the arena itself");
        return ExitCode::from(2);
    };
    let statement = Statement::open(task.arena, &task.ledger);
    match start(&task) {
        Ok((bot, signals)) => watch(bot, &signals, statement),
        Err(error) => {
            eprintln!("cannot start {}: {error}", task.command[0].display());
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn start(task: &Task) -> std::io::Result<(Pid, SigSet)> {
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGCHLD, Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        signals.add(signal);
    }
    signals.thread_block()?;
    set_pdeathsig(Signal::SIGTERM)?;
    set_child_subreaper(true)?;
    if getppid() != task.arena {
        return Err(std::io::Error::other("the arena is gone"));
    }
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    if let Some(bytes) = task.memory_bytes {
        setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?;
    }
    // A group of its own: one signal reaches the bot and all it starts, and a Ctrl-C at the terminal does not.
    let mut bot = Command::new(&task.command[0]);
    bot.args(&task.command[1..]).process_group(0);
    if let Some((uid, gid)) = task.account {
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

fn watch(bot: Pid, signals: &SigSet, statement: Statement) -> ExitCode {
    loop {
        match signals.wait() {
            Ok(Signal::SIGCHLD) => {
                if let Some(status) = reap(bot) {
                    kill_all(bot);
                    statement.write();
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
