//! `arena show --html`: a page that replays games, in one file.

use super::known_values::KnownValues;
use super::{Failure, unwritable, usage};
use referee::record::Record;
use referee::transcript;
use std::path::Path;
use text::harmless;
use tournament::config::transcripts_beside;
use tournament::journal::known_bots;
use web::{ViewerGame, ViewerSource};

/// The most games of one page. More would make the page slow.
pub(super) const MOST_GAMES: usize = 2_000;

/// A wrong name is reported before any work is done. Only a file that is called a page is written.
pub(super) fn check_name(flag: &str, file: &Path) -> Result<(), Failure> {
    let is_page =
        |ending: &std::ffi::OsStr| ["html", "htm"].iter().any(|name| ending.eq_ignore_ascii_case(name));
    if file.extension().is_some_and(is_page) {
        return Ok(());
    }
    Err(usage(format!("{flag} {}: the name of a page ends in `.html`", file.display())))
}

pub(super) fn write(
    file: &Path,
    source: &Path,
    records: Vec<Record>,
    with_values: bool,
    transcripts: Option<&Path>,
) -> Result<(), Failure> {
    let mut known = with_values.then(|| KnownValues::of_games(records.len()));
    let beside = transcripts_beside(source);
    let mut games = Vec::new();
    for record in records {
        let stderr = transcripts.map(|folder| transcript::read(folder, &record)).transpose();
        let stderr = stderr.map_err(|error| usage(format!("--transcript: {error}")))?;
        let stderr = stderr.or_else(|| transcript::read(beside.as_deref()?, &record).ok());
        let values = known.as_mut().and_then(|known| known.of(&record));
        games.push(ViewerGame { record, values, stderr });
    }
    drop(known);
    let bots = serde_json::to_value(known_bots(&[source.to_owned()])).unwrap_or_default();
    let source = ViewerSource { file: source.display().to_string(), bots };
    let page = web::viewer(&source, &games).map_err(|(id, error)| {
        Failure::Failed(format!("match {}: {}", harmless::line(&id), harmless::line(&error.to_string())))
    })?;
    std::fs::write(file, page.to_html())
        .map_err(|error| unwritable(format!("--html {}", file.display()), &error))
}
