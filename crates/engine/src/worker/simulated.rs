//! Games without bots.

use referee::game::{self, Job};
use referee::record::{GameResult, PlayedMove, Record};
use rules::{Seat, Table};

/// A game in which everybody plays the first legal move.
pub(super) fn record(job: &Job) -> Record {
    let nobody = game::void(job, "no game");
    let Some((moves, result)) = play(job) else { return nobody };
    let mut record = Record { moves, result, faults: Vec::new(), ..nobody };
    record.times.moves_us = vec![0; record.moves.len()];
    record
}

fn play(job: &Job) -> Option<(Vec<PlayedMove>, GameResult)> {
    let mut table = job.setting.start(job.seed).ok()?;
    let mut moves = Vec::new();
    for (seat, mv) in &job.opening {
        moves.push(PlayedMove { opening: true, ..step(&mut *table, *seat, mv)? });
    }
    loop {
        if let Some(outcome) = table.outcome() {
            return Some((moves, GameResult::from(&outcome)));
        }
        let seat = table.turn().seats().lowest()?;
        let mv = table.legal(seat).into_iter().next()?;
        moves.push(step(&mut *table, seat, &mv)?);
    }
}

fn step(table: &mut dyn Table, seat: Seat, mv: &str) -> Option<PlayedMove> {
    let mv = table.play(seat, mv).ok()?;
    Some(PlayedMove { seat: seat.0, mv, ..PlayedMove::default() })
}
