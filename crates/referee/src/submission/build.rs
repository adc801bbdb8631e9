//! Running the build command of a submission.

use super::{Submission, strange};
use crate::process::{LaunchError, Sandbox, is_wrong_command, run_build_blocking};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a build may take.
const LIMIT: Duration = Duration::from_mins(1);

/// A build that went well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The command, if there was one.
    pub command: Option<String>,
    pub took: Duration,
    /// The last lines it wrote.
    pub output: Vec<String>,
}

pub(super) fn run(submission: &Submission, sandbox: &Sandbox) -> Result<Built, LaunchError> {
    let Submission { manifest, folder, account, .. } = submission;
    let Some(command) = &manifest.build else { return Ok(Built::default()) };
    let failed = |problem: String, hint: &str| LaunchError {
        problem,
        hint: hint.to_owned(),
        output: Vec::new(),
        ours: false,
    };
    let ours = |error: &dyn std::fmt::Display| LaunchError {
        ours: true,
        ..failed(format!("`{command}` can't be run: {error}"), "try again")
    };
    let _alone = alone_blocking(&folder.join(super::FILE)).map_err(|error| ours(&error))?;
    let words = ["sh", "-c", command].map(OsString::from);
    let done = run_build_blocking(&words, folder, account.as_ref(), sandbox, LIMIT)
        .map_err(|error| LaunchError { ours: !is_wrong_command(&error), ..ours(&error) })?;
    let output = done.output;
    match done.status {
        Some(status) if status.success() => {
            Ok(Built { command: Some(command.clone()), took: done.took, output })
        }
        Some(status) => {
            let problem = format!("the build command `{command}` ended with {status}");
            Err(LaunchError {
                output,
                ..failed(problem, "run it in the folder of bot.toml and mend what it complains about")
            })
        }
        None => {
            let problem = format!("the build command `{command}` was not done after {} s", LIMIT.as_secs());
            Err(LaunchError { output, ..failed(problem, "build less, or hand in what takes long to make") })
        }
    }
}

/// Another arena may be building in the same folder. So may a bot that runs there claim: it can lock
/// its own files.
fn alone_blocking(file: &Path) -> io::Result<Flock<File>> {
    const LOOK: Duration = Duration::from_millis(20);
    let deadline = Instant::now() + LIMIT;
    let mut file = strange::open(file)?.0;
    loop {
        file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(locked) => return Ok(locked),
            Err((file, Errno::EWOULDBLOCK)) if Instant::now() < deadline => file,
            Err((_, Errno::EWOULDBLOCK)) => {
                return Err(io::Error::other("somebody else has locked its bot.toml"));
            }
            Err((_, error)) => return Err(error.into()),
        };
        std::thread::sleep(LOOK);
    }
}
