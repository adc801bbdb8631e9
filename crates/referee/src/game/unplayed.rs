//! The records of games that nobody has played.

use super::Job;
use crate::fault::{Code, Fault};
use crate::record::{Ending, FORMAT, GameResult, Record, SeatFault, SeatPoints, Times};
use rules::{Seat, Seats};
use std::sync::Arc;

/// A game that is not played, because bots on these seats are disqualified: with two sides the
/// other side wins, with more the game does not count.
pub fn disqualified(job: &Job, out: Seats) -> Record {
    let nobody = void(job, "");
    let Ok(table) = job.setting.start(job.seed) else { return nobody };
    let teams = rules::teams(&*table);
    let lost = |seat: Seat| {
        teams.iter().any(|team| team.contains(seat) && team.iter().any(|seat| out.contains(seat)))
    };
    let seats: Vec<bool> = (0..table.seats()).map(|seat| lost(Seat(seat))).collect();
    let winners = seats.iter().filter(|lost| !**lost).count() as u8;
    let message = "too many failures in earlier games";
    let fault =
        |seat: Seat| SeatFault { seat: seat.0, ply: 0, fault: Fault::new(Code::Disqualified, message) };
    let faults = out.iter().map(fault).collect();
    if teams.len() > 2 {
        return Record { faults, ..nobody };
    }
    let result = GameResult {
        places: seats.iter().map(|&lost| if lost { 1 + winners } else { 1 }).collect(),
        scores: seats.iter().map(|&lost| SeatPoints(f64::from(u8::from(!lost)))).collect(),
        ending: Ending::Forfeit,
    };
    Record { result, faults, ..nobody }
}

/// A game that could not be played, through no fault of the bots.
pub fn void(job: &Job, problem: &str) -> Record {
    let seats = job.names.len();
    Record {
        ludus: FORMAT,
        match_id: job.match_id.clone(),
        game: job.setting.about().id.to_owned(),
        rules: job.setting.about().version,
        params: Arc::clone(job.setting.params()),
        seed: job.seed.to_string(),
        bots: job.names.clone(),
        block: job.block.clone(),
        round: job.round,
        moves: Vec::new(),
        result: GameResult {
            places: vec![1; seats],
            scores: vec![SeatPoints(0.0); seats],
            ending: Ending::Void,
        },
        faults: vec![SeatFault { seat: 0, ply: 0, fault: Fault::new(Code::ArenaFault, problem) }],
        failure: None,
        evidence: Vec::new(),
        transcripts: Vec::new(),
        times: Times::default(),
    }
}
