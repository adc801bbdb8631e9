//! A second copy of the journal during a run, in a file without a name. The system removes the file
//! when the run ends. If a bot or a mistake of the operator replaces, cuts or removes the journal,
//! the games are not lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

pub struct Spare(File);

impl Spare {
    /// A copy of the journal as it is now.
    pub fn of(path: &Path, journal: &mut File) -> io::Result<Spare> {
        let name = path.with_extension(format!("{}.spare", std::process::id()));
        let _ = fs::remove_file(&name); // left by a process that was killed before it removed the name
        let mut copy = OpenOptions::new().read(true).append(true).create_new(true).open(&name)?;
        fs::remove_file(&name)?;
        journal.rewind()?;
        io::copy(journal, &mut copy)?;
        Ok(Spare(copy))
    }

    /// Adds the lines that are written to the journal.
    pub fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        self.0.write_all(lines)
    }

    /// Does the journal have the same bytes?
    pub fn is_like(&mut self, journal: &mut File) -> io::Result<bool> {
        self.0.rewind()?;
        journal.rewind()?;
        let (mut ours, mut theirs) = (BufReader::new(&self.0), BufReader::new(journal));
        let (mut left, mut right) = (vec![0; 65_536], vec![0; 65_536]);
        loop {
            let read = ours.read(&mut left)?;
            if read == 0 {
                return Ok(theirs.read(&mut right[..1])? == 0);
            }
            if theirs.read_exact(&mut right[..read]).is_err() || left[..read] != right[..read] {
                return Ok(false);
            }
        }
    }

    /// Writes the copy beside the journal, under a free name.
    pub fn rescue(&mut self, journal: &Path) -> io::Result<PathBuf> {
        self.0.rewind()?;
        copy_beside(&mut self.0, journal)
    }
}

/// Copies a file to `journal.rescued.jsonl`, or `journal.rescued-2.jsonl` and so on if that name is
/// taken.
pub fn copy_beside(from: &mut File, journal: &Path) -> io::Result<PathBuf> {
    if let Some(folder) = journal.parent() {
        fs::create_dir_all(folder)?;
    }
    for number in 1.. {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let name = journal.with_extension(format!("rescued{number}.jsonl"));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(mut file) => {
                io::copy(from, &mut file)?;
                file.sync_all()?;
                return Ok(name);
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
