//! The scratch folder of a bot, seen from the arena. The keeper makes and empties the folder.

use nix::unistd::Pid;
use std::fs::{File, Permissions, read_dir, remove_dir, remove_file, rename, set_permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) struct ScratchFolder {
    pub(crate) path: PathBuf,
    /// The folder as the keeper sees it, which may be another file system, and when the folder was
    /// last seen to be empty.
    open: Option<(PathBuf, File)>,
    empty_at: Option<SystemTime>,
}

impl ScratchFolder {
    /// Does not exist yet.
    pub(crate) fn new() -> ScratchFolder {
        let path = std::env::temp_dir().join(random_name("ludus-scratch"));
        ScratchFolder { path, open: None, empty_at: None }
    }

    /// The next bot may get another file system.
    pub(crate) fn forget(&mut self) {
        (self.open, self.empty_at) = (None, None);
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

/// A name that nobody knows before, with the number of this process. A bot can see such a name, so
/// the name does not tell how many there were.
pub(crate) fn random_name(kind: &str) -> String {
    let mut random = [0; 8];
    let _ = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut random));
    format!("{kind}-{}-{:016x}", std::process::id(), u64::from_le_bytes(random))
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = clear(&self.path).and_then(|()| remove_dir(&self.path)); // a keeper that was not killed has done that
    }
}

/// Empties a folder in which nobody writes any more. A bot may have made folders that nobody can
/// read, and one inside the other deeper than any path can tell. So each folder is opened, and what
/// is in it is moved up, until nothing is left.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    let mut moved = 0_u64;
    loop {
        let mut is_empty = true;
        for entry in read_dir(folder)? {
            let entry = entry?;
            is_empty = false;
            if !entry.file_type()?.is_dir() {
                remove_file(entry.path())?;
                continue;
            }
            set_permissions(entry.path(), Permissions::from_mode(0o700))?;
            for inner in read_dir(entry.path())? {
                let inner = inner?;
                if inner.file_type()?.is_dir() {
                    set_permissions(inner.path(), Permissions::from_mode(0o700))?; // else it can't be moved
                }
                moved += 1;
                rename(inner.path(), folder.join(format!("{}-{moved}", std::process::id())))?;
            }
            remove_dir(entry.path())?;
        }
        if is_empty {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir, create_dir_all, write};

    #[test]
    fn whatever_a_bot_leaves_is_cleared() {
        let folder = std::env::temp_dir().join(format!("ludus-clear-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        let sealed = folder.join("sealed");
        create_dir_all(sealed.join("inner")).unwrap();
        write(sealed.join("inner/file"), "x").unwrap();
        std::os::unix::fs::symlink("/etc", sealed.join("link")).unwrap();
        for mode in [0o300, 0o000] {
            set_permissions(sealed.join("inner"), Permissions::from_mode(mode)).unwrap();
        }
        set_permissions(&sealed, Permissions::from_mode(0o000)).unwrap();
        // Deeper than a path can be long, and than a process can have open files.
        for _ in 0..3_000 {
            create_dir(folder.join("new")).unwrap();
            if folder.join("deep").exists() {
                rename(folder.join("deep"), folder.join("new/deep")).unwrap();
            }
            rename(folder.join("new"), folder.join("deep")).unwrap();
        }
        clear(&folder).unwrap();
        assert_eq!(read_dir(&folder).unwrap().count(), 0);
        assert!(Path::new("/etc/passwd").exists());
        remove_dir(folder).unwrap();
    }
}
