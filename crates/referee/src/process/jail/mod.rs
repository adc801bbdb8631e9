//! The jail: what is taken away from a bot before it runs.
//!
//! | module | what it takes away | by |
//! | --- | --- | --- |
//! | `files` | files that are not the bot's, TCP, signals to others | Landlock |
//! | `cgroup` | processor time that nobody sees, memory and processes beyond the limits | control groups |
//! | `filter` | system calls that reach beyond the bot | seccomp |
//! | `namespaces` | other processes, the network, messages, room in the scratch folder | namespaces |
//! | `network` | keeps a network without a wire for all bots | |
//! | `own_files` | finds out which files are the bot's | |
//! | `trial` | tries `attacks` for real | |
//!
//! Each part works without the others. What a host can't enforce is reported. Landlock and seccomp
//! restrict a single thread of the keeper, and this thread starts the bots.

#[cfg(not(plain))]
mod attacks;
pub(crate) mod cgroup;
#[cfg(not(plain))]
pub(crate) mod files;
#[cfg(not(plain))]
pub(crate) mod filter;
#[cfg(not(plain))]
pub(crate) mod namespaces;
pub(crate) mod network;
pub(crate) mod own_files;
#[cfg_attr(plain, path = "elsewhere.rs")]
pub(crate) mod trial;

use crate::process::keeper::handle::Keeper;
use crate::spec::own_program;
use protocol::Measured;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Processes and threads that a bot may have.
pub(crate) const PROCESSES: u64 = 256;

/// The bytes of a bot's scratch folder.
pub(crate) const SCRATCH_BYTES: u64 = 64 << 20;

/// How much is taken away from bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SandboxProfile {
    /// Everything that a bot does not need.
    #[default]
    Strict,
    /// Limits and clean-up only: the bot may do what its user may do.
    Trusted,
    /// Nothing but clean-up, to look for a mistake.
    Off,
}

impl SandboxProfile {
    pub fn word(self) -> &'static str {
        match self {
            SandboxProfile::Strict => "strict",
            SandboxProfile::Trusted => "trusted",
            SandboxProfile::Off => "off",
        }
    }
}

impl fmt::Display for SandboxProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What an organiser decides about all bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    pub profile: SandboxProfile,
    /// Files and folders that every bot may read.
    pub read: Vec<PathBuf>,
    /// What no bot may read, even if it lies beside the bot's own files.
    pub closed: Vec<PathBuf>,
    /// Shall the system itself count the processor time of bots? Starting a bot then takes some
    /// milliseconds longer.
    pub metered: bool,
}

impl Sandbox {
    /// What this host enforces. Found out by a keeper that starts nothing.
    pub fn protections(&self) -> io::Result<Protections> {
        static STRICT: OnceLock<Protections> = OnceLock::new();
        if self.profile != SandboxProfile::Strict {
            return Ok(Protections::default());
        }
        if let Some(known) = STRICT.get() {
            return Ok(*known);
        }
        let words = [own_program().into_os_string()];
        let found = Keeper::hire(&words, None, None, None, &Sandbox::default())?.protections_blocking()?;
        Ok(*STRICT.get_or_init(|| found))
    }

    /// The sandbox as a journal or a grade shows it.
    pub fn report(&self) -> SandboxReport {
        let found = self.protections().unwrap_or_default();
        let enforced = found.enforced().into_iter().map(str::to_owned).collect();
        SandboxReport { profile: self.profile, enforced }
    }

    /// The same sandbox, in which the system counts processor time if a clock needs that.
    #[must_use]
    pub fn metering(self, measured: Measured) -> Sandbox {
        Sandbox { metered: self.metered || measured == Measured::Cpu, ..self }
    }

    /// The same sandbox, in which more is closed to every bot.
    #[must_use]
    pub fn closing(&self, paths: impl IntoIterator<Item = PathBuf>) -> Sandbox {
        let mut sandbox = self.clone();
        sandbox.closed.extend(paths.into_iter().filter_map(|path| std::path::absolute(path).ok()));
        sandbox
    }
}

/// A profile, and what of it a host has enforced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    pub profile: SandboxProfile,
    pub enforced: Vec<String>,
}

/// The jail of one bot, as its keeper is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Jail {
    pub(crate) profile: SandboxProfile,
    /// Files and folders that the bot may read and run.
    pub(crate) read: Vec<PathBuf>,
    /// Folders in which the bot may see the names.
    pub(crate) list: Vec<PathBuf>,
    /// Folders that the bot may change.
    pub(crate) write: Vec<PathBuf>,
    /// Shall the system itself count the processor time?
    pub(crate) metered: bool,
    /// Bytes for the scratch folder, and for any file.
    pub(crate) scratch_bytes: u64,
}

/// Which kinds of namespaces the host has given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Namespaces {
    pub(crate) users: bool,
    pub(crate) processes: bool,
    pub(crate) network: bool,
    pub(crate) messages: bool,
    pub(crate) folders: bool,
    /// The scratch folder has a limit of its own.
    pub(crate) scratch: bool,
    /// So has the shared memory.
    pub(crate) shared: bool,
}

/// What of the strict profile a host enforces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each protection stands for itself")]
pub struct Protections {
    /// Only the bot's own files can be read, and only its scratch folder can be changed.
    pub files: bool,
    /// No sockets, no tracing, no mounts, no other cores.
    pub calls: bool,
    /// No signals to processes of others.
    pub signals: bool,
    /// Processes of others can't be seen.
    pub processes: bool,
    /// A network of its own, without a wire.
    pub network: bool,
    /// The number of processes is limited by the system.
    pub count: bool,
    /// The size of the scratch folder is limited by the system.
    pub scratch: bool,
}

/// A protection: its word, what bots can do without it, and whether it is there.
type Protection = (&'static str, &'static str, fn(&Protections) -> bool);

impl Protections {
    pub const ALL: [Protection; 7] = [
        ("files", "bots can read and change files of this account", |found| found.files),
        ("calls", "bots can open sockets and trace other processes", |found| found.calls),
        ("signals", "bots can end processes of this account", |found| found.signals),
        ("processes", "bots can see which processes run", |found| found.processes),
        ("network", "only the filter of system calls keeps bots from the network", |found| found.network),
        ("count", "a bot can start any number of processes", |found| found.count),
        ("scratch", "each file of a scratch folder is limited, and not their sum", |found| found.scratch),
    ];

    pub fn enforced(&self) -> Vec<&'static str> {
        Protections::ALL.iter().filter(|(_, _, has)| has(self)).map(|(word, ..)| *word).collect()
    }

    pub fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let missing = Protections::ALL.iter().filter(|(_, _, has)| !has(self));
        missing.map(|&(word, without, _)| (word, without)).collect()
    }
}

/// What came of an attack.
pub struct Trial {
    pub name: &'static str,
    /// What the attacker wants, in a few words.
    pub aim: &'static str,
    /// Which profiles have held the attack.
    pub strict: bool,
    pub trusted: bool,
}
