//! The files of the results.
//!
//! A file appears whole or not at all. Bots usually run under the same account as the arena, so
//! they may write wherever the arena can. Therefore the arena remembers every file that it has
//! written, compares the files when no bot is alive, and restores them.
//!
//! A folder has the results of one submission. Files of an earlier grade are removed first. The
//! earlier grade lists its own files, and nothing else is removed.

use super::gradebooks::FORMATS;
use nix::fcntl::{Flock, FlockArg};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// All files of a grade, with their right content.
pub struct Results {
    folder: PathBuf,
    written: BTreeMap<PathBuf, String>,
    /// A lock, so that no other process grades into this folder.
    _alone: Option<Flock<File>>,
}

/// The list of files in an earlier `grade.json`.
#[derive(Deserialize)]
struct Earlier {
    #[serde(rename = "ludus_grade")]
    _format: u32,
    files: Vec<PathBuf>,
}

impl Results {
    /// Locks the folder, and removes the files of an earlier grade.
    pub fn open(folder: &Path) -> io::Result<Results> {
        let named = |error: io::Error| named(folder, &error);
        fs::create_dir_all(folder).map_err(named)?;
        // A link of the user is followed now. A link that appears later may be an attack.
        let folder = folder.canonicalize().map_err(named)?;
        let alone = match Flock::lock(File::open(&folder)?, FlockArg::LockExclusiveNonblock) {
            Ok(alone) => Some(alone),
            Err((_, nix::Error::EWOULDBLOCK)) => {
                return Err(io::Error::other("another `arena grade` is writing into this folder"));
            }
            Err(_) => None, // some network file systems have no locks
        };
        clear_earlier(&folder)?;
        Ok(Results { folder, written: BTreeMap::new(), _alone: alone })
    }

    /// The name of a file inside the folder. `None` for a file elsewhere.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let path = self.folder.join(path);
        path.strip_prefix(&self.folder).ok().map(|name| name.display().to_string())
    }

    /// Writes a file. A relative path is inside the folder.
    pub fn write(&mut self, path: &Path, text: String) -> io::Result<()> {
        let path = self.folder.join(path);
        self.put(&path, &text)?;
        self.written.insert(path, text);
        Ok(())
    }

    /// Restores files that have been changed, and returns their names.
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
        // No part of the path below the folder may be a link to another place.
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

/// Removes the files that an earlier grade lists as its own, and folders that are then empty.
fn clear_earlier(folder: &Path) -> io::Result<()> {
    let list = folder.join(FORMATS[0].file);
    let earlier = fs::read(&list).ok().and_then(|text| serde_json::from_slice::<Earlier>(&text).ok());
    let Some(Earlier { files, .. }) = earlier else { return Ok(()) };
    let inside = |name: &&PathBuf| name.components().all(|part| matches!(part, Component::Normal(_)));
    let places = files.iter().filter(inside).map(|name| folder.join(name));
    // The list is removed last, so that it exists as long as any file on it.
    for place in places.filter(|place| *place != list).chain([list.clone()]) {
        let Some(home) = place.parent() else { continue };
        // If a folder of the path is a link, the file does not belong to the grade.
        if home.canonicalize().is_ok_and(|real| real == home) && !is_folder(&place) && place.exists() {
            fs::remove_file(&place).map_err(|error| named(&place, &error))?;
            if home != folder {
                let _ = fs::remove_dir(home); // fails unless the folder is empty
            }
        }
    }
    Ok(())
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// An error with the name of its file.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes a new file beside the place, then moves it there in one step. Anything at that place is
/// replaced.
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
    fn changed_files_are_restored() {
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
    fn only_files_of_an_earlier_grade_are_removed() {
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
        assert!(second.contains("another `arena grade` is writing"), "{second}");
        drop(results);
        // A grade.json of another program does not list files of a grade.
        fs::write(out.join("grade.json"), r#"{"files":["junit.xml"]}"#).unwrap();
        Results::open(&out).unwrap();
        assert!(left("junit.xml") && left("grade.json"));
        fs::remove_dir_all(&scratch).unwrap();
    }
}
