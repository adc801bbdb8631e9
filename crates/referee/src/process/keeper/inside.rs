//! The keeper: a small process between the arena and a bot that leaves nothing behind.
//!
//! A thread of the keeper restricts itself and starts the bots, so that they inherit the jail. The
//! other threads are free. Where the host gives a bot its own list of processes, the keeper is the
//! first on that list, and everything below it dies with it. Then another keeper stands before the
//! list as its gate, and only waits.

use super::births;
use super::ending::{collect, end_all_blocking, end_list_blocking};
use super::report::{BotEnd, KeeperReport, Used};
use crate::process::jail::namespaces::{self, Namespaces, SHARED, SharedNetwork};
use crate::process::jail::{Jail, PROCESSES, Protections, SandboxProfile, cgroup, files, filter};
use crate::process::keeper::scratch::clear;
use crate::process::system::host::{errno, is_lacking};
use crate::process::system::proc_files::children;
use nix::errno::Errno;
use nix::sys::prctl::{set_child_subreaper, set_dumpable, set_pdeathsig};
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::{
    Gid, Pid, Uid, UnlinkatFlags, close, geteuid, getpid, setgid, setgroups, setsid, setuid, unlinkat,
};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::WaitOptions;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, read_dir};
use std::io::{self, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// The first word of a keeper's command line: `keep TASK COMMAND…`. The line is read by hand,
/// because a keeper starts with every bot and must start quickly.
pub const KEEP: &str = "keep";

/// Files that a bot may have open, and signals and timers that may wait for it.
const OPEN_FILES: u64 = 1_024;
const WAITING_SIGNALS: u64 = 4_096;

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

fn run(mut task: KeeperTask, command: &[OsString]) -> io::Result<()> {
    let is_behind_gate = task.namespaces.is_some();
    if is_behind_gate {
        set_pdeathsig(Signal::SIGKILL)?;
    } else {
        close_what_was_left_open();
        cgroup::enter(&task.cgroups);
        // A new session has no terminal, so that no bot can open the operator's terminal. Without a
        // terminal the keeper leads a group, and then it can't make a session and needs none. Two
        // sessions are two groups of work to the system, which makes every round trip slower.
        let _ = setsid();
    }
    // The arena may wait for some signals in a way that blocks them. Bots must not inherit that.
    SigSet::all().thread_unblock()?;
    let Some(scratch) = task.scratch.clone() else { return serve(&task, command) };
    if is_behind_gate {
        return serve(&task, command);
    }
    if let Some((uid, gid)) = task.account.take() {
        become_somebody_else(uid, gid)?;
    }
    DirBuilder::new().mode(0o700).create(&scratch)?;
    // From in there the disk may be read-only.
    let outside = scratch.parent().and_then(|outside| File::open(outside).ok());
    let entered = namespaces::enter(task.network.as_ref());
    task.namespaces = Some(entered);
    let served = if entered.processes { stand_at_gate(&task, command) } else { serve(&task, command) };
    namespaces::leave(&scratch);
    let _ = clear(&scratch); // the arena looks after it too
    if let (Some(outside), Some(name)) = (outside, scratch.file_name()) {
        let _ = unlinkat(outside, name, UnlinkatFlags::RemoveDir);
    }
    served
}

/// A program may have been started with more open files than three.
fn close_what_was_left_open() {
    let open = read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers: Vec<i32> = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|&number| number > 2) {
        let _ = close(number); // the list itself is closed by now
    }
}

/// For good. The process stays readable to itself.
fn become_somebody_else(uid: u32, gid: u32) -> nix::Result<()> {
    setgroups(&[])?;
    setgid(Gid::from_raw(gid))?;
    setuid(Uid::from_raw(uid))?;
    set_dumpable(true)
}

/// Starts a keeper that is the first on its own list of processes, and waits for its end.
fn stand_at_gate(task: &KeeperTask, command: &[OsString]) -> io::Result<()> {
    let _ = namespaces::pass_on_rights(); // root needs none
    let task = serde_json::to_string(task)?;
    let mut keeper = Command::new("/proc/self/exe").arg(KEEP).arg(task).args(command).spawn()?;
    keeper.wait().map(drop)
}

fn serve(task: &KeeperTask, command: &[OsString]) -> io::Result<()> {
    set_child_subreaper(true)?;
    let mut task = task.clone();
    let mut found = Protections::default();
    let mut namespaces = task.namespaces.unwrap_or_default();
    let own_proc = namespaces.processes && namespaces::own_proc();
    if let Some(scratch) = &task.scratch {
        let is_build = !task.jail.write.is_empty();
        namespaces::furnish(scratch, task.jail.scratch_bytes, is_build, &mut namespaces);
        task.namespaces = Some(namespaces);
    }
    found.network = namespaces.network;
    found.scratch = namespaces.scratch;
    found.count = own_proc && namespaces::limit_processes(PROCESSES);
    found.count |= limit_resources(&task, namespaces.users)?;
    if task.jail.profile != SandboxProfile::Off {
        // If the machine has no memory left, the system ends a bot before anybody else.
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
    }
    let (bots, to_watch) = mpsc::channel();
    let walled = namespaces.processes;
    let recipe = Recipe { task, command: command.to_vec(), own_proc, walled };
    let (starter, mut found) = recipe.starter(found)?;
    thread::Builder::new().spawn(move || watch(&to_watch, walled))?;
    found.signals |= walled;
    found.processes = walled || found.files;
    tell(&KeeperReport::Jailed { walled, found })?;
    let mut last = None;
    let served = recipe.take_orders(starter, &bots, &mut last);
    if let Some(bot) = last {
        kill_all(bot, walled);
    }
    served
}

/// True if the number of processes is limited.
fn limit_resources(task: &KeeperTask, own_users: bool) -> io::Result<bool> {
    let at_most = |resource: Resource, most: u64| {
        let (_, hard) = getrlimit(resource)?;
        let most = most.min(hard);
        setrlimit(resource, most, most)
    };
    at_most(Resource::RLIMIT_CORE, 0)?;
    if let Some(bytes) = task.memory_bytes {
        at_most(Resource::RLIMIT_DATA, bytes)?;
    }
    if task.jail.profile == SandboxProfile::Off {
        return Ok(false);
    }
    at_most(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
    if task.jail.profile == SandboxProfile::Trusted {
        return Ok(false);
    }
    at_most(Resource::RLIMIT_FSIZE, task.jail.scratch_bytes)?;
    at_most(Resource::RLIMIT_MSGQUEUE, 0)?;
    // The system counts the processes of a user in the namespace. It never counts those of root.
    // So does it with signals and timers that wait.
    if own_users {
        at_most(Resource::RLIMIT_NPROC, PROCESSES)?;
        at_most(Resource::RLIMIT_SIGPENDING, WAITING_SIGNALS)?;
    }
    Ok(own_users && !geteuid().is_root())
}

/// An order of the arena: the three pipes of a bot, and where to say what came of it.
type Start = ([OwnedFd; 3], Sender<Result<Pid, KeeperReport>>);

/// A thread in the jail that starts bots.
type Starter = Sender<Start>;

/// What a keeper starts, and how.
#[derive(Clone)]
struct Recipe {
    task: KeeperTask,
    command: Vec<OsString>,
    own_proc: bool,
    /// Is the keeper the first on its list of processes, whom nobody on the list can kill?
    walled: bool,
}

impl Recipe {
    /// A thread that is in the jail, and what holds the thread.
    fn starter(&self, found: Protections) -> io::Result<(Starter, Protections)> {
        let (starter, order) = mpsc::channel::<Start>();
        let (restricted, is_restricted) = mpsc::channel();
        let recipe = self.clone();
        thread::Builder::new().spawn(move || {
            let _ = restricted.send(recipe.restrict(found)); // somebody waits for it
            for (pipes, reply) in order {
                let _ = reply.send(recipe.start(pipes)); // the keeper waits for it
                if !recipe.walled {
                    break; // a bot can kill whoever shares its jail
                }
            }
        })?;
        Ok((starter, is_restricted.recv().map_err(io::Error::other)??))
    }

    /// The folders that the bot may change.
    fn own_folders(&self) -> Vec<&Path> {
        let shared = self.task.namespaces.is_some_and(|found| found.shared).then_some(Path::new(SHARED));
        self.task.scratch.as_deref().into_iter().chain(shared).collect()
    }

    /// Puts this thread into the jail.
    fn restrict(&self, mut found: Protections) -> io::Result<Protections> {
        let KeeperTask { account, jail, .. } = &self.task;
        if jail.profile != SandboxProfile::Strict {
            return Ok(Protections::default());
        }
        if account.is_none() {
            namespaces::give_up_rights()?;
        }
        let taken = files::apply(jail, &self.own_folders(), self.own_proc).map_err(io::Error::other)?;
        found.files = taken.files;
        found.signals = taken.signals;
        found.calls = filter::apply(!jail.write.is_empty()).is_ok();
        Ok(found)
    }

    /// Starts the bot. From then on only the bot has the pipes, so that the arena sees when the bot
    /// closes a pipe. If the bot can't be started, the report says whose fault that is.
    fn start(&self, [input, output, error]: [OwnedFd; 3]) -> Result<Pid, KeeperReport> {
        let lacking = |problem: io::Error| KeeperReport::Lacking(errno(&problem));
        let mut error = File::from(error);
        // With its own group, one signal reaches the bot and most of what the bot starts.
        let mut bot = Command::new(&self.command[0]);
        bot.args(&self.command[1..]).process_group(0);
        bot.stdin(input).stdout(output).stderr(error.try_clone().map_err(lacking)?);
        if let Some((uid, gid)) = self.task.account {
            bot.uid(uid).gid(gid); // and it leaves all other groups
        }
        match bot.spawn() {
            Ok(bot) => Ok(Pid::from_raw(bot.id() as i32)),
            Err(problem) if is_lacking(&problem) => Err(lacking(problem)),
            Err(problem) => {
                let name = self.command[0].display();
                let _ = writeln!(error, "cannot start {name}: {problem}"); // nobody listens
                Err(KeeperReport::Refused(errno(&problem)))
            }
        }
    }

    /// Starts a bot for each order to start one, until the arena shuts the channel, by intent or by dying.
    fn take_orders(
        &self,
        mut starter: Starter,
        bots: &Sender<(Pid, Used)>,
        last: &mut Option<Pid>,
    ) -> io::Result<()> {
        let mut is_first = true;
        while let Some(files) = next_order()? {
            let pipes = match <[OwnedFd; 3]>::try_from(files) {
                Ok(pipes) => pipes,
                Err(files) => {
                    count_births(files)?;
                    continue;
                }
            };
            if !std::mem::take(&mut is_first) && (self.tidy()? || !self.walled) {
                (starter, _) = self.starter(Protections::default())?;
            }
            if self.own_proc {
                namespaces::count_bots_anew();
            }
            let before = used()?;
            let (reply, replied) = mpsc::channel();
            starter.send((pipes, reply)).map_err(io::Error::other)?;
            let started = replied.recv().map_err(io::Error::other)?;
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

    /// The next bot finds nothing of the last one: no file, and no number that the last one could
    /// have counted up. True if the jail has to be built anew, because it knows the old folders.
    fn tidy(&self) -> io::Result<bool> {
        let Some(scratch) = &self.task.scratch else { return Ok(false) };
        let namespaces = self.task.namespaces.unwrap_or_default();
        let renewed = namespaces::renew(scratch, self.task.jail.scratch_bytes, namespaces)?;
        clear(scratch)?;
        if self.own_proc {
            namespaces::count_keeper_anew();
        }
        Ok(renewed)
    }
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
    let flags = RecvFlags::CMSG_CLOEXEC;
    let arrived = loop {
        match recvmsg(io::stdin(), &mut [IoSliceMut::new(&mut bytes)], &mut pipes, flags) {
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
    Ok(Used { cpu_ms, memory_kib: used.max_rss() as u64 })
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
