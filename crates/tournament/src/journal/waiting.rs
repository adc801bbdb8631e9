//! A file beside the journal with games that ended before their turn.
//!
//! The journal has the order of the schedule, so a quick game may have to wait for a slow game
//! before it. If the wait is longer than a moment, the record of the quick game is written here. A
//! run that goes on after an interruption finds the record here and does not play the game again.
//! The file shrinks as the journal catches up.

use super::format::{JournalHeader, JournalLine, game_lines, to_line};
use referee::record::Record;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// When the file has more lines, the lines that are no longer needed are removed.
const LINES: usize = 8_192;

pub struct Waiting {
    path: PathBuf,
    header: Vec<u8>,
    file: Option<File>,
    lines: usize,
    /// The games in the file that the journal does not have yet.
    ids: HashSet<String>,
}

impl Waiting {
    /// Opens the file beside this journal, and reads its games by their ids. A file left by another
    /// tournament is ignored.
    pub fn open(journal: &Path, header: &JournalHeader) -> io::Result<(Waiting, HashMap<String, Record>)> {
        let path = file_beside(journal);
        let header = to_line(header);
        let text = fs::read(&path).unwrap_or_default();
        let mut games = HashMap::new();
        for line in
            text.strip_prefix(header.as_slice()).unwrap_or_default().split_inclusive(|&byte| byte == b'\n')
        {
            // The game of a torn line is played again.
            if let Some((b'\n', line)) = line.split_last()
                && let Ok(JournalLine::Game(record)) = JournalLine::read(line)
            {
                games.insert(record.match_id.clone(), *record);
            }
        }
        let ids = games.keys().cloned().collect();
        let mut waiting = Waiting { path, header, file: None, lines: 0, ids };
        if waiting.ids.is_empty() {
            waiting.remove()?;
        } else {
            waiting.rewrite(&text)?;
        }
        Ok((waiting, games))
    }

    /// The records that are not in the file yet.
    pub fn missing(&self, records: &[&Record]) -> Vec<Record> {
        let new = records.iter().filter(|record| !self.ids.contains(&record.match_id));
        new.map(|&record| record.clone()).collect()
    }

    /// Writes games that wait. When this function returns, they are on the disk.
    pub fn add(&mut self, records: &[Record]) -> io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        if self.lines > LINES {
            self.rewrite(&fs::read(&self.path)?)?;
        }
        self.ids.extend(records.iter().map(|record| record.match_id.clone()));
        self.lines += records.len();
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.create(&[])?,
        };
        file.write_all(&game_lines(records))?;
        file.sync_data()?;
        self.file = Some(file);
        Ok(())
    }

    /// Notes that the journal has this game.
    pub fn done(&mut self, id: &str) -> io::Result<()> {
        if self.ids.remove(id) && self.ids.is_empty() { self.remove() } else { Ok(()) }
    }

    /// Removes the file. No game waits any more.
    pub fn remove(&mut self) -> io::Result<()> {
        (self.file, self.lines) = (None, 0);
        self.ids.clear();
        remove_file(&self.path)
    }

    /// Keeps only the lines of this text that are still needed.
    fn rewrite(&mut self, text: &[u8]) -> io::Result<()> {
        let needed = |line: &&[u8]| match line.split_last() {
            Some((b'\n', line)) => {
                matches!(JournalLine::read(line), Ok(JournalLine::Game(record)) if self.ids.contains(&record.match_id))
            }
            _ => false,
        };
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').filter(needed).collect();
        self.lines = lines.len();
        self.file = Some(self.create(&lines)?);
        Ok(())
    }

    fn create(&self, lines: &[&[u8]]) -> io::Result<File> {
        // The new file replaces the old file in one step, so no line is missing at any moment.
        let new = self.path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&new)?;
        file.write_all(&[&self.header, lines.concat().as_slice()].concat())?;
        file.sync_data()?;
        fs::rename(new, &self.path)?;
        Ok(file)
    }
}

pub fn file_beside(journal: &Path) -> PathBuf {
    journal.with_extension("waiting.jsonl")
}

/// Removes the file of games that wait for this journal.
pub fn remove_beside(journal: &Path) -> io::Result<()> {
    remove_file(&file_beside(journal))
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::format::tests::{header, record};

    #[test]
    fn waiting_games_are_kept_until_the_journal_has_them() {
        let folder = std::env::temp_dir().join(format!("ludus-waiting-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let journal = folder.join("journal.jsonl");
        let beside = folder.join("journal.waiting.jsonl");
        let ids = |deals: u32| {
            let (waiting, games) = Waiting::open(&journal, &header(deals)).unwrap();
            let mut ids: Vec<String> = games.into_keys().collect();
            ids.sort();
            (waiting, ids)
        };
        let (mut waiting, none) = ids(1);
        assert!(none.is_empty() && !beside.exists());
        waiting.add(&[record("0002"), record("0003")]).unwrap();
        assert_eq!(waiting.missing(&[&record("0003"), &record("0005")]), [record("0005")]);
        waiting.add(&[record("0005")]).unwrap();
        waiting.done("0002").unwrap();
        // The last line is torn.
        let text = fs::read(&beside).unwrap();
        fs::write(&beside, &text[..text.len() - 1]).unwrap();
        let (mut waiting, found) = ids(1);
        assert_eq!(found, ["0002", "0003"]);
        // The file does not grow with the number of games that have waited.
        for hundred in 1..3 * LINES / 100 {
            let records: Vec<Record> =
                (0..100).map(|number| record(&format!("{hundred}{number:02}"))).collect();
            waiting.add(&records).unwrap();
            for record in &records {
                waiting.done(&record.match_id).unwrap();
            }
        }
        assert!(fs::read_to_string(&beside).unwrap().lines().count() < LINES + 200);
        assert_eq!(ids(1).1.first().unwrap(), "0002");
        waiting.done("0002").unwrap();
        waiting.done("0003").unwrap();
        assert!(!beside.exists(), "nothing waits");
        waiting.add(&[record("0007")]).unwrap();
        assert_eq!(ids(2).1, [""; 0], "another tournament");
        assert!(!beside.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
