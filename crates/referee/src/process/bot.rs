//! One bot process, asked one question at a time.

use super::cores::fetch;
use super::death::{Death, in_words};
use super::diagnosis::{Unanswered, closed_stdin, closed_stdout, timed_out};
use super::drainer::drain;
use super::evidence::{Evidence, Transcript};
use super::frozen::Frozen;
use super::host;
use super::kept::Keeper;
use super::memory::MemoryWatch;
use super::output::{Heard, Output};
use super::pipes::{has_reader, read_now, without_blocking, write_all, write_now};
use super::proc_files::{Activity, activity, killed_for_memory, peak_memory, threads};
use super::report::{End, Report, Used};
use super::starting::Starting;
use super::stderr_tail::StderrTail;
use super::stopwatch::Stopwatch;
use super::tap::Tap;
use super::tree::Tree;
use crate::clock::ClockRules;
use crate::fault::{Code, Fault};
use crate::spec::BotSpec;
use nix::unistd::Pid;
use protocol::{FromBot, Hello, Limits, Move, PROTOCOL, Ready, Search, ToBot};
use std::io;
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

const LIMITS: Limits = Limits::STANDARD;

/// How long a bot may take to go by itself after `quit`, and after the `error` that cost it the game.
const FAREWELL: Duration = Duration::from_millis(500);
const LAST_READING: Duration = Duration::from_millis(100);
/// How long the arena waits for an exit status, or for standard error, of a process that is on its way out.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long a thread waits for an answer before the runtime does. Longer than a quick bot takes.
const MOMENT: Duration = Duration::from_millis(20);

/// Nothing here is left half-done by a panic, so a poisoned lock is as good as any.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running bot.
pub struct Bot {
    keeper: Keeper,
    /// Its own process; none if it could not be started.
    pid: Option<Pid>,
    /// Does not block. The runtime watches the pipes only while it has to wait for a slow bot: what is watched costs
    /// something at every line.
    stdin: OwnedFd,
    output: Output,
    /// Lines that wait for the next one.
    outbox: String,
    /// Read but not yet used.
    input: Vec<u8>,
    stderr: Arc<Mutex<StderrTail>>,
    /// A second handle of the pipe that is drained into `stderr`.
    stderr_pipe: OwnedFd,
    /// Lines the bot has written in this game so far, without its `ready`.
    lines: u64,
    started: Instant,
    /// Has it said anything yet? Until then its start-up time runs.
    awake: bool,
    /// Has it ever answered a turn? Then it reads line by line.
    answered: bool,
    ready: Option<Ready>,
    memory_bytes: Option<u64>,
    memory_watch: Option<MemoryWatch>,
    /// Whom the system had killed for want of memory when the bot was started.
    killed_for_memory: Option<u64>,
    transcript: Transcript,
    /// Stopped while others think.
    frozen: Option<Frozen>,
    /// What it has computed all the same since its last move.
    pondered: Duration,
    /// How it ended, if it did so by itself.
    end: Option<End>,
    /// Who listens in.
    tap: Option<Tap>,
}

/// A question, whose line is in the bot's outbox, and the time for its answer.
pub struct Question<'a> {
    pub id: u64,
    pub clock: &'a ClockRules,
    pub bank: Duration,
    /// Is nobody else asked at the same time?
    pub alone: bool,
}

/// A bot's answer, before the rules have seen it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub mv: String,
    pub info: Option<Box<Search>>,
    /// The texts of its `log` messages since its last move.
    pub log: Vec<String>,
    /// What the clock counts.
    pub taken: Duration,
    /// The number of the line with the move, and the line.
    pub line: u64,
    pub text: Vec<u8>,
    /// Lines that were not for this turn, and fields of `info` that were wrong.
    pub ignored: u64,
}

impl Bot {
    /// Starts a process; what it does then is not waited for.
    pub fn start(spec: &BotSpec, memory_bytes: Option<u64>) -> Result<Bot, Fault> {
        Bot::started(Starting::order(Bot::keeper(spec, memory_bytes)?), spec, memory_bytes)
    }

    /// A keeper under which this bot can be started, now or later.
    pub fn keeper(spec: &BotSpec, memory_bytes: Option<u64>) -> Result<Keeper, Fault> {
        spec.prepare().map_err(|error| {
            let code = if error.ours { Code::ArenaFault } else { Code::FailedToStart };
            let fault = Fault::new(code, error.problem).hint(error.hint);
            Fault { stderr: error.output, ..fault }
        })?;
        hire(spec, memory_bytes).map_err(|error| no_process(spec, &error))
    }

    /// Waits for a process that has been ordered of a keeper, who may have kept this bot before.
    pub fn started(
        starting: io::Result<Starting>,
        spec: &BotSpec,
        memory_bytes: Option<u64>,
    ) -> Result<Bot, Fault> {
        // A bot that has gone may have harmed its keeper.
        let anew = |_| Bot::meet(Starting::order(hire(spec, memory_bytes)?)?, memory_bytes);
        let met = starting.and_then(|starting| Bot::meet(starting, memory_bytes));
        met.or_else(anew).map_err(|error| no_process(spec, &error))
    }

    fn meet(starting: Starting, memory_bytes: Option<u64>) -> io::Result<Bot> {
        let Starting { mut keeper, stdin, stdout, stderr, .. } = starting;
        let report = keeper.started().or_else(|gone| keeper.orphan().map(Report::Started).ok_or(gone))?;
        let (pid, end) = match report {
            Report::Started(pid) => (Some(pid), None),
            Report::Refused(_) => (None, Some(End::not_started())),
            Report::Lacking(problem) => return Err(problem.into()),
            Report::Ended(end) => (None, Some(end)),
        };
        let tail = Arc::new(Mutex::new(StderrTail::new(LIMITS.stderr_bytes)));
        let stderr_pipe = stderr.try_clone()?;
        drain(stderr, &tail)?;
        Ok(Bot {
            keeper,
            pid,
            stdin: without_blocking(stdin)?,
            output: Output::new(stdout)?,
            outbox: String::with_capacity(1_024),
            input: Vec::with_capacity(LIMITS.line_bytes),
            stderr: tail,
            stderr_pipe,
            lines: 0,
            started: Instant::now(),
            awake: false,
            answered: false,
            ready: None,
            memory_bytes,
            memory_watch: memory_bytes.map(MemoryWatch::new),
            killed_for_memory: killed_for_memory(),
            transcript: Transcript::default(),
            frozen: None,
            pondered: Duration::ZERO,
            end,
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
    pub async fn ask(&mut self, question: &Question<'_>) -> Result<Answer, Box<Fault>> {
        let mut turn = TurnTally::default();
        let answer = self.answer(question, &mut turn).await;
        // What a bot says of a turn is worth most where it fails.
        answer.map_err(|fault| self.excuse(Fault { log: turn.log, ..*fault }).into())
    }

    /// The verdict on a bot, unless the machine is to blame for what it did: where nobody can start a process, a bot that
    /// needs one can't play. One with many of its own may be why there are no more; each thread counts as a process does.
    pub fn excuse(&self, fault: Fault) -> Fault {
        const FEW: usize = 32;
        let few = || self.tree().processes().into_iter().map(|pid| threads(pid).len()).sum::<usize>() <= FEW;
        let excused = fault.code != Code::ArenaFault && few() && host::lacks_processes();
        if excused { host::no_processes(fault) } else { fault }
    }

    async fn answer(&mut self, question: &Question<'_>, turn: &mut TurnTally) -> Result<Answer, Box<Fault>> {
        self.pass_over_stale_lines(turn)?;
        if question.id == 1 {
            // Said in the last game, or before the first: none of it belongs to the record of this one.
            (*turn, self.lines) = (TurnTally::default(), 0);
        }
        let startup_end = (!self.awake).then(|| self.started + question.clock.startup);
        let pondered = std::mem::take(&mut self.pondered);
        let pondered = if startup_end.is_some() { Duration::ZERO } else { pondered };
        let mut stopwatch =
            Stopwatch::start(question.clock, question.bank, self.tree(), startup_end, pondered);
        if let Some(pondered) = stopwatch.over_before() {
            return Err(pondered_too_long(pondered, stopwatch.limit).into());
        }
        self.send(&stopwatch).await?;
        loop {
            while let Some(line) = self.next_line(turn)? {
                if let Some(answer) = self.consider(line, question, turn, &mut stopwatch)? {
                    self.look_at_memory(true)?;
                    return Ok(answer);
                }
            }
            let look = self.look(&mut stopwatch)?;
            if self.hear(question.alone, look).await? == Heard::End {
                return Err(self.why_silent().await.into());
            }
        }
    }

    /// Is everything within its limits? If so, when is it time to look again?
    fn look(&mut self, stopwatch: &mut Stopwatch) -> Result<Instant, Box<Fault>> {
        let Some(look) = stopwatch.next_look() else { return Err(self.timed_out(stopwatch, false).into()) };
        self.look_at_memory(false)?;
        Ok(self.memory_watch.as_ref().map_or(look, |memory| look.min(memory.next_look())))
    }

    fn look_at_memory(&mut self, answered: bool) -> Result<(), Box<Fault>> {
        let tree = self.tree();
        let Some(memory) = &mut self.memory_watch else { return Ok(()) };
        match memory.look(tree, answered) {
            Some(fault) => Err(Fault { stderr: self.last_stderr(), ..fault }.into()),
            None => Ok(()),
        }
    }

    /// Waits for output until then. Who is asked alone is waited for on this thread first, which costs less than the
    /// runtime does and is long enough for most answers.
    async fn hear(&mut self, alone: bool, until: Instant) -> Result<Heard, Box<Fault>> {
        if alone {
            let left = until.saturating_duration_since(Instant::now());
            let heard = self.output.read_within(left.min(MOMENT), &mut self.input);
            if heard != Heard::Nothing {
                return Ok(heard);
            }
        }
        match timeout_at(until, self.output.readable()).await {
            Ok(Ok(())) => Ok(self.read_now()),
            Ok(Err(error)) => Err(host::fault("can't wait for the bot", &error).into()),
            Err(_) => Ok(Heard::Nothing),
        }
    }

    async fn send(&mut self, stopwatch: &Stopwatch) -> Result<(), Box<Fault>> {
        self.show_tap();
        let mut written = 0;
        let lines = self.outbox.as_bytes();
        let mut sent = Some(write_now(&self.stdin, lines, &mut written).map(drop));
        if let Some(Ok(())) = sent
            && written < lines.len()
        {
            let rest = write_all(&self.stdin, lines, &mut written);
            sent = timeout_at(stopwatch.deadline, rest).await.ok();
        }
        self.transcript.sent(&mut self.outbox);
        match sent {
            Some(Ok(())) => Ok(()),
            // One that no longer reads is known by its output: the end of it, too much of it, or none in time.
            Some(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Some(Err(error)) => Err(host::fault("can't write to the bot", &error).into()),
            None => Err(self.timed_out(stopwatch, true).into()),
        }
    }

    /// Whatever came before the question can't be its answer.
    fn pass_over_stale_lines(&mut self, turn: &mut TurnTally) -> Result<(), Box<Fault>> {
        loop {
            while let Some(line) = self.next_line(turn)? {
                match protocol::read_line(&line) {
                    Ok(FromBot::Ready(ready)) => {
                        self.ready.get_or_insert(ready);
                        continue;
                    }
                    Ok(FromBot::Log(log)) => turn.log.push(log.text),
                    Err(problem) if problem.code == "protocol_version" => {
                        return Err(Fault::from_problem(problem, self.lines + 1, &line).into());
                    }
                    _ => turn.ignored += 1,
                }
                self.lines += 1;
            }
            if self.read_now() != Heard::Something {
                (turn.lines, turn.bytes) = (0, 0);
                return Ok(());
            }
        }
    }

    /// The next whole line, checked against the limits of a turn.
    fn next_line(&mut self, turn: &mut TurnTally) -> Result<Option<Vec<u8>>, Box<Fault>> {
        let Some(end) = self.input.iter().position(|&byte| byte == b'\n') else {
            if self.input.len() >= LIMITS.line_bytes {
                let fault =
                    Fault::new(Code::LineTooLong, format!("a line of more than {} bytes", LIMITS.line_bytes));
                return Err(fault
                    .at_line(self.lines + 1, &self.input)
                    .hint("answer with one short line")
                    .into());
            }
            return Ok(None);
        };
        let mut line: Vec<u8> = self.input.drain(..=end).collect();
        line.pop();
        self.transcript.heard(&line);
        if let Some(tap) = &self.tap {
            tap.incoming(&line);
        }
        if !self.awake {
            self.awake = true;
            if let (Some(pid), Some(core)) = (self.pid, self.keeper.fetch_to) {
                fetch(pid, core);
            }
        }
        turn.lines += 1;
        turn.bytes += line.len();
        if turn.lines > LIMITS.turn_lines || turn.bytes > LIMITS.turn_bytes {
            let limits = format!("{} lines or {} bytes", LIMITS.turn_lines, LIMITS.turn_bytes);
            let fault = Fault::new(Code::TooChatty, format!("more than {limits} for one turn"));
            let fault = fault.at_line(self.lines + 1, &line);
            return Err(fault.hint("print debug output to standard error").into());
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
    ) -> Result<Option<Answer>, Box<Fault>> {
        self.lines += 1;
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
            FromBot::Move(Move { mv, info, slips, .. }) => {
                let taken = stopwatch.taken();
                if stopwatch.too_late(taken) {
                    return Err(too_late(taken, stopwatch.limit).at_line(self.lines, &line).into());
                }
                let answer = Answer {
                    mv,
                    info: info.or_else(|| turn.info.take()),
                    log: std::mem::take(&mut turn.log),
                    taken,
                    line: self.lines,
                    text: line,
                    ignored: turn.ignored + slips,
                };
                self.answered = true;
                return Ok(Some(answer));
            }
            FromBot::Ready(ready) => {
                self.lines -= 1;
                if self.ready.is_none() {
                    self.ready = Some(ready);
                    stopwatch.ready();
                }
            }
            FromBot::Info(info) => {
                turn.ignored += info.slips;
                turn.info = Some(info.search.into());
            }
            FromBot::Log(log) => turn.log.push(log.text),
            FromBot::Unknown(_) => turn.ignored += 1,
        }
        Ok(None)
    }

    /// Takes what has arrived.
    fn read_now(&mut self) -> Heard {
        self.output.read_now(&mut self.input)
    }

    /// Takes what has been said so far, so that it is kept with the right game.
    fn read_stderr(&self) {
        let mut stderr = locked(&self.stderr);
        // A pipe holds no more than this; a bot that never stops must not keep the arena here.
        for _ in 0..8 {
            if !matches!(stderr.take(|buffer| read_now(&self.stderr_pipe, buffer)), Ok(1..)) {
                return;
            }
        }
    }

    /// The bot with all that it has started.
    fn tree(&self) -> Tree {
        Tree { keeper: self.keeper.pid, bot: self.pid }
    }

    fn timed_out(&mut self, stopwatch: &Stopwatch, unread: bool) -> Fault {
        let case = Unanswered {
            processes: self.tree().processes(),
            limit: stopwatch.limit,
            unread,
            passed_over: stopwatch.passed_over,
            partial: &self.input,
            line: self.lines,
            answered: self.answered,
        };
        let fault = if has_reader(&self.stdin) { timed_out(&case) } else { closed_stdin() };
        Fault { stderr: self.last_stderr(), ..fault }
    }

    /// Standard output is closed: did the bot die, and of what?
    async fn why_silent(&mut self) -> Fault {
        if self.end.is_none() {
            match timeout(LAST_WORDS, self.keeper.end()).await {
                Ok(Ok(end)) => self.end = Some(end),
                Ok(Err(error)) => return host::fault("the bot is gone", &error),
                Err(_) => {}
            }
        }
        let stderr = self.last_stderr();
        let fault = match self.end {
            Some(End { status, used }) => {
                let Bot { awake: spoke, memory_bytes, .. } = *self;
                let memory_was_short = killed_for_memory() != self.killed_for_memory;
                Death { status, stderr: &stderr, spoke, memory_bytes, used, memory_was_short }.fault()
            }
            None => closed_stdout(),
        };
        let unread = (!self.input.is_empty()).then(|| protocol::quoted(&self.input));
        Fault { got: unread, stderr, ..fault }
    }

    fn last_stderr(&self) -> Vec<String> {
        self.read_stderr();
        locked(&self.stderr).last_lines(20)
    }

    /// What can be said about a bot that has failed. Before it is killed there is more to see.
    pub fn evidence(&self) -> Evidence {
        self.read_stderr();
        Evidence {
            ended: self.end.map(|end| in_words(end.status)),
            last_lines: self.transcript.last_lines(),
            stderr: locked(&self.stderr).last_bytes(8 * 1_024),
            ..match self.end {
                Some(end) => end.used.map(Evidence::of_used).unwrap_or_default(),
                None => Evidence::of_processes(self.tree()),
            }
        }
    }

    /// A new game begins: what was said in the last one is no longer evidence.
    pub fn begin_game(&mut self) {
        (self.lines, self.pondered) = (0, Duration::ZERO);
        self.read_stderr();
        locked(&self.stderr).clear();
    }

    /// Stops a bot while others think, with all that it has started, or lets it go on.
    pub fn freeze(&mut self, frozen: bool) {
        if frozen {
            self.frozen = Some(Frozen::stop(self.tree()));
        } else if let Some(frozen) = self.frozen.take() {
            self.pondered += frozen.go_on();
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
            if timeout(LOOK, self.output.readable()).await.is_ok() {
                match self.read_now() {
                    Heard::Something => return Ok(()),
                    Heard::Nothing => {}
                    Heard::End => return Err(self.why_silent().await),
                }
            }
            let states: Vec<Activity> = self.tree().processes().into_iter().map(activity).collect();
            // Seen twice: if the bot itself has ended, the look in between finds its output closed.
            let gone = self.keeper.is_gone();
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
        self.tree().processes().into_iter().map(peak_memory).sum()
    }

    /// Bytes written to standard error since the process started.
    pub fn stderr_bytes(&self) -> u64 {
        self.read_stderr();
        locked(&self.stderr).seen()
    }

    /// Says goodbye, waits a moment, and makes sure that nothing is left. Its keeper can start it again.
    pub async fn quit(mut self) -> Option<Keeper> {
        self.tell(&ToBot::Quit).await;
        let limit = self.memory_bytes;
        let (end, keeper) = self.part(FAREWELL).await?;
        // The most that was ever used is all that a keeper can tell: the next one must not be blamed for it.
        let much = |used: Used| limit.is_some_and(|limit| used.memory_kib * 1_024 > limit / 2);
        (end.status.success() && !end.used.is_none_or(much)).then_some(keeper)
    }

    /// Ends a bot that has just been told of its mistake, with the time to read about it.
    pub async fn dismiss(mut self) {
        self.tell(&ToBot::Quit).await;
        self.part(LAST_READING).await;
    }

    /// Closes the bot's standard input. How it ended, or `None` if it had to be killed.
    pub async fn leave(self, patience: Duration) -> Option<ExitStatus> {
        self.part(patience).await.map(|(end, _)| end.status)
    }

    async fn part(self, patience: Duration) -> Option<(End, Keeper)> {
        let Bot { mut keeper, stdin, end, .. } = self;
        drop(stdin);
        let end = match end {
            Some(end) => Some(end),
            None => timeout(patience, keeper.end()).await.ok().and_then(Result::ok),
        };
        match end {
            Some(end) => Some((end, keeper)),
            None => {
                keeper.dismiss();
                None
            }
        }
    }

    /// Ends the bot at once, with all that it has started.
    pub fn kill(self) {
        self.keeper.dismiss();
    }
}

fn hire(spec: &BotSpec, memory_bytes: Option<u64>) -> io::Result<Keeper> {
    Keeper::hire(&spec.command(), spec.folder(), spec.account(), memory_bytes)
}

/// The keeper is this very program: if it can't be started, that is not the bot's doing.
fn no_process(spec: &BotSpec, error: &io::Error) -> Fault {
    host::fault(&format!("no process for `{spec}`"), error)
}

/// An answer for which too much was computed, by several processes at once.
fn too_late(taken: Duration, limit: Duration) -> Fault {
    let (taken, limit) = (taken.as_millis(), limit.as_millis());
    Fault::new(
        Code::TimeoutBusy,
        format!("the answer took {taken} ms of processor time, and {limit} ms are allowed"),
    )
    .hint("the work of all threads and of all child processes counts")
}

/// A bot that was stopped and went on all the same, until there was no time left for its move.
fn pondered_too_long(pondered: Duration, limit: Duration) -> Fault {
    let (pondered, limit) = (pondered.as_millis(), limit.as_millis());
    let problem = format!(
        "the bot has computed for {pondered} ms while it was stopped, and {limit} ms are allowed for its move"
    );
    Fault::new(Code::TimeoutBusy, problem).hint("without pondering, leave stopped what the arena has stopped")
}

/// What a bot has said within one turn.
#[derive(Default)]
struct TurnTally {
    lines: usize,
    bytes: usize,
    ignored: u64,
    info: Option<Box<Search>>,
    log: Vec<String>,
}
