//! The folder of the results.
//!
//! A file appears whole or not at all. Whatever stands in its place, a submission may have put it there: it goes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where results are written.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Writes a file below the folder.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        write_whole(&self.0.join(name), text)
    }
}

/// Writes to a new file beside the place, then moves it there in one step.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
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

    #[test]
    fn whatever_is_in_the_way_goes() {
        let scratch = std::env::temp_dir().join(format!("ludus-files-{}", std::process::id()));
        let (place, victim) = (scratch.join("out/grade.json"), scratch.join("victim"));
        write_whole(&place, "one").unwrap();
        fs::write(&victim, "safe").unwrap();
        fs::remove_file(&place).unwrap();
        std::os::unix::fs::symlink(&victim, &place).unwrap();
        write_whole(&place, "two").unwrap();
        assert_eq!(
            (fs::read_to_string(&place).unwrap(), fs::read_to_string(&victim).unwrap()),
            ("two".into(), "safe".into())
        );
        fs::remove_file(&place).unwrap();
        fs::create_dir_all(place.join("deep")).unwrap();
        write_whole(&place, "three").unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "three");
        fs::remove_dir_all(&scratch).unwrap();
    }
}
