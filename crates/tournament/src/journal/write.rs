//! Writes a journal, or continues a journal that was begun.

use super::changes::changes;
use super::claim::Claim;
use super::format::{JournalEnd, JournalHeader, JournalLine, LineError, game_lines, to_line};
use super::read::JournalLines;
use super::spare::{Spare, copy_beside};
use crate::roster::RosterChange;
use nix::fcntl::Flock;
use referee::record::Record;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0} is in use: another process is playing this tournament")]
    InUse(PathBuf),
    #[error("{0} is not a journal: its first line is not a header ({1})")]
    NoHeader(PathBuf, String),
    #[error("{path}, line {line}: {problem}")]
    Corrupt { path: PathBuf, line: u64, problem: String },
    #[error(
        "{path} can't go on, because something has changed:{differences}\nchange it back, or begin again with \
         --fresh, which keeps the old journal under another name"
    )]
    Changed { path: PathBuf, differences: String },
    #[error(
        "{path} {what} while the tournament was played, and not by the arena\nall games that were played are in \
         {rescued}\nto go on: find out who did that, rename the file to the name of the journal, and run the same \
         command again"
    )]
    Touched { path: PathBuf, what: &'static str, rescued: String },
}

/// A journal. The games of an earlier run are read first. Then new games are written.
pub struct Journal {
    path: PathBuf,
    file: Flock<File>,
    /// The lines of an earlier run that are still to be read.
    old: Option<Old>,
    end: Option<JournalEnd>,
    /// Bytes of a torn line that were cut off.
    pub torn: u64,
    /// The expected length of the file, in bytes.
    length: u64,
    /// A copy of the journal, unless the tournament is over.
    spare: Option<Spare>,
}

/// The lines of an earlier run that are still to be read.
struct Old {
    lines: JournalLines,
    /// The end of the last good line, in bytes.
    good: u64,
}

impl Old {
    /// The next line, or `None` after the last good line. `ended` says whether the closing line has
    /// been read: no game may follow it.
    fn next(&mut self, ended: bool, path: &Path) -> Result<Option<JournalLine>, JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        let Some(found) = self.lines.next_line().map_err(io)? else { return Ok(None) };
        let (number, length, zeros) = (found.number, found.text.len() as u64, found.text.contains(&0));
        let corrupt = |problem| JournalError::Corrupt { path: path.to_owned(), line: number, problem };
        let problem = match found.read() {
            _ if !found.is_whole() => "torn".to_owned(),
            Ok(JournalLine::Header(_)) => return Err(corrupt(MISPLACED.to_owned())),
            Ok(JournalLine::Game(_) | JournalLine::Change(_)) if ended => {
                return Err(corrupt(MISPLACED.to_owned()));
            }
            Ok(line) => {
                self.good += length;
                return Ok(Some(line));
            }
            Err(error) => error.problem(),
        };
        // Only traces of a crash may be cut off: an unfinished last line, or pages that never
        // reached the disk.
        if zeros || self.lines.at_end().map_err(io)? {
            return Ok(None);
        }
        Err(corrupt(format!("not a game: {problem}")))
    }
}

/// The problem of a line that may stand in a journal, but not at this place.
const MISPLACED: &str = "this line does not belong here";

impl Journal {
    /// Opens a claimed journal of this tournament, new or begun.
    pub fn open(claim: Claim, header: &JournalHeader) -> Result<Journal, JournalError> {
        let path = claim.path.clone();
        let io = |error| JournalError::Io(path.clone(), error);
        let file = claim.into_file()?;
        let mut journal =
            Journal { path: path.clone(), file, old: None, end: None, torn: 0, length: 0, spare: None };
        let mut lines = JournalLines::open(&path).map_err(io)?;
        let first = lines.next_line().map_err(io)?;
        if let Some(first) = first.filter(|line| line.is_whole() && !line.text.contains(&0)) {
            journal.compare(header, first.text)?;
            let good = first.text.len() as u64;
            journal.old = Some(Old { lines, good });
        } else {
            // The header is not whole, so no game has reached the disk.
            journal.begin(header).map_err(io)?;
        }
        Ok(journal)
    }

    fn begin(&mut self, header: &JournalHeader) -> io::Result<()> {
        self.file.set_len(0)?;
        // The header reaches the disk with the first games. Before them there is nothing to lose.
        let line = to_line(header);
        self.file.write_all(&line)?;
        self.keep_spare(line.len() as u64);
        // A new file can be found after a crash only if its folder has reached the disk too.
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    }

    fn compare(&self, header: &JournalHeader, line: &[u8]) -> Result<(), JournalError> {
        let path = || self.path.clone();
        let found = JournalHeader::read(line).map_err(|error| match error {
            LineError::Newer(_) => {
                JournalError::Corrupt { path: path(), line: 1, problem: error.to_string() }
            }
            _ => JournalError::NoHeader(path(), error.problem()),
        })?;
        let differences = changes(&found, header);
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::Changed { path: self.path.clone(), differences: differences.concat() })
    }

    /// The next game of an earlier run.
    pub fn next_old(&mut self) -> Result<Option<Record>, JournalError> {
        while let Some(old) = &mut self.old {
            match old.next(self.end.is_some(), &self.path)? {
                Some(JournalLine::Game(record)) => return Ok(Some(*record)),
                Some(JournalLine::End(end)) => self.end = Some(end),
                // The changes of the roster were read before the journal was opened.
                Some(_) => {}
                None => {
                    let good = old.good;
                    self.old = None;
                    self.cut_at(good).map_err(|error| JournalError::Io(self.path.clone(), error))?;
                }
            }
        }
        Ok(None)
    }

    fn cut_at(&mut self, good: u64) -> io::Result<()> {
        self.torn = self.file.metadata()?.len().saturating_sub(good);
        self.file.set_len(good)?;
        self.keep_spare(good);
        if self.torn > 0 { self.file.sync_all() } else { Ok(()) }
    }

    /// Notes the length of the file, and copies the file. From now on only the arena may change it.
    fn keep_spare(&mut self, length: u64) {
        self.length = length;
        if self.end.is_none() {
            self.spare = Spare::of(&self.path, &mut self.file).ok(); // the disk may have no room for a copy
        }
    }

    /// The last line, if the tournament had ended before this run. Known when all old games have
    /// been read.
    pub fn ended(&self) -> Option<&JournalEnd> {
        self.end.as_ref()
    }

    /// Writes finished games. When this function returns, they are on the disk.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        self.write(&game_lines(records))
    }

    /// Writes a late entry or a withdrawal.
    pub fn note_change(&mut self, change: &RosterChange) -> Result<(), JournalError> {
        self.write(&to_line(change))
    }

    /// Writes the last line.
    pub fn close(&mut self, end: &JournalEnd) -> Result<(), JournalError> {
        self.write(&to_line(end))
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        // The copy comes first. If the journal turns out to be gone, these games are safe.
        if self.spare.as_mut().is_some_and(|spare| spare.add(lines).is_err()) {
            self.spare = None;
        }
        self.check_place()?;
        let io = |error| JournalError::Io(self.path.clone(), error);
        self.file.write_all(lines).map_err(io)?;
        self.length += lines.len() as u64;
        self.file.sync_data().map_err(io)
    }

    /// Checks that the journal still has its name and the expected length.
    pub(crate) fn check_place(&mut self) -> Result<(), JournalError> {
        let io = |error| JournalError::Io(self.path.clone(), error);
        let own = self.file.metadata().map_err(io)?;
        let what = match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => "was removed",
            Err(error) => return Err(io(error)),
            Ok(named) if (named.dev(), named.ino()) != (own.dev(), own.ino()) => {
                "was replaced by another file"
            }
            Ok(_) if own.len() < self.length => "was cut",
            Ok(_) if own.len() > self.length => "was written to",
            Ok(_) => return Ok(()),
        };
        Err(self.touched(what))
    }

    /// At the end, when no bot runs any more: checks every byte of the journal against the copy.
    pub fn check_whole(&mut self) -> Result<(), JournalError> {
        let Some(spare) = &mut self.spare else { return Ok(()) };
        let like =
            spare.is_like(&mut self.file).map_err(|error| JournalError::Io(self.path.clone(), error))?;
        self.check_place()?;
        if like { Ok(()) } else { Err(self.touched("was changed")) }
    }

    fn touched(&mut self, what: &'static str) -> JournalError {
        let rescued = match &mut self.spare {
            Some(spare) => spare.rescue(&self.path),
            None => self.file.rewind().and_then(|()| copy_beside(&mut self.file, &self.path)),
        };
        let rescued = match rescued {
            Ok(path) => path.display().to_string(),
            Err(error) => format!("no file, because the copy could not be written ({error})"),
        };
        JournalError::Touched { path: self.path.clone(), what, rescued }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::format::tests::{header, record};
    use std::fs::OpenOptions;

    fn open(path: &Path, deals: u32) -> Result<Journal, JournalError> {
        Journal::open(Claim::of(path)?, &header(deals))
    }

    fn old_ids(journal: &mut Journal) -> Vec<String> {
        std::iter::from_fn(|| journal.next_old().unwrap()).map(|record| record.match_id).collect()
    }

    #[test]
    fn torn_lines_are_cut_off() {
        let folder = std::env::temp_dir().join(format!("ludus-journal-{}", std::process::id()));
        let path = folder.join("journal.jsonl");
        let _ = fs::remove_dir_all(&folder);
        let mut journal = open(&path, 1).unwrap();
        assert!(matches!(Claim::of(&path), Err(JournalError::InUse(_))));
        assert!(old_ids(&mut journal).is_empty());
        journal.append(&[record("a"), record("b"), record("c")]).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut journal = open(&path, 1).unwrap();
            let games = old_ids(&mut journal).len();
            let lines = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(games, lines.saturating_sub(1), "cut at {length}");
            journal.append(&[record("d")]).unwrap();
            drop(journal);
            let mut again = open(&path, 1).unwrap();
            assert_eq!(old_ids(&mut again).len(), games + 1);
            assert_eq!(again.torn, 0);
        }
        // Pages that never reached the disk are full of zeros.
        fs::write(&path, [&whole[..ends[1]], &[0; 512], b"\n", &whole[ends[1]..]].concat()).unwrap();
        assert_eq!(old_ids(&mut open(&path, 1).unwrap()), ["a"]);
        fs::write(&path, [&[0; 512], &whole[512.min(ends[0] - 1)..]].concat()).unwrap();
        assert_eq!(old_ids(&mut open(&path, 1).unwrap()), [""; 0]);
        // But a crash leaves no wrong line in the middle.
        fs::write(&path, [&whole[..ends[1]], b"{\"x\":1}\n", &whole[ends[1]..]].concat()).unwrap();
        let mut journal = open(&path, 1).unwrap();
        assert!(journal.next_old().unwrap().is_some());
        assert!(journal.next_old().unwrap_err().to_string().contains("line 3: not a game"));
        drop(journal);
        fs::write(&path, &whole).unwrap();
        let error = open(&path, 2).err().unwrap().to_string();
        assert!(error.contains("config.deals: 1 in the journal, 2 now"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }

    type Attack = fn(&Path);

    /// Every attack is noticed at the next write or at the end, and all games are kept.
    #[test]
    fn a_journal_that_somebody_changes_is_rescued() {
        let folder = std::env::temp_dir().join(format!("ludus-touched-{}", std::process::id()));
        let path = folder.join("journal.jsonl");
        let attacks: [(&str, bool, Attack); 5] = [
            ("was removed", false, |path| fs::remove_file(path).unwrap()),
            ("was replaced by another file", false, |path| {
                let other = path.with_extension("forged");
                fs::write(&other, fs::read(path).unwrap()).unwrap();
                fs::rename(other, path).unwrap();
            }),
            ("was cut", false, |path| {
                OpenOptions::new().write(true).open(path).unwrap().set_len(20).unwrap();
            }),
            ("was written to", false, |path| {
                OpenOptions::new().append(true).open(path).unwrap().write_all(b"{}\n").unwrap();
            }),
            ("was changed", true, |path| {
                let text = fs::read_to_string(path).unwrap().replace("\"b\"", "\"x\"");
                OpenOptions::new().write(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
            }),
        ];
        for (what, only_at_the_end, attack) in attacks {
            let _ = fs::remove_dir_all(&folder);
            let mut journal = open(&path, 1).unwrap();
            assert!(old_ids(&mut journal).is_empty());
            journal.append(&[record("a"), record("b")]).unwrap();
            journal.check_whole().unwrap();
            attack(&path);
            let next = journal.append(&[record("c")]);
            let error = if only_at_the_end { next.and_then(|()| journal.check_whole()) } else { next };
            let error = error.unwrap_err().to_string();
            assert!(error.contains(what) && error.contains("journal.rescued.jsonl"), "{error}");
            drop(journal);
            // The rescued file replaces the journal, and no game is missing.

            fs::rename(folder.join("journal.rescued.jsonl"), &path).unwrap();
            let mut journal = open(&path, 1).unwrap();
            assert_eq!(old_ids(&mut journal), ["a", "b", "c"], "{what}");
            let left = fs::read_dir(&folder).unwrap().count();
            assert_eq!(left, 1, "{what}: the copy is gone");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
