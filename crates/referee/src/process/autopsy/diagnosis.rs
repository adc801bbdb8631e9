//! Why did the answer not come? Found out while the bot is still running.

use crate::fault::{Code, Fault};
use crate::process::system::calls::{HAS_PROC, activity};
use crate::process::system::proc_files::Activity;
use nix::unistd::Pid;
use std::time::Duration;

/// What the arena itself knows about the question that was not answered.
pub(crate) struct Unanswered<'a> {
    pub processes: Vec<Pid>,
    pub limit: Duration,
    /// Part of the question could not even be written.
    pub unread: bool,
    /// The bot has computed in a way that the system does not count.
    pub hidden: bool,
    /// The id of an answer that was not for this turn, and the id of the turn.
    pub passed_over: Option<(u64, u64)>,
    /// An answer without its newline.
    pub partial: &'a [u8],
    pub line: u64,
    /// Has the bot answered a turn of this game?
    pub answered: bool,
}

/// The verdict on a bot that runs and will never hear another question.
pub(crate) fn closed_stdin() -> Fault {
    Fault::new(Code::ClosedStdin, "the bot closed its standard input and is still running")
        .hint("keep standard input open until `quit`: the questions arrive there")
}

/// The verdict on a bot that runs and can never answer again.
pub(crate) fn closed_stdout() -> Fault {
    Fault::new(Code::ClosedStdout, "the bot closed its standard output and is still running")
        .hint("keep standard output open until `quit`: the answers go there")
}

/// The verdict on a bot whose time is up.
pub(crate) fn timed_out(case: &Unanswered) -> Fault {
    let ms = case.limit.as_millis();
    let late = format!("no answer within {ms} ms");
    let states: Vec<Activity> = case.processes.iter().copied().map(activity).collect();
    if states.contains(&Activity::Stopped) && !states.contains(&Activity::Computing) {
        return Fault::new(
            Code::TimeoutSleeping,
            format!("{late}: a process of the bot is stopped, by a signal or by a tracer, and the arena did not do that"),
        )
        .hint("do not stop or trace processes; a debugger, SIGSTOP or a read from a terminal does that");
    }
    if case.unread {
        return Fault::new(
            Code::TimeoutNotReading,
            format!("{late}: the bot does not read its standard input"),
        )
        .hint("read one line, answer it, and go back to reading");
    }
    if !case.partial.is_empty() {
        return Fault::new(
            Code::TimeoutWaiting,
            format!("{late}: the line that the bot has begun has no newline"),
        )
        .at_line(case.line + 1, case.partial)
        .hint("end every answer with a newline");
    }
    if let Some((id, turn)) = case.passed_over {
        return Fault::new(
            Code::TimeoutWaiting,
            format!("{late}: an answer was passed over, because its id was {id} and the turn's is {turn}"),
        )
        .hint("send the `id` of the turn that you answer, or leave `id` out");
    }
    if states.contains(&Activity::Computing) {
        return Fault::new(Code::TimeoutBusy, format!("{late}: the bot is still computing"))
            .hint("search less deeply, or look for an endless loop; `clock.move_ms` says how long you have");
    }
    let read_or_flush =
        || if case.answered { NOT_FLUSHED.to_owned() } else { format!("{READ_ALL}{NOT_FLUSHED}") };
    if !HAS_PROC {
        let problem = format!("{late}: the bot was not seen computing, and this system tells no more");
        return Fault::new(Code::TimeoutWaiting, problem).hint(read_or_flush());
    }
    if case.hidden {
        let problem = format!("{late}: the bot has computed in processes that have gone without a trace");
        return Fault::new(Code::TimeoutBusy, problem)
            .hint("wait for the processes that you start, and start few of them: for others the arena can only measure wall-clock time");
    }
    if states.contains(&Activity::ReadingStdin) {
        let fault = Fault::new(
            Code::TimeoutWaiting,
            format!("{late}: the bot has read the question and waits for more input; no answer has arrived"),
        );
        return fault.hint(read_or_flush());
    }
    Fault::new(Code::TimeoutSleeping, format!("{late}: the bot neither computes nor reads its input"))
        .hint("does it sleep, wait for a lock, or buffer its output? Flush after every answer")
}

const NOT_FLUSHED: &str = "flush standard output after every answer: print(..., flush=True), fflush(stdout), \
    System.out.flush(); or did the bot find nothing to answer?";

/// If a bot has never answered, both mistakes are possible.
const READ_ALL: &str = "either the bot reads its whole input before it answers anything, as sys.stdin.read() does: read one line, \
    answer it, and go back to reading (mawk -Winteractive). Or its answer is still in a buffer: ";
