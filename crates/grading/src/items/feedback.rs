//! Findings for the student: the position, the move, a better move and why it is better, and a
//! command to repeat the game.

use super::SHOWN;
use crate::assignment::{Assignment, Item};
use crate::examiner::{Examiner, Judged};
use crate::games::{GradedGame, GradedGames};
use crate::grader::{Commands, Grader};
use crate::result::Finding;
use protocol::Measured;
use referee::fault::Fault;
use referee::record::Record;
use rules::{Eyes, Seat, Seed, Setting};
use text::harmless;

/// The most lines of a submission's standard error that are shown.
pub const STDERR_LINES: usize = 20;

/// The most moves of a game that are listed.
const MOVES: usize = 200;

/// The command that shows a game move by move. Students do not have the records, so their command
/// plays the games again.
pub fn show_command(grader: &Grader, item: usize, match_id: &str) -> String {
    let file = grader.record_file(item);
    if grader.submission.submission().is_some() && grader.is_visible(item) {
        let again = "../again";
        return format!(
            "{} --item {item} --out {again} && arena show {again}/{file} --match {match_id}",
            grader.commands.student
        );
    }
    let file = grader.folder.join(file);
    format!("arena show {} --match {match_id}", quoted(&file.to_string_lossy()))
}

/// The command that gives the submission the same input by hand. Students do not have the input, so
/// their command plays the games again.
fn by_hand(grader: &Grader, item: usize, record: &Record, seat: u8) -> Option<String> {
    let file = grader.input_file(item, record, seat)?;
    let submission = &grader.submission;
    match submission.submission().filter(|_| grader.is_visible(item)) {
        Some(own) => {
            let again = "../again";
            let run: Vec<String> = own.manifest.run.iter().map(|word| quoted(word)).collect();
            let run = run.join(" ");
            Some(format!("{} --item {item} --out {again}; {run} < {again}/{file}", grader.commands.student))
        }
        None => Some(harmless::sentence(&submission.by_hand(&grader.folder.join(file)))),
    }
}

/// The command that grades one item again.
pub fn again_command(grader: &Grader, item: &Item) -> String {
    // Only an instructor sees the findings of a hidden item, and the instructor has the file of
    // hidden items.
    let Commands { student, instructor, .. } = &grader.commands;
    let command = if grader.is_visible(item.number) { student } else { instructor };
    format!("{command} --item {}", item.number)
}

/// The command that looks for a known mistake, with questions chosen for that purpose.
pub fn diagnose_command(grader: &Grader, depth: Option<u32>) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(" --depth {depth}"));
    format!(
        "arena diagnose {} --game {}{depth}",
        grader.commands.bot,
        quoted(&grader.assignment.game.to_string())
    )
}

/// The command that runs all checks again, with the same limits.
pub fn check_command(grader: &Grader) -> String {
    let Assignment { clock, memory_bytes, game, seed, .. } = grader.assignment;
    let cpu = if clock.measured == Measured::Cpu { " --cpu-time" } else { "" };
    let memory = memory_bytes.map_or(String::new(), |bytes| format!(" --memory {}", bytes >> 20));
    format!(
        "arena check {} --game {} --seed {seed} --move-ms {} --startup-ms {}{cpu}{memory}",
        grader.commands.bot,
        quoted(&game.to_string()),
        clock.per_move.as_millis(),
        clock.startup.as_millis(),
    )
}

/// A word for the shell, on one line.
pub fn quoted(word: &str) -> String {
    harmless::line(&shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.to_string()))
}

/// The first faults of a series, one of each kind.
pub fn of_faults(grader: &Grader, item: usize, series: &GradedGames) -> Vec<Finding> {
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
        let what = format!(
            "{} more games were not played after repeated timeouts, and count as lost",
            series.skipped
        );
        findings.push(Finding { what, ..Finding::default() });
    }
    findings
}

/// A game that ended with a fault of the submission.
pub fn of_fault(grader: &Grader, item: usize, game: &GradedGame) -> Option<Finding> {
    let fault = game.fault()?;
    let finding = of_plain_fault(&fault.fault);
    Some(Finding {
        what: format!("game {}, ply {}: {}", game.record.match_id, fault.ply, finding.what),
        position: drawn(&game.record, usize::MAX),
        moves: Some(moves_of(&game.record)),
        record: Some(grader.record_file(item)),
        replay: Some(show_command(grader, item, &game.record.match_id)),
        by_hand: by_hand(grader, item, &game.record, fault.seat),
        ..finding
    })
}

/// A fault without a game around it.
pub fn of_plain_fault(fault: &Fault) -> Finding {
    let near = fault.near.as_ref().map(|near| format!("the nearest legal move is `{near}`"));
    Finding {
        what: format!("{}: {}", fault.code, harmless::line(&fault.message)),
        right: fault.expected.as_deref().map(harmless::line).or(near),
        change: fault.hint.as_deref().map(harmless::line),
        lines: fault.got.iter().map(|got| format!("< {}", harmless::line(got))).collect(),
        quoted: harmless::lines(&fault.stderr.join("\n"), STDERR_LINES),
        ..Finding::default()
    }
}

/// Findings about faults, then about games that were lost or drawn, each with the first mistake.
pub fn of_games(grader: &Grader, item: usize, series: &GradedGames) -> Vec<Finding> {
    let mut findings = of_faults(grader, item, series);
    let lost = series.played.iter().filter(|game| game.worth < 1.0 && game.fault().is_none());
    let room = SHOWN.saturating_sub(findings.len());
    let mut lost: Vec<&GradedGame> = lost.collect();
    lost.sort_by(|a, b| a.worth.total_cmp(&b.worth));
    let mut examiner = Examiner::of(grader.assignment);
    findings.extend(lost.into_iter().take(room).map(|game| of_lost(grader, item, game, examiner.as_mut())));
    findings
}

fn of_lost(grader: &Grader, item: usize, game: &GradedGame, examiner: Option<&mut Examiner>) -> Finding {
    let word = if game.worth > 0.0 { "drawn" } else { "lost" };
    let id = &game.record.match_id;
    let ended =
        format!("game {id}, as seat {}, was {word} ({})", game.seat, game.record.result.ending.reason());
    let finding = examiner.and_then(|examiner| blunder(examiner, game)).map_or_else(
        || Finding { what: ended.clone(), position: drawn(&game.record, usize::MAX), ..Finding::default() },
        |finding| Finding { what: format!("{ended}: {}", finding.what), ..finding },
    );
    Finding {
        moves: Some(moves_of(&game.record)),
        record: Some(grader.record_file(item)),
        replay: Some(show_command(grader, item, id)),
        ..finding
    }
}

/// The first mistake of the submission in a game.
fn blunder(examiner: &mut Examiner, game: &GradedGame) -> Option<Finding> {
    let record = &game.record;
    let moves: Vec<String> = record.moves.iter().map(|mv| mv.mv.clone()).collect();
    let own = record.moves.iter().enumerate().filter(|(_, mv)| mv.seat == game.seat && !mv.opening);
    let (at, judged) = examiner.first_mistake(&moves, own.map(|(at, _)| at))?;
    let finding = of_move(examiner, &moves[..at], &judged, &moves[at])?;
    let what = format!("move {}, {}", at + 1, finding.what);
    Some(Finding { what, position: drawn(record, at), ..finding })
}

/// The finding for a move that was a mistake. `None` if the move keeps the best possible result.
pub fn of_move(examiner: &mut Examiner, before: &[String], judged: &Judged, mv: &str) -> Option<Finding> {
    let after = judged.worth_of(mv)?;
    if after >= judged.worth {
        return None;
    }
    let kept = judged.word(judged.worth);
    let seen = match judged.horizon {
        None => "solved to the end of the game".to_owned(),
        Some(plies) => format!("not solved, but searched {plies} plies deep"),
    };
    let keeps = if judged.keeping().len() == 1 { "this move keeps" } else { "each of these moves keeps" };
    let punished = match examiner.replies(before, judged, mv) {
        Some(replies) if replies.len() < 4 => {
            format!("; after `{mv}` the other side answers {}", listed(&replies))
        }
        _ => String::new(),
    };
    Some(Finding {
        what: format!("`{mv}` turned {kept} into {}", judged.word(after)),
        played: Some(mv.to_owned()),
        right: Some(listed(&judged.keeping())),
        why: Some(format!("{keeps} {kept}{punished} ({seen})")),
        ..Finding::default()
    })
}

/// The first five of these moves, in words.
pub fn listed<S: AsRef<str>>(moves: &[S]) -> String {
    const MOVES: usize = 5;
    let shown: Vec<String> = moves.iter().take(MOVES).map(|mv| format!("`{}`", mv.as_ref())).collect();
    match moves.len().saturating_sub(MOVES) {
        0 => shown.join(" or "),
        more => format!("{} or {more} more", shown.join(" or ")),
    }
}

/// The moves of a game, from its opening on.
fn moves_of(record: &Record) -> String {
    let shown: Vec<&str> = record.moves.iter().take(MOVES).map(|played| played.mv.as_str()).collect();
    match record.moves.len().saturating_sub(MOVES) {
        0 if shown.is_empty() => "none".to_owned(),
        0 => shown.join(" "),
        more => format!("{} … ({more} more)", shown.join(" ")),
    }
}

/// The place of a position in its game, in words.
pub fn place(moves: &[String]) -> String {
    if moves.is_empty() { "at the start".to_owned() } else { format!("after `{}`", moves.join(" ")) }
}

/// The drawing of the position after some moves of a game without hidden information.
pub fn picture(setting: &dyn Setting, moves: &[String]) -> Option<String> {
    let mut table = setting.start(Seed::from_number(0)).ok()?;
    for mv in moves {
        let seat = table.turn().seats().lowest()?;
        table.play(seat, mv).ok()?;
    }
    Some(table.picture(Eyes::Referee).text(true).trim_end().to_owned())
}

/// The drawing of a record's position after this many moves.
fn drawn(record: &Record, moves: usize) -> Option<String> {
    let mut table = record.start().ok()?;
    for played in record.moves.iter().take(moves) {
        table.play(Seat(played.seat), &played.mv).ok()?;
    }
    Some(table.picture(Eyes::Referee).text(true).trim_end().to_owned())
}
