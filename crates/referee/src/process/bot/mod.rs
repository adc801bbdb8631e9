//! One bot process, asked one question at a time.
//!
//! `start` begins a process, `ask` is the conversation with it, and `leave` ends it. `lasting` is
//! for one game after another.

mod ask;
mod frozen;
mod lasting;
mod leave;
mod stack;
mod start;
mod tap;

pub use lasting::LastingBot;
pub use tap::{Tap, TappedLine};

use crate::fault::Fault;
use crate::player::{MoveReply, MoveRequest, Player, ResourceUse};
use crate::process::autopsy::death::{in_words, was_ended_by_system};
use crate::process::autopsy::evidence::{Conversation, FaultEvidence};
use crate::process::autopsy::stderr_tail::StderrTail;
use crate::process::keeper::handle::Keeper;
use crate::process::keeper::report::BotEnd;
use crate::process::limits::disturbance::Disturbance;
use crate::process::limits::memory::MemoryWatch;
use crate::process::limits::usage::Usage;
use crate::process::lock::locked;
use crate::process::pipe::ends::{read_now, write_all, write_now};
use crate::process::pipe::output::{Heard, Output};
use crate::process::system::proc_files::peak_memory;
use crate::process::system::tree::ProcessTree;
use crate::transcript::{TURN_STDERR, Transcript};
use ask::TurnTally;
use frozen::Frozen;
use nix::unistd::Pid;
use protocol::{Limits, Ready, ToBot};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, timeout};

const LIMITS: Limits = Limits::STANDARD;

/// So many threads of a bot may compute while others think. A language that starts needs more for a
/// moment.
const PONDERING: usize = 3;
const STARTING: usize = 8;

/// How long the arena waits for an exit status, or for standard error, of a process that is on its
/// way out.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A running bot.
pub struct Bot {
    keeper: Keeper,
    /// The bot's own process. `None` if the process could not be started.
    pid: Option<Pid>,
    /// Does not block. The runtime watches the pipes only while it waits for a slow bot, because a
    /// watched pipe makes every line cost more.
    stdin: OwnedFd,
    output: Output,
    /// Lines that go out with the next question or message.
    outbox: String,
    /// Bytes that were read and not used yet.
    input: Vec<u8>,
    stderr: Arc<Mutex<StderrTail>>,
    /// A second handle of the pipe that is drained into `stderr`.
    stderr_pipe: OwnedFd,
    /// Lines the bot has written in this game so far, without its `ready`.
    lines: u64,
    started: Instant,
    /// Has the process written a line yet? Until then its start-up time runs.
    awake: bool,
    /// Has the bot answered a turn of this game? Then it reads line by line.
    answered: bool,
    /// Has the process played before?
    is_used: bool,
    /// Has the bot's first line of this game named the game? Then it can't belong to the last one.
    named: bool,
    ready: Option<Ready>,
    memory_bytes: Option<u64>,
    memory_watch: Option<MemoryWatch>,
    usage: Usage,
    /// How many processes the system had killed for lack of memory when the bot was started.
    killed_for_memory: Option<u64>,
    conversation: Conversation,
    /// The stopped processes, while others think.
    frozen: Option<Frozen>,
    /// Has the bot kept the core from others? From then on it is stopped while others think.
    hogs: bool,
    /// What stopped processes have computed since the last move.
    pondered: Duration,
    /// Others and their work, since the arena has waited for an answer for a while, and what came of
    /// it if the answer did not come in time.
    disturbance: Option<Disturbance>,
    disturbed: Option<bool>,
    /// How the process ended, if it ended by itself.
    end: Option<BotEnd>,
    /// Who listens in.
    tap: Option<Tap>,
}

impl Bot {
    /// What the bot said of itself.
    pub fn ready(&self) -> Option<&Ready> {
        self.ready.as_ref()
    }

    /// Writes a message that needs no answer. If the bot does not read the message, its next turn
    /// will show that.
    pub async fn tell(&mut self, message: &ToBot) {
        self.put(message);
        self.show_tap();
        let mut written = 0;
        let lines = self.outbox.as_bytes();
        if write_now(&self.stdin, lines, &mut written).is_ok_and(|done| !done) {
            let _ = timeout(LAST_WORDS, write_all(&self.stdin, lines, &mut written)).await;
        }
        self.conversation.sent(&mut self.outbox);
    }

    /// Appends a message to the outbox.
    fn put(&mut self, message: &ToBot) {
        self.outbox.push_str(&serde_json::to_string(message).unwrap_or_default());
        self.outbox.push('\n');
    }

    /// Takes what has arrived.
    fn read_now(&mut self) -> Heard {
        self.output.read_now(&mut self.input)
    }

    /// Reads standard error up to now, so that its text is kept with the right game.
    fn read_stderr(&self) {
        let mut stderr = locked(&self.stderr);
        // A pipe holds no more than this. A bot that never stops writing must not keep the arena
        // here.
        for _ in 0..8 {
            if !matches!(stderr.take(|buffer| read_now(&self.stderr_pipe, buffer)), Ok(1..)) {
                return;
            }
        }
    }

    /// What was said in the last game is no longer evidence.
    fn forget_game(&mut self) {
        (self.lines, self.pondered, self.answered, self.named) = (0, Duration::ZERO, false, false);
        locked(&self.stderr).clear();
    }

    /// The bot with all that it has started.
    fn tree(&self) -> ProcessTree {
        self.keeper.tree(self.pid)
    }

    fn last_stderr(&self) -> Vec<String> {
        self.read_stderr();
        locked(&self.stderr).last_lines(20)
    }

    /// What can be said about a bot that has failed. Before it is killed there is more to see.
    fn evidence(&self) -> FaultEvidence {
        self.read_stderr();
        FaultEvidence {
            ended: self.end.map(|end| in_words(end.status)),
            disturbed: self.disturbed,
            ended_by_system: self.end.is_some_and(|end| was_ended_by_system(end.status)),
            last_lines: self.conversation.last_lines(),
            input: self.conversation.input(),
            stderr: locked(&self.stderr).last_bytes(8 * 1_024),
            ..match self.end {
                Some(end) => end.used.map(FaultEvidence::of_used).unwrap_or_default(),
                None => FaultEvidence::of_processes(&self.tree()),
            }
        }
    }

    /// Keeps a transcript of each game from now on.
    pub fn record(&mut self) {
        self.conversation.record();
        locked(&self.stderr).watch(TURN_STDERR);
    }

    /// Puts what was written in a turn into the transcript.
    fn end_turn(&mut self) {
        if self.conversation.has_turn() {
            self.read_stderr();
            let written = locked(&self.stderr).take_watched();
            self.conversation.end_turn(written);
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

    /// The most memory that the running processes of the bot have had.
    pub fn peak_memory(&self) -> u64 {
        self.tree().processes().into_iter().map(peak_memory).sum()
    }

    /// Bytes written to standard error since the process started.
    pub fn stderr_bytes(&self) -> u64 {
        self.read_stderr();
        locked(&self.stderr).seen()
    }
}

impl Player for Bot {
    fn begin_game(&mut self) {
        self.read_stderr();
        self.forget_game();
        self.conversation.begin_game(&self.outbox);
    }

    fn outbox(&mut self) -> &mut String {
        &mut self.outbox
    }

    async fn ask(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        let mut turn = TurnTally::default();
        self.freeze(false);
        let reply = self.answer(request, &mut turn).await;
        let reply = match reply {
            Ok(reply) => reply,
            // What a bot logs in a turn is worth most if the bot fails.
            Err(fault) => return Err(Fault { log: turn.log, ..*self.with_stack(fault).await }.into()),
        };
        if self.hogs {
            self.freeze(true);
        }
        Ok(reply)
    }

    fn calm(&mut self) -> bool {
        let most = if self.awake { PONDERING } else { STARTING };
        if self.frozen.is_some() || self.tree().computing(most + 1) <= most {
            return false;
        }
        tracing::debug!(pid = ?self.pid, "stopped: it keeps the core from a bot that must move");
        self.hogs = true;
        self.freeze(true);
        true
    }

    /// Stops the process with all that it has started, or lets them go on.
    fn freeze(&mut self, frozen: bool) {
        if frozen && self.frozen.is_none() {
            self.frozen = Some(Frozen::stop(self.tree()));
        } else if !frozen && let Some(stopped) = self.frozen.take() {
            self.pondered += stopped.go_on();
        }
    }

    fn used(&mut self) -> Option<ResourceUse> {
        self.usage.read(&self.tree())
    }

    fn transcript(&mut self) -> Option<Box<Transcript>> {
        self.end_turn();
        self.conversation.transcript(&self.outbox)
    }

    async fn dismiss(mut self, fault: Fault) -> (Fault, FaultEvidence) {
        let fault = self.excuse(fault);
        // There is more to see before the bot is killed.
        let mut evidence = self.evidence();
        self.end_turn();
        self.freeze(false);
        self.tell(&ToBot::Error(fault.to_message())).await;
        evidence.transcript = self.conversation.transcript("");
        // A bot that has just written something can also read.
        if fault.got.is_some() {
            self.let_read().await;
        } else {
            self.kill_blocking();
        }
        (fault, evidence)
    }
}
