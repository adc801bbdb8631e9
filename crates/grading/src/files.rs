//! The files of the results.
//!
//! A file appears whole or not at all. Bots run under the same account as the arena, unless told otherwise, and may write
//! wherever it can: so everything that was written is remembered, compared when no bot is alive, and put back.
//!
//! A folder holds the results of one submission. What an earlier grade has written there, by its
//! own list, goes first; nothing else does.

use super::gradebooks::FORMATS;
use nix::fcntl::{Flock, FlockArg};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// All files of a grade, as they have to be.
pub struct Results {
    folder: PathBuf,
    written: BTreeMap<PathBuf, String>,
    /// Nobody else grades into this folder meanwhile.
    _alone: Option<Flock<File>>,
}

/// What an earlier grade says of its files.
#[derive(Deserialize)]
struct Earlier {
    #[serde(rename = "ludus_grade")]
    _format: u32,
    files: Vec<PathBuf>,
}

impl Results {
    /// Takes the folder, without what an earlier grade has left there.
    pub fn open(folder: &Path) -> io::Result<Results> {
        let named = |error: io::Error| named(folder, &error);
        fs::create_dir_all(folder).map_err(named)?;
        // A link of the user's is followed now; one that turns up later is somebody else's.
        let folder = folder.canonicalize().map_err(named)?;
        let alone = match Flock::lock(File::open(&folder)?, FlockArg::LockExclusiveNonblock) {
            Ok(alone) => Some(alone),
            Err((_, nix::Error::EWOULDBLOCK)) => {
                return Err(io::Error::other("another `arena grade` writes there at this moment"));
            }
            Err(_) => None, // some disks of networks know no locks
        };
        clear_earlier(&folder)?;
        Ok(Results { folder, written: BTreeMap::new(), _alone: alone })
    }

    /// How a file is called in the folder; `None` for one that lies elsewhere.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let path = self.folder.join(path);
        path.strip_prefix(&self.folder).ok().map(|name| name.display().to_string())
    }

    /// Writes a file, below the folder or at a place of its own.
    pub fn write(&mut self, path: &Path, text: String) -> io::Result<()> {
        let path = self.folder.join(path);
        self.put(&path, &text)?;
        self.written.insert(path, text);
        Ok(())
    }

    /// Puts back what is no longer as it was written, and names it.
    pub fn restore(&self) -> io::Result<Vec<String>> {
        let mut changed = Vec::new();
        for (path, text) in &self.written {
            if !is_file_with(path, text) {
                self.put(path, text)?;
                changed.push(path.strip_prefix(&self.folder).unwrap_or(path).display().to_string());
            }
        }
        Ok(changed)
    }

    fn put(&self, path: &Path, text: &str) -> io::Result<()> {
        // Nothing on the way from the folder to the file may lead elsewhere.
        let below = path.ancestors().skip(1).take_while(|place| place.starts_with(&self.folder));
        for place in below.collect::<Vec<_>>().into_iter().rev() {
            if fs::symlink_metadata(place).is_ok_and(|found| !found.is_dir()) {
                fs::remove_file(place)?;
            }
        }
        write_whole(path, text).map_err(|error| named(path, &error))
    }
}

fn is_file_with(path: &Path, text: &str) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file && fs::read(path).is_ok_and(|found| found == text.as_bytes())
}

/// Removes the files that an earlier grade has written by its own account, and the folders that are
/// empty then.
fn clear_earlier(folder: &Path) -> io::Result<()> {
    let list = folder.join(FORMATS[0].file);
    let earlier = fs::read(&list).ok().and_then(|text| serde_json::from_slice::<Earlier>(&text).ok());
    let Some(Earlier { files, .. }) = earlier else { return Ok(()) };
    let inside = |name: &&PathBuf| name.components().all(|part| matches!(part, Component::Normal(_)));
    let places = files.iter().filter(inside).map(|name| folder.join(name));
    // The list goes last, so that it is there as long as anything on it is.
    for place in places.filter(|place| *place != list).chain([list.clone()]) {
        let Some(home) = place.parent() else { continue };
        // A folder on the way that is a link leads to what is not ours.
        if home.canonicalize().is_ok_and(|real| real == home) && !is_folder(&place) && place.exists() {
            fs::remove_file(&place).map_err(|error| named(&place, &error))?;
            if home != folder {
                let _ = fs::remove_dir(home); // as long as anything is in it, this fails
            }
        }
    }
    Ok(())
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// An error that says which file it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes to a new file beside the place, then moves it there in one step. Whatever was there goes.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.{}.new", std::process::id()));
    clear(&new)?;
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    if path.is_dir() && !path.is_symlink() {
        fs::remove_dir_all(path)?;
    }
    fs::rename(&new, path)
}

fn clear(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn whatever_is_in_the_way_goes() {
        let scratch = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-files-XXXXXX")).unwrap();
        let (out, victim) = (scratch.join("out"), scratch.join("victim"));
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("grade.json"), "safe").unwrap();
        let mut results = Results::open(&out).unwrap();
        let place = out.join("deep/grade.json");
        results.write(Path::new("deep/grade.json"), "right".to_owned()).unwrap();
        assert_eq!(results.restore().unwrap(), [""; 0]);
        let damages: [fn(&Path, &Path); 7] = [
            |place, _| fs::write(place, "forged").unwrap(),
            |place, _| fs::remove_file(place).unwrap(),
            |place, victim| {
                fs::remove_file(place).unwrap();
                symlink(victim.join("grade.json"), place).unwrap();
            },
            |place, _| {
                fs::remove_file(place).unwrap();
                fs::create_dir_all(place.join("a folder")).unwrap();
            },
            |place, victim| {
                fs::remove_dir_all(place.parent().unwrap()).unwrap();
                symlink(victim, place.parent().unwrap()).unwrap();
            },
            |place, victim| {
                let out = place.parent().unwrap().parent().unwrap();
                fs::remove_dir_all(out).unwrap();
                symlink(victim.parent().unwrap().join("victim"), out).unwrap();
            },
            |place, _| {
                fs::remove_dir_all(place.parent().unwrap()).unwrap();
                fs::write(place.parent().unwrap(), "a file").unwrap();
            },
        ];
        for (number, damage) in damages.iter().enumerate() {
            damage(&place, &victim);
            assert_eq!(results.restore().unwrap(), ["deep/grade.json"], "damage {number}");
            assert_eq!(fs::read_to_string(&place).unwrap(), "right", "damage {number}");
            assert_eq!(fs::read_to_string(victim.join("grade.json")).unwrap(), "safe", "damage {number}");
        }
        fs::remove_dir_all(&scratch).unwrap();
    }
    #[test]
    fn only_what_was_written_is_cleared() {
        let scratch = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-clear-XXXXXX")).unwrap();
        let (out, victim) = (scratch.join("out"), scratch.join("victim"));
        fs::create_dir_all(out.join("records")).unwrap();
        fs::create_dir_all(&victim).unwrap();
        let files =
            ["grade.json", "grade.md", "records/02.jsonl", "../victim/a", "linked/a", "hidden/07.jsonl"];
        let list = serde_json::json!({ "ludus_grade": 1, "files": files }).to_string();
        for (name, text) in [
            ("grade.json", list.as_str()),
            ("grade.md", "old"),
            ("records/02.jsonl", "old"),
            ("records/mine.jsonl", "mine"),
            ("junit.xml", "mine"),
            ("../victim/a", "mine"),
        ] {
            fs::write(out.join(name), text).unwrap();
        }
        symlink(&victim, out.join("linked")).unwrap();
        let results = Results::open(&out).unwrap();
        let left = |name: &str| out.join(name).exists();
        assert_eq!(["grade.json", "grade.md", "records/02.jsonl"].map(left), [false; 3]);
        assert_eq!(["records/mine.jsonl", "junit.xml", "../victim/a", "linked/a"].map(left), [true; 4]);
        let second = Results::open(&out).err().unwrap().to_string();
        assert!(second.contains("another `arena grade` writes there"), "{second}");
        drop(results);
        // What somebody else calls grade.json says nothing about files.
        fs::write(out.join("grade.json"), r#"{"files":["junit.xml"]}"#).unwrap();
        Results::open(&out).unwrap();
        assert!(left("junit.xml") && left("grade.json"));
        fs::remove_dir_all(&scratch).unwrap();
    }
}
