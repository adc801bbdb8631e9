//! A command that is run to its end, such as a build: under a keeper, within a time limit, its output kept.

use super::account::Account;
use super::bot::{forget_keeper, keepers, locked};
use super::kept;
use super::stderr_tail::StderrTail;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of output that are kept, and lines that are shown.
const OUTPUT: usize = 65_536;
const SHOWN: usize = 40;

/// How a task ended.
pub struct Finished {
    /// `None` if its time was up.
    pub status: Option<ExitStatus>,
    /// The last lines it wrote, to either output.
    pub output: Vec<String>,
    pub took: Duration,
}

/// Runs a command in a folder, possibly as somebody else.
pub fn run_task(
    words: &[OsString],
    folder: &Path,
    account: Option<&Account>,
    limit: Duration,
) -> io::Result<Finished> {
    let (reader, writer) = io::pipe()?;
    let mut command = kept::command(words, Some(folder), account, None, None);
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let begun = Instant::now();
    // Locked while it is started: nobody must take a keeper that is not yet on the list for an orphan.
    let mut known = keepers();
    let mut keeper = command.spawn()?;
    let pid = Pid::from_raw(keeper.id() as i32);
    known.insert(pid);
    drop(known);
    drop(command); // and with it our ends of the pipe
    let output = Arc::new(Mutex::new(StderrTail::new(OUTPUT)));
    let drained = thread::spawn({
        let output = Arc::clone(&output);
        move || drain(reader, &output)
    });
    let status = wait(&mut keeper, pid, begun + limit);
    forget_keeper(pid);
    let _ = drained.join(); // it ends with the last process that could write
    Ok(Finished { status: status?, output: locked(&output).last_lines(SHOWN), took: begun.elapsed() })
}

fn wait(keeper: &mut Child, pid: Pid, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    while Instant::now() < deadline {
        if let Some(status) = keeper.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(5));
    }
    let _ = kill(pid, Signal::SIGTERM); // the keeper kills everything below it
    keeper.wait()?;
    Ok(None)
}

fn drain(mut reader: impl Read, output: &Mutex<StderrTail>) {
    let mut buffer = [0; 8_192];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        locked(output).push(&buffer[..count]);
    }
}
