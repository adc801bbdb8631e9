//! The keeper: a small process between the arena and a bot that leaves nothing behind.

use super::ending::end_all_blocking;
use super::report::{BotEnd, KeeperReport, Used};
use crate::process::system::host::{errno, is_lacking};
use crate::process::system::proc_files::children;
use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid, setsid};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// The first word of a keeper's command line: `keep ARENA MEMORY UID:GID COMMAND…`. The line is
/// read by hand, because a keeper starts with every bot and must start quickly.
pub const KEEP: &str = "keep";

/// Stands on that line for a part that is not wanted.
pub(crate) const NONE: &str = "none";

/// What the arena asks of a keeper. Each line on standard input is an order to start the command,
/// with the numbers of three pipes of the arena for its input and outputs. Standard output is for
/// reports.
struct KeeperTask {
    arena: Pid,
    /// Limit on the data segment of the bot and of each process it starts.
    memory_bytes: Option<u64>,
    /// The user and the group that the bot runs as, if not as the keeper does.
    account: Option<(u32, u32)>,
    command: Vec<OsString>,
}

impl KeeperTask {
    fn read(mut words: impl Iterator<Item = OsString>) -> Option<KeeperTask> {
        let arena = Pid::from_raw(words.next()?.to_str()?.parse().ok()?);
        let memory_bytes = words.next()?.to_str()?.parse().ok();
        let account = match words.next()?.to_str()? {
            NONE => None,
            ids => ids.split_once(':').map(|(uid, gid)| Some((uid.parse().ok()?, gid.parse().ok()?)))?,
        };
        let command: Vec<OsString> = words.collect();
        (!command.is_empty()).then_some(KeeperTask { arena, memory_bytes, account, command })
    }
}

/// The exit code of a bot that could not be started.
pub(crate) const NOT_STARTED: u8 = 127;

/// Runs as the keeper process until the arena has no more orders, or wants everything to end.
/// `None` if these are not the words that an arena says to its keeper.
pub fn keep(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let task = KeeperTask::read(words)?;
    // Something is wrong with the keeper itself.
    let failed = |problem: io::Error| {
        let _ = tell(&KeeperReport::Lacking(errno(&problem))); // the arena may be gone
        ExitCode::FAILURE
    };
    Some(serve(&task).map_or_else(failed, |()| ExitCode::SUCCESS))
}

fn serve(task: &KeeperTask) -> io::Result<()> {
    // A new session has no terminal, so that no bot can open the operator's terminal. Without a
    // terminal the keeper leads a group, and then it can't make a session and needs none.
    let _ = setsid();
    // The arena may wait for some signals in a way that blocks them. Bots must not inherit that.
    SigSet::all().thread_unblock()?;
    set_child_subreaper(true)?;
    let (bots, to_watch) = mpsc::channel();
    thread::Builder::new().spawn(move || watch(&to_watch))?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    if let Some(bytes) = task.memory_bytes {
        setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?;
    }
    let mut last = None;
    let served = take_orders(task, &bots, &mut last);
    if let Some(bot) = last {
        kill_all(bot);
    }
    served
}

/// Starts a bot for each order, until the arena shuts the channel, by intent or by dying.
fn take_orders(task: &KeeperTask, bots: &Sender<(Pid, Used)>, last: &mut Option<Pid>) -> io::Result<()> {
    for order in io::stdin().lines() {
        let before = used()?;
        let started = start(task, &order?);
        *last = started.ok();
        match started {
            Ok(bot) => {
                tell(&KeeperReport::Started(bot))?;
                let _ = bots.send((bot, before)); // it listens as long as there is a keeper
            }
            Err(report) => tell(&report)?,
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "only the arena reads this")]
fn tell(report: &KeeperReport) -> io::Result<()> {
    writeln!(io::stdout(), "{report}")
}

/// Waits for the end of one bot after another. That needs no blocked signal, so bots inherit the
/// usual signals.
fn watch(bots: &Receiver<(Pid, Used)>) -> io::Result<()> {
    for (bot, before) in bots {
        let status = wait_for(bot);
        kill_all(bot);
        tell(&ended(status, &before)?)?;
    }
    Ok(())
}

fn ended(status: ExitStatus, before: &Used) -> io::Result<KeeperReport> {
    let Used { cpu_ms, memory_kib } = used()?;
    let used = Some(Used { cpu_ms: cpu_ms - before.cpu_ms, memory_kib });
    Ok(KeeperReport::Ended(BotEnd { status, used }))
}

/// What all processes that were waited for have used.
fn used() -> io::Result<Used> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu_ms = (used.user_time() + used.system_time()).num_milliseconds() as u64;
    Ok(Used { cpu_ms, memory_kib: used.max_rss() as u64 })
}

/// Starts the bot. From then on only the bot has the pipes, so that the arena sees when the bot
/// closes a pipe. If the bot can't be started, the report says whose fault that is.
fn start(task: &KeeperTask, order: &str) -> Result<Pid, KeeperReport> {
    let arena = task.arena;
    let lacking = |problem: io::Error| KeeperReport::Lacking(errno(&problem));
    let open = |number: &str, options: &OpenOptions| {
        options.open(format!("/proc/{arena}/fd/{number}")).map_err(lacking)
    };
    let numbers: Vec<&str> = order.split(' ').collect();
    let [input, output, error] = numbers[..] else { return Err(KeeperReport::Lacking(Errno::EINVAL)) };
    let input: File = open(input, OpenOptions::new().read(true))?;
    let output: File = open(output, OpenOptions::new().write(true))?;
    let mut error: File = open(error, OpenOptions::new().write(true))?;
    // With its own group, one signal reaches the bot and most of what the bot starts.
    let mut bot = Command::new(&task.command[0]);
    bot.args(&task.command[1..]).process_group(0);
    bot.stdin(input).stdout(output).stderr(error.try_clone().map_err(lacking)?);
    if let Some((uid, gid)) = task.account {
        bot.uid(uid).gid(gid); // and it leaves all other groups
    }
    match bot.spawn() {
        Ok(bot) => Ok(Pid::from_raw(bot.id() as i32)),
        Err(problem) if is_lacking(&problem) => Err(lacking(problem)),
        Err(problem) => {
            let _ = writeln!(error, "cannot start {}: {problem}", task.command[0].display()); // nobody listens
            Err(KeeperReport::Refused(errno(&problem)))
        }
    }
}

/// Collects all processes that die, until the bot dies.
fn wait_for(bot: Pid) -> ExitStatus {
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == bot => return ExitStatus::from_raw(code << 8),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == bot => {
                return ExitStatus::from_raw(signal as i32);
            }
            Err(Errno::ECHILD) => return ExitStatus::default(), // the keeper is ending, and has collected it
            _ => {}
        }
    }
}

/// Kills the bot's group at one stroke (which no fork can outrun), then whoever left the group.
fn kill_all(bot: Pid) {
    let _ = killpg(bot, Signal::SIGKILL); // it may have no member any more
    // Mostly nobody is left. This call finds that out sooner than a list of children does.
    if waitpid(None, Some(WaitPidFlag::WNOHANG)) != Err(Errno::ECHILD) {
        end_all_blocking(|| children(getpid()));
    }
}
