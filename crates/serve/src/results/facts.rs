//! What a list says about a result, from the first and the last lines of its files.

use super::{ResultEntry, ResultKind, grades};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};
use tournament::journal::{JournalLine, is_claimed};

/// A first line that is longer is not read to its end.
const FIRST_LINE: u64 = 1 << 20;
/// The last lines of a file are in so many bytes.
const LAST_LINES: u64 = 1 << 18;
/// Where files have no locks, a journal that was written so recently is still being written.
const RECENT: Duration = Duration::from_secs(20);

/// How far a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// Somebody is playing the tournament.
    Running,
    /// The tournament has stopped before its end. The same command goes on with it.
    Stopped,
    /// Nothing more will come.
    Complete,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped => "stopped",
            State::Complete => "complete",
        }
    }
}

/// What is known without reading all games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EntryFacts {
    pub state: State,
    /// Games, or submissions. Null where nobody has counted them.
    pub count: Option<u64>,
    /// The names of the games, or of the assignment.
    pub about: Vec<String>,
    pub bots: Option<usize>,
}

impl EntryFacts {
    pub fn of(entry: &ResultEntry) -> EntryFacts {
        match entry.kind {
            ResultKind::Grades => of_grades(entry),
            ResultKind::Tournament | ResultKind::Records => of_games(entry),
        }
    }
}

fn of_grades(entry: &ResultEntry) -> EntryFacts {
    let about = grades(entry).map(|grades| grades.into_iter().map(|grade| grade.assignment));
    let about: BTreeSet<String> = about.into_iter().flatten().collect();
    let count = Some(entry.files.len() as u64);
    EntryFacts { state: State::Complete, count, about: about.into_iter().collect(), bots: None }
}

fn of_games(entry: &ResultEntry) -> EntryFacts {
    let mut facts = EntryFacts { state: State::Complete, count: Some(0), about: Vec::new(), bots: None };
    let mut about = BTreeSet::new();
    for file in &entry.files {
        let head = first_line(file).unwrap_or_default();
        match JournalLine::read(head.as_bytes()) {
            Ok(JournalLine::Header(header)) => {
                facts.bots = facts.bots.max(Some(header.bots.len()));
                let games = header.config.get("games").and_then(serde_json::Value::as_array);
                let id = |game: &serde_json::Value| game.get("game")?.as_str().map(str::to_owned);
                about.extend(games.into_iter().flatten().filter_map(id));
            }
            Ok(JournalLine::Game(record)) => {
                about.insert(record.game);
            }
            _ => {}
        }
        let (count, ended) = last_lines(file);
        facts.count = facts.count.zip(count).map(|(sum, count)| sum + count);
        if entry.kind == ResultKind::Tournament && !ended && facts.state != State::Running {
            facts.state = if is_being_written(file) { State::Running } else { State::Stopped };
        }
    }
    facts.about = about.into_iter().collect();
    facts
}

/// The first line of a file, or its beginning if the line is very long.
pub(super) fn first_line(file: &Path) -> io::Result<String> {
    let (mut text, mut piece) = (Vec::new(), [0; 4_096]);
    let mut file = File::open(file)?.take(FIRST_LINE);
    while !text.contains(&b'\n') {
        match file.read(&mut piece)? {
            0 => break,
            read => text.extend_from_slice(&piece[..read]),
        }
    }
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    Ok(String::from_utf8_lossy(&text[..end]).into_owned())
}

/// The number of games, if the end of the file says so, and whether the journal has its end.
fn last_lines(file: &Path) -> (Option<u64>, bool) {
    let Ok((text, is_all)) = tail(file) else { return (None, false) };
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |end| &text[..=end]);
    let lines = || whole.split_inclusive(|&byte| byte == b'\n');
    let last = lines().rev().find_map(|line| JournalLine::read(line).ok());
    let is_game = |line: &&[u8]| line.starts_with(b"{\"ludus\"");
    match last {
        Some(JournalLine::End(end)) => (Some(end.games), true),
        _ if is_all => (Some(lines().filter(is_game).count() as u64), false),
        // The games of a journal are numbered.
        Some(JournalLine::Game(record)) => (record.match_id.parse().ok(), false),
        _ => (None, false),
    }
}

/// The last bytes of a file, and whether these are all.
fn tail(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_LINES)))?;
    let mut text = Vec::new();
    file.take(LAST_LINES).read_to_end(&mut text)?;
    Ok((text, length <= LAST_LINES))
}

/// Is a tournament writing this journal?
pub(crate) fn is_being_written(journal: &Path) -> bool {
    let is_recent = || {
        let at = fs::metadata(journal).and_then(|meta| meta.modified()).ok();
        let age = at.and_then(|at| SystemTime::now().duration_since(at).ok());
        age.is_some_and(|age| age < RECENT)
    };
    is_claimed(journal).unwrap_or_else(is_recent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn the_end_of_a_journal_says_how_far_it_is() {
        let file = std::env::temp_dir().join(format!("ludus-facts-{}.jsonl", std::process::id()));
        let entry = |path: &PathBuf| ResultEntry {
            name: "a".to_owned(),
            kind: ResultKind::Tournament,
            files: vec![path.clone()],
            changed: SystemTime::UNIX_EPOCH,
        };
        let header = "{\"journal\":1,\"bots\":[{\"name\":\"x\"},{\"name\":\"y\"}],\"config\":{\"games\":[{\"game\":\"nim\"}]}}\n";
        let game = "{\"ludus\":1,\"match\":\"0001\"}\n";
        let state = |text: &str| {
            fs::write(&file, text).unwrap();
            EntryFacts::of(&entry(&file))
        };
        let facts = state(&format!("{header}{game}{game}{{\"end\":2,\"seed\":7}}\n"));
        assert_eq!((facts.state, facts.count, facts.bots), (State::Complete, Some(2), Some(2)));
        assert_eq!(facts.about, ["nim"]);
        // Half a line at the end is no game.
        let facts = state(&format!("{header}{game}{{\"ludus\":1,\"mat"));
        assert_eq!(facts.count, Some(1));
        assert_eq!(state("").count, Some(0));
        fs::remove_file(file).unwrap();
    }
}
