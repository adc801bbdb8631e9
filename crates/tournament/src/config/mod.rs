//! A tournament that can be played: a draft with its defaults filled in and without contradictions.

mod bots;
mod format;
mod games;
#[cfg(test)]
mod tests;

pub use self::format::Format;

use self::bots::{anchor, entrants, heroes};
use self::format::{check_format, check_rounds, sprt, tables, third_place, tie_breaks};
use self::games::{book, check_meaning, check_openings, game_entries};
use crate::book::Book;
use crate::draft::Draft;
use crate::seating::Arrangements;
use crate::series::{Entrant, GameEntry, GameLabels, SeatingBy, Series};
use crate::standings::{Anchor, TieRule};
use config_file::{At, Mistake, Mistakes, Whole};
use ratings::Sprt;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::process::Sandbox;
use referee::seeds::SeedChoice;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything about a tournament, checked.
pub struct Tournament {
    pub name: String,
    pub seed: SeedChoice,
    /// The games, the bots, and the conditions of play.
    pub series: Series,
    pub format: Format,
    pub rounds: u32,
    /// Blocks for each table and round.
    pub deals: u64,
    /// In a gauntlet: the bots that play against all others.
    pub heroes: Vec<usize>,
    /// The number of tables in games of more than two sides. `None` means a table for every choice
    /// of bots.
    pub tables: Option<usize>,
    pub arrangements: Arrangements,
    pub seating: SeatingBy,
    /// Plies of a random opening in board games.
    pub openings: u32,
    pub clock: ClockRules,
    /// A bot with this many faults is disqualified.
    pub disqualify_after: Option<u64>,
    pub memory_mib: Option<u64>,
    pub tie_breaks: Vec<TieRule>,
    /// In a knockout: do the losers of the semifinals meet?
    pub third_place: bool,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    pub sprt: Sprt,
    pub sandbox: Arc<Sandbox>,
    /// The folder with all files of this tournament.
    pub results: PathBuf,
    pub failures: bool,
    /// Should a page be written at the end?
    pub report: bool,
    /// The folder for transcripts, if they are wanted.
    pub transcripts: Option<PathBuf>,
}

/// The usual folder for transcripts, beside the journal.
pub(super) const TRANSCRIPTS: &str = "transcripts";

/// The usual folder for the transcripts of the games in a journal, if the folder is there.
pub fn transcripts_beside(journal: &Path) -> Option<PathBuf> {
    Some(journal.with_file_name(TRANSCRIPTS)).filter(|folder| folder.is_dir())
}

fn or<T: Copy>(written: Option<&At<T>>, usual: T) -> T {
    written.map_or(usual, |written| written.value)
}

fn number<const LOW: u64, const HIGH: u64>(written: Option<Whole<LOW, HIGH>>, usual: u64) -> u64 {
    written.map_or(usual, Whole::get)
}

fn number_at<const LOW: u64, const HIGH: u64>(written: Option<&At<Whole<LOW, HIGH>>>, usual: u64) -> u64 {
    number(written.map(|written| written.value), usual)
}

/// Turns a draft into a tournament that can be played.
///
/// A check that needs several keys is skipped while one of them is wrong. Its answer might change.
pub fn check(draft: &Draft) -> Result<Tournament, Mistakes> {
    let mut mistakes = draft.mistakes.clone();
    let name = mistakes.note(name(draft)).unwrap_or_default();
    let sandbox = draft.sandbox.check(&mut mistakes);
    let results = results(draft, &name);
    let transcripts = transcripts(draft, &results);
    let sandbox = Arc::new(sandbox.closing(transcripts.iter().chain([&results]).cloned()));
    let bots = entrants(draft, &sandbox, &mut mistakes);
    let games = game_entries(draft, &bots, &mut mistakes);
    let format = mistakes.sure_of("format").then(|| or(draft.format.as_ref(), Format::RoundRobin));
    let tie_breaks = tie_breaks(draft, format, &mut mistakes);
    let sprt = sprt(draft, format, &mut mistakes);
    let book = book(draft, games.as_deref(), &mut mistakes);
    let heroes = heroes(draft, format, &bots, &mut mistakes);
    let anchor = anchor(draft, &bots, &mut mistakes);
    let third_place = third_place(draft, format, &mut mistakes);
    check_rounds(draft, format, &mut mistakes);
    if let Some(games) = &games {
        check_meaning(draft, games, &mut mistakes);
        check_openings(draft, games, &mut mistakes);
    }
    let (Some(games), Some(format)) = (games, format) else { return Err(mistakes) };
    check_format(draft, format, &bots, &heroes, &games, &mut mistakes);
    let tables = mistakes.note(tables(draft, format, bots.count, &games)).flatten();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let bots = bots.usable;
    let (rounds, deals) = match format {
        Format::Swiss => (usual_rounds(bots.len()), 1),
        Format::Sprt => (1, 10_000),
        Format::RoundRobin | Format::Gauntlet | Format::Knockout => (1, 1),
    };
    let seed = SeedChoice::usual(games.iter().map(|entry| entry.game.kind));
    Ok(Tournament {
        name,
        seed: or(draft.seed.as_ref(), seed),
        format,
        rounds: number_at(draft.rounds.as_ref(), rounds) as u32,
        deals: number_at(draft.deals.as_ref(), deals),
        heroes,
        tables,
        arrangements: or(draft.arrangements.as_ref(), Arrangements::default()),
        seating: or(draft.seating.as_ref(), SeatingBy::Team),
        openings: number_at(draft.openings.as_ref(), 0) as u32,
        clock: draft.clock.over(ClockRules::default()),
        disqualify_after: draft.disqualify_after.map(Whole::get),
        memory_mib: draft.memory_mib.map(Whole::get),
        tie_breaks,
        third_place,
        anchor,
        sprt,
        sandbox,
        series: Series { transcripts: transcripts.is_some(), ..series(draft, games, bots, book) },
        results,
        transcripts,
        failures: draft.output.failures.unwrap_or(true),
        report: draft.output.report.unwrap_or(true),
    })
}

fn series(draft: &Draft, games: Vec<GameEntry>, bots: Vec<Entrant>, book: Option<Book>) -> Series {
    let usual = Series::new(games, bots);
    Series {
        labels: GameLabels::Journal,
        book,
        restart: draft.restart.unwrap_or(usual.restart),
        pondering: draft.pondering.unwrap_or(usual.pondering),
        explore: usual
            .explore
            .with(draft.explore.as_ref().map(|mode| mode.value), draft.explore_nodes.map(Whole::get)),
        on_fault: or(draft.on_fault.as_ref(), usual.on_fault),
        concurrency: number(draft.concurrency, usual.concurrency as u64) as usize,
        pin: draft.pin.unwrap_or(usual.pin),
        ..usual
    }
}

/// The number of rounds of a Swiss tournament after which at most one bot has won every round.
fn usual_rounds(bots: usize) -> u64 {
    u64::from(bots.next_power_of_two().trailing_zeros()).max(1)
}

fn name(draft: &Draft) -> Result<String, Mistake> {
    let Some(name) = &draft.name else { return Ok("tournament".to_owned()) };
    let fine = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.value.is_empty() || name.value.starts_with('.') || !name.value.chars().all(fine) {
        return Err(name.wrong(format!(
            "{} can't name a folder; use letters, digits, `-`, `_` and `.`",
            json!(name.value)
        )));
    }
    Ok(name.value.clone())
}

/// The folder with all files of a tournament.
fn results(draft: &Draft, name: &str) -> PathBuf {
    Path::new(draft.output.folder.as_deref().unwrap_or("results")).join(name)
}

/// The folder for transcripts, if they are wanted.
fn transcripts(draft: &Draft, results: &Path) -> Option<PathBuf> {
    let output = &draft.output;
    let usual = output.transcript.unwrap_or(false).then(|| results.join(TRANSCRIPTS));
    output.transcript_folder.clone().or(usual)
}

/// Adds a mistake for every word that a list repeats.
fn note_repeated<'d, T: 'd>(words: impl Iterator<Item = (&'d At<T>, String)>, mistakes: &mut Mistakes) {
    let mut seen = Vec::new();
    for (written, word) in words {
        if seen.contains(&word) {
            mistakes.add(written.wrong(format!("`{word}` is listed twice")));
        }
        seen.push(word);
    }
}

fn there_are(count: usize) -> String {
    if count == 1 { "there is 1".to_owned() } else { format!("there are {count}") }
}

impl Tournament {
    /// Everything that decides which games are played and how. The journal's header has this value.
    pub fn to_json(&self) -> Value {
        let games: Vec<Value> = self
            .series
            .games
            .iter()
            .map(|entry| {
                json!({
                    "line": entry.line, "game": entry.game.about.id, "rules": entry.game.about.version,
                    "params": entry.setting.params(),
                })
            })
            .collect();
        let heroes: Vec<&str> =
            self.heroes.iter().map(|&hero| self.series.bots[hero].name.as_str()).collect();
        let mut config = json!({
            "format": self.format,
            "games": games,
            "rounds": self.rounds,
            "deals": self.deals,
            "openings": self.openings,
            "arrangements": self.arrangements,
            "seating": self.seating,
            "clock": self.clock.shown(self.clock.bank),
            "restart": self.series.restart,
            "pondering": self.series.pondering,
            "on_fault": self.series.on_fault,
            "memory_mib": self.memory_mib,
            "tie_breaks": self.tie_breaks,
        });
        if let Some(book) = &self.series.book {
            config["book"] = json!(book.openings());
        }
        if let Some(faults) = self.disqualify_after {
            config["disqualify_after"] = json!(faults);
        }
        if !heroes.is_empty() {
            config["heroes"] = json!(heroes);
        }
        let ExploreRules { mode, nodes } = self.series.explore;
        if self.series.explore != ExploreRules::default() {
            config["explore"] = json!({ "mode": mode, "nodes": nodes });
        }
        if self.tables.is_some() {
            config["tables"] = json!(self.tables);
        }
        if let Some(anchor) = &self.anchor {
            config["anchor"] = json!(anchor);
        }
        if self.third_place {
            config["third_place"] = json!(true);
        }
        if self.format == Format::Sprt {
            let Sprt { elo0, elo1, alpha, beta, scale } = self.sprt;
            config["sprt"] =
                json!({ "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": scale });
        }
        config
    }

    /// A note about settings that are allowed, but perhaps not intended.
    pub fn note(&self) -> Option<String> {
        let bots = self.series.bots.len() as u32;
        let without_rematch = if bots.is_multiple_of(2) { bots - 1 } else { bots };
        (self.format == Format::Swiss && self.rounds > without_rematch).then(|| {
            format!(
                "note: {bots} bots can play {without_rematch} rounds without meeting twice.\nThere are {} rounds, so \
                 some pairs meet again.",
                self.rounds
            )
        })
    }
}
