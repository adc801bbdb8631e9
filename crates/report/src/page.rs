//! The whole page of a tournament or a class, as one file.

use crate::class::{Naming, StudentGrade, class_page};
use crate::games::{self, Replays, chosen};
use crate::gathered::Gathered;
use crate::scorecard::Scorecard;
use crate::sections;
use maud::{Markup, html};
use referee::record::Record;
use referee::transcript::{self, StderrByMove};
use serde_json::json;
use std::path::{Path, PathBuf};
use text::{Ticker, harmless};
use tournament::config::transcripts_beside;
use tournament::journal::known_bots;
use tournament::standings::{self, Collector, Filter, GatherError};
use web::{Album, Block, CHUNK, GameValues, Page, script};

/// Finds the values of the moves of a game, as far as they can be known.
pub type ValueFinder<'a> = &'a mut dyn FnMut(&Record) -> Option<GameValues>;

/// What a page may show besides the records.
#[derive(Default)]
pub struct Extras<'a> {
    /// Values of moves, for the replays and for a scorecard of each bot.
    pub values: Option<ValueFinder<'a>>,
    /// The folder with the transcripts of the games. By itself the page takes the folder beside the
    /// journal.
    pub transcripts: Option<&'a Path>,
    /// Shows how far the work is.
    pub ticker: Option<&'a Ticker>,
}

/// Up to so many games, a report has a replay of each, unless the file becomes too large.
const FEW_GAMES: usize = 2_000;
/// A larger file keeps only the telling games, unless the reader wants all.
const LARGE_FILE: usize = 5_000_000;

/// The page of a tournament, and how many games can be replayed there.
pub struct TournamentPage {
    pub page: Page,
    pub games: usize,
    pub replays: usize,
}

/// Makes the page of these journals or files of records. Without a wish, all games of a small
/// tournament and the telling games of a large one can be replayed.
pub fn tournament_page(
    title: &str,
    files: &[PathBuf],
    wish: Option<Replays>,
    mut extras: Extras<'_>,
) -> Result<TournamentPage, GatherError> {
    let beside = match files {
        [journal] => transcripts_beside(journal),
        _ => None,
    };
    let silent = Ticker::silent();
    let help = Help {
        transcripts: extras.transcripts.or(beside.as_deref()),
        ticker: extras.ticker.unwrap_or(&silent),
    };
    let (gathered, _) = Gathered::read(files, help.ticker)?;
    let few = gathered.games.len() <= FEW_GAMES;
    let first_try = wish.unwrap_or(if few { Replays::All } else { Replays::Telling });
    let page = with_replays(title, files, &gathered, first_try, &mut extras.values, help)?;
    if wish.is_none() && first_try == Replays::All && page.page.data_bytes() > LARGE_FILE {
        return with_replays(title, files, &gathered, Replays::Telling, &mut extras.values, help);
    }
    Ok(page)
}

/// What helps to make the replays.
#[derive(Clone, Copy)]
struct Help<'a> {
    transcripts: Option<&'a Path>,
    ticker: &'a Ticker,
}

fn with_replays(
    title: &str,
    files: &[PathBuf],
    gathered: &Gathered,
    replays: Replays,
    values: &mut Option<ValueFinder<'_>>,
    Help { transcripts, ticker }: Help<'_>,
) -> Result<TournamentPage, GatherError> {
    let mut chosen = chosen(gathered, replays);
    let mut albums = Albums::default();
    let mut scorecard = Scorecard::new(gathered.bots.len());
    if replays != Replays::None || values.is_some() {
        let mut at = 0;
        ticker.begin(if values.is_some() { "solving" } else { "packing replays" });
        ticker.expect("games", gathered.games.len());
        let mut see = |record: &Record, _: &Collector| {
            ticker.tick();
            // A journal that is being written has got more games since it was gathered.
            let Some(game) = gathered.games.get(at) else { return };
            let found = values.as_mut().and_then(|find| find(record));
            // A transcript that is not of this game is worth nothing.
            let stderr = transcripts.and_then(|folder| transcript::read(folder, record).ok());
            // A game of other rules than today's can be listed, but not replayed.
            chosen[at] = chosen[at] && albums.add(record, found.as_ref(), stderr.as_ref());
            if let Some(found) = &found {
                scorecard.add(at, &game.bots, record, found);
            }
            at += 1;
        };
        standings::gather_each(files, &Filter::default(), &mut Collector::default(), &mut see)?;
        // A tournament that was begun again has fewer games.
        chosen[at..].fill(false);
    }
    let mut blocks = albums.into_blocks();
    let bots: Vec<String> = gathered.bots.iter().map(|bot| harmless::line(bot)).collect();
    let count = chosen.iter().filter(|&&is_chosen| is_chosen).count();
    let meta = json!({ "report": 1, "arena": version(), "bots": bots, "kinds": gathered.kind_names(), "chunk": CHUNK,
        "source": source(files), "known": known_bots(files) });
    blocks.push(Block::packed("index", &games::index(gathered, &chosen).to_string()));
    blocks.insert(0, Block::json("meta", &meta));
    let body = tournament_body(title, gathered, files, count, &scorecard);
    let page = Page {
        title: title.to_owned(),
        body,
        blocks,
        script: script::joined(script::REPORT, "startReport();"),
        more_style: STYLE.to_owned(),
        ..Page::default()
    };
    Ok(TournamentPage { page, games: gathered.games.len(), replays: count })
}

/// The page of a class.
pub fn grades_page(title: &str, grades: &[StudentGrade], naming: Naming) -> Page {
    let body = html! {
        main #app { h1 { (harmless::line(title)) } (class_page(grades, naming)) (made_by()) }
    };
    let script = script::joined(script::TABLES, "startTheme();startTables();");
    Page { title: title.to_owned(), body, script, more_style: STYLE.to_owned(), ..Page::default() }
}

const STYLE: &str = include_str!("report.css");

fn version() -> String {
    format!("ludus {}", env!("CARGO_PKG_VERSION"))
}

fn tournament_body(
    title: &str,
    gathered: &Gathered,
    files: &[PathBuf],
    replays: usize,
    scorecard: &Scorecard,
) -> Markup {
    html! {
        main #app {
            h1 { (harmless::line(title)) }
            p.result { (sections::result_in_words(gathered)) }
            noscript {
                p.note { "Scripts are off. Tables and charts are complete. Games can be replayed with "
                    code { "arena show" } "." }
            }
            (sections::standings_table(gathered))
            (sections::crosstable(gathered))
            (sections::faults(gathered))
            (scorecard.section(gathered))
            (sections::charts(gathered))
            (games::section(gathered))
            section #how {
                h2 { "How this was made" }
                p { (replays) " of " (sections::counted(gathered.games.len() as u64, "game"))
                    " can be replayed on this page. These commands compute everything again:" }
                pre { (commands(files)) }
            }
            (made_by())
        }
    }
}

/// The file that a command for one of the games names.
fn source(files: &[PathBuf]) -> String {
    harmless::line(&files.first().map_or_else(String::new, |file| file.to_string_lossy().into_owned()))
}

fn made_by() -> Markup {
    html! { footer { p.note { "Made by " (version()) "." } } }
}

fn commands(files: &[PathBuf]) -> String {
    let names: Vec<String> =
        files.iter().map(|file| harmless::line(&quoted(&file.to_string_lossy()))).collect();
    let verify = names.iter().map(|name| format!("arena verify {name}\n")).collect::<String>();
    format!("{verify}arena standings {names}\narena report {names}", names = names.join(" "))
}

/// A name as a shell reads it.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Replays, packed in chunks.
#[derive(Default)]
struct Albums {
    open: Album,
    closed: Vec<Block>,
}

impl Albums {
    /// False if the record can't be replayed.
    fn add(&mut self, record: &Record, values: Option<&GameValues>, stderr: Option<&StderrByMove>) -> bool {
        if self.open.len() == CHUNK {
            self.close();
        }
        self.open.add(record, values, stderr).is_ok()
    }

    fn close(&mut self) {
        let album = std::mem::take(&mut self.open);
        let id = format!("c{}", self.closed.len());
        self.closed.push(Block::packed(id, &album.to_json().to_string()));
    }

    fn into_blocks(mut self) -> Vec<Block> {
        if !self.open.is_empty() {
            self.close();
        }
        self.closed
    }
}
