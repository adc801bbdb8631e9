//! Reads journals and files of records, one line at a time. There may be millions of lines.

use super::format::{BotEntry, JournalHeader, JournalLine, LineError};
use crate::roster::RosterChange;
use protocol::Clock;
use referee::record::Record;
use serde::{Deserialize as _, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The lines of a file.
pub struct JournalLines {
    reader: BufReader<File>,
    text: Vec<u8>,
    number: u64,
}

/// A line as it stands in the file.
pub struct FoundLine<'a> {
    /// Counted from 1.
    pub number: u64,
    /// The bytes of the line, with its newline. The last line of a torn file has no newline.
    pub text: &'a [u8],
}

impl JournalLines {
    pub fn open(path: &Path) -> io::Result<JournalLines> {
        Ok(JournalLines::of(File::open(path)?))
    }

    pub fn of(file: File) -> JournalLines {
        JournalLines { reader: BufReader::with_capacity(1 << 16, file), text: Vec::new(), number: 0 }
    }

    /// The next line, or `None` at the end of the file.
    pub fn next_line(&mut self) -> io::Result<Option<FoundLine<'_>>> {
        self.text.clear();
        if self.reader.read_until(b'\n', &mut self.text)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(FoundLine { number: self.number, text: &self.text }))
    }

    /// Is there no further line?
    pub fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }
}

impl FoundLine<'_> {
    /// Does the line have its newline?
    pub fn is_whole(&self) -> bool {
        self.text.last() == Some(&b'\n')
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    pub fn read(&self) -> Result<JournalLine, LineError> {
        JournalLine::read(self.text)
    }
}

/// The first line of a file, if the file is a journal.
fn header_of(path: &Path) -> Option<JournalHeader> {
    let mut lines = JournalLines::open(path).ok()?;
    match lines.next_line().ok()??.read() {
        Ok(JournalLine::Header(header)) => Some(*header),
        _ => None,
    }
}

/// What journals say of a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KnownBot {
    /// The command that starts the bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The most time for one move in microseconds, with the whole bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_us: Option<u64>,
}

/// The bots of these journals by name. Where two journals disagree, nothing is known. A file of
/// records says nothing.
pub fn known_bots(files: &[PathBuf]) -> BTreeMap<String, KnownBot> {
    let mut found: BTreeMap<String, KnownBot> = BTreeMap::new();
    for JournalHeader { config, bots, .. } in files.iter().filter_map(|file| header_of(file)) {
        let usual = Option::<Clock>::deserialize(&config["clock"]).ok().flatten();
        for BotEntry { name, run, clock, .. } in bots {
            let clock = clock.or(usual);
            let move_us =
                clock.map(|clock| clock.move_ms.saturating_add(clock.bank_ms).saturating_mul(1_000));
            let bot = KnownBot { run: Some(run).filter(|run| !run.is_empty()), move_us };
            let known = found.entry(name).or_insert_with(|| bot.clone());
            known.run = known.run.take().filter(|known| Some(known) == bot.run.as_ref());
            known.move_us = known.move_us.filter(|known| Some(*known) == bot.move_us);
        }
    }
    found
}

/// Does this file have the first line of a journal?
pub fn has_begun(path: &Path) -> bool {
    header_of(path).is_some()
}

/// Is there a journal whose config does not have this key?
pub fn begun_without(path: &Path, key: &str) -> bool {
    header_of(path).is_some_and(|header| header.config.get(key).is_none())
}

/// The late entries and withdrawals so far, and the last round of which a game was played. A torn
/// line is skipped.
pub fn roster_changes(path: &Path) -> io::Result<(Vec<RosterChange>, u32)> {
    let mut lines = JournalLines::open(path)?;
    let (mut changes, mut round) = (Vec::new(), 0);
    while let Some(line) = lines.next_line()? {
        match line.read() {
            Ok(JournalLine::Change(change)) => changes.push(change),
            Ok(JournalLine::Game(record)) => round = round.max(record.round.unwrap_or(0)),
            _ => {}
        }
    }
    Ok((changes, round))
}

/// The games of a journal that can be read.
pub(crate) fn readable_games(path: &Path) -> impl Iterator<Item = Record> {
    let mut lines = JournalLines::open(path).ok();
    std::iter::from_fn(move || {
        loop {
            if let Ok(JournalLine::Game(record)) = lines.as_mut()?.next_line().ok()??.read() {
                return Some(*record);
            }
        }
    })
}
