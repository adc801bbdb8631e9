//! One bot process, asked one question at a time.

use super::death::{Death, end};
use super::diagnosis::{Unanswered, timed_out};
use super::evidence::{Evidence, Transcript};
use super::kept;
use super::ledger::{Ledger, Used};
use super::pipes::{drain, readable, without_blocking, write_all, write_now};
use super::proc_files::{Activity, activity, children, descendants, peak_memory};
use super::stderr_tail::StderrTail;
use super::stopwatch::{Stopwatch, cpu_time};
use super::tap::Tap;
use crate::clock::ClockRules;
use crate::fault::{Code, Fault};
use crate::spec::BotSpec;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::{Pid, getpid, read};
use protocol::{FromBot, Hello, Limits, Measured, Move, PROTOCOL, Ready, Search, ToBot};
use rules::MAX_SEATS;
use std::cell::Cell;
use std::collections::HashSet;
use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitStatus;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout, timeout_at};

const LIMITS: Limits = Limits::STANDARD;

/// How long a bot may take to go by itself after `quit`, and after the `error` that cost it the game.
const FAREWELL: Duration = Duration::from_millis(500);
const LAST_READING: Duration = Duration::from_millis(100);
/// How long the arena waits for an exit status, or for standard error, of a process that is on its way out.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long the thread itself waits for an answer before it leaves that to the runtime. Longer than a quick bot
/// takes, shorter than anybody notices.
const MOMENT: Duration = Duration::from_millis(20);

/// The keepers that are alive. Whoever else turns up as a child of the arena is an orphan of a murdered keeper.
static KEEPERS: LazyLock<Mutex<HashSet<Pid>>> = LazyLock::new(Mutex::default);

pub(super) fn keepers() -> MutexGuard<'static, HashSet<Pid>> {
    locked(&KEEPERS)
}

/// Nothing here is left half-done by a panic, so a poisoned lock is as good as any.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running bot.
pub struct Bot {
    keeper: Child,
    keeper_pid: Pid,
    /// Both ends do not block. The runtime watches them only while it has to wait for a slow bot: what is watched
    /// costs something at every line.
    stdin: OwnedFd,
    stdout: OwnedFd,
    /// May it have written something before it is asked? Known to be false if another bot was asked meanwhile, since
    /// this one was watched then.
    early: Cell<bool>,
    /// Lines that wait for the next one.
    outbox: String,
    /// Read but not yet used.
    input: Vec<u8>,
    stderr: Arc<Mutex<StderrTail>>,
    /// A second handle of the pipe that is drained into `stderr`.
    stderr_pipe: OwnedFd,
    /// Lines the bot has written so far.
    lines: u64,
    started: Instant,
    /// Has it said anything yet? Until then its start-up time runs.
    awake: bool,
    ready: Option<Ready>,
    memory_bytes: Option<u64>,
    /// The bot's own process, once it is known.
    pid: Option<Pid>,
    transcript: Transcript,
    /// How it ended, if it did so by itself, and what it had used by then.
    ended: Option<String>,
    used: Option<Used>,
    /// Where its keeper will tell that.
    ledger: Option<Ledger>,
    /// Who listens in.
    tap: Option<Tap>,
}

/// A question, whose line is in the bot's outbox, and the time for its answer.
pub struct Question<'a> {
    pub id: u64,
    pub clock: &'a ClockRules,
    pub bank: Duration,
    /// The other bots at the table, if this one is the only one asked.
    pub others: Option<Others<'a>>,
}

/// Bots that are not asked now. Never more than a handful, so that they need no list on the heap.
#[derive(Clone, Copy)]
pub struct Others<'a>([Option<&'a Bot>; MAX_SEATS]);

impl<'a> Others<'a> {
    pub fn new(mut bots: impl Iterator<Item = &'a Bot>) -> Others<'a> {
        Others(std::array::from_fn(|_| bots.next()))
    }

    fn iter(&self) -> impl Iterator<Item = &'a Bot> {
        self.0.iter().copied().flatten()
    }
}

/// A bot's answer, before the rules have seen it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub mv: String,
    pub info: Option<Search>,
    /// What the clock counts.
    pub taken: Duration,
    /// The number of the line with the move, and the line.
    pub line: u64,
    pub text: Vec<u8>,
    /// Lines that were not for this turn and were passed over.
    pub ignored: u64,
}

impl Bot {
    /// Starts a process; it is not waited for.
    pub fn start(spec: &BotSpec, memory_bytes: Option<u64>) -> Result<Bot, Fault> {
        spec.prepare().map_err(|error| {
            let fault = Fault::new(Code::FailedToStart, error.problem).hint(error.hint);
            Fault { stderr: error.output, ..fault }
        })?;
        // The keeper is this very program: if it can't be started, that is not the bot's doing.
        Bot::launch(spec, memory_bytes).map_err(|error| {
            Fault::new(Code::ArenaFault, format!("no process for `{spec}`: {error}"))
                .hint("is the machine out of processes or files? Try a smaller --concurrency")
        })
    }

    fn launch(spec: &BotSpec, memory_bytes: Option<u64>) -> std::io::Result<Bot> {
        let ledger = Ledger::open()?;
        let words = spec.command();
        let mut command =
            Command::from(kept::command(&words, spec.folder(), spec.account(), memory_bytes, Some(&ledger)));
        let piped = || std::io::Error::other("spawned with pipes");
        // Locked while it is started: nobody must take a keeper that is not yet on the list for an orphan.
        let mut known = keepers();
        let mut keeper = command.spawn()?;
        let keeper_pid = Pid::from_raw(keeper.id().ok_or_else(piped)? as i32);
        known.insert(keeper_pid);
        drop(known);
        let stdin = keeper.stdin.take().ok_or_else(piped)?.into_owned_fd()?;
        let stdout = keeper.stdout.take().ok_or_else(piped)?.into_owned_fd()?;
        let stderr = keeper.stderr.take().ok_or_else(piped)?.into_owned_fd()?;
        let tail = Arc::new(Mutex::new(StderrTail::new(LIMITS.stderr_bytes)));
        let stderr_pipe = stderr.try_clone()?;
        tokio::spawn(drain(Receiver::from_owned_fd(stderr)?, Arc::clone(&tail)));
        Ok(Bot {
            keeper,
            keeper_pid,
            stdin: without_blocking(stdin)?,
            stdout: without_blocking(stdout)?,
            early: Cell::new(true),
            outbox: String::with_capacity(1_024),
            input: Vec::with_capacity(LIMITS.line_bytes),
            stderr: tail,
            stderr_pipe,
            lines: 0,
            started: Instant::now(),
            awake: false,
            ready: None,
            memory_bytes,
            pid: None,
            transcript: Transcript::default(),
            ended: None,
            ledger: Some(ledger),
            used: None,
            tap: None,
        })
    }

    pub fn hello() -> ToBot {
        let arena = concat!("ludus ", env!("CARGO_PKG_VERSION")).to_owned();
        ToBot::Hello(Hello { protocol: PROTOCOL, arena, limits: LIMITS })
    }

    /// What the bot said of itself.
    pub fn ready(&self) -> Option<&Ready> {
        self.ready.as_ref()
    }

    /// Writes a message that needs no answer. A bot that does not read it is found out at its next turn.
    pub async fn tell(&mut self, message: &ToBot) {
        self.outbox.push_str(&serde_json::to_string(message).unwrap_or_default());
        self.outbox.push('\n');
        self.show_tap();
        let mut written = 0;
        let lines = self.outbox.as_bytes();
        if write_now(&self.stdin, lines, &mut written).is_ok_and(|done| !done) {
            let _ = timeout(LAST_WORDS, write_all(&self.stdin, lines, &mut written)).await;
        }
        self.transcript.sent(&mut self.outbox);
    }

    /// Lines that go out with the next one: waking a process for what it need not answer costs as much as a move.
    pub fn outbox(&mut self) -> &mut String {
        &mut self.outbox
    }

    /// Asks for a move and waits for the answer, as long as the clock allows and not longer.
    pub async fn ask(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        let mut turn = self.pass_over_stale_lines()?;
        self.early.set(true);
        let asked = Instant::now();
        let mut stopwatch = self.stopwatch(question, asked);
        self.send(&stopwatch).await?;
        loop {
            while let Some(line) = self.next_line(&mut turn)? {
                if let Some(answer) = self.consider(line, question, &mut turn, &mut stopwatch)? {
                    return Ok(answer);
                }
            }
            if !self.read_at_once(question, &stopwatch) {
                self.wait_for_input(&mut stopwatch).await?;
            }
        }
    }

    async fn send(&mut self, stopwatch: &Stopwatch) -> Result<(), Fault> {
        self.show_tap();
        let mut written = 0;
        let lines = self.outbox.as_bytes();
        let mut sent = Ok(Ok(()));
        if !write_now(&self.stdin, lines, &mut written).is_ok_and(|done| done) {
            sent = timeout_at(stopwatch.deadline, write_all(&self.stdin, lines, &mut written)).await;
        }
        let unread = written < lines.len();
        self.transcript.sent(&mut self.outbox);
        match sent {
            // One that no longer reads is known by its output: the end of it, too much of it, or none in time.
            Ok(_) => Ok(()),
            Err(_) => Err(self.timed_out(stopwatch, unread)),
        }
    }

    /// The time for this question. It runs from now, or from the end of the start-up time.
    fn stopwatch(&mut self, question: &Question<'_>, asked: Instant) -> Stopwatch {
        let startup_end = self.started + question.clock.startup;
        let from = if self.awake { asked } else { asked.max(startup_end) };
        let limit = question.clock.per_move + question.bank;
        let cpu = match question.clock.measured {
            Measured::Cpu => self.cpu_clock(),
            Measured::Wall => None,
        };
        // Starting up costs processor time too; it is not charged.
        let free = if self.awake { Duration::ZERO } else { question.clock.startup };
        let cpu_before = cpu.and_then(cpu_time).unwrap_or_default();
        let deadline = from + question.clock.wall_backstop(limit);
        Stopwatch { from, limit, deadline, cpu, cpu_before, free, passed_over: None }
    }

    fn cpu_clock(&mut self) -> Option<ClockId> {
        self.pid = self.pid.or_else(|| children(self.keeper_pid).first().copied());
        clock_getcpuclockid(self.pid?).ok()
    }

    /// Whatever came before the question can't be its answer.
    fn pass_over_stale_lines(&mut self) -> Result<TurnTally, Fault> {
        let mut turn = TurnTally::default();
        loop {
            while let Some(line) = self.next_line(&mut turn)? {
                match protocol::read_line(&line) {
                    Ok(FromBot::Ready(ready)) => self.note_ready(ready),
                    Err(problem) if problem.code == "protocol_version" => {
                        return Err(Fault::from_problem(problem, self.lines, &line));
                    }
                    _ => turn.ignored += 1,
                }
            }
            if !self.early.get() {
                return Ok(TurnTally { ignored: turn.ignored, ..TurnTally::default() });
            }
            let more = self.read_now();
            self.early.set(more == Heard::Something);
        }
    }

    /// The next whole line, checked against the limits of a turn.
    fn next_line(&mut self, turn: &mut TurnTally) -> Result<Option<Vec<u8>>, Fault> {
        let Some(end) = self.input.iter().position(|&byte| byte == b'\n') else {
            if self.input.len() >= LIMITS.line_bytes {
                let fault =
                    Fault::new(Code::LineTooLong, format!("a line of more than {} bytes", LIMITS.line_bytes));
                return Err(fault.at_line(self.lines + 1, &self.input).hint("answer with one short line"));
            }
            return Ok(None);
        };
        let mut line: Vec<u8> = self.input.drain(..=end).collect();
        line.pop();
        self.transcript.heard(&line);
        if let Some(tap) = &self.tap {
            tap.incoming(&line);
        }
        self.lines += 1;
        self.awake = true;
        turn.lines += 1;
        turn.bytes += line.len();
        if turn.lines > LIMITS.turn_lines || turn.bytes > LIMITS.turn_bytes {
            let limits = format!("{} lines or {} bytes", LIMITS.turn_lines, LIMITS.turn_bytes);
            let fault = Fault::new(Code::TooChatty, format!("more than {limits} for one turn"));
            return Err(fault.at_line(self.lines, &line).hint("print debug output to standard error"));
        }
        Ok(Some(line))
    }

    /// Is this line the answer?
    fn consider(
        &mut self,
        line: Vec<u8>,
        question: &Question<'_>,
        turn: &mut TurnTally,
        stopwatch: &mut Stopwatch,
    ) -> Result<Option<Answer>, Fault> {
        if line.trim_ascii().is_empty() {
            turn.ignored += 1;
            return Ok(None);
        }
        let message = protocol::read_line(&line).map_err(|problem| Fault {
            turn: Some(question.id),
            ..Fault::from_problem(problem, self.lines, &line)
        })?;
        match message {
            FromBot::Move(Move { id: Some(id), .. }) if id != question.id => {
                turn.ignored += 1;
                stopwatch.passed_over = Some((id, question.id));
            }
            FromBot::Move(Move { mv, info, .. }) => {
                let answer = Answer {
                    mv,
                    info: info.or_else(|| turn.info.take()),
                    taken: stopwatch.taken(),
                    line: self.lines,
                    text: line,
                    ignored: turn.ignored,
                };
                return Ok(Some(answer));
            }
            FromBot::Ready(ready) => {
                self.note_ready(ready);
                stopwatch.restart();
            }
            FromBot::Info(info) => turn.info = Some(info.search),
            FromBot::Log(log) => locked(&self.stderr).push(format!("{}\n", log.text).as_bytes()),
            FromBot::Unknown(_) => turn.ignored += 1,
        }
        Ok(None)
    }

    fn note_ready(&mut self, ready: Ready) {
        self.ready.get_or_insert(ready);
    }

    /// Waits a moment on this thread, which costs less than the runtime does and is long enough for most answers.
    /// False if the runtime has to go on: because it takes longer, several are asked, or others need attention.
    fn read_at_once(&mut self, question: &Question<'_>, stopwatch: &Stopwatch) -> bool {
        let Some(others) = &question.others else { return false };
        if stopwatch.next_look() < Instant::now() + MOMENT {
            return false;
        }
        let own = [self.stdout.as_fd(), self.stderr_pipe.as_fd()];
        let mut watched = own.into_iter().chain(others.iter().map(|bot| bot.stdout.as_fd()));
        let mut count = 0;
        let mut ends: [PollFd; 2 + MAX_SEATS] = std::array::from_fn(|_| {
            let end = watched.next().inspect(|_| count += 1);
            PollFd::new(end.unwrap_or(own[0]), PollFlags::POLLIN)
        });
        drop(watched);
        let moment = PollTimeout::try_from(MOMENT).unwrap_or(PollTimeout::ZERO);
        let Ok(1..) = poll(&mut ends[..count], moment) else { return false };
        let seen = |end: &PollFd| end.any() == Some(true);
        others.iter().zip(&ends[2..]).for_each(|(bot, end)| bot.early.set(seen(end)));
        let [answered, grumbled] = [&ends[0], &ends[1]].map(seen);
        if grumbled {
            self.read_stderr();
        }
        answered && self.read_now() == Heard::Something
    }

    /// Takes what has arrived.
    fn read_now(&mut self) -> Heard {
        let mut arrived = [0; 1_024];
        match read(&self.stdout, &mut arrived) {
            Ok(count @ 1..) => {
                self.input.extend_from_slice(&arrived[..count]);
                Heard::Something
            }
            Err(Errno::EAGAIN | Errno::EINTR) => Heard::Nothing,
            Ok(0) | Err(_) => Heard::End,
        }
    }

    /// Takes what has been said before the answer, so that it is kept with the right game.
    fn read_stderr(&self) {
        let mut buffer = [0; 8_192];
        // A pipe holds no more than this; a bot that never stops must not keep the arena here.
        for _ in 0..8 {
            match read(&self.stderr_pipe, &mut buffer) {
                Ok(count @ 1..) => locked(&self.stderr).push(&buffer[..count]),
                _ => return,
            }
        }
    }

    /// The same without end but the clock's, while the runtime looks after everything else.
    async fn wait_for_input(&mut self, stopwatch: &mut Stopwatch) -> Result<(), Fault> {
        loop {
            match timeout_at(stopwatch.next_look(), readable(&self.stdout)).await {
                Ok(Ok(())) => match self.read_now() {
                    Heard::Something => return Ok(()),
                    Heard::Nothing => {}
                    Heard::End => return Err(self.why_silent().await),
                },
                Ok(Err(error)) => return Err(Fault::new(Code::ArenaFault, format!("can't wait: {error}"))),
                Err(_) if stopwatch.is_over() => return Err(self.timed_out(stopwatch, false)),
                Err(_) => {}
            }
        }
    }

    fn timed_out(&mut self, stopwatch: &Stopwatch, unread: bool) -> Fault {
        let case = Unanswered {
            keeper: self.keeper_pid,
            limit: stopwatch.limit,
            unread,
            passed_over: stopwatch.passed_over,
            partial: &self.input,
            line: self.lines,
        };
        let fault = timed_out(&case);
        Fault { stderr: self.last_stderr(), ..fault }
    }

    /// Standard output is closed, or standard input broken: did the bot die, and of what?
    async fn why_silent(&mut self) -> Fault {
        let status = timeout(LAST_WORDS, self.keeper.wait()).await;
        // The last words may still be on their way through the pipe.
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let stderr = self.last_stderr();
        let fault = match status {
            Ok(Ok(status)) => {
                self.ended = Some(end(status));
                self.used = self.ledger.take().and_then(Ledger::read);
                let Bot { lines, memory_bytes, used, .. } = *self;
                Death { status, stderr: &stderr, lines, memory_bytes, used }.fault()
            }
            _ => Fault::new(Code::ClosedStdout, "the bot closed its standard output and is still running")
                .hint("keep standard output open until the arena says quit"),
        };
        let unread = (!self.input.is_empty()).then(|| protocol::quoted(&self.input));
        Fault { got: unread, stderr, ..fault }
    }

    fn last_stderr(&self) -> Vec<String> {
        locked(&self.stderr).last_lines(20)
    }

    /// What can be said about a bot that has failed. Before it is killed there is more to see.
    pub fn evidence(&self) -> Evidence {
        Evidence {
            ended: self.ended.clone(),
            last_lines: self.transcript.last_lines(),
            stderr: locked(&self.stderr).last_bytes(8 * 1_024),
            ..self.used.map_or_else(|| Evidence::of_processes(self.keeper_pid), Evidence::of_used)
        }
    }

    /// A new game begins: what was said in the last one is no longer evidence.
    pub fn forget_stderr(&mut self) {
        locked(&self.stderr).clear();
    }

    /// Stops a bot while others think, or lets it go on.
    pub fn freeze(&mut self, frozen: bool) {
        self.pid = self.pid.or_else(|| children(self.keeper_pid).first().copied());
        if let Some(pid) = self.pid {
            let signal = if frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
            let _ = killpg(pid, signal); // it may be gone, which the next question will find out
        }
    }

    /// Lets somebody listen in from now on.
    pub fn set_tap(&mut self, tap: Tap) {
        self.tap = Some(tap);
    }

    fn show_tap(&mut self) {
        if let Some(tap) = &self.tap {
            tap.outgoing(&mut self.outbox);
        }
    }

    /// Waits until the bot has nothing left to do but wait, or the time is up. An error if it is gone by then.
    pub async fn settle(&mut self, limit: Duration) -> Result<(), Fault> {
        const LOOK: Duration = Duration::from_millis(20);
        let deadline = Instant::now() + limit;
        let (mut quiet, mut was_gone) = (0, false);
        while Instant::now() < deadline && quiet < 10 {
            if timeout(LOOK, readable(&self.stdout)).await.is_ok() {
                match self.read_now() {
                    Heard::Something => return Ok(()),
                    Heard::Nothing => {}
                    Heard::End => return Err(self.why_silent().await),
                }
            }
            let states: Vec<Activity> = descendants(self.keeper_pid).into_iter().map(activity).collect();
            // Seen twice: if the bot itself has ended, the look in between finds its output closed.
            let gone = matches!(self.keeper.try_wait(), Ok(Some(_)));
            if gone && was_gone {
                let problem = "the process that the arena keeps above the bot was killed";
                return Err(
                    Fault::new(Code::Crashed, problem).hint("end only processes that you have started")
                );
            }
            was_gone = gone;
            let waits = !states.is_empty() && !states.contains(&Activity::Computing);
            quiet = if waits { quiet + 1 } else { 0 };
            // Not at the first look: a keeper that has just been killed may take a moment to be seen dead.
            if quiet > 2 && states.contains(&Activity::ReadingStdin) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The most memory that the bot and what it has started have had at one time, as far as it still runs.
    pub fn peak_memory(&self) -> u64 {
        descendants(self.keeper_pid).into_iter().map(peak_memory).sum()
    }

    /// Bytes written to standard error since the process started.
    pub fn stderr_bytes(&self) -> u64 {
        self.read_stderr();
        locked(&self.stderr).seen()
    }

    /// Says goodbye, waits a moment, and makes sure that nothing is left.
    pub async fn quit(mut self) {
        self.tell(&ToBot::Quit).await;
        self.leave(FAREWELL).await;
    }

    /// Ends a bot that has just been told of its mistake, with the time to read about it.
    pub async fn dismiss(mut self) {
        self.tell(&ToBot::Quit).await;
        self.leave(LAST_READING).await;
    }

    /// Closes the bot's standard input. How it ended, or `None` if it had to be killed.
    pub async fn leave(self, patience: Duration) -> Option<ExitStatus> {
        let Bot { mut keeper, keeper_pid, stdin, .. } = self;
        drop(stdin);
        let status = timeout(patience, keeper.wait()).await;
        if status.is_err() {
            end_keeper(&mut keeper, keeper_pid).await;
        }
        forget_keeper(keeper_pid);
        status.ok()?.ok()
    }

    /// Ends the bot at once, with all that it has started.
    pub async fn kill(mut self) {
        end_keeper(&mut self.keeper, self.keeper_pid).await;
        forget_keeper(self.keeper_pid);
    }
}

/// Asks the keeper to kill everything below it. It is ours and quick; if a bot has stopped it, it is killed.
async fn end_keeper(keeper: &mut Child, pid: Pid) {
    let _ = kill(pid, Signal::SIGTERM); // it may have ended meanwhile
    let _ = kill(pid, Signal::SIGCONT);
    if timeout(Duration::from_secs(2), keeper.wait()).await.is_err() {
        let _ = keeper.kill().await;
    }
}

/// A keeper is gone. If it was killed by its own bot, that bot is now a child of the arena.
pub(super) fn forget_keeper(keeper: Pid) {
    let mut known = keepers();
    known.remove(&keeper);
    loop {
        let orphans: Vec<Pid> = children(getpid()).into_iter().filter(|pid| !known.contains(pid)).collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            let _ = killpg(orphan, Signal::SIGKILL); // only leaders of a group have one of that number
            let _ = kill(orphan, Signal::SIGKILL);
            let _ = waitpid(orphan, Some(WaitPidFlag::empty()));
        }
    }
}

/// What one look at a bot's output gave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    Nothing,
    /// There will never be more.
    End,
}

/// What a bot has said within one turn.
#[derive(Default)]
struct TurnTally {
    lines: usize,
    bytes: usize,
    ignored: u64,
    info: Option<Search>,
}
