//! Gathers the games of journals and files of records.

use super::result::Anchor;
use super::{Collector, Counted, SprtResult, TieRule};
use crate::journal::{FoundLine, JournalEnd, JournalHeader, JournalLine, JournalLines};
use crate::roster::{RosterChange, Stay};
use crate::sprt::Variety;
use ratings::{Scale, Sprt, Verdict};
use referee::record::Record;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Selects the games that count.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these games, each with parameters that it must have. Empty for all games.
    pub games: Vec<(String, Map<String, Value>)>,
    /// One bot selects the games of that bot. Several bots select the games among them.
    pub bots: Vec<String>,
    /// Only games that began at this moment or later, in milliseconds since 1970.
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

/// What the files contain.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub games: u64,
    /// Games that the filter left out.
    pub left_out: u64,
    /// Games that had been read before.
    pub repeated: u64,
    /// Files whose last line was cut off in the middle.
    pub torn: Vec<PathBuf>,
    /// All bots in the files, filtered or not.
    pub bots: BTreeSet<String>,
    /// All games in the files, filtered or not.
    pub game_names: BTreeSet<String>,
    /// If there is one tournament: its tie-breaks.
    pub ties: Vec<TieRule>,
    /// If there is one tournament: its anchor.
    pub anchor: Option<Anchor>,
    /// If there is one tournament: the result of its sequential test.
    pub sprt: Option<SprtResult>,
    /// The tournaments in the files.
    tournaments: BTreeSet<String>,
    /// The number of games that belong to no tournament.
    loose: u64,
}

impl Summary {
    /// Do all games belong to one tournament?
    pub fn is_one_tournament(&self) -> bool {
        self.tournaments.len() == 1 && self.loose == 0
    }
}

#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    #[error("{0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    #[error("{path}, line {line}: {problem}")]
    Bad { path: PathBuf, line: u64, problem: String },
}

/// The parts of a config that matter for the table.
#[derive(Default, Deserialize)]
struct TableConfig {
    #[serde(default)]
    format: String,
    #[serde(default)]
    tie_breaks: Vec<TieRule>,
    #[serde(default)]
    anchor: Option<Anchor>,
    #[serde(default)]
    sprt: Option<SprtConfig>,
}

/// The hypotheses of a sequential test, as a header has them.
#[derive(Deserialize)]
struct SprtConfig {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Scale,
}

/// The games of a sequential test, in the order of the journal.
struct TestedGames {
    hypotheses: Sprt,
    variety: Variety,
    /// The block of the last game.
    block: Option<String>,
}

impl TestedGames {
    fn of(config: &SprtConfig) -> TestedGames {
        let SprtConfig { elo0, elo1, alpha, beta, model: scale } = *config;
        let hypotheses = Sprt { elo0, elo1, alpha, beta, scale };
        TestedGames { hypotheses, variety: Variety::default(), block: None }
    }

    fn add(&mut self, record: &Record) {
        if self.block.is_some() && self.block != record.block {
            self.variety.close_block();
        }
        self.block.clone_from(&record.block);
        self.variety.add(record);
    }

    /// The result at the end of the journal, which knows the verdict of the statistics.
    fn result(mut self, verdict: &str, llr: f64) -> SprtResult {
        if self.block.is_some() {
            self.variety.close_block();
        }
        let known = [Verdict::Lower, Verdict::Upper].into_iter().find(|known| known.word() == verdict);
        SprtResult::new(&self.hypotheses, (llr, known.unwrap_or(Verdict::Open)), self.variety.no_elo())
    }
}

impl TableConfig {
    fn of(header: &JournalHeader) -> Result<TableConfig, String> {
        let config = Option::<TableConfig>::deserialize(&header.config);
        config.map(Option::unwrap_or_default).map_err(|error| format!("not a header: {error}"))
    }
}

/// Reads files in their order. A game that is in several files counts once. Games of a journal are
/// compared by the journal and the id of the match, other games by their whole line.
pub fn gather(files: &[PathBuf], filter: &Filter, into: &mut Collector) -> Result<Summary, GatherError> {
    gather_each(files, filter, into, &mut |_, _| {})
}

/// The same. Also shows each game that counts, with the count so far.
pub fn gather_each(
    files: &[PathBuf],
    filter: &Filter,
    into: &mut Collector,
    see: &mut dyn FnMut(&Record, &Collector),
) -> Result<Summary, GatherError> {
    let mut summary = Summary::default();
    // Each game needs eight bytes. Nothing else here grows with the number of games.
    let mut seen = HashSet::new();
    for path in files {
        read_file(path, filter, into, see, &mut summary, &mut seen)?;
    }
    Ok(summary)
}

fn read_file(
    path: &Path,
    filter: &Filter,
    into: &mut Collector,
    see: &mut dyn FnMut(&Record, &Collector),
    summary: &mut Summary,
    seen: &mut HashSet<u64>,
) -> Result<(), GatherError> {
    let unreadable = |error| GatherError::Unreadable(path.to_owned(), error);
    let mut lines = JournalLines::open(path).map_err(unreadable)?;
    let mut file = OpenFile::new(path).map_err(unreadable)?;
    while let Some(found) = lines.next_line().map_err(unreadable)? {
        let before = summary.games;
        let line = file.take(&found, filter, into, (&mut *summary, &mut *seen))?;
        if let Some(JournalLine::Game(record)) = line
            && summary.games > before
        {
            see(&record, into);
        }
    }
    Ok(())
}

/// What must be remembered of a file between two of its lines.
pub(super) struct OpenFile {
    path: PathBuf,
    /// Distinguishes blocks of the same name in different journals.
    journal: String,
    is_journal: bool,
    test: Option<TestedGames>,
}

impl OpenFile {
    pub(super) fn new(path: &Path) -> std::io::Result<OpenFile> {
        // Without a header, the file distinguishes blocks of the same name.
        let journal = path.canonicalize()?.display().to_string();
        Ok(OpenFile { path: path.to_owned(), journal, is_journal: false, test: None })
    }

    /// Counts the next line of the file.
    pub(super) fn take(
        &mut self,
        found: &FoundLine<'_>,
        filter: &Filter,
        into: &mut Collector,
        (summary, seen): (&mut Summary, &mut HashSet<u64>),
    ) -> Result<Option<JournalLine>, GatherError> {
        if found.is_blank() {
            return Ok(None);
        }
        let OpenFile { path, journal, is_journal, test } = self;
        let bad = |problem| GatherError::Bad { path: path.clone(), line: found.number, problem };
        let line = match found.read() {
            Ok(line) => line,
            Err(_) if !found.is_whole() => {
                summary.torn.push(path.clone());
                return Ok(None);
            }
            Err(error) => return Err(bad(error.to_string())),
        };
        match &line {
            JournalLine::Game(record) => {
                record.check_format().map_err(|error| bad(error.to_string()))?;
                note(record, summary);
                summary.loose += u64::from(!*is_journal);
                if !filter.takes(record) {
                    summary.left_out += 1;
                } else if seen.insert(identity(record, is_journal.then_some(&*journal), found.text)) {
                    summary.games += 1;
                    into.add(record, journal).map_err(bad)?;
                    if let Some(test) = test {
                        test.add(record);
                    }
                } else {
                    summary.repeated += 1;
                }
            }
            JournalLine::Header(header) => {
                *is_journal = true;
                *journal = format!("{} {}", header.name, header.seed_commitment);
                if filter.is_empty() {
                    for bot in &header.bots {
                        into.list(&bot.name);
                    }
                }
                if summary.tournaments.insert(journal.clone()) {
                    let only = summary.tournaments.len() == 1;
                    let config = TableConfig::of(header).map_err(bad)?;
                    *test = config.sprt.as_ref().map(TestedGames::of);
                    let format = Counted::by(&config.format);
                    into.count_for(format.filter(|_| only && filter.is_empty()));
                    summary.anchor = config.anchor.filter(|_| only);
                    summary.ties = if only { config.tie_breaks } else { Vec::new() };
                }
            }
            JournalLine::Change(change) if filter.is_empty() => change_roster(change, into),
            JournalLine::Change(_) => {}
            JournalLine::End(JournalEnd { verdict, llr, .. }) => {
                let whole = summary.tournaments.len() == 1 && filter.is_empty();
                let ended = test.take().zip(verdict.as_ref().zip(*llr));
                let found = ended.map(|(test, (verdict, llr))| test.result(verdict, llr));
                summary.sprt = found.or(summary.sprt.take()).filter(|_| whole);
            }
        }
        Ok(Some(line))
    }
}

/// Applies a late entry or a withdrawal. A bot has no bye before it enters and none after it
/// leaves.
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

/// Notes the bots and the game of a record.
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
        // Two different games did not begin at the same moment, so their lines differ.
        None => text.trim_ascii().hash(&mut hasher),
    }
    hasher.finish()
}
