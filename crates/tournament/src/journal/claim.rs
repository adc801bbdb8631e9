//! The right to write a journal: a lock that only one process can have.

use super::format::file_name;
use super::write::JournalError;
use crate::schedule::Shard;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Somebody who only looks whether a journal is claimed has the lock for a much shorter time.
const GLANCE: Duration = Duration::from_millis(200);

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
    let asked = Instant::now();
    let mut locked = Flock::lock(file, FlockArg::LockExclusiveNonblock);
    while let Err((file, Errno::EWOULDBLOCK)) = locked {
        if asked.elapsed() > GLANCE {
            return Err(JournalError::InUse(path.to_owned()));
        }
        std::thread::sleep(Duration::from_millis(2));
        locked = Flock::lock(file, FlockArg::LockExclusiveNonblock);
    }
    locked.map_err(|(_, error)| JournalError::Io(path.to_owned(), error.into()))
}

/// Is a process writing this journal? None if the system can't tell. The question takes the lock for
/// a moment, which a process that begins to write waits for.
pub fn is_claimed(path: &Path) -> Option<bool> {
    let file = File::open(path).ok()?;
    match Flock::lock(file, FlockArg::LockSharedNonblock) {
        Ok(_) => Some(false),
        Err((_, Errno::EWOULDBLOCK)) => Some(true),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_seen_by_others_and_not_hindered_by_a_glance() {
        let path = std::env::temp_dir().join(format!("ludus-claim-{}.jsonl", std::process::id()));
        fs::write(&path, "").unwrap();
        assert_eq!(is_claimed(&path), Some(false));
        let glance = Flock::lock(File::open(&path).unwrap(), FlockArg::LockSharedNonblock).unwrap();
        assert_eq!(is_claimed(&path), Some(false), "two glances at the same time");
        let ends = std::thread::spawn(move || {
            std::thread::sleep(GLANCE / 10);
            drop(glance);
        });
        let claim = Claim::of(&path).unwrap();
        ends.join().unwrap();
        assert_eq!(is_claimed(&path), Some(true));
        assert!(matches!(Claim::of(&path), Err(JournalError::InUse(_))));
        drop(claim);
        assert_eq!(is_claimed(&path), Some(false));
        fs::remove_file(&path).unwrap();
        assert_eq!(is_claimed(&path), None);
    }
}
