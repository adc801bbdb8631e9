//! A command that is run to its end, such as a build: under a keeper, within a time limit, its
//! output kept.

use super::account::Account;
use super::handle::Keeper;
use super::report::{BotEnd, KeeperReport};
use crate::process::autopsy::stderr_tail::StderrTail;
use crate::process::jail::own_files::jail_of;
use crate::process::jail::{Jail, Sandbox};
use crate::process::lock::locked;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of output that are kept, and lines that are shown.
const OUTPUT: usize = 65_536;
const SHOWN: usize = 40;

/// How long the arena waits for the end of the output.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

/// How a task ended.
pub struct Finished {
    /// `None` if its time was up.
    pub status: Option<ExitStatus>,
    /// The last lines it wrote, to either output.
    pub output: Vec<String>,
    pub took: Duration,
}

/// Room for what compilers keep for themselves.
const BUILD_SCRATCH: u64 = 1 << 30;

/// Builds something in a folder, possibly as somebody else. What is built stays in the folder.
pub fn run_build_blocking(
    words: &[OsString],
    folder: &Path,
    account: Option<&Account>,
    sandbox: &Sandbox,
    limit: Duration,
) -> io::Result<Finished> {
    let write = vec![folder.to_owned()];
    let jail = Jail { write, scratch_bytes: BUILD_SCRATCH, ..jail_of(words, Some(folder), sandbox) };
    run_task_blocking(Keeper::hire_for(words, Some(folder), account, None, jail)?, limit)
}

/// Runs a command as a bot would be run.
pub fn run_as_bot_blocking(words: &[OsString], sandbox: &Sandbox, limit: Duration) -> io::Result<Finished> {
    run_task_blocking(Keeper::hire(words, None, None, None, sandbox)?, limit)
}

fn run_task_blocking(mut keeper: Keeper, limit: Duration) -> io::Result<Finished> {
    let (reader, writer) = io::pipe()?;
    let nothing = File::open("/dev/null")?;
    let begun = Instant::now();
    keeper.order([nothing.as_fd(), writer.as_fd(), writer.as_fd()])?;
    let mut report = Some(keeper.started_blocking()?);
    drop(writer);
    let output = Arc::new(Mutex::new(StderrTail::new(OUTPUT)));
    let (done, drained) = mpsc::channel();
    thread::spawn({
        let output = Arc::clone(&output);
        move || {
            drain(reader, &output);
            let _ = done.send(()); // perhaps nobody waits any more
        }
    });
    if let Some(KeeperReport::Lacking(problem)) = report {
        return Err(problem.into());
    }
    if let Some(KeeperReport::Started(_)) = report {
        report = keeper.report_blocking(begun + limit)?;
    }
    let took = begun.elapsed();
    keeper.dismiss_blocking();
    // The output ends with the last process that can write to it. The build may have started a
    // process elsewhere.
    let _ = drained.recv_timeout(LAST_OUTPUT);
    let status = match report {
        Some(KeeperReport::Ended(end)) => Some(end.status),
        Some(KeeperReport::Refused(_)) => Some(BotEnd::not_started().status),
        _ => None,
    };
    Ok(Finished { status, output: locked(&output).last_lines(SHOWN), took })
}

fn drain(mut reader: impl Read, output: &Mutex<StderrTail>) {
    let mut buffer = [0; 8_192];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        locked(output).push(&buffer[..count]);
    }
}
