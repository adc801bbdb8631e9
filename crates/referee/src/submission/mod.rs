//! A bot as its author hands it in: a folder with a `bot.toml`, or an archive of one.
//!
//! ```text
//! template ──▶ folder ──pack──▶ archive ──unpack──▶ folder ──build──▶ a command that can be started
//! ```

mod archive;
mod build;
mod bundle;
mod gitignore;
mod manifest;
mod strange;
mod template;
mod unpack;

pub use archive::{fingerprint, pack};
pub use build::Built;
pub use bundle::{Bundle, Unbundled, bundle, unbundle};
pub use manifest::{FILE, Language, Manifest, check_name};
pub use template::{Level, Template, write as write_template};

use crate::process::{Account, LaunchError, Sandbox};
use config_file::Mistakes;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

/// An opened submission.
#[derive(Debug)]
pub struct Submission {
    pub manifest: Manifest,
    /// Where its files are.
    pub folder: PathBuf,
    /// The account that the bot runs as, if not the arena's account.
    pub account: Option<Account>,
    built: OnceLock<Result<Built, LaunchError>>,
    /// Removes the folder at the end, if it came out of an archive.
    _unpacked: Option<unpack::Unpacked>,
}

/// Why a submission can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionError {
    /// What was handed in is no bot. A text for whoever named it.
    #[error("{0}")]
    Unusable(String),
    /// Its `bot.toml` is wrong.
    #[error(transparent)]
    BadManifest(Mistakes),
    /// The machine had no room for the submission, or no right to read it.
    #[error("{0}")]
    Host(String),
}

impl From<String> for SubmissionError {
    fn from(problem: String) -> SubmissionError {
        SubmissionError::Unusable(problem)
    }
}

/// The submissions in use, by where they were found. A folder on several chairs is built once.
static OPEN: LazyLock<Mutex<BTreeMap<PathBuf, Weak<Submission>>>> = LazyLock::new(Mutex::default);

/// Is this path meant as a submission? A folder is, and a file that is named like an archive.
pub fn looks_like_one(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && unpack::is_named_like_one(path))
}

impl Submission {
    /// Reads a folder or an archive.
    pub fn open(path: &Path) -> Result<Arc<Submission>, SubmissionError> {
        let unreadable =
            |error: std::io::Error| SubmissionError::Host(format!("{}: {error}", path.display()));
        let place = path.canonicalize().map_err(unreadable)?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(submission) = open.get(&place).and_then(Weak::upgrade) {
            return Ok(submission);
        }
        let unpacked = if path.is_dir() { None } else { Some(unpack::unpack(path)?) };
        let folder = unpacked.as_ref().map_or(place.clone(), |unpacked| unpacked.root.clone());
        let shown = path.join(FILE);
        let manifest = Manifest::read(&folder.join(FILE), &shown.display().to_string())?;
        let built = OnceLock::new();
        let submission = Arc::new(Submission { manifest, folder, account: None, built, _unpacked: unpacked });
        open.insert(place, Arc::downgrade(&submission));
        Ok(submission)
    }

    /// The same submission in another folder, as if it had been packed and handed in. The folder
    /// belongs to somebody else.
    pub fn lent_to(&self, account: &Account) -> Result<Submission, SubmissionError> {
        let packed = pack(&self.folder, Path::new(""))?;
        let unpacked = unpack::unpack_from(Cursor::new(packed.bytes))?;
        let problem = |error| SubmissionError::Host(format!("{}: {error}", unpacked.root.display()));
        unpacked.give_to(account).map_err(problem)?;
        Ok(Submission {
            manifest: self.manifest.clone(),
            folder: unpacked.root.clone(),
            account: Some(account.clone()),
            built: OnceLock::new(),
            _unpacked: Some(unpacked),
        })
    }

    /// Runs the build command, the first time this is called.
    pub fn build(&self, sandbox: &Sandbox) -> Result<&Built, LaunchError> {
        self.built.get_or_init(|| build::run(self, sandbox)).as_ref().map_err(Clone::clone)
    }
}

impl PartialEq for Submission {
    fn eq(&self, other: &Submission) -> bool {
        self.folder == other.folder
    }
}

impl Eq for Submission {}
