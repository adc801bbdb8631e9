//! The games of a result, one by one.

use super::{ResultEntry, ResultKind, unreadable};
use crate::refusal::Refusal;
use axum::http::StatusCode;
use referee::record::{Record, SeatPoints};
use rules::Kind;
use serde::Serialize;
use tournament::journal::{JournalLine, JournalLines};

/// One game of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameRow {
    /// Counted from 1, in the order of the files.
    pub number: usize,
    #[serde(rename = "match")]
    pub match_id: String,
    pub game: String,
    /// By seat.
    pub bots: Vec<String>,
    /// By seat. Seats that share a place have the same number.
    pub places: Vec<u8>,
    /// By seat, the points of the game.
    pub scores: Vec<f64>,
    /// What ended the game.
    pub reason: String,
    pub plies: usize,
    /// In a tournament, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// What bots did wrong.
    pub faults: Vec<FaultRow>,
    /// Milliseconds since 1970 at the start.
    pub started_ms: u64,
}

/// What a bot did wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FaultRow {
    pub seat: u8,
    pub code: String,
}

impl GameRow {
    fn of(number: usize, record: Record) -> GameRow {
        let fault = |fault: &referee::record::SeatFault| FaultRow {
            seat: fault.seat,
            code: fault.fault.code.to_string(),
        };
        GameRow {
            number,
            faults: record.faults.iter().map(fault).collect(),
            plies: record.moves.len(),
            places: record.result.places,
            scores: record.result.scores.iter().map(|&SeatPoints(points)| points).collect(),
            reason: record.result.ending.reason().to_owned(),
            match_id: record.match_id,
            game: record.game,
            bots: record.bots,
            round: record.round,
            started_ms: record.times.started_ms,
        }
    }
}

/// The games from this number on, at most so many, and the number of all games.
pub(crate) fn read_games(
    entry: &ResultEntry,
    from: usize,
    limit: usize,
) -> Result<(Vec<GameRow>, usize), Refusal> {
    let (mut rows, mut number) = (Vec::new(), 0);
    each_line(entry, &mut |line| {
        if !line.starts_with(b"{\"ludus\"") {
            return Ok(());
        }
        number += 1;
        if number >= from && rows.len() < limit {
            match JournalLine::read(line) {
                Ok(JournalLine::Game(record)) => rows.push(GameRow::of(number, *record)),
                Ok(_) => {}
                Err(error) => return Err(unreadable(format!("game {number}: {error}"))),
            }
        }
        Ok(())
    })?;
    Ok((rows, number))
}

/// The game with this id. Of several, the last one counts.
pub(crate) fn find_game(entry: &ResultEntry, id: &str) -> Result<Record, Refusal> {
    let quoted = serde_json::to_string(id).unwrap_or_default();
    let mut found = None;
    each_line(entry, &mut |line| {
        // Reading a line takes much longer than looking for the id in it.
        if line.windows(quoted.len()).any(|part| part == quoted.as_bytes())
            && let Ok(JournalLine::Game(record)) = JournalLine::read(line)
            && record.match_id == id
        {
            found = Some(*record);
        }
        Ok(())
    })?;
    let none = || {
        let name = &entry.name;
        Refusal::new(StatusCode::NOT_FOUND, format!("there is no game {id} in {name}"))
    };
    found.ok_or_else(none)
}

/// Shows all whole lines of a result of games.
fn each_line(entry: &ResultEntry, see: &mut dyn FnMut(&[u8]) -> Result<(), Refusal>) -> Result<(), Refusal> {
    if entry.kind == ResultKind::Grades {
        let what = format!("{} has grades and no games", entry.name);
        return Err(Refusal::new(StatusCode::NOT_FOUND, what));
    }
    for file in &entry.files {
        let wrong = |error| unreadable(format!("{}: {error}", file.display()));
        let mut lines = JournalLines::open(file).map_err(wrong)?;
        while let Some(line) = lines.next_line().map_err(wrong)? {
            if line.is_whole() {
                see(line.text)?;
            }
        }
    }
    Ok(())
}

/// Must the secrets of this game wait for the end of its tournament? Other bots may still meet the
/// same deal.
pub(crate) fn is_sealed(is_open: bool, game: &str) -> bool {
    is_open && rules::find(game).is_none_or(|game| game.kind == Kind::Hidden)
}
