//! Reads journals and files of records, line by line.

use super::result::Anchor;
use super::{Collector, Counted, SprtResult, TieBreak};
use crate::roster::{RosterChange, Stay};
use referee::record::{FORMAT, Record};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Which games count.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// These, if any are named: a game, and parameters that it must have.
    pub games: Vec<(String, Map<String, Value>)>,
    /// If one is named, its games; if several, the games among them.
    pub bots: Vec<String>,
    /// Those that began at this moment or later, in milliseconds since 1970.
    pub since_ms: Option<u64>,
}

impl Filter {
    fn takes(&self, record: &Record) -> bool {
        let fits = |(game, params): &(String, Map<String, Value>)| {
            *game == record.game && params.iter().all(|(key, value)| record.params.get(key) == Some(value))
        };
        let bots = match &self.bots[..] {
            [] => true,
            [bot] => record.bots.contains(bot),
            several => record.bots.iter().all(|bot| several.contains(bot)),
        };
        (self.games.is_empty() || self.games.iter().any(fits))
            && bots
            && self.since_ms.is_none_or(|since| record.times.started_ms >= since)
    }

    fn is_empty(&self) -> bool {
        self.games.is_empty() && self.bots.is_empty() && self.since_ms.is_none()
    }
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub games: u64,
    /// Games that the filter left out.
    pub left_out: u64,
    /// Games that had been read before.
    pub repeated: u64,
    /// Last lines that were cut off in the middle.
    pub torn: Vec<PathBuf>,
    /// Everybody and everything that was seen, filtered or not.
    pub bots: BTreeSet<String>,
    pub game_names: BTreeSet<String>,
    /// If there was one tournament: how its config tells bots apart that are level, and how its test has ended.
    pub ties: Vec<TieBreak>,
    /// And its anchor.
    pub anchor: Option<Anchor>,
    pub sprt: Option<SprtResult>,
    /// The tournaments that were seen.
    tournaments: BTreeSet<String>,
    /// Games that belong to none.
    loose: u64,
}

impl Summary {
    /// Are all games of one tournament?
    pub fn is_one_tournament(&self) -> bool {
        self.tournaments.len() == 1 && self.loose == 0
    }
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("{0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    #[error("{path}, line {line}: {problem}")]
    Bad { path: PathBuf, line: u64, problem: String },
}

/// The first line of a journal. Records have no such field.
#[derive(Deserialize)]
struct Header {
    journal: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    seed_commitment: String,
    #[serde(default)]
    bots: Vec<Entrant>,
    #[serde(default)]
    config: Config,
}

/// What of the config matters for the table.
#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    format: String,
    #[serde(default)]
    tie_breaks: Vec<TieBreak>,
    #[serde(default)]
    anchor: Option<Anchor>,
}

#[derive(Deserialize)]
struct Entrant {
    name: String,
}

/// The last line of a journal whose games are all played.
#[derive(Deserialize)]
struct End {
    #[allow(dead_code, reason = "its presence tells the line from others")]
    #[serde(rename = "end")]
    games: u64,
    verdict: Option<String>,
    llr: Option<f64>,
}

enum Line {
    Game(Box<Record>),
    Header(Header),
    Change(RosterChange),
    End(End),
}

impl Line {
    fn read(text: &[u8]) -> Result<Line, String> {
        let words = |error: serde_json::Error| format!("not a record: {error}");
        if text.starts_with(b"{\"journal\"") {
            let header: Header =
                serde_json::from_slice(text).map_err(|error| format!("not a header: {error}"))?;
            return match header.journal {
                1 => Ok(Line::Header(header)),
                newer => Err(format!("format {newer} of journals is newer than this program, which knows 1")),
            };
        }
        if text.starts_with(b"{\"change\"") {
            return serde_json::from_slice(text).map(Line::Change).map_err(words);
        }
        if text.starts_with(b"{\"end\"") {
            return serde_json::from_slice(text).map(Line::End).map_err(words);
        }
        let record: Record = serde_json::from_slice(text).map_err(words)?;
        match record.ludus {
            format if format > FORMAT => {
                Err(format!("format {format} is newer than this program, which knows {FORMAT}"))
            }
            _ => Ok(Line::Game(Box::new(record))),
        }
    }
}

/// Reads files in their order. A game that was in one of them already counts once: by the name of its journal and the id
/// of the match, or by its whole line where there is no journal.
pub fn read(files: &[PathBuf], filter: &Filter, into: &mut Collector) -> Result<Summary, JournalError> {
    let mut summary = Summary::default();
    // Eight bytes for each game: the one thing here that grows with their number.
    let mut seen = HashSet::new();
    for path in files {
        read_file(path, filter, into, &mut summary, &mut seen)?;
    }
    Ok(summary)
}

fn read_file(
    path: &Path,
    filter: &Filter,
    into: &mut Collector,
    summary: &mut Summary,
    seen: &mut HashSet<u64>,
) -> Result<(), JournalError> {
    let unreadable = |error| JournalError::Unreadable(path.to_owned(), error);
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    // Blocks of records without a header are told apart by their file.
    let mut journal = path.canonicalize().map_err(unreadable)?.display().to_string();
    let mut is_journal = false;
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        if reader.read_until(b'\n', &mut text).map_err(unreadable)? == 0 {
            break;
        }
        let whole = text.last() == Some(&b'\n');
        if text.trim_ascii().is_empty() {
            continue;
        }
        let bad = |problem| JournalError::Bad { path: path.to_owned(), line, problem };
        match Line::read(text.trim_ascii()) {
            Ok(Line::Game(record)) => {
                note(&record, summary);
                summary.loose += u64::from(!is_journal);
                if !filter.takes(&record) {
                    summary.left_out += 1;
                } else if seen.insert(identity(&record, is_journal.then_some(&journal), &text)) {
                    summary.games += 1;
                    into.add(&record, &journal).map_err(bad)?;
                } else {
                    summary.repeated += 1;
                }
            }
            Ok(Line::Header(header)) => {
                is_journal = true;
                journal = format!("{} {}", header.name, header.seed_commitment);
                if filter.is_empty() {
                    for bot in &header.bots {
                        into.list(&bot.name);
                    }
                }
                if summary.tournaments.insert(journal.clone()) {
                    let only = summary.tournaments.len() == 1;
                    let format = Counted::by(&header.config.format);
                    into.count_for(format.filter(|_| only && filter.is_empty()));
                    summary.anchor = header.config.anchor.filter(|_| only);
                    summary.ties = if only { header.config.tie_breaks } else { Vec::new() };
                }
            }
            Ok(Line::Change(change)) if filter.is_empty() => change_roster(&change, into),
            Ok(Line::Change(_)) => {}
            Ok(Line::End(End { verdict, llr, .. })) => {
                let sprt = verdict.zip(llr).map(|(verdict, llr)| SprtResult { verdict, llr });
                let whole = summary.tournaments.len() == 1 && filter.is_empty();
                summary.sprt = sprt.filter(|_| whole);
            }
            Err(_) if !whole => summary.torn.push(path.to_owned()),
            Err(problem) => return Err(bad(problem)),
        }
    }
    Ok(())
}

/// Who comes late has no bye before, and who goes has none after.
fn change_roster(change: &RosterChange, into: &mut Collector) {
    for entry in &change.add {
        into.list(&entry.name);
        let number = into.enter(&entry.name);
        into.set_stay(number, Stay { from: change.round, until: u32::MAX });
    }
    for name in &change.withdraw {
        let number = into.enter(name);
        into.end_stay(number, change.round - 1);
    }
}

/// Who and what was seen.
fn note(record: &Record, summary: &mut Summary) {
    for bot in &record.bots {
        if !summary.bots.contains(bot) {
            summary.bots.insert(bot.clone());
        }
    }
    if !summary.game_names.contains(&record.game) {
        summary.game_names.insert(record.game.clone());
    }
}

fn identity(record: &Record, journal: Option<&String>, text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    match journal {
        // A void game may be played again under the same id.
        Some(journal) => (journal, &record.match_id, record.result.is_void()).hash(&mut hasher),
        // Two games that look alike did not begin at the same moment.
        None => text.trim_ascii().hash(&mut hasher),
    }
    hasher.finish()
}
