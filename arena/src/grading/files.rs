//! The files of the results.
//!
//! A file appears whole or not at all. Bots run under the same account as the arena, unless told otherwise, and may write
//! wherever it can: so everything that was written is remembered, compared when no bot is alive, and put back.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// All files of a grade, as they have to be.
pub struct Results {
    folder: PathBuf,
    written: BTreeMap<PathBuf, String>,
}

impl Results {
    pub fn new(folder: &Path) -> io::Result<Results> {
        fs::create_dir_all(folder)?;
        // A link of the user's is followed now; one that turns up later is somebody else's.
        Ok(Results { folder: folder.canonicalize()?, written: BTreeMap::new() })
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
        write_whole(path, text)
    }
}

fn is_file_with(path: &Path, text: &str) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file && fs::read(path).is_ok_and(|found| found == text.as_bytes())
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
        let mut results = Results::new(&out).unwrap();
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
}
