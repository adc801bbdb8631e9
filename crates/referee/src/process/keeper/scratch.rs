//! The scratch folder of a bot, seen from the arena. The keeper makes and empties the folder.

use nix::unistd::Pid;
use std::fs::{File, read_dir, remove_dir_all};
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

pub(crate) struct ScratchFolder {
    pub(crate) path: PathBuf,
    /// The folder as the keeper sees it, which may be another file system, and when the folder was
    /// last seen to be empty.
    open: Option<(PathBuf, File)>,
    empty_at: Option<SystemTime>,
}

impl ScratchFolder {
    /// Under a name that nobody knows before. Does not exist yet.
    pub(crate) fn new() -> ScratchFolder {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let mut random = [0; 8];
        let _ = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut random));
        let random = u64::from_le_bytes(random);
        let name = format!("ludus-scratch-{}-{number}-{random:016x}", std::process::id());
        ScratchFolder { path: std::env::temp_dir().join(name), open: None, empty_at: None }
    }

    /// Is anything in the folder? Costs less than a microsecond if nothing has changed.
    pub(crate) fn has_files(&mut self, keeper: Option<Pid>) -> bool {
        if self.open.is_none() {
            let path = match keeper {
                Some(keeper) => format!("/proc/{keeper}/root{}", self.path.display()).into(),
                None => self.path.clone(),
            };
            self.open = File::open(&path).ok().map(|folder| (path, folder));
        }
        let Some((path, folder)) = &self.open else { return false };
        let changed = folder.metadata().and_then(|about| about.modified()).ok();
        if changed.is_some() && changed == self.empty_at {
            return false;
        }
        let has_files = read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if !has_files {
            self.empty_at = changed;
        }
        has_files
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = remove_dir_all(&self.path); // a keeper that was not killed has done that
    }
}
