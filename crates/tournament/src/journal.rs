//! The journal: one line that says what is played, one line per game in the order of the schedule, one line at the end.
//!
//! It is the tournament: everything else is computed from it. A game counts when its line is on the disk, for which
//! all games that are handed over together (every 20 ms, see the runner) share one `fdatasync`. Whatever a power cut
//! leaves of a line is cut off when the journal is opened again, and that game is played again.

use super::roster::RosterChange;
use super::schedule::Shard;
use super::spare::{Spare, copy_beside};
use nix::fcntl::{Flock, FlockArg};
use protocol::Clock;
use referee::record::Record;
use referee::seeds::RootSeed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use text::harmless;

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
    Change(RosterChange),
    End(End),
}

impl Line {
    pub fn read(text: &[u8]) -> Result<Line, serde_json::Error> {
        if text.starts_with(b"{\"journal\"") {
            serde_json::from_slice(text).map(|header| Line::Header(Box::new(header)))
        } else if text.starts_with(b"{\"change\"") {
            serde_json::from_slice(text).map(Line::Change)
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
        "{path} can't go on, because something is different now:{differences}\nput that right, or begin anew: \
         --fresh keeps the old journal under another name"
    )]
    Changed { path: PathBuf, differences: String },
    #[error(
        "{path} {what} while the tournament was played, and not by the arena\nall games that were played are in \
         {rescued}\nto go on: find out who did it, give that file the name of the journal, and type the same command"
    )]
    Touched { path: PathBuf, what: &'static str, rescued: String },
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
    /// The bytes that the file has, if nobody else writes to it.
    length: u64,
    /// A copy, unless the tournament is over.
    spare: Option<Spare>,
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
        let file = lock(path)?;
        let mut journal =
            Journal { path: path.to_owned(), file, old: None, end: None, torn: 0, length: 0, spare: None };
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
        // It comes to the disk with the first games; before them there is nothing to lose.
        let line = to_line(header);
        self.file.write_all(&line)?;
        self.keep_spare(line.len() as u64);
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
        let differences = changes(&found, header);
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
                // Known since the journal was opened.
                Ok(Line::Change(_)) if self.end.is_none() => {
                    old.good += text.len() as u64;
                    return self.next_old();
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
        self.keep_spare(good);
        if self.torn > 0 { self.file.sync_all() } else { Ok(()) }
    }

    /// From now on the file has so many bytes, and more only if we write them.
    fn keep_spare(&mut self, length: u64) {
        self.length = length;
        if self.end.is_none() {
            self.spare = Spare::of(&self.path, &mut self.file).ok(); // there may be no room for two
        }
    }

    /// The last line, if the tournament was over before this run. Known when all old games are read.
    pub fn ended(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Writes games that were finished. When this returns they are on the disk.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let mut lines = Vec::with_capacity(1_024 * records.len());
        for record in records {
            lines.extend_from_slice(record.to_line().as_bytes());
            lines.push(b'\n');
        }
        self.write(&lines)
    }

    /// Notes who comes and who goes.
    pub fn note_change(&mut self, change: &RosterChange) -> Result<(), JournalError> {
        self.write(&to_line(change))
    }

    /// The last line.
    pub fn close(&mut self, end: &End) -> Result<(), JournalError> {
        self.write(&to_line(end))
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        // Kept first: if the journal turns out to be gone, these games are not.
        if self.spare.as_mut().is_some_and(|spare| spare.add(lines).is_err()) {
            self.spare = None;
        }
        self.check_place()?;
        let io = |error| JournalError::Io(self.path.clone(), error);
        self.file.write_all(lines).map_err(io)?;
        self.length += lines.len() as u64;
        self.file.sync_data().map_err(io)
    }

    /// Is this still the file under its name, as long as it should be?
    fn check_place(&mut self) -> Result<(), JournalError> {
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

    /// At the end, when no bot runs any more: is every byte of the journal what was written?
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
            Err(error) => format!("no file: a copy could not be written ({error})"),
        };
        JournalError::Touched { path: self.path.clone(), what, rescued }
    }
}

/// Opens a journal, unless another process plays its tournament.
fn lock(path: &Path) -> Result<Flock<File>, JournalError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(|error| JournalError::Io(path.to_owned(), error))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|_| JournalError::InUse(path.to_owned()))
}

/// Gives a journal another name, unless another process plays its tournament. `first` is done when that is known.
pub fn put_aside(path: &Path, first: impl FnOnce() -> io::Result<()>) -> Result<(), JournalError> {
    let io = |error| JournalError::Io(path.to_owned(), error);
    let _alone = if path.exists() { Some(lock(path)?) } else { None };
    first().map_err(io)?;
    let free = (1..100_000)
        .map(|number| path.with_extension(format!("old-{number}.jsonl")))
        .find(|path| !path.exists());
    match free {
        Some(free) if path.exists() => fs::rename(path, free).map_err(io),
        _ => Ok(()),
    }
}

/// Does this file have the first line of a journal?
pub fn has_begun(path: &Path) -> bool {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut first));
    read.is_ok() && matches!(Line::read(first.trim_ascii_end()), Ok(Line::Header(_)))
}

/// Who came and went so far, and the last round of which a game was played. A line that is torn says nothing.
pub fn roster_changes(path: &Path) -> io::Result<(Vec<RosterChange>, u32)> {
    let (mut changes, mut round) = (Vec::new(), 0);
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        match Line::read(&line?) {
            Ok(Line::Change(change)) => changes.push(change),
            Ok(Line::Game(record)) => round = round.max(record.round.unwrap_or(0)),
            _ => {}
        }
    }
    Ok((changes, round))
}

pub(super) fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Is there a journal of a tournament whose config had no such key?
pub fn begun_without(path: &Path, key: &str) -> bool {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut first));
    let header: Option<Header> = read.ok().and_then(|_| serde_json::from_slice(&first).ok());
    header.is_some_and(|header| header.config.get(key).is_none())
}

/// The name of a journal's file.
pub fn file_name(shard: Shard) -> String {
    match shard.parts {
        1 => "journal.jsonl".to_owned(),
        parts => format!("journal-{}-of-{parts}.jsonl", shard.part + 1),
    }
}

/// Why a journal can't go on: what has changed since its first line was written.
fn changes(old: &Header, new: &Header) -> Vec<String> {
    let mut list = Vec::new();
    if old.seed_commitment != new.seed_commitment {
        list.push("\n  the seed is not the one that the journal is committed to".to_owned());
    }
    let of = |bots: &[BotEntry], name: &str| bots.iter().find(|bot| bot.name == name).cloned();
    for was in &old.bots {
        let name = &was.name;
        match of(&new.bots, name) {
            None => list.push(format!("\n  the bot `{name}` has been taken out")),
            Some(now) if now.run != was.run => {
                list.push(format!("\n  the bot `{name}` was started by `{}`, now by `{}`", was.run, now.run));
            }
            Some(now) if now.sha256 != was.sha256 => {
                list.push(format!("\n  the files of the bot `{name}` have changed"));
            }
            Some(_) => {}
        }
    }
    for now in new.bots.iter().filter(|bot| of(&old.bots, &bot.name).is_none()) {
        list.push(format!("\n  the bot `{}` is new", now.name));
    }
    if list.is_empty() && old.bots != new.bots {
        list.push("\n  the bots are in another order".to_owned());
    }
    let rest =
        |header: &Header| json!({ "name": header.name, "config": header.config, "shard": header.shard });
    list.extend(differences(&rest(old), &rest(new)));
    list
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
        _ => {
            let path = harmless::line(path);
            list.push(format!("\n  {path}: {} in the journal, {} now", shown(old), shown(new)));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn header(deals: u32) -> Header {
        Header {
            journal: FORMAT,
            name: "test".to_owned(),
            seed_commitment: "c".to_owned(),
            config: json!({ "deals": deals }),
            bots: Vec::new(),
            shard: None,
        }
    }

    pub(crate) fn record(id: &str) -> Record {
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

    #[test]
    fn what_has_changed_is_named() {
        let bot = |name: &str, run: &str, sha256: &str| BotEntry {
            name: name.to_owned(),
            run: run.to_owned(),
            sha256: Some(sha256.to_owned()),
            clock: None,
            memory_mib: None,
        };
        let with = |bots: Vec<BotEntry>| Header { bots, ..header(1) };
        let old = with(vec![bot("anna", "a", "1"), bot("béla", "b", "2")]);
        for (new, expected) in [
            (
                with(vec![bot("anna", "a", "1"), bot("béla", "b", "3")]),
                "the files of the bot `béla` have changed",
            ),
            (
                with(vec![bot("anna", "a", "1"), bot("béla", "c", "2")]),
                "the bot `béla` was started by `b`, now by `c`",
            ),
            (with(vec![bot("anna", "a", "1")]), "the bot `béla` has been taken out"),
            (with([&old.bots[..], &[bot("cili", "c", "3")]].concat()), "the bot `cili` is new"),
            (with(vec![bot("béla", "b", "2"), bot("anna", "a", "1")]), "the bots are in another order"),
            (Header { seed_commitment: "d".to_owned(), ..old.clone() }, "the seed is not the one"),
        ] {
            let found = changes(&old, &new);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(expected), "{found:?}");
        }
        assert!(changes(&old, &old).is_empty());
    }

    type Attack = fn(&Path);

    /// Whatever is done to the journal, it is noticed at the next write or at the end, and all games are kept.
    #[test]
    fn a_journal_that_is_touched_is_rescued() {
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
            let mut journal = Journal::open(&path, &header(1)).unwrap();
            assert!(old_ids(&mut journal).is_empty());
            journal.append(&[record("a"), record("b")]).unwrap();
            journal.check_whole().unwrap();
            attack(&path);
            let next = journal.append(&[record("c")]);
            let error = if only_at_the_end { next.and_then(|()| journal.check_whole()) } else { next };
            let error = error.unwrap_err().to_string();
            assert!(error.contains(what) && error.contains("journal.rescued.jsonl"), "{error}");
            drop(journal);
            // The rescued file takes the place of the journal, and nothing is missing.
            fs::rename(folder.join("journal.rescued.jsonl"), &path).unwrap();
            let mut journal = Journal::open(&path, &header(1)).unwrap();
            assert_eq!(old_ids(&mut journal), ["a", "b", "c"], "{what}");
            let left = fs::read_dir(&folder).unwrap().count();
            assert_eq!(left, 1, "{what}: the copy is gone");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
