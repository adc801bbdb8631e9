//! The beginning of a process.

use super::{Bot, LIMITS};
use crate::fault::{Code, Fault};
use crate::process::autopsy::evidence::Conversation;
use crate::process::autopsy::stderr_tail::StderrTail;
use crate::process::keeper::handle::Keeper;
use crate::process::keeper::report::{BotEnd, KeeperReport};
use crate::process::keeper::starting::Starting;
use crate::process::limits::memory::MemoryWatch;
use crate::process::limits::usage::Usage;
use crate::process::pipe::drainer::drain;
use crate::process::pipe::ends::without_blocking;
use crate::process::pipe::output::Output;
use crate::process::system::host;
use crate::process::system::proc_files::killed_for_memory;
use crate::spec::BotSpec;
use protocol::{Hello, PROTOCOL, ToBot};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

impl Bot {
    /// Starts a process, and does not wait for what the process does then.
    pub fn start_blocking(spec: &BotSpec, memory_bytes: Option<u64>) -> Result<Bot, Fault> {
        Bot::started_blocking(Starting::order(Bot::keeper_blocking(spec, memory_bytes)?), spec, memory_bytes)
    }

    /// A keeper under which this bot can be started, now or later.
    pub fn keeper_blocking(spec: &BotSpec, memory_bytes: Option<u64>) -> Result<Keeper, Fault> {
        spec.prepare().map_err(|error| {
            let code = if error.ours { Code::ArenaFault } else { Code::FailedToStart };
            let fault = Fault::new(code, error.problem).hint(error.hint);
            Fault { stderr: error.output, ..fault }
        })?;
        hire(spec, memory_bytes).map_err(|error| no_process(spec, &error))
    }

    /// Waits until the keeper reports that the bot has started. The keeper may have kept this bot
    /// before.
    pub fn started_blocking(
        starting: io::Result<Starting>,
        spec: &BotSpec,
        memory_bytes: Option<u64>,
    ) -> Result<Bot, Fault> {
        // A bot that has gone may have harmed its keeper.
        let anew = |_| Bot::meet_blocking(Starting::order(hire(spec, memory_bytes)?)?, memory_bytes);
        let met = starting.and_then(|starting| Bot::meet_blocking(starting, memory_bytes));
        met.or_else(anew).map_err(|error| no_process(spec, &error))
    }

    fn meet_blocking(starting: Starting, memory_bytes: Option<u64>) -> io::Result<Bot> {
        let Starting { mut keeper, stdin, stdout, stderr, .. } = starting;
        let report = keeper
            .started_blocking()
            .or_else(|gone| keeper.orphan_blocking().map(KeeperReport::Started).ok_or(gone))?;
        let (pid, end) = match report {
            KeeperReport::Started(pid) => (Some(pid), None),
            KeeperReport::Refused(_) => (None, Some(BotEnd::not_started())),
            KeeperReport::Lacking(problem) => return Err(problem.into()),
            KeeperReport::Jailed { .. } => return Err(io::Error::other("the keeper has started nothing")),
            KeeperReport::Ended(end) => (None, Some(end)),
        };
        let usage = Usage::of(&keeper.tree(pid));
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
            is_used: false,
            named: false,
            ready: None,
            memory_bytes,
            memory_watch: memory_bytes.map(MemoryWatch::new),
            usage,
            killed_for_memory: killed_for_memory(),
            conversation: Conversation::default(),
            frozen: None,
            hogs: false,
            pondered: Duration::ZERO,
            disturbance: None,
            disturbed: None,
            end,
            tap: None,
        })
    }

    pub fn hello() -> ToBot {
        let arena = concat!("ludus ", env!("CARGO_PKG_VERSION")).to_owned();
        ToBot::Hello(Hello { protocol: PROTOCOL, arena, limits: LIMITS })
    }
}

fn hire(spec: &BotSpec, memory_bytes: Option<u64>) -> io::Result<Keeper> {
    Keeper::hire(&spec.command(), spec.folder(), spec.account(), memory_bytes, &spec.sandbox)
}

/// The keeper is this very program. If the keeper can't be started, the bot is not to blame, unless
/// its command line is one that no system starts.
fn no_process(spec: &BotSpec, error: &io::Error) -> Fault {
    if host::is_wrong_command(error) {
        let problem = format!("the bot could not be started: {error}");
        return Fault::new(Code::FailedToStart, problem)
            .hint("give a shorter command line, without NUL characters");
    }
    host::fault(&format!("no process for `{spec}`"), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::BotKind;

    #[test]
    fn a_command_line_that_no_system_starts_is_the_fault_of_the_bot() {
        let many = vec!["x".to_owned(); 1_000_000];
        for more in [vec!["\0".to_owned()], vec!["x".repeat(200_000)], many] {
            let words = std::iter::once("sh".to_owned()).chain(more).collect();
            let spec = BotSpec { kind: BotKind::Command(words), ..BotSpec::random() };
            let fault = Bot::start_blocking(&spec, None).map(drop).unwrap_err();
            assert_eq!(fault.code, Code::FailedToStart, "{fault}");
        }
    }
}
