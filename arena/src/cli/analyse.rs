//! `arena analyse`: finds the move that lost a recorded game.

mod page;
mod solved;

use super::numbers::{MOST_NODES, seconds, whole};
use super::records::lines;
use super::{Failure, say, usage};
use crate::console;
use lab::{DeepSearch, Judged, Report, Side, Study, Worth};
use page::AnalysisPage;
use referee::record::Record;
use serde_json::{Value, json};
pub(super) use solved::points;
use solved::{Solved, SolverLimits};
use solver::Memory;
use std::path::PathBuf;
use std::time::Duration;
use text::Ticker;
use text::wrap::indented;
use tournament::journal::JournalLine;

/// Judge every move of recorded games, and name the losing move
#[derive(clap::Args)]
#[command(
    after_help = "Each row has the value for the player to move, before the move (with best play) and after it. `win`, \
    `draw` and `loss` are proven, by the exact solver or because every line was followed to its end. In a game that \
    points decide, +6 after the word is the number of points. A number with ≈ is the estimate of a search, for \
    positions that are too large for the solver.\n\n\
    The solver begins at the end of the game and goes backwards until it has failed at two positions in a row. \
    A search judges the other positions. If --seconds ends the work, the result depends on the speed of the machine.\n\n\
    If a record can't be analysed, the command names it, judges the other records, and ends with exit code 2.\n\n\
    Examples:\n  arena match tic-tac-toe builtin:random builtin:greedy --games 2 --record games.jsonl\n  \
    arena analyse games.jsonl\n  arena analyse games.jsonl --match 2 --nodes 10000000 --json"
)]
pub struct AnalyseArgs {
    /// A file of records, one JSON object per line
    file: PathBuf,
    /// Only the game with this id
    #[arg(long = "match", visible_alias = "game", value_name = "ID")]
    match_id: Option<String>,
    /// The most memory that the solver may use
    #[arg(long, value_name = "SIZE", default_value = "512MiB")]
    memory: Memory,
    /// The most positions that the solver may visit for each position of the game
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u64, 1, MOST_NODES>)]
    positions: u64,
    /// The most time that the solver may take for each position of the game
    #[arg(long, default_value = "5", value_parser = read_seconds)]
    seconds: Duration,
    /// The most plies to look ahead, if the solver finds no answer
    #[arg(long, default_value_t = 60, value_parser = whole::<u32, 1, 200>)]
    depth: u32,
    /// The most nodes for each position, if the solver finds no answer
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u64, 1, MOST_NODES>)]
    nodes: u64,
    /// Print JSON, one object per game
    #[arg(long)]
    json: bool,
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    seconds(text).map(Duration::from_secs_f64)
}

pub fn run(args: &AnalyseArgs) -> Result<(), Failure> {
    let name = args.file.display();
    let ticker = Ticker::new(console::SCREEN);
    let (mut shown, mut wrong) = (0, Vec::new());
    for line in lines(&args.file)? {
        let (number, record) = match line {
            Ok((number, JournalLine::Game(record))) => (number, record),
            Ok(_) => continue,
            // This line may be any match. If the wanted match is missing, an error says so at the
            // end.
            Err(_) if args.match_id.is_some() => continue,
            Err(Failure::Usage(problem)) => {
                wrong.push(problem);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if !args.match_id.as_deref().is_none_or(|id| is_match(&record.match_id, id)) {
            continue;
        }
        match report(args, &record, &ticker) {
            Ok(()) => shown += 1,
            Err(Failure::Usage(problem)) => {
                wrong.push(format!("{name}, line {number}, match {}: {problem}", record.match_id));
            }
            Err(failure) => return Err(failure),
        }
    }
    match (&args.match_id, shown) {
        _ if !wrong.is_empty() => Err(Failure::Usage(not_analysed(&wrong))),
        (Some(id), 0) => Err(usage(format!("{name} has no match `{id}`"))),
        (None, 0) => Err(usage(format!("there are no games in {name}"))),
        _ => Ok(()),
    }
}

fn not_analysed(wrong: &[String]) -> String {
    match wrong {
        [problem] => problem.clone(),
        wrong => {
            let lines: String = wrong.iter().map(|problem| indented("  ", problem)).collect();
            format!("{} records could not be analysed\n{}", wrong.len(), lines.trim_end())
        }
    }
}

/// Compares ids. `3` is short for `0003`.
fn is_match(id: &str, wanted: &str) -> bool {
    id == wanted || id.trim_start_matches('0') == wanted
}

/// Which moves threw a game away, and the side of a seat. `None` if such a game can't be judged.
pub(super) fn in_short(record: &Record, seat: usize) -> Option<(Side, String)> {
    let study = opened(record).ok()?;
    // A person waits for this, so the work is far less than that of `arena analyse`.
    let memory = "64MiB".parse().ok()?;
    let limits = SolverLimits { memory, positions: 200_000, time: Duration::from_secs(1) };
    let otherwise = DeepSearch { depth: 60, nodes: 20_000 };
    let ticker = Ticker::new(console::SCREEN);
    let report = judge(record, &study, (limits, otherwise), &ticker, &mut |_| true).ok()?;
    let page = AnalysisPage::of(record);
    Some((page.side(seat), page.conclusion(&report.moves, report.end)))
}

fn opened(record: &Record) -> Result<Study, Failure> {
    let (game, _) = rules::parse_name(&record.game).map_err(usage)?;
    lab::open(game, &record.params).map_err(usage)
}

/// The judgement of each move. The end is judged only if the game was broken off by a fault.
fn judge(
    record: &Record,
    study: &Study,
    limits: (SolverLimits, DeepSearch),
    ticker: &Ticker,
    tell: &mut dyn FnMut(&Judged) -> bool,
) -> Result<Report, Failure> {
    let (game, _) = rules::parse_name(&record.game).map_err(usage)?;
    let moves: Vec<String> = record.moves.iter().map(|played| played.mv.clone()).collect();
    let mut judge = Solved::backwards(game.about.id, &record.params, (study, &moves), limits, ticker);
    let report = lab::analyse(study, &moves, &mut judge, tell).map_err(usage)?;
    Ok(Report { end: report.end.filter(|_| !record.faults.is_empty()), ..report })
}

/// Judges one game. Each move is printed as soon as it is judged, because judging may take a while.
fn report(args: &AnalyseArgs, record: &Record, ticker: &Ticker) -> Result<(), Failure> {
    let study = opened(record)?;
    record.verify().map_err(usage)?;
    let page = AnalysisPage::of(record);
    if !args.json {
        say(&page.heading())?;
    }
    let limits = SolverLimits { memory: args.memory, positions: args.positions, time: args.seconds };
    let otherwise = DeepSearch { depth: args.depth, nodes: args.nodes };
    let mut said = Ok(());
    let mut tell = |judged: &Judged| {
        if !args.json {
            said = say(&page.row(judged));
        }
        said.is_ok()
    };
    let Report { moves, end } = judge(record, &study, (limits, otherwise), ticker, &mut tell)?;
    said?;
    say(&if args.json { json_line(record, &moves, end) } else { page.conclusion(&moves, end) })
}

fn json_line(record: &Record, moves: &[Judged], end: Option<(Side, Worth)>) -> String {
    let first = moves.iter().find(|judged| judged.threw_away);
    let end = end.map_or(Value::Null, |(side, worth)| json!({ "side": side, "worth": worth }));
    let page = json!({
        "match": record.match_id, "game": record.game, "params": record.params, "bots": record.bots,
        "exact": moves.iter().all(|judged| judged.exact),
        "first_mistake": first.map(|judged| judged.ply),
        "moves": moves,
        "end": end,
    });
    format!("{page}\n")
}
