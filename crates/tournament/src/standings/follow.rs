//! Follows a journal from outside, while somebody else still writes it.
//!
//! The follower reads only what was appended since the last look. It never locks the file and never
//! writes, so that the tournament does not notice.

use super::gather::{Filter, GatherError, OpenFile, Summary};
use super::{Collector, Standings, TableOptions};
use crate::journal::{FoundLine, JournalHeader, JournalLine};
use referee::record::Record;
use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The number of newest games that a follower keeps.
const NEWEST: usize = 12;
/// The longest line of a journal. A longer line is no game of the arena.
const LONGEST_LINE: usize = 64 << 20;

/// A journal as far as it has been read.
pub struct Follower {
    path: PathBuf,
    /// Which file has been read. Another file under the same name is another tournament.
    inode: u64,
    file: OpenFile,
    collector: Collector,
    summary: Summary,
    seen: HashSet<u64>,
    header: Option<JournalHeader>,
    ended: bool,
    /// Up to here, all lines have been counted.
    offset: u64,
    lines: u64,
    /// Where the line of each game begins.
    games: Vec<u64>,
    newest: VecDeque<(usize, Record)>,
}

impl Follower {
    /// Opens a journal or a file of records. Nothing is counted yet.
    pub fn open(path: &Path) -> io::Result<Follower> {
        Ok(Follower {
            path: path.to_owned(),
            inode: std::fs::metadata(path)?.ino(),
            file: OpenFile::new(path)?,
            collector: Collector::default(),
            summary: Summary::default(),
            seen: HashSet::new(),
            header: None,
            ended: false,
            offset: 0,
            lines: 0,
            games: Vec::new(),
            newest: VecDeque::new(),
        })
    }

    /// Counts what was appended, up to about so many bytes. Says whether there was anything new. A
    /// journal that was begun again is read from its beginning.
    pub fn read_on(&mut self, most: usize) -> Result<bool, GatherError> {
        let unreadable = |error| GatherError::Unreadable(self.path.clone(), error);
        let mut file = File::open(&self.path).map_err(unreadable)?;
        let meta = file.metadata().map_err(unreadable)?;
        if meta.len() < self.offset || meta.ino() != self.inode {
            *self = Follower::open(&self.path.clone()).map_err(unreadable)?;
        }
        let unreadable = |error| GatherError::Unreadable(self.path.clone(), error);
        file.seek(SeekFrom::Start(self.offset)).map_err(unreadable)?;
        let mut text = Vec::new();
        let mut want = most as u64;
        loop {
            let read = (&mut file).take(want).read_to_end(&mut text).map_err(unreadable)?;
            // A line that does not fit into one piece needs a larger piece.
            if read == 0 || text.contains(&b'\n') || text.len() > LONGEST_LINE {
                break;
            }
            want = text.len() as u64;
        }
        self.count(&text)
    }

    /// Counts the whole lines of this text.
    fn count(&mut self, text: &[u8]) -> Result<bool, GatherError> {
        let mut new = false;
        for line in text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let found = FoundLine { number: self.lines + 1, text: line };
            let whole = (&mut self.summary, &mut self.seen);
            let taken = self.file.take(&found, &Filter::default(), &mut self.collector, whole)?;
            match taken {
                Some(JournalLine::Game(record)) => {
                    self.games.push(self.offset);
                    self.newest.push_back((self.games.len(), *record));
                    if self.newest.len() > NEWEST {
                        self.newest.pop_front();
                    }
                }
                Some(JournalLine::Header(header)) => self.header = Some(*header),
                Some(JournalLine::End(_)) => self.ended = true,
                Some(JournalLine::Change(_)) | None => {}
            }
            self.offset += line.len() as u64;
            self.lines += 1;
            new = true;
        }
        Ok(new)
    }

    /// The first line of the journal. A file of records has none.
    pub fn header(&self) -> Option<&JournalHeader> {
        self.header.as_ref()
    }

    /// Is the tournament still being played, or was it interrupted? A file of records is complete.
    pub fn is_open(&self) -> bool {
        self.header.is_some() && !self.ended
    }

    /// The number of games so far.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The newest games with their numbers, the newest last.
    pub fn newest(&self) -> impl DoubleEndedIterator<Item = &(usize, Record)> {
        self.newest.iter()
    }

    /// A game by its number, counted from 1.
    pub fn game(&self, number: usize) -> io::Result<Option<Record>> {
        let Some(&begin) = number.checked_sub(1).and_then(|at| self.games.get(at)) else { return Ok(None) };
        let end = self.games.get(number).copied().unwrap_or(self.offset);
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(begin))?;
        let mut text = Vec::new();
        file.take(end - begin).read_to_end(&mut text)?;
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match JournalLine::read(line) {
            Ok(JournalLine::Game(record)) => Ok(Some(*record)),
            _ => Ok(None), // somebody has changed the file
        }
    }

    /// The table of all games so far.
    pub fn standings(&self, crosstable: bool) -> Standings {
        let options = TableOptions {
            ties: self.summary.ties.clone(),
            anchor: self.summary.anchor.clone(),
            equal_games: self.summary.is_one_tournament(),
            no_squares: !crosstable,
            ..TableOptions::default()
        };
        Standings { sprt: self.summary.sprt.clone(), ..self.collector.standings(&options) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn game(id: &str) -> String {
        format!(
            "{{\"ludus\":1,\"match\":\"{id}\",\"game\":\"nim\",\"rules\":1,\"params\":{{}},\"seed\":\"{id}\",\
             \"bots\":[\"a\",\"b\"],\"moves\":[],\
             \"result\":{{\"places\":[1,2],\"scores\":[1,0],\"reason\":\"x\"}},\
             \"times\":{{\"started_ms\":0,\"moves_us\":[]}}}}\n"
        )
    }

    #[test]
    fn a_journal_is_followed_line_by_line() {
        let path = std::env::temp_dir().join(format!("follower-{}.jsonl", std::process::id()));
        let mut file = File::create(&path).unwrap();
        let header = "{\"journal\":1,\"name\":\"test\",\"seed_commitment\":\"c\"}\n";
        file.write_all(format!("{header}{}", game("1")).as_bytes()).unwrap();
        let mut follower = Follower::open(&path).unwrap();
        assert!(follower.read_on(1 << 20).unwrap());
        assert!(!follower.read_on(1 << 20).unwrap(), "nothing was appended");
        assert_eq!((follower.games(), follower.is_open()), (1, true));
        // Half a line is not counted before its other half is there.
        let second = game("2");
        let (half, rest) = second.split_at(40);
        file.write_all(half.as_bytes()).unwrap();
        assert!(!follower.read_on(16).unwrap());
        file.write_all(rest.as_bytes()).unwrap();
        assert!(follower.read_on(16).unwrap(), "a piece grows until it has a whole line");
        assert_eq!(follower.game(2).unwrap().unwrap().match_id, "2");
        assert!(follower.game(0).unwrap().is_none() && follower.game(3).unwrap().is_none());
        assert_eq!(follower.standings(false).rows[0].bot, "a");
        file.write_all(b"{\"end\":2,\"seed\":7}\n").unwrap();
        follower.read_on(1 << 20).unwrap();
        assert!(!follower.is_open());
        // The same name, another tournament.
        std::fs::write(&path, format!("{header}{}", game("9"))).unwrap();
        follower.read_on(1 << 20).unwrap();
        assert_eq!((follower.games(), follower.is_open()), (1, true));
        assert_eq!(follower.game(1).unwrap().unwrap().match_id, "9");
        std::fs::remove_file(path).unwrap();
    }
}
