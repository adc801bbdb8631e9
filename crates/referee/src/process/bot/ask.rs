//! The conversation with a bot: a question goes out, lines come back, and one line is the answer.

use super::{Bot, LAST_WORDS, LIMITS};
use crate::explorer::{Explorer, explore_off};
use crate::fault::{Code, Fault};
use crate::player::{MoveReply, MoveRequest};
use crate::process::autopsy::death::Death;
use crate::process::autopsy::diagnosis::{Unanswered, closed_stdin, closed_stdout, timed_out};
use crate::process::autopsy::refusal::by_sandbox;
use crate::process::jail::Protections;
use crate::process::keeper::report::BotEnd;
use crate::process::limits::disturbance::Disturbance;
use crate::process::limits::stopwatch::Stopwatch;
use crate::process::lock::locked;
use crate::process::pipe::ends::{has_reader, write_all, write_now};
use crate::process::pipe::output::Heard;
use crate::process::system::cores::fetch;
use crate::process::system::host;
use crate::process::system::proc_files::{killed_for_memory, threads};
use protocol::{Explore, FromBot, Measured, Move, Search};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout, timeout_at};

/// How long the thread itself waits for an answer, before the runtime waits. Longer than a quick
/// bot takes.
const MOMENT: Duration = Duration::from_millis(20);
/// A bot that has sent a request within this time, or within a tenth of its time for the move, was
/// exploring. On a busy machine much time may pass between two requests.
const EXPLORING: Duration = Duration::from_millis(100);
/// How long the arena answers requests in one go, and how many bytes of answers it collects, before
/// it writes them and looks at the clock.
const SLICE: Duration = Duration::from_micros(500);
const FULL: usize = 32_768;

/// When to look whether others keep the core from this bot: after a moment, then ever less often. No
/// bot can know when, and rest just then.
struct CalmWatch<'a> {
    calm_others: Option<&'a dyn Fn() -> bool>,
    pause: Duration,
    next: Instant,
    /// Has the arena waited for an answer yet?
    waited: bool,
}

impl CalmWatch<'_> {
    const LONGEST: Duration = Duration::from_millis(320);

    /// Somewhere between half of a pause and one and a half.
    fn somewhere(pause: Duration) -> Duration {
        let random = RandomState::new().hash_one(()) % 1_024;
        pause / 2 + pause * random as u32 / 1_024
    }

    /// True if somebody was stopped just now. Does nothing before it is time, unless all the bot's
    /// time is up.
    fn look(&mut self, is_over: bool) -> bool {
        let is_due = |next| is_over || Instant::now() >= next;
        let Some(calm_others) = self.calm_others.filter(|_| self.waited && is_due(self.next)) else {
            return false;
        };
        let calmed = calm_others();
        self.pause = (self.pause * 2).min(CalmWatch::LONGEST);
        self.next = Instant::now() + CalmWatch::somewhere(self.pause);
        calmed
    }
}

impl Bot {
    /// The verdict on a bot, unless the machine is to blame. Where nobody can start a process, a
    /// bot that needs another process can't play. A bot with many processes is not excused, because
    /// it may have used them up. A thread counts as a process.
    pub fn excuse(&self, fault: Fault) -> Fault {
        const FEW: usize = 32;
        let few = || self.tree().processes().into_iter().map(|pid| threads(pid).len()).sum::<usize>() <= FEW;
        let excused = fault.code != Code::ArenaFault && few() && host::lacks_processes();
        if excused { host::no_processes(fault) } else { fault }
    }

    pub(super) async fn answer(
        &mut self,
        request: &MoveRequest<'_>,
        turn: &mut TurnTally,
    ) -> Result<MoveReply, Box<Fault>> {
        (self.disturbance, self.disturbed) = (None, None);
        self.pass_over_stale_lines(turn)?;
        if request.id == 1 {
            // These lines were written in the last game, or before the first. The record of this
            // game must not show them.
            (*turn, self.lines) = (TurnTally::default(), 0);
        }
        let startup_end = (!self.awake).then(|| self.started + request.clock.startup);
        let pondered = std::mem::take(&mut self.pondered);
        let pondered = if startup_end.is_some() { Duration::ZERO } else { pondered };
        let mut stopwatch = Stopwatch::start(request.clock, request.bank, self.tree(), startup_end, pondered);
        if let Some(pondered) = stopwatch.over_before() {
            return Err(pondered_too_long(pondered, stopwatch.limit).into());
        }
        self.send(&stopwatch).await?;
        let mut explorer = Explorer::new(request.explore);
        let mut calm = CalmWatch {
            calm_others: request.calm_others,
            pause: MOMENT,
            next: stopwatch.begun + CalmWatch::somewhere(MOMENT),
            waited: false,
        };
        loop {
            let service = stopwatch.begin_service();
            let slice = Instant::now();
            let mut is_busy = true;
            while is_busy {
                let Some(line) = self.next_line()? else { break };
                if let Some(reply) = self.consider(line, request, turn, &mut explorer, &mut stopwatch)? {
                    if !self.outbox.is_empty() {
                        self.send(&stopwatch).await?;
                    }
                    self.look_at_memory(true)?;
                    return Ok(reply);
                }
                // Who floods the arena with requests waits for room in the pipe like everybody else, and can't keep
                // the arena from looking at the clock.
                is_busy = self.outbox.len() < FULL && slice.elapsed() < SLICE;
            }
            stopwatch.end_service(service);
            if !self.outbox.is_empty() {
                self.send(&stopwatch).await?;
            }
            let look = self.look(&mut stopwatch, &mut calm)?;
            if !is_busy {
                if !request.may_block {
                    yield_now().await;
                }
                continue;
            }
            match self.hear(request.may_block, look).await? {
                Heard::End => return Err(self.why_silent().await.into()),
                Heard::Nothing if self.disturbance.is_none() && request.clock.measured == Measured::Wall => {
                    self.disturbance = Disturbance::begin(self.tree());
                }
                _ => {}
            }
            calm.waited = true;
        }
    }

    /// Checks all limits. Returns when to check again.
    fn look(&mut self, stopwatch: &mut Stopwatch, calm: &mut CalmWatch<'_>) -> Result<Instant, Box<Fault>> {
        let mut look = stopwatch.next_look();
        if calm.look(look.is_none()) {
            stopwatch.begin_again();
            look = stopwatch.next_look();
        }
        let Some(look) = look else { return Err(self.timed_out(stopwatch, false).into()) };
        let look = if calm.calm_others.is_some() { look.min(calm.next) } else { look };
        self.look_at_memory(false)?;
        Ok(self.memory_watch.as_ref().map_or(look, |memory| look.min(memory.next_look())))
    }

    fn look_at_memory(&mut self, answered: bool) -> Result<(), Box<Fault>> {
        let tree = self.tree();
        let Some(memory) = &mut self.memory_watch else { return Ok(()) };
        match memory.look(&tree, answered) {
            Some(fault) => Err(Fault { stderr: self.last_stderr(), ..fault }.into()),
            None => Ok(()),
        }
    }

    /// Waits for output until then. If this thread may be blocked it waits by itself for a moment,
    /// which costs less than the runtime does and is long enough for most answers.
    async fn hear(&mut self, may_block: bool, until: Instant) -> Result<Heard, Box<Fault>> {
        if may_block {
            let left = until.saturating_duration_since(Instant::now());
            let heard = self.output.read_blocking(left.min(MOMENT), &mut self.input);
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
        self.end_turn();
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
        self.conversation.sent(&mut self.outbox);
        match sent {
            Some(Ok(())) => Ok(()),
            // A bot that no longer reads shows up as the end of its output, as too much output, or
            // as a timeout.
            Some(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Some(Err(error)) => Err(host::fault("can't write to the bot", &error).into()),
            None => Err(self.timed_out(stopwatch, true).into()),
        }
    }

    /// Lines that came before the question can't be the answer.
    fn pass_over_stale_lines(&mut self, turn: &mut TurnTally) -> Result<(), Box<Fault>> {
        loop {
            while let Some(line) = self.next_line()? {
                self.count_chatter(&line, turn)?;
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

    /// The next whole line.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, Box<Fault>> {
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
        self.conversation.heard(&line);
        if let Some(tap) = &self.tap {
            tap.incoming(&line);
        }
        if !self.awake {
            self.awake = true;
            if let (Some(pid), Some(core)) = (self.pid, self.keeper.fetch_to) {
                fetch(pid, core);
            }
        }
        Ok(Some(line))
    }

    /// Checks a line against the limits of a turn. Exploring has limits of its own.
    fn count_chatter(&self, line: &[u8], turn: &mut TurnTally) -> Result<(), Box<Fault>> {
        turn.lines += 1;
        turn.bytes += line.len();
        if turn.lines > LIMITS.turn_lines || turn.bytes > LIMITS.turn_bytes {
            let limits = format!("{} lines or {} bytes", LIMITS.turn_lines, LIMITS.turn_bytes);
            let fault = Fault::new(Code::TooChatty, format!("more than {limits} for one turn"));
            let fault = fault.at_line(self.lines + 1, line);
            let explores = matches!(protocol::read_line(line), Ok(FromBot::Explore(_)));
            return Err(fault
                .hint(if explores {
                    "explore only during your own turn, before the move: other requests get no answer"
                } else {
                    "print debug output to standard error"
                })
                .into());
        }
        Ok(())
    }

    /// Is this line the answer?
    fn consider(
        &mut self,
        line: Vec<u8>,
        request: &MoveRequest<'_>,
        turn: &mut TurnTally,
        explorer: &mut Option<Explorer<'_>>,
        stopwatch: &mut Stopwatch,
    ) -> Result<Option<MoveReply>, Box<Fault>> {
        let message = protocol::read_line(&line);
        if !matches!(message, Ok(FromBot::Explore(_))) {
            self.count_chatter(&line, turn)?;
        }
        self.lines += 1;
        if line.trim_ascii().is_empty() {
            turn.ignored += 1;
            return Ok(None);
        }
        let message = message.map_err(|problem| Fault {
            turn: Some(request.id),
            ..Fault::from_problem(problem, self.lines, &line)
        })?;
        match message {
            FromBot::Explore(Explore { id: Some(id), .. }) | FromBot::Move(Move { id: Some(id), .. })
                if id != request.id =>
            {
                turn.ignored += 1;
                stopwatch.passed_over = Some((id, request.id));
            }
            FromBot::Explore(explore) => {
                let names = explore.match_id.as_deref() == Some(request.explore.match_id);
                if request.id == 1 && self.lines == 1 {
                    self.named = names;
                    if self.is_used && !names {
                        return Err(
                            Fault::new(Code::ArenaFault, "a request that may be of the last game").into()
                        );
                    }
                }
                let done = match explorer {
                    Some(explorer) => explorer.answer(&explore, line.len() + 1, &mut self.outbox),
                    None => Err(explore_off()),
                };
                done.map_err(|fault| Fault { turn: Some(request.id), ..fault.at_line(self.lines, &line) })?;
                stopwatch.exploring = explorer.as_ref().map(|explorer| (Instant::now(), explorer.explored));
            }
            FromBot::Move(Move { mv, info, slips, .. }) => {
                let taken = stopwatch.taken();
                if stopwatch.too_late(taken) {
                    return Err(too_late(taken, stopwatch).at_line(self.lines, &line).into());
                }
                let reply = MoveReply {
                    mv,
                    info: info.or_else(|| turn.info.take()),
                    log: std::mem::take(&mut turn.log),
                    taken,
                    line: self.lines,
                    text: line,
                    ignored: turn.ignored + slips,
                    explored: explorer.as_ref().map_or(0, |explorer| explorer.explored),
                };
                if !self.answered {
                    self.answered = true;
                    // What is there by now may come from the last game. A later fault does not show
                    // it.
                    self.read_stderr();
                    locked(&self.stderr).begin_lines();
                }
                return Ok(Some(reply));
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

    fn timed_out(&mut self, stopwatch: &Stopwatch, unread: bool) -> Fault {
        self.disturbed = self.disturbance.take().and_then(Disturbance::found);
        if let Some((last, nodes)) = stopwatch.exploring
            && !unread
            && last.elapsed() < EXPLORING.max(stopwatch.limit / 10)
            && has_reader(&self.stdin)
        {
            return Fault { stderr: self.last_stderr(), ..still_exploring(stopwatch.limit, nodes) };
        }
        let case = Unanswered {
            processes: self.tree().processes(),
            limit: stopwatch.limit,
            unread,
            hidden: stopwatch.is_hidden(),
            passed_over: stopwatch.passed_over,
            partial: &self.input,
            line: self.lines,
            answered: self.answered,
        };
        let fault = if has_reader(&self.stdin) { timed_out(&case) } else { closed_stdin() };
        self.with_stderr(fault, self.last_stderr())
    }

    /// What a bot wrote to standard error belongs to its fault. The text may also show that the
    /// sandbox has refused something.
    fn with_stderr(&self, fault: Fault, stderr: Vec<String>) -> Fault {
        let is_jailed = self.keeper.protections().is_some_and(|found| found != Protections::default());
        let refused = if is_jailed && fault.code != Code::OutOfMemory { by_sandbox(&stderr) } else { None };
        let fault = match refused {
            Some(refusal) => fault.hint(refusal),
            None => fault,
        };
        Fault { stderr, ..fault }
    }

    /// Standard output is closed: did the bot die, and of what?
    pub(super) async fn why_silent(&mut self) -> Fault {
        if self.end.is_none() {
            match timeout(LAST_WORDS, self.keeper.end()).await {
                Ok(Ok(end)) => self.end = Some(end),
                Ok(Err(_)) if self.keeper.ran_out_of_memory() => {
                    let problem = "the bot needed more memory than it may have, and was ended";
                    return Fault::new(Code::OutOfMemory, problem)
                        .hint("shared memory and the memory of child processes count too");
                }
                Ok(Err(error)) => return host::fault("the bot is gone", &error),
                Err(_) => {}
            }
        }
        let stderr = self.last_stderr();
        let fault = match self.end {
            Some(BotEnd { status, used }) => {
                let Bot { awake: spoke, memory_bytes, .. } = *self;
                let memory_was_short = killed_for_memory() != self.killed_for_memory;
                Death { status, stderr: &stderr, spoke, memory_bytes, used, memory_was_short }.fault()
            }
            None => closed_stdout(),
        };
        let unread = (!self.input.is_empty()).then(|| protocol::quoted(&self.input));
        Fault { got: unread, ..self.with_stderr(fault, stderr) }
    }
}

/// The verdict on an answer that took too much processor time, with several processes at once. Where
/// some of the work can't be seen, the time on the wall counts.
fn too_late(taken: Duration, stopwatch: &Stopwatch) -> Fault {
    let (taken, limit) = (taken.as_millis(), stopwatch.limit.as_millis());
    let measured = if stopwatch.is_hidden() { "" } else { " of processor time" };
    Fault::new(Code::TimeoutBusy, format!("the answer took {taken} ms{measured}, and {limit} ms are allowed"))
        .hint("the work of all threads and of all child processes counts")
}

/// The verdict on a bot that was walking through the game until its time was up. Between two
/// requests such a bot seems to wait for input.
fn still_exploring(limit: Duration, nodes: u64) -> Fault {
    let limit = limit.as_millis();
    let problem =
        format!("no answer within {limit} ms: the bot was still exploring, with {nodes} nodes so far");
    Fault::new(Code::TimeoutBusy, problem)
        .hint("explore fewer nodes: search less deep, cut, or look at the clock between requests")
}

/// The verdict on a bot that went on computing while it was stopped, until no time was left for its
/// move.
fn pondered_too_long(pondered: Duration, limit: Duration) -> Fault {
    let (pondered, limit) = (pondered.as_millis(), limit.as_millis());
    let problem = format!(
        "the bot has computed for {pondered} ms while it was stopped, and {limit} ms are allowed for its move"
    );
    Fault::new(Code::TimeoutBusy, problem)
        .hint("without pondering, do not continue processes that the arena has stopped")
}

/// What a bot has said within one turn.
#[derive(Default)]
pub(super) struct TurnTally {
    lines: usize,
    bytes: usize,
    ignored: u64,
    info: Option<Box<Search>>,
    pub(super) log: Vec<String>,
}
