//! `arena verify` and `arena show`: what records say.

use super::{Failure, say, usage};
use crate::record::Record;
use rules::{Eyes, Seat};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Play recorded games again through the rules and compare how they ended
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  arena match nim builtin:random builtin:first --record games.jsonl\n  arena verify games.jsonl"
)]
pub struct VerifyArgs {
    /// A file of records, one JSON object per line
    file: PathBuf,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Print a recorded game move by move, with pictures
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  arena show games.jsonl\n  arena show games.jsonl --match 0003 --eyes 1")]
pub struct ShowArgs {
    /// A file of records, one JSON object per line
    file: PathBuf,
    /// Only the game with this id
    #[arg(long = "match", value_name = "ID")]
    match_id: Option<String>,
    /// As whom to look: a seat, spectator or referee
    #[arg(long, default_value = "referee", value_parser = read_eyes)]
    eyes: Eyes,
    /// Only ASCII characters in pictures
    #[arg(long)]
    ascii: bool,
}

fn read_eyes(text: &str) -> Result<Eyes, String> {
    match text {
        "referee" => Ok(Eyes::Referee),
        "spectator" => Ok(Eyes::Spectator),
        seat => seat
            .parse()
            .map(|seat| Eyes::Seat(Seat(seat)))
            .map_err(|_| "expected a seat, spectator or referee".into()),
    }
}

/// All records of a file, each with its line number.
pub(super) fn read(file: &Path) -> Result<Vec<(usize, Record)>, Failure> {
    let text =
        std::fs::read_to_string(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let record = |(at, line): (usize, &str)| {
        let number = at + 1;
        let wrong = |error| usage(format!("{}, line {number}: not a record: {error}", file.display()));
        serde_json::from_str(line).map(|record| (number, record)).map_err(wrong)
    };
    lines.map(record).collect()
}

pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let records = read(&args.file)?;
    let wrong: Vec<_> = records
        .iter()
        .filter_map(|(line, record)| Some((line, &record.match_id, record.verify().err()?.to_string())))
        .collect();
    if args.json {
        let list: Vec<_> = wrong
            .iter()
            .map(|(line, id, problem)| json!({ "line": line, "match": id, "problem": problem }))
            .collect();
        say(&format!("{}\n", json!({ "games": records.len(), "wrong": list })))?;
    } else {
        say(&format!("{} games replayed, {} wrong\n", records.len(), wrong.len()))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let lines = wrong.iter().map(|(line, id, problem)| format!("\n  line {line}, match {id}: {problem}"));
    Err(Failure::Failed(format!(
        "{}: records that the rules do not bear out{}",
        args.file.display(),
        lines.collect::<String>()
    )))
}

pub fn show(args: &ShowArgs) -> Result<(), Failure> {
    let records = read(&args.file)?;
    let mut shown = 0;
    for (_, record) in &records {
        if args.match_id.as_ref().is_none_or(|id| *id == record.match_id) {
            say(&page(record, args)?)?;
            shown += 1;
        }
    }
    match (&args.match_id, shown) {
        (Some(id), 0) => {
            let ids: Vec<&str> = records.iter().map(|(_, record)| record.match_id.as_str()).collect();
            let near =
                rules::nearest(id, &ids).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(usage(format!("{} has no match `{id}`{near}", args.file.display())))
        }
        _ => Ok(()),
    }
}

fn page(record: &Record, args: &ShowArgs) -> Result<String, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Failed(format!("match {}: {error}", record.match_id));
    let mut table = record.start().map_err(|error| failed(&error))?;
    let ascii = args.ascii || super::ascii_only();
    let mut page = format!("match {}: {} {}\n", record.match_id, record.game, record.params);
    for (seat, bot) in record.bots.iter().enumerate() {
        let _ = writeln!(page, "  seat {seat}: {bot}");
    }
    let _ = writeln!(page, "\n{}", table.picture(args.eyes).text(ascii));
    let mut news = 0;
    for (at, played) in record.moves.iter().enumerate() {
        table.play(Seat(played.seat), &played.mv).map_err(|error| failed(&error))?;
        let heard = table.news(args.eyes, news);
        news += heard.len();
        if heard.is_empty() {
            continue; // decided together with others, and not yet known
        }
        for told in heard {
            let time = record
                .times
                .moves_us
                .get(at)
                .map_or(String::new(), |us| format!(", {:.1} ms", *us as f64 / 1e3));
            let substitute = if played.substitute { " (the arena, for a bot that had failed)" } else { "" };
            let _ = writeln!(
                page,
                "{}. seat {} plays {}{time}{substitute}{}",
                at + 1,
                told.seat,
                told.mv,
                search(played)
            );
        }
        let _ = writeln!(page, "\n{}", table.picture(args.eyes).text(ascii));
    }
    for fault in &record.faults {
        let _ = writeln!(page, "seat {} failed at ply {}: {}", fault.seat, fault.ply, fault.fault);
    }
    let result = serde_json::to_string(&record.result).unwrap_or_default();
    let _ = writeln!(page, "result: {result}\n");
    Ok(page)
}

fn search(played: &crate::record::PlayedMove) -> String {
    let Some(info) = &played.info else { return String::new() };
    let mut words = Vec::new();
    words.extend(info.depth.map(|depth| format!("depth {depth}")));
    words.extend(info.nodes.map(|nodes| format!("{nodes} nodes")));
    words.extend(info.score.map(|score| format!("score {score}")));
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
