//! Where in its program did a late bot stand? Python tells, if it is asked to abort.

use super::Bot;
use crate::fault::{Code, Fault};
use crate::process::lock::locked;
use crate::process::system::proc_files::command_name;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the arena waits for Python's words.
const PATIENCE: Duration = Duration::from_millis(200);
const LOOK: Duration = Duration::from_millis(10);
/// The calls that are shown. The innermost ones tell most.
const CALLS: usize = 6;

impl Bot {
    /// Adds the calls that a late bot was in to the verdict. The calls differ from run to run, so no
    /// record has them.
    pub(super) async fn with_stack(&self, fault: Box<Fault>) -> Box<Fault> {
        let is_python = |pid: &Pid| command_name(*pid).is_some_and(|name| name.starts_with("python"));
        let pythons: Vec<Pid> = self.tree().processes().into_iter().filter(is_python).collect();
        if fault.code != Code::TimeoutBusy || pythons.is_empty() {
            return fault;
        }
        for pid in pythons {
            let _ = kill(pid, Signal::SIGABRT); // it may be gone
        }
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            sleep(LOOK).await;
            self.read_stderr();
            let stack = calls(&locked(&self.stderr).last_bytes(8 * 1_024));
            // The outermost call is that of the module itself.
            if stack.last().is_some_and(|call| call.ends_with(" in <module>")) {
                return Fault { stack: stack.into_iter().take(CALLS).collect(), ..*fault }.into();
            }
        }
        fault
    }
}

/// The calls of the main thread, the innermost first.
fn calls(text: &str) -> Vec<String> {
    let Some((_, stack)) = text.rsplit_once("Current thread ") else { return Vec::new() };
    let call = |line: &str| {
        let (file, place) = line.trim().strip_prefix("File \"")?.split_once("\", ")?;
        Some(format!("{}, {place}", file.rsplit('/').next().unwrap_or(file)))
    };
    stack.lines().skip(1).map_while(call).collect()
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn the_stack_of_the_main_thread_is_read() {
        let text = "debug\nFatal Python error: Aborted\n\nThread 0x01 (most recent call first):\n  \
            File \"/a/helper.py\", line 1 in help\n\nCurrent thread 0x02 (most recent call first):\n  \
            File \"/a/b/bot.py\", line 4 in think\n  File \"/a/b/bot.py\", line 9 in <module>\n\nExtension modules: x";
        assert_eq!(calls(text), ["bot.py, line 4 in think", "bot.py, line 9 in <module>"]);
        assert!(calls("no stack").is_empty());
    }
}
