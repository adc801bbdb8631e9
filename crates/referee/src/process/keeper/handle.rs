//! A keeper, seen from the arena. A keeper starts bots in a tidy environment, and reports how they
//! end.

use super::account::Account;
use super::births::BirthCount;
use super::ending::{collect, end_all_blocking};
use super::family::{
    adopt, bot_of, condemn, disown, is_condemned, note_bot, note_order, orphans, start_keeper,
};
use super::inside::{KEEP, KeeperTask};
use super::report::{BotEnd, KeeperReport};
use super::scratch::ScratchFolder;
use crate::process::jail::cgroup::{Cgroup, CpuMeter};
use crate::process::jail::own_files::{jail_of, rust_toolchains};
use crate::process::jail::{Jail, Protections, Sandbox, SandboxProfile, network};
use crate::process::pipe::ends::readable;
use crate::process::system::calls::HAS_PROC;
use crate::process::system::proc_files::{ProcStat, children, number_inside};
use crate::process::system::tree::ProcessTree;
use crate::spec::own_program;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv, sendmsg};
use rustix::process::WaitOptions;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Environment variables that bots inherit; everything else is cleared.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    "JAVA_HOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "NODE_PATH",
    "LD_LIBRARY_PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
];

/// How long a keeper may take for a task of a few milliseconds. After that the arena assumes that a
/// bot has stopped the keeper.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a keeper may take on a machine that is far too busy.
const LONG_PATIENCE: Duration = Duration::from_secs(30);
/// How long a killed keeper may take to be gone.
const LAST_PATIENCE: Duration = Duration::from_millis(500);
/// How long a keeper may take that exits by itself, because it was cut off from the arena.
const TO_GO: Duration = Duration::from_millis(150);
/// The pause between two looks at a keeper.
const LOOK: Duration = Duration::from_millis(2);

/// Is there a terminal that bots could open as `/dev/tty`? A session has one or none.
static HAS_TERMINAL: LazyLock<bool> = LazyLock::new(|| File::open("/dev/tty").is_ok());

/// Keeps one process after another, always of the same command.
pub struct Keeper {
    process: Child,
    /// The process that the arena has started: the keeper itself, or its gate.
    pid: Pid,
    /// The keeper behind a gate.
    inside: Option<Pid>,
    /// What holds the bot, once the keeper has said so.
    protections: Option<Protections>,
    /// Does the keeper have its own list of processes?
    walled: bool,
    scratch: Option<ScratchFolder>,
    cgroup: Cgroup,
    meter: Option<CpuMeter>,
    /// Where the system does not add up the processor time of the bot.
    births: Option<BirthCount>,
    /// Can keepers of other bots use its network?
    lends_network: bool,
    /// For orders and reports. Nobody else can open a socket, unlike a pipe, and no call here waits
    /// for it.
    channel: UnixStream,
    /// Bytes of reports that have not been read yet.
    unread: Vec<u8>,
    /// The core to which a bot is moved once it has started, if the bot starts on another core.
    pub fetch_to: Option<usize>,
}

impl Keeper {
    pub(crate) fn hire(
        words: &[OsString],
        folder: Option<&Path>,
        account: Option<&Account>,
        memory_bytes: Option<u64>,
        sandbox: &Sandbox,
    ) -> io::Result<Keeper> {
        Keeper::hire_for(words, folder, account, memory_bytes, jail_of(words, folder, sandbox))
    }

    /// The same, with a jail that is known already.
    pub(crate) fn hire_for(
        words: &[OsString],
        folder: Option<&Path>,
        account: Option<&Account>,
        memory_bytes: Option<u64>,
        jail: Jail,
    ) -> io::Result<Keeper> {
        let scratch = (jail.profile == SandboxProfile::Strict).then(ScratchFolder::new);
        let account_ids = account.map(|account| (account.uid, account.gid));
        let is_metered = jail.metered && jail.profile != SandboxProfile::Off;
        let is_limited = memory_bytes.is_some() && jail.profile != SandboxProfile::Off;
        let cgroup = if is_metered || is_limited { Cgroup::make(memory_bytes) } else { Cgroup::default() };
        let task = KeeperTask {
            memory_bytes,
            account: account_ids,
            jail,
            cgroups: cgroup.folders().into_iter().collect(),
            scratch: scratch.as_ref().map(|scratch| scratch.path.clone()),
            network: if account.is_none() { network::shared() } else { None },
            namespaces: None,
        };
        let mut command = command(words, folder, account, &task)?;
        let (channel, keepers_end) = UnixStream::pair()?;
        command.stdin(OwnedFd::from(keepers_end.try_clone()?)).stdout(OwnedFd::from(keepers_end));
        let process = start_keeper(&mut command)?;
        let pid = Pid::from_raw(process.id() as i32);
        let births = if is_metered { Some(count_births(&channel)?) } else { None };
        Ok(Keeper {
            process,
            pid,
            inside: None,
            protections: None,
            walled: false,
            scratch,
            cgroup,
            meter: None,
            births,
            lends_network: account.is_none(),
            channel,
            unread: Vec::new(),
            fetch_to: None,
        })
    }

    /// The process that all processes of the bot are below of.
    fn root(&self) -> Pid {
        self.inside.unwrap_or(self.pid)
    }

    /// A bot under this keeper, with all that it has started.
    pub(crate) fn tree(&self, bot: Option<Pid>) -> ProcessTree {
        // Where nobody adds up the time, a count is the only trace that some processes leave.
        let births = self.births.clone().filter(|_| self.walled && self.meter.is_none());
        ProcessTree { keeper: self.root(), bot, meter: self.meter.clone(), births }
    }

    /// Has the system killed somebody because the bot had more memory than it may have? That may
    /// have been the keeper.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        self.cgroup.ran_out_of_memory()
    }

    /// Has the bot left files in its scratch folder since it was started?
    pub(crate) fn has_notes(&mut self) -> bool {
        let inside = self.inside;
        self.scratch.as_mut().is_some_and(|scratch| scratch.has_files(inside))
    }

    /// What holds the bot. Nothing, until it has started.
    pub(crate) fn protections(&self) -> Option<Protections> {
        self.protections
    }

    /// Waits until the keeper says what will hold its bots.
    pub(crate) fn protections_blocking(&mut self) -> io::Result<Protections> {
        let deadline = Instant::now() + PATIENCE;
        while self.protections.is_none() && Instant::now() < deadline {
            if let Some(report) = self.report_blocking(Instant::now() + LOOK)? {
                return Err(io::Error::other(format!("the keeper has failed: {report}")));
            }
        }
        self.protections.ok_or_else(|| io::Error::other("the keeper does not answer"))
    }

    /// Tells the keeper to start the command with these ends of pipes as standard input, output and
    /// error.
    pub(crate) fn order(&mut self, ends: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        note_order(self.pid, ends[0])?;
        if let Some(scratch) = &mut self.scratch {
            scratch.forget();
        }
        send(&self.channel, &ends)
    }

    /// The process that was started by the last order, or why it was not started. The keeper has
    /// opened the pipes by then.
    pub(crate) fn started_blocking(&mut self) -> io::Result<KeeperReport> {
        let mut report = self.report_blocking(Instant::now() + PATIENCE);
        if let Ok(None) = report {
            self.wake();
            let traced = ProcStat::of(self.root()).is_some_and(|stat| stat.is_traced());
            report =
                self.report_blocking(Instant::now() + if traced { Duration::ZERO } else { LONG_PATIENCE });
        }
        let mut report = report?.ok_or_else(|| io::Error::other("the keeper does not answer"))?;
        if let (true, KeeperReport::Started(number)) = (self.walled, report) {
            report = match self.find_inside(number) {
                Some(bot) => KeeperReport::Started(bot),
                None => self.find_or_end_blocking(number)?,
            };
        }
        match report {
            KeeperReport::Started(bot) => note_bot(self.pid, Some(bot)),
            _ => note_bot(self.pid, None),
        }
        Ok(report)
    }

    /// The process that has this number on the keeper's own list. `None` if it is gone.
    fn find_inside(&mut self, number: Pid) -> Option<Pid> {
        let inside = *children(self.pid).first()?;
        self.inside = Some(inside);
        children(inside).into_iter().find(|&child| number_inside(child) == Some(number))
    }

    /// A bot that is not found has ended, or is just passed on from the thread that has started it
    /// to another thread of its keeper.
    fn find_or_end_blocking(&mut self, number: Pid) -> io::Result<KeeperReport> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(end) = self.report_blocking(Instant::now() + LOOK)? {
                return Ok(end);
            }
            if let Some(bot) = self.find_inside(number) {
                return Ok(KeeperReport::Started(bot));
            }
        }
        Err(io::Error::other("nobody knows which process the bot is"))
    }

    /// A bot may have stopped the keeper.
    fn wake(&self) {
        for process in [Some(self.pid), self.inside].into_iter().flatten() {
            let _ = kill(process, Signal::SIGCONT); // it may have ended meanwhile
        }
    }

    /// The bot of a keeper that was killed before its report, or that does not answer. The bot is a
    /// child of the arena now.
    pub(crate) fn orphan_blocking(&mut self) -> Option<Pid> {
        let _ = self.process.kill(); // if it has not gone yet
        let deadline = Instant::now() + LAST_PATIENCE;
        while Instant::now() < deadline {
            // The system's list of children may be incomplete while processes come and go.
            if let Some(bot) = self.is_gone().then(|| adopt(self.pid)).flatten() {
                return Some(bot);
            }
            std::thread::sleep(LOOK);
        }
        None
    }

    /// Waits for the next report. `None` if no report comes in time.
    pub(crate) fn report_blocking(&mut self, deadline: Instant) -> io::Result<Option<KeeperReport>> {
        loop {
            if let Some(report) = self.next_report()? {
                return Ok(Some(report));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let left = PollTimeout::try_from(left + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
            match poll(&mut [PollFd::new(self.channel.as_fd(), PollFlags::POLLIN)], left) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// How the last process ended. An error if nobody knows.
    pub(crate) async fn end(&mut self) -> io::Result<BotEnd> {
        loop {
            match self.next_report() {
                Ok(Some(KeeperReport::Ended(end))) => return Ok(end),
                Ok(Some(_)) => {}
                Ok(None) if self.news().await.is_ok() => {}
                Ok(None) | Err(_) => return self.end_of_orphan().await,
            }
        }
    }

    /// Waits until another report has come, or can no longer come.
    async fn news(&self) -> io::Result<()> {
        readable(&self.channel).await
    }

    /// A killed keeper reports nothing. Its bot is then a child of the arena, which sees itself how
    /// the bot ends. A keeper that exits by itself was cut off from the arena by somebody, and has
    /// killed its bot.
    async fn end_of_orphan(&mut self) -> io::Result<BotEnd> {
        let deadline = Instant::now() + TO_GO;
        while !self.is_gone() && Instant::now() < deadline {
            sleep(LOOK).await;
        }
        if let Ok(Some(status)) = self.process.try_wait()
            && status.signal().is_none()
        {
            return Err(io::Error::other("the process that the arena keeps above it was cut off"));
        }
        let _ = self.process.kill(); // if it has not gone yet
        loop {
            let found = match (bot_of(self.pid), self.is_gone()) {
                (Some(bot), true) => collect(Some(bot), WaitOptions::NOHANG),
                (Some(_), false) => Ok(None), // not yet a child of the arena
                (None, _) => Err(rustix::io::Errno::CHILD),
            };
            match found {
                Ok(Some((bot, status))) if status.signal().is_none() || !is_condemned(bot) => {
                    return Ok(BotEnd { status, used: None });
                }
                // The bot was killed as an orphan, before anybody knew that it was a bot.
                Ok(Some(_)) | Err(rustix::io::Errno::CHILD) => {
                    return Err(io::Error::other("the process that the arena keeps above it was killed"));
                }
                _ => sleep(LOOK).await,
            }
        }
    }

    /// A report that has arrived. An error if no other report can come.
    fn next_report(&mut self) -> io::Result<Option<KeeperReport>> {
        loop {
            if let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                let report = String::from_utf8_lossy(&line).trim_end().parse();
                let report = report.map_err(|_| io::Error::other("no report of a keeper"))?;
                if let KeeperReport::Jailed { walled, mut found } = report {
                    self.meter = self.cgroup.meter(self.pid);
                    found.count |= self.meter.is_some() && self.cgroup.counts();
                    if self.lends_network && found.network {
                        network::keep(self.pid);
                    }
                    (self.walled, self.protections) = (walled, Some(found));
                    continue;
                }
                return Ok(Some(report));
            }
            let mut arrived = [0; 128];
            match recv(&self.channel, &mut arrived, RecvFlags::DONTWAIT).map(|(count, _)| count) {
                Ok(0) => return Err(io::Error::other("the keeper is gone")),
                Ok(count) => self.unread.extend_from_slice(&arrived[..count]),
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// True also for a dead keeper that is traced and can't be collected. Its children are the
    /// arena's in any case.
    pub(crate) fn is_gone(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
            || ProcStat::of(self.pid).is_some_and(|stat| stat.is_dead())
    }

    /// Has the keeper gone with an exit code? Then it has killed everything below it.
    fn went_by_itself_blocking(&mut self) -> bool {
        let deadline = Instant::now() + TO_GO;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return status.signal().is_none(),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_micros(100)),
                Ok(None) | Err(_) => return false,
            }
        }
    }

    /// Has the keeper kill everything below it and exit.
    pub(crate) fn dismiss_blocking(&mut self) {
        let _ = self.channel.shutdown(Shutdown::Write); // there will be no more orders
        self.wake();
        let deadline = Instant::now() + PATIENCE;
        while let Ok(Some(_)) = self.report_blocking(deadline) {}
    }
}

impl Drop for Keeper {
    /// Ends the keeper, which ends all that it has started. What a killed keeper has left is a
    /// child of the arena, and is ended here.
    fn drop(&mut self) {
        if !self.is_gone() {
            self.dismiss_blocking();
        }
        if !self.went_by_itself_blocking() {
            if !HAS_PROC && let Some(bot) = bot_of(self.pid) {
                let _ = killpg(bot, Signal::SIGKILL); // nobody tells who else is left
            }
            condemn(self.pid);
            end_all_blocking(orphans);
        }
        disown(self.pid);
    }
}

/// Sends an order, which is nothing but open files.
fn send(channel: &UnixStream, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut passed = SendAncillaryBuffer::new(&mut space);
    passed.push(SendAncillaryMessage::ScmRights(files));
    sendmsg(channel, &[IoSlice::new(b"s")], &mut passed, SendFlags::DONTWAIT)?;
    Ok(())
}

/// Orders the keeper to count what its bots start.
fn count_births(channel: &UnixStream) -> io::Result<BirthCount> {
    let (births, keepers_end) = BirthCount::new()?;
    send(channel, &[keepers_end.as_fd()])?;
    Ok(births)
}

fn command(
    words: &[OsString],
    folder: Option<&Path>,
    account: Option<&Account>,
    task: &KeeperTask,
) -> io::Result<Command> {
    let mut keeper = Command::new(own_program());
    keeper.arg(KEEP).arg(serde_json::to_string(task)?).args(words);
    if let Some(folder) = folder {
        keeper.current_dir(folder);
    }
    keeper.env_clear().envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    keeper.env("PYTHONUNBUFFERED", "1").env("PYTHONHASHSEED", "0").env("PYTHONFAULTHANDLER", "1");
    keeper.env("TERM", "dumb");
    if let Some(account) = account {
        keeper.env("USER", &account.name).env("HOME", folder.unwrap_or(Path::new("/")));
    }
    if let Some(scratch) = &task.scratch {
        keeper.env("HOME", scratch).env("TMPDIR", scratch).env_remove("CARGO_HOME");
        if let Some(rust) = rust_toolchains() {
            keeper.env("RUSTUP_HOME", rust);
        }
    }
    keeper.stderr(Stdio::null());
    // With a terminal, the keeper makes its own session. Only a process that leads no group can do
    // that. Without a terminal a group is enough. The system schedules two sessions as two groups
    // of work, and a round trip between them takes about 2 µs longer, a third of a move.
    if !*HAS_TERMINAL {
        keeper.process_group(0);
    }
    Ok(keeper)
}
