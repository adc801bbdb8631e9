//! Merges the journals of several shards into one journal, in the order of the schedule. Reads game
//! by game, so that the journals need not fit into memory.

use super::journal::{JournalEnd, JournalHeader, JournalLine, JournalLines, LineError, differences};
use referee::record::Record;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{path}, line {line}: {problem}")]
    Corrupt { path: PathBuf, line: u64, problem: String },
    #[error("{0} and {1} are journals of different tournaments:{2}")]
    Different(PathBuf, PathBuf, String),
    #[error("{0} already exists and would be overwritten; choose another name for the merged journal")]
    Exists(PathBuf),
    #[error("match {id} is in {first} and in {second}, but the two games differ; remove one of the files")]
    Twice { id: String, first: PathBuf, second: PathBuf },
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub games: u64,
    /// The number of games before the last game that no journal has.
    pub missing: u64,
    /// The number of games that several journals have.
    pub repeated: u64,
    /// The shards that are missing or have not ended. Empty if all games are there.
    pub lacking: Vec<String>,
}

/// Writes one journal with the games of all journals. The file must not exist yet.
pub fn merge(out: &Path, journals: &[PathBuf]) -> Result<Merged, MergeError> {
    if out.exists() {
        return Err(MergeError::Exists(out.to_owned()));
    }
    // The file gets its name when it is complete.
    let half = out.with_extension(format!("{}.new", std::process::id()));
    let merged = merge_into(&half, journals);
    if merged.is_err() {
        let _ = fs::remove_file(&half); // the file may not exist
    }
    let merged = merged?;
    fs::rename(&half, out).map_err(|error| MergeError::Io(out.to_owned(), error))?;
    Ok(merged)
}

fn merge_into(out: &Path, journals: &[PathBuf]) -> Result<Merged, MergeError> {
    let mut parts = journals.iter().map(|path| JournalPart::open(path)).collect::<Result<Vec<_>, _>>()?;
    let header = common_header(&parts)?;
    let io = |error| MergeError::Io(out.to_owned(), error);
    let mut writer = BufWriter::new(File::create(out).map_err(io)?);
    writeln!(writer, "{}", json!(header)).map_err(io)?;
    let mut merged = Merged { games: 0, missing: 0, repeated: 0, lacking: Vec::new() };
    let mut due = 1;
    while let Some((number, record, first)) = take_lowest(&mut parts)? {
        for part in parts.iter_mut().filter(|part| part.number() == Some(number)) {
            let twin = part.take()?;
            if twin.is_some_and(|(_, twin)| !same_game(&twin, &record)) {
                let second = part.path.clone();
                return Err(MergeError::Twice { id: record.match_id, first, second });
            }
            merged.repeated += 1;
        }
        writeln!(writer, "{}", record.to_line()).map_err(io)?;
        merged.games += 1;
        merged.missing += number - due;
        due = number + 1;
    }
    merged.lacking = lacking(&parts);
    if merged.missing > 0 && merged.lacking.is_empty() {
        merged.lacking.push("games are missing from a journal that has ended".to_owned());
    }
    let end = parts.iter().find_map(|part| part.end.as_ref());
    if let Some(end) = end.filter(|_| merged.lacking.is_empty()) {
        writeln!(writer, "{}", json!(JournalEnd { games: merged.games, ..end.clone() })).map_err(io)?;
    }
    let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
    file.sync_all().map_err(io)?;
    Ok(merged)
}

fn take_lowest(parts: &mut [JournalPart]) -> Result<Option<(u64, Record, PathBuf)>, MergeError> {
    let lowest = parts.iter_mut().filter(|part| part.next.is_some()).min_by_key(|part| part.number());
    let Some(part) = lowest else { return Ok(None) };
    let path = part.path.clone();
    Ok(part.take()?.map(|(number, record)| (number, record, path)))
}

fn same_game(a: &Record, b: &Record) -> bool {
    a.seed == b.seed && a.bots == b.bots && a.moves == b.moves && a.result == b.result
}

/// The shards that are missing or have not ended. If a journal of the whole tournament has ended,
/// nothing is lacking.
fn lacking(parts: &[JournalPart]) -> Vec<String> {
    let ended = |shard| parts.iter().any(|part| part.header.shard == shard && part.end.is_some());
    let here = |shard| parts.iter().any(|part| part.header.shard == shard);
    let Some(count) = parts.iter().filter_map(|part| part.header.shard).map(|(_, count)| count).max() else {
        return if ended(None) { Vec::new() } else { vec!["the tournament has not ended".to_owned()] };
    };
    if ended(None) {
        return Vec::new();
    }
    let open = (1..=count).filter(|&shard| !ended(Some((shard, count))));
    open.map(|shard| {
        let word = if here(Some((shard, count))) { "has not ended" } else { "is missing" };
        format!("shard {shard}/{count} {word}")
    })
    .collect()
}

fn common_header(parts: &[JournalPart]) -> Result<JournalHeader, MergeError> {
    // Each part may have been played on another host.
    let header = |part: &JournalPart| JournalHeader { shard: None, sandbox: None, ..part.header.clone() };
    let first = header(&parts[0]);
    for part in &parts[1..] {
        let differences = differences(&json!(first), &json!(header(part))).concat();
        if !differences.is_empty() {
            return Err(MergeError::Different(part.path.clone(), parts[0].path.clone(), differences));
        }
    }
    Ok(JournalHeader { sandbox: parts[0].header.sandbox.clone(), ..first })
}

/// One journal, read game by game.
struct JournalPart {
    path: PathBuf,
    lines: JournalLines,
    header: JournalHeader,
    /// The next game and its number.
    next: Option<(u64, Record)>,
    end: Option<JournalEnd>,
}

impl JournalPart {
    fn open(path: &Path) -> Result<JournalPart, MergeError> {
        let io = |error| MergeError::Io(path.to_owned(), error);
        let mut lines = JournalLines::open(path).map_err(io)?;
        let first = lines.next_line().map_err(io)?.map(|line| line.read());
        let problem = match first {
            Some(Ok(JournalLine::Header(header))) => {
                let path = path.to_owned();
                let mut part = JournalPart { path, lines, header: *header, next: None, end: None };
                part.take()?;
                return Ok(part);
            }
            Some(Err(error @ LineError::Newer(_))) => error.to_string(),
            _ => "not the header of a journal".to_owned(),
        };
        Err(MergeError::Corrupt { path: path.to_owned(), line: 1, problem })
    }

    /// The number of the next game.
    fn number(&self) -> Option<u64> {
        self.next.as_ref().map(|(number, _)| *number)
    }

    /// Takes the next game, and reads the game after it.
    fn take(&mut self) -> Result<Option<(u64, Record)>, MergeError> {
        let before = self.number().unwrap_or(0);
        let found = self.lines.next_line().map_err(|error| MergeError::Io(self.path.clone(), error))?;
        let next = match found {
            // A torn last line is ignored.
            Some(found) if found.is_whole() => {
                let path = || self.path.clone();
                let corrupt = |problem| MergeError::Corrupt { path: path(), line: found.number, problem };
                match found.read().map_err(|error| corrupt(error.problem()))? {
                    JournalLine::Game(record) => {
                        let number = record
                            .match_id
                            .parse()
                            .ok()
                            .filter(|number| (before + 1..u64::MAX).contains(number));
                        let order = || {
                            corrupt(format!("match {} is not in the order of the schedule", record.match_id))
                        };
                        Some((number.ok_or_else(order)?, *record))
                    }
                    JournalLine::End(end) => {
                        self.end = Some(end);
                        None
                    }
                    _ => return Err(corrupt("this line does not belong here".to_owned())),
                }
            }
            _ => None,
        };
        Ok(std::mem::replace(&mut self.next, next))
    }
}
