//! From what happened to what helps: the position, the move, what was right and why, and how to see it again.

use super::SHOWN;
use crate::fault::Fault;
use crate::grading::games::{Played, Series};
use crate::grading::grader::Grader;
use crate::grading::result::Finding;
use crate::grading::truth::{Judged, judge};
use crate::grading::{line_of, lines_of};
use crate::record::Record;
use rules::{Eyes, Kind, Seat, Seed, Setting};

/// How far ahead lost games are looked at where they can't be solved.
const HORIZON: u32 = 3;
/// Lines of a submission's standard error that are shown.
const STDERR_LINES: usize = 20;

/// The command that shows a game move by move.
pub fn show_command(grader: &Grader, item: usize, match_id: &str) -> String {
    let file = grader.folder.0.join(grader.record_file(item));
    let file = file.to_string_lossy();
    let file = shlex::try_quote(&file).map_or_else(|_| file.to_string(), |quoted| quoted.to_string());
    format!("arena show {} --match {match_id}", line_of(&file))
}

/// The command that grades one item again.
pub fn again_command(grader: &Grader, item: usize) -> String {
    format!("{} --item {item}", grader.command)
}

/// The first faults of a series, one of each kind.
pub fn of_faults(grader: &Grader, item: usize, series: &Series) -> Vec<Finding> {
    let mut codes = Vec::new();
    let mut findings = Vec::new();
    for game in &series.played {
        let Some(fault) = game.fault() else { continue };
        if !codes.contains(&fault.fault.code) {
            codes.push(fault.fault.code);
            findings.extend(of_fault(grader, item, game));
        }
    }
    if series.skipped > 0 {
        let what =
            format!("{} more games were not played, after timeouts in a row, and are lost", series.skipped);
        findings.push(Finding { what, ..Finding::default() });
    }
    findings
}

/// A game that ended with a fault of the submission.
pub fn of_fault(grader: &Grader, item: usize, game: &Played) -> Option<Finding> {
    let fault = game.fault()?;
    let finding = of_plain_fault(&fault.fault);
    Some(Finding {
        what: format!("game {}, ply {}: {}", game.record.match_id, fault.ply, finding.what),
        position: drawn(&game.record, usize::MAX),
        record: Some(grader.record_file(item)),
        replay: Some(show_command(grader, item, &game.record.match_id)),
        ..finding
    })
}

/// A fault without a game around it.
pub fn of_plain_fault(fault: &Fault) -> Finding {
    let mut quoted = Vec::new();
    if let Some(got) = &fault.got {
        quoted.push(format!("its line {}: {}", fault.line.unwrap_or_default(), line_of(got)));
    }
    quoted.extend(lines_of(&fault.stderr.join("\n"), STDERR_LINES));
    let near = fault.near.as_ref().map(|near| format!("the nearest legal move is `{near}`"));
    Finding {
        what: format!("{}: {}", fault.code, line_of(&fault.message)),
        right: fault.expected.as_deref().map(line_of).or(near),
        why: fault.hint.as_deref().map(line_of),
        quoted,
        ..Finding::default()
    }
}

/// Faults first, then lost games with the move that lost them.
pub fn of_games(grader: &Grader, item: usize, series: &Series) -> Vec<Finding> {
    let mut findings = of_faults(grader, item, series);
    let lost = series.played.iter().filter(|game| game.worth < 1.0 && game.fault().is_none());
    let room = SHOWN.saturating_sub(findings.len());
    let mut lost: Vec<&Played> = lost.collect();
    lost.sort_by(|a, b| a.worth.total_cmp(&b.worth));
    findings.extend(lost.into_iter().take(room).map(|game| of_lost(grader, item, game)));
    findings
}

fn of_lost(grader: &Grader, item: usize, game: &Played) -> Finding {
    let word = if game.worth > 0.0 { "drawn" } else { "lost" };
    let id = &game.record.match_id;
    let finding = blunder(grader, game).unwrap_or_else(|| Finding {
        what: format!("game {id}, as seat {}, was {word} ({})", game.seat, game.record.result.reason),
        position: drawn(&game.record, usize::MAX),
        ..Finding::default()
    });
    Finding {
        record: Some(grader.record_file(item)),
        replay: Some(show_command(grader, item, id)),
        ..finding
    }
}

/// The first move that gave something away.
fn blunder(grader: &Grader, game: &Played) -> Option<Finding> {
    if grader.assignment.game.kind != Kind::Duel {
        return None;
    }
    let record = &game.record;
    let moves: Vec<String> = record.moves.iter().map(|mv| mv.mv.clone()).collect();
    let mut own = record.moves.iter().enumerate().filter(|(_, mv)| mv.seat == game.seat && !mv.opening);
    own.find_map(|(at, mv)| {
        let before = &moves[..at];
        let judged = judge(&record.game, &record.params, before, None)
            .or_else(|| judge(&record.game, &record.params, before, Some(HORIZON)))?;
        let finding = of_move(&*grader.assignment.setting, before, &judged, &mv.mv)?;
        Some(Finding {
            what: format!("game {}, move {}: {}", record.match_id, at + 1, finding.what),
            ..finding
        })
    })
}

/// A move that gave something away; none if it did not.
pub fn of_move(setting: &dyn Setting, before: &[String], judged: &Judged, mv: &str) -> Option<Finding> {
    let after = judged.worth_of(mv)?;
    if after >= judged.worth {
        return None;
    }
    let keeping = judged.keeping();
    let right: Vec<String> = keeping.iter().take(5).map(|mv| format!("`{mv}`")).collect();
    let more = if keeping.len() > 5 { format!(" and {} more", keeping.len() - 5) } else { String::new() };
    Some(Finding {
        what: format!("`{mv}` turned {} into {}", judged.word(judged.worth), judged.word(after)),
        position: picture(setting, before),
        played: Some(mv.to_owned()),
        right: Some(format!("{}{more}", right.join(", "))),
        why: Some(format!(
            "the right moves keep {} for you; after `{mv}` the other side can force more",
            judged.word(judged.worth)
        )),
        ..Finding::default()
    })
}

/// Where a position is, in words.
pub fn place(moves: &[String]) -> String {
    if moves.is_empty() { "at the start".to_owned() } else { format!("after `{}`", moves.join(" ")) }
}

/// The position after some moves of an open game.
pub fn picture(setting: &dyn Setting, moves: &[String]) -> Option<String> {
    let mut table = setting.start(Seed::from_number(0)).ok()?;
    for mv in moves {
        let seat = table.turn().seats().lowest()?;
        table.play(seat, mv).ok()?;
    }
    Some(table.picture(Eyes::Referee).text(true).trim_end().to_owned())
}

/// The position of a record after so many moves.
fn drawn(record: &Record, moves: usize) -> Option<String> {
    let mut table = record.start().ok()?;
    for played in record.moves.iter().take(moves) {
        table.play(Seat(played.seat), &played.mv).ok()?;
    }
    Some(table.picture(Eyes::Referee).text(true).trim_end().to_owned())
}
