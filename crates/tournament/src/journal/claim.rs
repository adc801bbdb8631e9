//! The right to write a journal: a lock that only one process can have.

use super::format::file_name;
use super::write::JournalError;
use crate::schedule::Shard;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A journal that no other process may write. Nothing is written before the claim is used.
pub struct Claim {
    pub(super) path: PathBuf,
    /// The locked file, or `None` if there is no journal yet.
    file: Option<Flock<File>>,
}

impl Claim {
    /// Claims a journal that may exist. Fails if another process is playing the tournament.
    pub fn of(path: &Path) -> Result<Claim, JournalError> {
        let file = if path.exists() { Some(lock(path)?) } else { None };
        Ok(Claim { path: path.to_owned(), file })
    }

    /// A tournament and its shards keep files of the same names in one folder. Fails if another
    /// process is playing the whole tournament beside this shard, or a shard beside the whole.
    pub fn check_neighbours(&self) -> Result<(), JournalError> {
        let (whole, shards) = (file_name(Shard::WHOLE), "journal-");
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_whole = name(&self.path) == whole;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        let mut others = files.filter(|path| {
            let (name, is_journal) = (name(path), path.extension().is_some_and(|kind| kind == "jsonl"));
            if is_whole { name.starts_with(shards) && is_journal } else { name == whole }
        });
        others.try_for_each(|path| lock(&path).map(drop))
    }

    /// The locked file. A missing file is created, with its folder.
    pub(super) fn into_file(self) -> Result<Flock<File>, JournalError> {
        match self.file {
            Some(file) => Ok(file),
            None => create(&self.path),
        }
    }

    /// Gives a journal another name, and claims a new file. `first` runs while the journal is locked.
    pub fn put_aside(self, first: impl FnOnce() -> io::Result<()>) -> Result<Claim, JournalError> {
        let Claim { path, file } = self;
        let io = |error| JournalError::Io(path.clone(), error);
        let Some(old) = file else {
            let file = create(&path)?;
            first().map_err(io)?;
            return Ok(Claim { path, file: Some(file) });
        };
        first().map_err(io)?;
        let mut names = (1..).map(|number| path.with_extension(format!("old-{number}.jsonl")));
        if let Some(free) = names.find(|name| !name.exists()) {
            fs::rename(&path, free).map_err(io)?;
        }
        let file = create(&path)?;
        drop(old);
        Ok(Claim { path, file: Some(file) })
    }
}

fn create(path: &Path) -> Result<Flock<File>, JournalError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| JournalError::Io(path.to_owned(), error))?;
    }
    lock(path)
}

fn lock(path: &Path) -> Result<Flock<File>, JournalError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(|error| JournalError::Io(path.to_owned(), error))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|_| JournalError::InUse(path.to_owned()))
}
