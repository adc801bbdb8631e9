//! The journal: one line that says what is played, one line per game in the order of the schedule, one line at the end.
//!
//! It is the tournament: everything else is computed from it. A game counts when its line is on the disk, for which
//! all games that are handed over together (every 20 ms, see the runner) share one `fdatasync`. Whatever a power cut
//! leaves of a line is cut off when the journal is opened again, and that game is played again.

use super::schedule::Shard;
use crate::record::Record;
use crate::seeds::RootSeed;
use nix::fcntl::{Flock, FlockArg};
use protocol::Clock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The format of the journals this program writes.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub journal: u32,
    pub name: String,
    /// SHA-256 of `ludus 1 seed SEED`.
    pub seed_commitment: String,
    /// All that decides which games are played.
    pub config: Value,
    pub bots: Vec<BotEntry>,
    /// Which part of the schedule this is, from 1, and of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotEntry {
    pub name: String,
    pub run: String,
    /// Of the bot's files, as far as its command names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Limits of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
}

/// The last line, when all games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The number of games.
    #[serde(rename = "end")]
    pub games: u64,
    /// What the commitment was made of.
    pub seed: RootSeed,
    /// For a sequential test: `H0`, `H1` or `open`, with the logarithm of the likelihood ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// A line of a journal.
#[derive(Debug)]
pub enum Line {
    Header(Box<Header>),
    Game(Box<Record>),
    End(End),
}

impl Line {
    pub fn read(text: &[u8]) -> Result<Line, serde_json::Error> {
        if text.starts_with(b"{\"journal\"") {
            serde_json::from_slice(text).map(|header| Line::Header(Box::new(header)))
        } else if text.starts_with(b"{\"end\"") {
            serde_json::from_slice(text).map(Line::End)
        } else {
            serde_json::from_slice(text).map(|record| Line::Game(Box::new(record)))
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0} is in use: this tournament is being played by another process")]
    InUse(PathBuf),
    #[error("{0} is not a journal: its first line is no header ({1})")]
    NoHeader(PathBuf, String),
    #[error("{path}, line {line}: {problem}")]
    Corrupt { path: PathBuf, line: u64, problem: String },
    #[error(
        "{path} was begun with another config:{differences}\nfinish it with the old config, or begin anew: \
         --fresh keeps the old journal under another name"
    )]
    Changed { path: PathBuf, differences: String },
}

/// A journal that is read from its beginning and then written to.
pub struct Journal {
    path: PathBuf,
    file: Flock<File>,
    /// What is left to read of an earlier run.
    old: Option<Old>,
    end: Option<End>,
    /// Bytes of a torn line that were cut off.
    pub torn: u64,
}

struct Old {
    reader: BufReader<File>,
    line: u64,
    /// Where the last good line ended.
    good: u64,
}

impl Journal {
    /// Opens the journal of this tournament, new or begun.
    pub fn open(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = Flock::lock(file.map_err(io)?, FlockArg::LockExclusiveNonblock)
            .map_err(|_| JournalError::InUse(path.to_owned()))?;
        let mut journal = Journal { path: path.to_owned(), file, old: None, end: None, torn: 0 };
        let mut reader = BufReader::new(File::open(path).map_err(io)?);
        let mut first = Vec::new();
        reader.read_until(b'\n', &mut first).map_err(io)?;
        if first.last() == Some(&b'\n') && !first.contains(&0) {
            journal.compare(header, &first)?;
            journal.old = Some(Old { reader, line: 1, good: first.len() as u64 });
        } else {
            // Not even the header is whole, so no game has come to the disk.
            journal.begin(header).map_err(io)?;
        }
        Ok(journal)
    }

    fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        // It comes to the disk with the first games; before them there is nothing to lose.
        self.file.write_all(&to_line(header))?;
        // The name of a new file is on the disk only when its folder is.
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    }

    fn compare(&self, header: &Header, line: &[u8]) -> Result<(), JournalError> {
        let found: Header = serde_json::from_slice(line)
            .map_err(|error| JournalError::NoHeader(self.path.clone(), error.to_string()))?;
        if found.journal > FORMAT {
            let problem =
                format!("format {} is newer than this program, which knows {FORMAT}", found.journal);
            return Err(JournalError::Corrupt { path: self.path.clone(), line: 1, problem });
        }
        let differences = differences(&json!(found), &json!(header));
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::Changed { path: self.path.clone(), differences: differences.concat() })
    }

    /// The next game of an earlier run, in the order of the schedule.
    pub fn next_old(&mut self) -> Result<Option<Record>, JournalError> {
        let Some(old) = &mut self.old else { return Ok(None) };
        let io = |error| JournalError::Io(self.path.clone(), error);
        let mut text = Vec::new();
        old.reader.read_until(b'\n', &mut text).map_err(io)?;
        old.line += 1;
        let corrupt =
            |problem: String| JournalError::Corrupt { path: self.path.clone(), line: old.line, problem };
        let problem = match text.split_last() {
            None => None,
            Some((b'\n', line)) => match Line::read(line) {
                Ok(Line::Game(record)) if self.end.is_none() => {
                    old.good += text.len() as u64;
                    return Ok(Some(*record));
                }
                Ok(Line::End(end)) => {
                    old.good += text.len() as u64;
                    self.end = Some(end);
                    return self.next_old();
                }
                Ok(_) => return Err(corrupt("this line does not belong here".to_owned())),
                Err(error) => Some(error.to_string()),
            },
            Some(_) => Some("torn".to_owned()),
        };
        // Only what a crash leaves may be cut off: an unfinished last line, or pages that never reached the disk.
        if let Some(problem) = problem {
            let last = old.reader.fill_buf().map_err(io)?.is_empty();
            if !last && !text.contains(&0) {
                return Err(corrupt(format!("not a game: {problem}")));
            }
        }
        let good = old.good;
        self.old = None;
        self.cut_at(good).map_err(|error| JournalError::Io(self.path.clone(), error))?;
        Ok(None)
    }

    fn cut_at(&mut self, good: u64) -> io::Result<()> {
        self.torn = self.file.metadata()?.len().saturating_sub(good);
        self.file.set_len(good)?;
        self.file.seek(SeekFrom::Start(good))?;
        if self.torn > 0 { self.file.sync_all() } else { Ok(()) }
    }

    /// The last line, if the tournament was over before this run. Known when all old games are read.
    pub fn ended(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Writes games that were finished. When this returns they are on the disk.
    pub fn append(&mut self, records: &[Record]) -> io::Result<()> {
        let mut lines = Vec::with_capacity(1_024 * records.len());
        for record in records {
            lines.extend_from_slice(record.to_line().as_bytes());
            lines.push(b'\n');
        }
        self.file.write_all(&lines)?;
        self.file.sync_data()
    }

    /// The last line.
    pub fn close(&mut self, end: &End) -> io::Result<()> {
        self.file.write_all(&to_line(end))?;
        self.file.sync_data()
    }
}

pub(super) fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The name of a journal's file.
pub fn file_name(shard: Shard) -> String {
    match shard.parts {
        1 => "journal.jsonl".to_owned(),
        parts => format!("journal-{}-of-{parts}.jsonl", shard.part + 1),
    }
}

/// Where two configs differ: `deals: 10 in the journal, 12 now`.
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let mut list = Vec::new();
    differ("", old, new, &mut list);
    list
}

fn differ(path: &str, old: &Value, new: &Value, list: &mut Vec<String>) {
    if old == new {
        return;
    }
    let shown = |value: &Value| if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    match (old, new) {
        (Value::Object(left), Value::Object(right)) => {
            let added = right.keys().filter(|key| !left.contains_key(*key));
            for key in left.keys().chain(added) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                differ(&path, &old[key], &new[key], list);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            for at in 0..left.len().max(right.len()) {
                let nothing = Value::Null;
                let item = |list: &[Value]| list.get(at).unwrap_or(&nothing).clone();
                differ(&format!("{path}[{at}]"), &item(left), &item(right), list);
            }
        }
        _ => list.push(format!("\n  {path}: {} in the journal, {} now", shown(old), shown(new))),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::tournament) fn header(deals: u32) -> Header {
        Header {
            journal: FORMAT,
            name: "test".to_owned(),
            seed_commitment: "c".to_owned(),
            config: json!({ "deals": deals }),
            bots: Vec::new(),
            shard: None,
        }
    }

    pub(in crate::tournament) fn record(id: &str) -> Record {
        let text = format!(
            "{{\"ludus\":1,\"match\":\"{id}\",\"game\":\"nim\",\"rules\":1,\"params\":{{}},\"seed\":\"\",\"bots\":[],\
             \"moves\":[],\"result\":{{\"places\":[],\"scores\":[],\"reason\":\"\"}},\
             \"times\":{{\"started_ms\":0,\"moves_us\":[]}}}}"
        );
        serde_json::from_str(&text).unwrap()
    }

    fn old_ids(journal: &mut Journal) -> Vec<String> {
        std::iter::from_fn(|| journal.next_old().unwrap()).map(|record| record.match_id).collect()
    }

    #[test]
    fn whatever_is_torn_is_cut_off() {
        let folder = std::env::temp_dir().join(format!("ludus-journal-{}", std::process::id()));
        let path = folder.join("journal.jsonl");
        let _ = fs::remove_dir_all(&folder);
        let mut journal = Journal::open(&path, &header(1)).unwrap();
        assert!(matches!(Journal::open(&path, &header(1)), Err(JournalError::InUse(_))));
        assert!(old_ids(&mut journal).is_empty());
        journal.append(&[record("a"), record("b"), record("c")]).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(&path, &header(1)).unwrap();
            let games = old_ids(&mut journal).len();
            let lines = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(games, lines.saturating_sub(1), "cut at {length}");
            journal.append(&[record("d")]).unwrap();
            drop(journal);
            let mut again = Journal::open(&path, &header(1)).unwrap();
            assert_eq!(old_ids(&mut again).len(), games + 1);
            assert_eq!(again.torn, 0);
        }
        // Pages that never came to the disk are full of zeros.
        fs::write(&path, [&whole[..ends[1]], &[0; 512], b"\n", &whole[ends[1]..]].concat()).unwrap();
        assert_eq!(old_ids(&mut Journal::open(&path, &header(1)).unwrap()), ["a"]);
        fs::write(&path, [&[0; 512], &whole[512.min(ends[0] - 1)..]].concat()).unwrap();
        assert_eq!(old_ids(&mut Journal::open(&path, &header(1)).unwrap()), [""; 0]);
        // But a wrong line in the middle is nothing that a crash leaves.
        fs::write(&path, [&whole[..ends[1]], b"{\"x\":1}\n", &whole[ends[1]..]].concat()).unwrap();
        let mut journal = Journal::open(&path, &header(1)).unwrap();
        assert!(journal.next_old().unwrap().is_some());
        assert!(journal.next_old().unwrap_err().to_string().contains("line 3: not a game"));
        drop(journal);
        fs::write(&path, &whole).unwrap();
        let error = Journal::open(&path, &header(2)).err().unwrap().to_string();
        assert!(error.contains("config.deals: 1 in the journal, 2 now"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
