//! The flags of every command that starts bots of strangers.

use super::{Failure, usage};
use crate::console;
use referee::process::{HOLDS_BOTS, Sandbox, SandboxProfile};
use std::path::PathBuf;
use std::sync::Arc;

/// What the arena can't do on a system that holds no bots.
const UNHELD: &str = "note: this system does not hold bots (see `arena doctor`): there is no sandbox, memory has no \
    limit, and only time on the wall is measured";

#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxArgs {
    /// What bots may not do: `strict` leaves a bot its own files and nothing else, `trusted` is
    /// limits and clean-up, `off` is for debugging [default: strict]
    #[arg(long, value_name = "PROFILE", hide_possible_values = true)]
    sandbox: Option<SandboxProfile>,
    /// Let bots read this file or folder too; may be repeated
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
    /// Refuse to run where the host can't enforce all of the profile
    #[arg(long)]
    require_sandbox: bool,
}

impl SandboxArgs {
    /// The sandbox of the flags alone.
    pub fn settle(&self) -> Result<Arc<Sandbox>, Failure> {
        self.settle_over(&Sandbox::default())
    }

    /// Flags count more than a file. Says once what this host can't enforce.
    pub fn settle_over(&self, written: &Sandbox) -> Result<Arc<Sandbox>, Failure> {
        let mut sandbox = written.clone();
        sandbox.profile = self.sandbox.unwrap_or(sandbox.profile);
        for path in &self.allow_read {
            let path = path
                .canonicalize()
                .map_err(|error| usage(format!("--allow-read {}: {error}", path.display())))?;
            sandbox.read.push(path);
        }
        self.announce(&sandbox)?;
        Ok(Arc::new(sandbox))
    }

    /// The profile, if a flag gives one.
    pub fn profile(&self) -> Option<SandboxProfile> {
        self.sandbox
    }

    /// What the flags let bots read.
    pub fn read(&self) -> impl Iterator<Item = String> {
        self.allow_read.iter().map(|path| path.to_string_lossy().into_owned())
    }

    pub fn announce(&self, sandbox: &Sandbox) -> Result<(), Failure> {
        if !HOLDS_BOTS {
            return if self.require_sandbox {
                Err(usage(
                    "--require-sandbox: this system has no sandbox for bots, only Linux has (see `arena doctor`)",
                ))
            } else {
                console::tell(UNHELD);
                Ok(())
            };
        }
        if sandbox.profile != SandboxProfile::Strict {
            return if self.require_sandbox {
                Err(usage(format!(
                    "--require-sandbox: the profile is `{}`, and only `strict` is a sandbox",
                    sandbox.profile
                )))
            } else {
                Ok(())
            };
        }
        // Where nothing can be started, the games say why.
        let found = sandbox.protections().unwrap_or_default();
        let missing: Vec<&str> = found.missing().into_iter().map(|(word, _)| word).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let list = missing.join(", ");
        if self.require_sandbox {
            let problem =
                format!("--require-sandbox: this host does not enforce: {list} (see `arena doctor`)");
            return Err(usage(problem));
        }
        console::tell(&format!(
            "note: this host does not enforce all of the sandbox (see `arena doctor`): {list}"
        ));
        Ok(())
    }
}
