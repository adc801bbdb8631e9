//! The keeper: a small process between the arena and a bot that leaves nothing behind.
//!
//! Here is what every keeper does: it takes orders, starts bots, and reports how they end. What
//! holds the bots is a matter of the system, in `linux` and in `elsewhere`.

use super::births;
use super::ending::{collect, end_all_blocking, end_list_blocking};
use super::holding::run;
use super::report::{BotEnd, KeeperReport, Used};
use crate::process::jail::network::SharedNetwork;
use crate::process::jail::{Jail, Namespaces, Protections, SandboxProfile};
use crate::process::system::calls::{CLOSED_IN_BOTS, MEMORY_UNITS_PER_KIB, OWN_OPEN_FILES};
use crate::process::system::host::{errno, is_lacking};
use crate::process::system::proc_files::children;
use nix::errno::Errno;
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::{Pid, close, getpid};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, recvmsg};
use rustix::process::WaitOptions;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{File, read_dir};
use std::io::{self, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// The first word of a keeper's command line: `keep TASK COMMAND…`. The line is read by hand,
/// because a keeper starts with every bot and must start quickly.
pub const KEEP: &str = "keep";

/// Files that a bot may have open.
const OPEN_FILES: u64 = 1_024;

/// What the arena asks of a keeper, as JSON. Each message on standard input is an order, and brings
/// open files along. Standard output is for reports.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct KeeperTask {
    /// Limit on the data segment of the bot and of each process it starts.
    pub(crate) memory_bytes: Option<u64>,
    /// The user and the group that the bot runs as, if not as the keeper does.
    pub(crate) account: Option<(u32, u32)>,
    pub(crate) jail: Jail,
    /// The folders of the control groups to enter.
    pub(crate) cgroups: Vec<PathBuf>,
    /// A folder to be made for the bot.
    pub(crate) scratch: Option<PathBuf>,
    /// A network to enter, rather than to make.
    pub(crate) network: Option<SharedNetwork>,
    /// Known to the keeper behind a gate.
    pub(crate) namespaces: Option<Namespaces>,
}

/// The exit code of a bot that could not be started.
pub(crate) const NOT_STARTED: u8 = 127;

/// Runs as the keeper process until the arena has no more orders, or wants everything to end.
/// `None` if these are not the words that an arena says to its keeper.
pub fn keep(mut words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let task: KeeperTask = serde_json::from_str(words.next()?.to_str()?).ok()?;
    let command: Vec<OsString> = words.collect();
    if command.is_empty() {
        return None;
    }
    // Something is wrong with the keeper itself.
    let failed = |problem: io::Error| {
        let _ = tell(&KeeperReport::Lacking(errno(&problem))); // the arena may be gone
        ExitCode::FAILURE
    };
    Some(run(task, &command).map_or_else(failed, |()| ExitCode::SUCCESS))
}

/// A program may have been started with more open files than three.
pub(super) fn close_what_was_left_open() {
    let open = read_dir(OWN_OPEN_FILES).into_iter().flatten().flatten();
    let numbers: Vec<i32> = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|&number| number > 2) {
        let _ = close(number); // the list itself is closed by now
    }
}

/// Limits what every system limits.
pub(super) fn limit_files_and_data(task: &KeeperTask) -> io::Result<()> {
    at_most(Resource::RLIMIT_CORE, 0)?;
    if let Some(bytes) = task.memory_bytes {
        at_most(Resource::RLIMIT_DATA, bytes)?;
    }
    if task.jail.profile == SandboxProfile::Off {
        return Ok(());
    }
    at_most(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
    if task.jail.profile == SandboxProfile::Trusted {
        return Ok(());
    }
    at_most(Resource::RLIMIT_FSIZE, task.jail.scratch_bytes)
}

pub(super) fn at_most(resource: Resource, most: u64) -> io::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    let most = most.min(hard);
    Ok(setrlimit(resource, most, most)?)
}

/// Starts the bot. From then on only the bot has the pipes, so that the arena sees when the bot
/// closes a pipe. If the bot can't be started, the report says whose fault that is.
pub(super) fn start(
    command: &[OsString],
    account: Option<(u32, u32)>,
    [input, output, error]: [OwnedFd; 3],
) -> Result<Pid, KeeperReport> {
    let lacking = |problem: io::Error| KeeperReport::Lacking(errno(&problem));
    let mut error = File::from(error);
    // With its own group, one signal reaches the bot and most of what the bot starts.
    let mut bot = Command::new(&command[0]);
    bot.args(&command[1..]).process_group(0);
    bot.stdin(input).stdout(output).stderr(error.try_clone().map_err(lacking)?);
    if let Some((uid, gid)) = account {
        bot.uid(uid).gid(gid); // and it leaves all other groups
    }
    match bot.spawn() {
        Ok(bot) => Ok(Pid::from_raw(bot.id() as i32)),
        Err(problem) if is_lacking(&problem) => Err(lacking(problem)),
        Err(problem) => {
            let name = command[0].display();
            let _ = writeln!(error, "cannot start {name}: {problem}"); // nobody listens
            Err(KeeperReport::Refused(errno(&problem)))
        }
    }
}

/// Says what holds the bots, and starts one for each order. At the end nothing is left of the last
/// one.
pub(super) fn serve_orders(
    walled: bool,
    found: Protections,
    start: impl FnMut([OwnedFd; 3]) -> io::Result<Result<Pid, KeeperReport>>,
) -> io::Result<()> {
    let (bots, to_watch) = mpsc::channel();
    thread::Builder::new().spawn(move || watch(&to_watch, walled))?;
    tell(&KeeperReport::Jailed { walled, found })?;
    let mut last = None;
    let served = take_orders(start, &bots, &mut last);
    if let Some(bot) = last {
        kill_all(bot, walled);
    }
    served
}

/// Starts a bot for each order to start one, until the arena shuts the channel, by intent or by dying.
fn take_orders(
    mut start: impl FnMut([OwnedFd; 3]) -> io::Result<Result<Pid, KeeperReport>>,
    bots: &Sender<(Pid, Used)>,
    last: &mut Option<Pid>,
) -> io::Result<()> {
    while let Some(files) = next_order()? {
        let pipes = match <[OwnedFd; 3]>::try_from(files) {
            Ok(pipes) => pipes,
            Err(files) => {
                count_births(files)?;
                continue;
            }
        };
        let before = used()?;
        let started = start(pipes)?;
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

/// One open file is the order to count on that channel what the bots start.
fn count_births(files: Vec<OwnedFd>) -> io::Result<()> {
    let [channel] = <[OwnedFd; 1]>::try_from(files).map_err(|_| Errno::EINVAL)?;
    thread::Builder::new().spawn(move || births::answer(channel)).map(drop)
}

/// The open files of the next order. Three are the pipes of a bot to be started. `None` if there are
/// no more orders.
fn next_order() -> io::Result<Option<Vec<OwnedFd>>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut pipes = RecvAncillaryBuffer::new(&mut space);
    let mut bytes = [0; 8];
    let arrived = loop {
        match recvmsg(io::stdin(), &mut [IoSliceMut::new(&mut bytes)], &mut pipes, CLOSED_IN_BOTS) {
            Err(rustix::io::Errno::INTR) => {}
            other => break other?,
        }
    };
    if arrived.bytes == 0 {
        return Ok(None);
    }
    let sent = pipes.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(pipes) => Some(pipes),
        _ => None,
    });
    Ok(Some(sent.flatten().collect()))
}

#[expect(clippy::disallowed_methods, reason = "only the arena reads this")]
fn tell(report: &KeeperReport) -> io::Result<()> {
    writeln!(io::stdout(), "{report}")
}

/// Waits for the end of one bot after another. That needs no blocked signal, so bots inherit the
/// usual signals.
fn watch(bots: &Receiver<(Pid, Used)>, walled: bool) -> io::Result<()> {
    for (bot, before) in bots {
        let status = wait_for(bot);
        kill_all(bot, walled);
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
    Ok(Used { cpu_ms, memory_kib: (used.max_rss() / MEMORY_UNITS_PER_KIB) as u64 })
}

/// Collects all processes that die, until the bot dies.
fn wait_for(bot: Pid) -> ExitStatus {
    loop {
        match collect(None, WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == bot => return status,
            Err(rustix::io::Errno::CHILD) => return ExitStatus::default(), // the keeper is ending, and has collected it
            _ => {}
        }
    }
}

/// Kills the bot's group at one stroke (which no fork can outrun), then whoever left the group.
fn kill_all(bot: Pid, walled: bool) {
    let _ = killpg(bot, Signal::SIGKILL); // it may have no member any more
    // Mostly nobody is left. This call finds that out sooner than a list of children does.
    if collect(None, WaitOptions::NOHANG) == Err(rustix::io::Errno::CHILD) {
        return;
    }
    if walled {
        end_list_blocking();
    } else {
        end_all_blocking(|| children(getpid()));
    }
}
