//! `arena analyse`: where a recorded game was thrown away.

use super::{Failure, say, usage};
use crate::record::{Record, SeatFault};
use crate::truth::{Effort, Truth};
use crate::wrap::indented;
use lab::{DeepSearch, Judged, Side, Worth};
use serde_json::json;
use solver::Memory;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Judge every move of recorded games and name the one that threw the game away
#[derive(clap::Args)]
#[command(
    after_help = "A value is that of the mover, before the move (with the best one) and after it. `win`, `draw` and `loss` are \
    proven, by the exact solver or because every line was followed to its end. A number with ≈ is the estimate of a \
    search, for positions that are too large for the solver.\n\n\
    Examples:\n  arena match tic-tac-toe builtin:random builtin:greedy --games 2 --record games.jsonl\n  \
    arena analyse games.jsonl\n  arena analyse games.jsonl --match 2 --nodes 10000000 --json"
)]
pub struct Args {
    /// A file of records, one JSON object per line
    file: PathBuf,
    /// Only the game with this id
    #[arg(long = "match", visible_alias = "game", value_name = "ID")]
    match_id: Option<String>,
    /// The most memory that the solver may use
    #[arg(long, value_name = "SIZE", default_value = "512MiB")]
    memory: Memory,
    /// Positions that the solver may look at for each move of the game
    #[arg(long, default_value_t = 2_000_000)]
    positions: u64,
    /// The most plies to look ahead, where the solver can't tell
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Nodes for each position, where the solver can't tell
    #[arg(long, default_value_t = 1_000_000)]
    nodes: u64,
    /// As JSON, one object per game
    #[arg(long)]
    json: bool,
}

/// Longer moves are rare, and break their row.
const WIDEST_MOVE: usize = 24;

pub fn run(args: &Args) -> Result<(), Failure> {
    let records = super::records::read(&args.file)?;
    let wanted = |record: &Record| args.match_id.as_deref().is_none_or(|id| is_match(&record.match_id, id));
    let mut shown = 0;
    for (_, record) in records.iter().filter(|(_, record)| wanted(record)) {
        let moves = judge(args, record)?;
        say(&if args.json { json_line(record, &moves) } else { page(record, &moves) })?;
        shown += 1;
    }
    match (&args.match_id, shown) {
        (Some(id), 0) => Err(usage(format!("{} has no match `{id}`", args.file.display()))),
        (None, 0) => Err(usage(format!("there are no games in {}", args.file.display()))),
        _ => Ok(()),
    }
}

/// `3` is short for `0003`.
fn is_match(id: &str, wanted: &str) -> bool {
    id == wanted || id.trim_start_matches('0') == wanted
}

fn judge(args: &Args, record: &Record) -> Result<Vec<Judged>, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Failed(format!("match {}: {error}", record.match_id));
    record.verify().map_err(|error| failed(&error))?;
    let (game, _) = rules::parse_name(&record.game).map_err(usage)?;
    let bench = lab::open(game, &record.params).map_err(usage)?;
    let moves: Vec<String> = record.moves.iter().map(|played| played.mv.clone()).collect();
    let otherwise = DeepSearch { depth: args.depth, nodes: args.nodes };
    let effort = Effort { memory: args.memory, positions: args.positions, otherwise };
    let mut judge = Truth::new(game.about.id, &record.params, effort).of_game(&*bench, &moves);
    lab::analyse(&*bench, &moves, &mut judge).map_err(|error| failed(&error))
}

fn page(record: &Record, moves: &[Judged]) -> String {
    let mut heading = format!("match {}: {}", record.match_id, record.game);
    for (seat, bot) in record.bots.iter().enumerate() {
        let joint = if seat == 0 { "," } else { " against" };
        let _ = write!(heading, "{joint} {} {bot}", seat_name(record, seat));
    }
    let mut page = indented("", &heading);
    page.push('\n');
    let widest = moves.iter().map(|judged| judged.mv.chars().count()).max().unwrap_or(0);
    let widest = widest.clamp(4, WIDEST_MOVE);
    for judged in moves {
        page.push_str(&row(judged, widest));
    }
    page.push('\n');
    page.push_str(&indented("", &conclusion(moves)));
    for SeatFault { seat, fault, .. } in &record.faults {
        let _ = writeln!(page, "{} failed: {}.", seat_name(record, *seat as usize), fault.code);
    }
    page.push('\n');
    page
}

/// A move with its values, and what there is to say about it, where that fits beside it.
fn row(judged: &Judged, widest: usize) -> String {
    let Judged { ply, side, mv, before, after, .. } = judged;
    let (before, after) = (before.to_string(), after.to_string());
    let values = format!("{ply:>3}. {side} {mv:<widest$}  {before:>7} → {after:<7}");
    match remark(judged) {
        remark if remark.is_empty() => format!("{}\n", values.trim_end()),
        remark if mv.chars().count() > widest => {
            indented("", values.trim_end()) + &indented("       ", &remark)
        }
        remark => indented(&format!("{values}  "), &remark),
    }
}

fn seat_name(record: &Record, seat: usize) -> Side {
    let teams = record.bots.len() == 4;
    if teams && seat.is_multiple_of(2) || !teams && seat == 0 { Side::A } else { Side::B }
}

fn remark(judged: &Judged) -> String {
    let keeping = kept_by(judged);
    match (judged.threw_away, judged.exact) {
        (true, _) => format!("threw the {} away{keeping}", judged.before),
        (_, false) => {
            let depth = judged.depth.map(|depth| format!("depth {depth}"));
            let better = !judged.best.contains(&judged.mv);
            let better = better.then(|| format!("better {}", listed(&judged.best)));
            depth.into_iter().chain(better).collect::<Vec<_>>().join(", ")
        }
        (false, true) if judged.before == Worth::Loss => String::new(),
        (false, true) if judged.keeping.len() == 1 => "the only move".to_owned(),
        (false, true) => String::new(),
    }
}

fn kept_by(judged: &Judged) -> String {
    if judged.keeping.is_empty() { String::new() } else { format!("; {} kept it", listed(&judged.keeping)) }
}

fn listed(moves: &[String]) -> String {
    let shown = moves.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
    if moves.len() > 4 { format!("{shown}, …") } else { shown }
}

fn conclusion(moves: &[Judged]) -> String {
    let thrown: Vec<&Judged> = moves.iter().filter(|judged| judged.threw_away).collect();
    let mut text = String::new();
    let sentence = |judged: &Judged| {
        let Judged { ply, side, mv, before, after, .. } = judged;
        format!("{ply}. {mv} of {side} ({before} → {after}){}.\n", kept_by(judged))
    };
    if let Some(first) = thrown.first() {
        text += &format!("The first move that threw the game away: {}", sentence(first));
    }
    if let [_, .., last] = thrown[..] {
        text += &format!("The last one: {}", sentence(last));
    }
    let estimated = moves.iter().filter(|judged| !judged.exact).count();
    if moves.is_empty() {
        return "No move was made.".to_owned();
    }
    if thrown.is_empty() && estimated == 0 {
        text += "Nobody threw anything away: every move kept its value.\n";
    }
    if estimated > 0 {
        text +=
            &format!("Judged by a search's estimate, not proven: {estimated} of {} moves.\n", moves.len());
        if let Some((worst, loss)) = worst_estimate(moves) {
            text += &format!(
                "The largest fall of an estimate: {}. {} of {}, by {loss}.\n",
                worst.ply, worst.mv, worst.side
            );
        }
    }
    text
}

fn worst_estimate(moves: &[Judged]) -> Option<(&Judged, i32)> {
    let falls = moves.iter().filter_map(|judged| match (judged.before, judged.after) {
        (Worth::Estimate(before), Worth::Estimate(after)) if after < before => Some((judged, before - after)),
        _ => None,
    });
    falls.max_by_key(|(judged, loss)| (*loss, std::cmp::Reverse(judged.ply)))
}

fn json_line(record: &Record, moves: &[Judged]) -> String {
    let first = moves.iter().find(|judged| judged.threw_away);
    let page = json!({
        "match": record.match_id, "game": record.game, "params": record.params, "bots": record.bots,
        "exact": moves.iter().all(|judged| judged.exact),
        "first_mistake": first.map(|judged| judged.ply),
        "moves": moves,
    });
    format!("{page}\n")
}
