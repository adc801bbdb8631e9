//! `arena verify` and `arena show`: replay recorded games.

use super::marks::marked_board;
use super::numbers::whole;
use super::{Failure, counted, drawings, replay_page, say, usage};
use crate::console;
use crate::paint::Style;
use referee::record::{PlayedMove, Record, SeatFault};
use referee::seeds::{RootSeed, commitment};
use rules::{Eyes, Seat, Table};
use serde_json::json;
use std::collections::HashSet;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use text::wrap::indented;
use text::{Ticker, harmless};
use tournament::deal;
use tournament::journal::{JournalEnd, JournalHeader, JournalLine, JournalLines};

/// Replay recorded games by the rules and compare the results
#[derive(clap::Args)]
#[command(
    after_help = "For the journal of a tournament the command also checks that the seed matches the commitment made at the \
    start, that every deal and every opening follows from the seed, and that no seating comes twice in one block.\n\n\
    Examples:\n  arena match nim builtin:random builtin:first --record games.jsonl\n  arena verify games.jsonl\n  \
    arena verify results/league/journal.jsonl"
)]
pub struct VerifyArgs {
    /// A file of records, one JSON object per line, or the journal of a tournament
    file: PathBuf,
    /// The seed of a tournament that is not over yet
    #[arg(long)]
    seed: Option<RootSeed>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print a recorded game move by move, with pictures
#[derive(clap::Args)]
#[command(
    after_help = "On a terminal the command waits for a line after each move: Enter goes on, b goes back, a number goes to that \
    move, q quits.\n\nWith --svg the command writes a picture for a page: the whole game in motion, or one position with --ply. \
    The picture has no script. A reader who wants no motion sees the end of the game.\n\n\
    With --html the command writes a page with all games of the file, or with one game, that replays them in a browser: \
    move by move, with the notes and times of the bots. The page is one file and needs no network.\n\n\
    Examples:\n  arena show games.jsonl\n  arena show games.jsonl --match 0003 --eyes 1\n  \
    arena show games.jsonl --match 0003 --svg game.svg\n  \
    arena show games.jsonl --match 0003 --ply 12 --svg position.svg\n  \
    arena show games.jsonl --html games.html --values\n  \
    arena show games.jsonl --html games.html --transcript said"
)]
pub struct ShowArgs {
    /// A file of records, one JSON object per line
    file: PathBuf,
    /// Only the game with this id
    #[arg(long = "match", value_name = "ID")]
    match_id: Option<String>,
    /// Whose view to show: a seat, spectator or referee
    #[arg(long, default_value = "referee", value_parser = read_eyes)]
    eyes: Eyes,
    /// Only ASCII characters in pictures
    #[arg(long)]
    ascii: bool,
    /// Print all moves at once, on a terminal too
    #[arg(long)]
    all: bool,
    /// Write the game as a picture that moves, instead of printing it
    #[arg(long, value_name = "FILE", conflicts_with = "ascii")]
    svg: Option<PathBuf>,
    /// Write a page that replays the games in a browser, with the views of all seats
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ascii", "svg", "ply", "eyes"])]
    html: Option<PathBuf>,
    /// Add the proven value of every legal move to the page, where the solver finds it
    #[arg(long, requires = "html")]
    values: bool,
    /// Add what the bots wrote to standard error, from the transcripts in this folder
    #[arg(long, value_name = "DIR", requires = "html", value_parser = folder)]
    transcript: Option<PathBuf>,
    /// Draw only the position after so many moves; 0 is the start
    #[arg(long, value_name = "N", value_parser = whole::<usize, 0, 1_000_000>)]
    ply: Option<usize>,
}

/// A folder that exists.
pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    if folder.is_dir() { Ok(folder) } else { Err("there is no such folder".to_owned()) }
}

pub(super) fn read_eyes(text: &str) -> Result<Eyes, String> {
    match text {
        "referee" => Ok(Eyes::Referee),
        "spectator" => Ok(Eyes::Spectator),
        seat => seat
            .parse()
            .map(|seat| Eyes::Seat(Seat(seat)))
            .map_err(|_| "expected a seat, spectator or referee".into()),
    }
}

/// The lines of a file of records or of a journal, each with its number. Read one at a time,
/// because there may be many.
pub(super) fn lines(
    file: &Path,
) -> Result<impl Iterator<Item = Result<(u64, JournalLine), Failure>> + use<>, Failure> {
    let name = file.display().to_string();
    let mut lines = JournalLines::of(open(file)?);
    let mut is_journal = false;
    Ok(std::iter::from_fn(move || {
        loop {
            let found = match lines.next_line() {
                Err(error) => return Some(Err(usage(format!("{name}: {error}")))),
                Ok(found) => found?,
            };
            if found.is_blank() {
                continue;
            }
            match found.read() {
                Ok(line) => {
                    is_journal |= matches!(line, JournalLine::Header(_));
                    return Some(Ok((found.number, line)));
                }
                // The last line of a journal may be torn if the tournament was stopped.
                Err(_) if is_journal && !found.is_whole() => {
                    tracing::warn!("{name}: the last line is incomplete and was ignored");
                    return None;
                }
                Err(error) => {
                    let problem = harmless::line(&error.problem());
                    return Some(Err(usage(format!(
                        "{name}, line {}: not a record: {problem}",
                        found.number
                    ))));
                }
            }
        }
    }))
}

fn open(file: &Path) -> Result<File, Failure> {
    let name = file.display();
    if file.is_dir() {
        return Err(usage(format!("{name} is a folder; expected a file of records")));
    }
    File::open(file).map_err(|error| usage(format!("{name}: {error}")))
}

/// The number of games in a file, as far as the beginnings of its lines tell.
pub(super) fn count_games(file: &Path) -> Result<usize, Failure> {
    let mut count = 0;
    for line in BufReader::new(open(file)?).split(b'\n') {
        count += usize::from(line?.starts_with(b"{\"ludus\""));
    }
    Ok(count)
}

/// At most this many wrong records are listed.
const MOST_SHOWN: usize = 20;

/// A wrong record.
struct Wrong {
    line: u64,
    match_id: String,
    problem: String,
}

pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let end = journal_end(&args.file)?;
    let seed = args.seed.or(end.as_ref().map(|end| end.seed));
    let mut header: Option<JournalHeader> = None;
    let mut seatings = deal::Seatings::default();
    let (mut games, mut last, mut wrong) = (0_u64, 0, Vec::new());
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin("replaying");
    if ticker.is_seen() {
        ticker.expect("games", count_games(&args.file)?);
    }
    for line in lines(&args.file)? {
        let (line, content) = line?;
        let mut note = |match_id: &str, problem: String| {
            wrong.push(Wrong { line, match_id: match_id.to_owned(), problem });
        };
        match content {
            JournalLine::Header(found) => {
                if seed.is_some_and(|seed| commitment(seed) != found.seed_commitment) {
                    note("-", "the seed is not the seed that the journal is committed to".to_owned());
                }
                header = Some(*found);
            }
            JournalLine::Game(record) => {
                games += 1;
                ticker.tick();
                let number: Option<u64> = record.match_id.parse().ok();
                if header.is_some() && number.is_none_or(|number| number <= last) {
                    note(&record.match_id, "the match is not in the order of the schedule".to_owned());
                }
                last = number.unwrap_or(last);
                if let Err(error) = record.verify() {
                    note(&record.match_id, error.to_string());
                }
                if let Some(header) = &header
                    && let Err(problem) = seatings.check(&record, header)
                {
                    note(&record.match_id, problem);
                }
                if let (Some(header), Some(seed)) = (&header, seed)
                    && let Err(problem) = deal::check(&record, header, seed)
                {
                    note(&record.match_id, problem);
                }
            }
            // A bot that entered late may play too.
            JournalLine::Change(change) => {
                if let Some(header) = &mut header {
                    header.bots.extend(change.add);
                }
            }
            JournalLine::End(end) if end.games != games => {
                note("-", format!("the journal says {} games, but it has {games}", end.games));
            }
            JournalLine::End(_) => {}
        }
    }
    drop(ticker);
    let deals = match (&header, seed) {
        (None, _) => "",
        (Some(_), Some(_)) => ", all deals from the committed seed",
        (Some(_), None) => "; deals not checked, because the seed is not published yet (use --seed)",
    };
    if args.json {
        let list: Vec<_> = wrong
            .iter()
            .map(|wrong| json!({ "line": wrong.line, "match": wrong.match_id, "problem": wrong.problem }))
            .collect();
        let checked = header.is_some() && seed.is_some();
        say(&format!("{}\n", json!({ "games": games, "wrong": list, "deals_checked": checked })))?;
    } else {
        let deals = if wrong.is_empty() { deals } else { "" };
        say(&format!("{games} games replayed, {} wrong{deals}\n", wrong.len()))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let more = wrong.len().saturating_sub(MOST_SHOWN);
    let more = if more == 0 { String::new() } else { format!("\n  and {more} more") };
    let lines = wrong.iter().take(MOST_SHOWN).map(|wrong| {
        let Wrong { line, match_id, problem } = wrong;
        format!("\n  line {line}, match {}: {}", harmless::line(match_id), harmless::line(problem))
    });
    Err(Failure::Failed(format!("{}: wrong records{}{more}", args.file.display(), lines.collect::<String>())))
}

/// The last line of a finished journal, where the seed is.
fn journal_end(file: &Path) -> Result<Option<JournalEnd>, Failure> {
    const ENOUGH: u64 = 1_024;
    let mut open = open(file)?;
    let length = open.metadata()?.len();
    open.seek(SeekFrom::Start(length.saturating_sub(ENOUGH)))?;
    let mut tail = Vec::new();
    open.read_to_end(&mut tail)?;
    let last = tail.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(match JournalLine::read(last) {
        Ok(JournalLine::End(end)) => Some(end),
        _ => None,
    })
}

pub fn show(args: &ShowArgs) -> Result<(), Failure> {
    if args.ply.is_some() && args.svg.is_none() {
        return Err(usage("--ply needs --svg: the text shows every position"));
    }
    if let Some(file) = &args.svg {
        return show_svg(args, file);
    }
    if let Some(file) = &args.html {
        return show_html(args, file);
    }
    let (mut shown, mut ids) = (0, Vec::new());
    for line in lines(&args.file)? {
        let (_, JournalLine::Game(record)) = line? else { continue };
        if args.match_id.as_ref().is_none_or(|id| *id == record.match_id) {
            let steps = steps(&record, args)?;
            if console::is_interactive() && !args.all {
                if !walk(&steps)? {
                    return Ok(());
                }
            } else {
                steps.iter().try_for_each(Step::say)?;
            }
            shown += 1;
        } else if ids.len() < 10_000 {
            ids.push(record.match_id);
        }
    }
    match (&args.match_id, shown) {
        (Some(id), 0) => Err(no_match(&args.file, id, &ids)),
        _ => Ok(()),
    }
}

fn no_match(file: &Path, id: &str, ids: &[String]) -> Failure {
    let near = rules::nearest(id, ids).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    usage(format!("{} has no match `{id}`{near}", file.display()))
}

/// Writes one game, or one position, as a picture.
fn show_svg(args: &ShowArgs, file: &Path) -> Result<(), Failure> {
    drawings::check_name(file)?;
    let record = only_record(args)?;
    let svg = match args.ply {
        Some(ply) => drawings::position(&record, args.eyes, ply)?,
        None => drawings::film(&record, args.eyes)?,
    };
    drawings::write_svg(file, &svg)
}

/// Writes a page with the game that was asked for, or with all games.
fn show_html(args: &ShowArgs, file: &Path) -> Result<(), Failure> {
    replay_page::check_name("--html", file)?;
    let mut records = Vec::new();
    if args.match_id.is_some() {
        records.push(only_record(args)?);
    } else {
        for line in lines(&args.file)? {
            if let (_, JournalLine::Game(record)) = line? {
                records.push(*record);
            }
            if records.len() > replay_page::MOST_GAMES {
                return Err(usage(format!(
                    "{} has more than {} games; choose one with --match",
                    args.file.display(),
                    replay_page::MOST_GAMES
                )));
            }
        }
    }
    if records.is_empty() {
        return Err(usage(format!("{} has no games", args.file.display())));
    }
    replay_page::write(file, &args.file, records, args.values, args.transcript.as_deref())
}

/// The game with the id that was asked for, or the only game of the file.
fn only_record(args: &ShowArgs) -> Result<Record, Failure> {
    let (mut found, mut ids) = (None, Vec::new());
    for line in lines(&args.file)? {
        let (_, JournalLine::Game(record)) = line? else { continue };
        if args.match_id.as_ref() == Some(&record.match_id) {
            return Ok(*record);
        }
        if ids.len() < 10_000 {
            ids.push(record.match_id.clone());
        }
        found.get_or_insert(record);
    }
    match (&args.match_id, found) {
        (Some(id), _) => Err(no_match(&args.file, id, &ids)),
        (None, None) => Err(usage(format!("{} has no games", args.file.display()))),
        (None, Some(record)) if ids.len() == 1 => Ok(*record),
        (None, Some(record)) => Err(usage(format!(
            "{} has several games; choose one with --match, such as --match {}",
            args.file.display(),
            record.match_id
        ))),
    }
}

/// What `show` prints after a move, or at the start: words, then the picture, then the end.
#[derive(Default)]
struct Step {
    words: String,
    /// The words of a picture come from the rules.
    picture: String,
    end: String,
}

impl Step {
    fn say(&self) -> Result<(), Failure> {
        say(&self.words)?;
        console::say_verbatim(self.picture.as_bytes())?;
        say(&self.end)
    }
}

/// Shows the steps one by one, as the reader wants. False if the reader has seen enough.
fn walk(steps: &[Step]) -> Result<bool, Failure> {
    let mut at = 0;
    loop {
        steps[at].say()?;
        let last = steps.len() - 1;
        console::prompt(&format!("{at} of {last} (Enter: on, b: back, a number: go there, q: quit) "))?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(false);
        }
        at = match line.trim() {
            "" if at == last => return Ok(true),
            "" => at + 1,
            "b" => at.saturating_sub(1),
            "q" => return Ok(false),
            number => number.parse().map_or(at, |ply: usize| ply.min(last)),
        };
    }
}

fn steps(record: &Record, args: &ShowArgs) -> Result<Vec<Step>, Failure> {
    let id = harmless::line(&record.match_id);
    let failed =
        |error: &dyn Display| Failure::Failed(format!("match {id}: {}", harmless::line(&error.to_string())));
    let mut table = record.start().map_err(|error| failed(&error))?;
    let style = Style::of_terminal(args.ascii || super::ascii_only());
    let picture = |table: &dyn Table| {
        let picture = table.picture(args.eyes);
        // A file keeps the plain letters.
        let text =
            if style.colours { style.picture(&picture, &HashSet::new()) } else { picture.text(style.ascii) };
        format!("\n{text}\n")
    };
    let game = harmless::sentence(&format!("{} {}", record.game, record.params));
    let mut page = indented(&format!("match {id}: "), &game);
    for (seat, bot) in record.bots.iter().enumerate() {
        let _ = writeln!(page, "  seat {seat}: {}", harmless::line(bot));
    }
    let mut steps = vec![Step { words: page, picture: picture(&*table), end: String::new() }];
    let mut page = String::new();
    let (mut news, mut unknown) = (0, Vec::new());
    for (at, played) in record.moves.iter().enumerate() {
        let before = table.picture(args.eyes);
        table.play(Seat(played.seat), &played.mv).map_err(|error| failed(&error))?;
        unknown.push(at);
        let heard = table.news(args.eyes, news);
        news += heard.len();
        if heard.is_empty() {
            continue; // others decide at the same time, so this move is not public yet
        }
        for told in heard {
            let of_seat = |at: &usize| record.moves[*at].seat == told.seat.0;
            let at = unknown.iter().copied().find(of_seat).unwrap_or(at);
            let played = &record.moves[at];
            let time = record
                .times
                .moves_us
                .get(at)
                .filter(|_| !played.opening)
                .map_or(String::new(), |us| format!(", {:.1} ms", *us as f64 / 1e3));
            let substitute = match played {
                PlayedMove { opening: true, .. } => " (opening)",
                PlayedMove { substitute: true, .. } => " (played by the arena for a bot that had failed)",
                _ => "",
            };
            let _ = writeln!(
                page,
                "{}. seat {} plays {}{time}{substitute}{}",
                at + 1,
                told.seat,
                told.mv,
                search(played)
            );
            page += &notes(played, args.eyes);
        }
        let marks = played.info.as_ref().and_then(|info| info.marks.as_ref());
        if let Some(marks) = marks.filter(|_| args.eyes.see_secrets_of(Seat(played.seat))) {
            let _ = writeln!(page, "\nmarks of the bot before the move:\n\n{}", marked_board(&before, marks));
        }
        unknown.clear();
        steps.push(Step { words: std::mem::take(&mut page), picture: picture(&*table), end: String::new() });
    }
    for SeatFault { seat, ply, fault } in &record.faults {
        let fault = if reads_notes_of(*seat, args.eyes) { fault.clone() } else { fault.without_words() };
        let _ = writeln!(page, "seat {seat} failed at ply {ply}: {fault}");
    }
    let result = serde_json::to_string(&record.result).unwrap_or_default();
    let _ = writeln!(page, "{}\nresult: {}\n", end_in_words(record), harmless::line(&result));
    if let Some(last) = steps.last_mut() {
        last.end = page;
    }
    Ok(steps)
}

/// Who won, and why.
fn end_in_words(record: &Record) -> String {
    let reason = harmless::line(record.result.ending.reason()).replace('_', " ");
    let name = |seat: usize| harmless::line(record.bots.get(seat).map_or("", String::as_str));
    let places = &record.result.places;
    let first: Vec<String> = (0..places.len()).filter(|&seat| places[seat] == 1).map(name).collect();
    let words = match first.as_slice() {
        _ if record.result.is_void() => "The game does not count".to_owned(),
        _ if places.len() == 1 => "The game is over".to_owned(),
        [winner] => format!("{winner} wins"),
        all if all.len() == places.len() => "A draw".to_owned(),
        winners => format!("{} share first place", winners.join(" and ")),
    };
    format!("{words} ({reason}).")
}

/// May these eyes read the notes of a seat? Notes may reveal cards, so no other seat may read them.
fn reads_notes_of(seat: u8, eyes: Eyes) -> bool {
    eyes == Eyes::Referee || eyes == Eyes::Seat(Seat(seat))
}

/// The `text` and `log` that a bot sent with its move.
fn notes(played: &PlayedMove, eyes: Eyes) -> String {
    if !reads_notes_of(played.seat, eyes) {
        return String::new();
    }
    let text = played.info.iter().filter_map(|info| info.text.as_deref()).map(|text| ("   text: ", text));
    let log = played.log.iter().map(|text| ("   log: ", text.as_str()));
    text.chain(log).map(|(title, text)| indented(title, &harmless::line(text))).collect()
}

fn search(played: &PlayedMove) -> String {
    let mut words = Vec::new();
    if let Some(info) = &played.info {
        words.extend(info.depth.map(|depth| format!("depth {depth}")));
        words.extend(info.nodes.map(|nodes| format!("{nodes} nodes")));
        words.extend(info.score.map(|score| format!("score {score}")));
    }
    words.extend((played.explored > 0).then(|| format!("{} explored", counted(played.explored, "node"))));
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
