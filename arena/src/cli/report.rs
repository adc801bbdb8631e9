//! `arena report`: a page about a tournament or a class.

use super::known_values::KnownValues;
use super::records::folder;
use super::replay_page::check_name;
use super::{Failure, say, unwritable, usage};
use crate::console;
use referee::record::Record;
use report::class::{Naming, read_grade};
use report::games::Replays;
use report::page::{Extras, ValueFinder, grades_page, tournament_page};
use std::fs;
use std::path::{Path, PathBuf};
use text::{Ticker, harmless};

/// Make a page that shows a tournament or the grades of a class
#[derive(clap::Args)]
#[command(
    after_help = "The page is one file. It needs no network and no server, and shows its tables and charts without scripts \
    too. A folder stands for the journal or the grade in it.\n\n\
    Examples:\n  arena report results/round-robin\n  arena report results/*/journal.jsonl --out season.html\n  \
    arena report grades/*/grade.json --out class.html --pseudonyms"
)]
pub struct ReportArgs {
    /// Journals, files of records, or the grade.json of each student
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// The title of the page [default: the names of the files]
    #[arg(long)]
    title: Option<String>,
    /// The games that can be replayed on the page: `all`, `telling` (faults, upsets, and the first
    /// and the last game of each pairing), or `none` [default: all, or the telling ones if there are
    /// many]
    #[arg(long, value_enum, hide_possible_values = true)]
    games: Option<ReplayWish>,
    /// Solve the positions of the games as far as that is quick, for a scorecard of each bot
    #[arg(long)]
    values: bool,
    /// Add what the bots wrote to standard error to the replays, from the transcripts in this folder
    #[arg(long, value_name = "DIR", value_parser = folder)]
    transcript: Option<PathBuf>,
    /// Number the students instead of naming them
    #[arg(long)]
    pseudonyms: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReplayWish {
    /// Every game
    All,
    /// Games with faults, upsets, and the first and the last game of each pairing
    Telling,
    /// No game, only tables and charts
    None,
}

impl From<ReplayWish> for Replays {
    fn from(wish: ReplayWish) -> Replays {
        match wish {
            ReplayWish::All => Replays::All,
            ReplayWish::Telling => Replays::Telling,
            ReplayWish::None => Replays::None,
        }
    }
}

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    check_name("--out", &args.out)?;
    let files: Vec<PathBuf> = args.files.iter().map(|path| content_of(path)).collect::<Result<_, _>>()?;
    let mut grades = Vec::new();
    for file in &files {
        grades.extend(read_grade(file).map_err(usage)?);
    }
    let title = args.title.clone().unwrap_or_else(|| usual_title(&files));
    if grades.is_empty() {
        let mut known = KnownValues::in_silence();
        let mut find = |record: &Record| known.of(record);
        let values = args.values.then_some(&mut find as ValueFinder<'_>);
        let ticker = Ticker::new(console::SCREEN);
        let extras = Extras { values, transcripts: args.transcript.as_deref(), ticker: Some(&ticker) };
        let page = tournament_page(&title, &files, args.games.map(Replays::from), extras).map_err(usage)?;
        drop(ticker);
        write(&args.out, &page.page.to_html())?;
        let counts = format!("{} of {} games can be replayed", page.replays, page.games);
        return say(&format!("{counts}: {}\n", harmless::line(&args.out.to_string_lossy())));
    }
    if grades.len() < files.len() {
        return Err(usage("grades and journals can't share a page; make a page for each"));
    }
    let naming = if args.pseudonyms { Naming::Pseudonyms } else { Naming::Names };
    write(&args.out, &grades_page(&title, &grades, naming).to_html())?;
    say(&format!("{} grades: {}\n", grades.len(), harmless::line(&args.out.to_string_lossy())))
}

fn write(path: &Path, html: &str) -> Result<(), Failure> {
    fs::write(path, html).map_err(|error| unwritable(path.display(), &error))
}

/// The journal or the grade in a folder, or the file itself.
fn content_of(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let known = ["journal.jsonl", "grade.json"].map(|name| path.join(name));
    let found = known.into_iter().find(|file| file.is_file());
    found.ok_or_else(|| {
        usage(format!("{}: expected a journal.jsonl or a grade.json in this folder", path.display()))
    })
}

/// The names of the folders of journals, or of the files.
fn usual_title(files: &[PathBuf]) -> String {
    let name = |file: &PathBuf| {
        let is_usual = file.file_name().is_some_and(|name| name == "journal.jsonl" || name == "grade.json");
        let named = if is_usual { file.parent().and_then(Path::file_name) } else { file.file_stem() };
        named.map_or_else(|| "report".to_owned(), |name| name.to_string_lossy().into_owned())
    };
    match files {
        [file] => name(file),
        [first, rest @ ..] => format!("{} and {} more", name(first), rest.len()),
        [] => String::new(),
    }
}
