//! Hands the games of a stage to the runner, one after the other.

use super::discipline::Discipline;
use super::schedule::{Cursor, Stage};
use super::series::Series;
use super::stop::Stop;
use referee::game;
use referee::record::Record;
use referee::runner::{NextGame, Source};
use referee::seeds::RootSeed;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub struct StageGames<'a> {
    series: &'a Series,
    stage: &'a Stage,
    seed: RootSeed,
    /// Set when the result is decided.
    pub over: Stop,
    /// Set when the user wants to stop.
    pub stop: Stop,
    /// Games that an earlier run has played, by id.
    pub known: HashMap<String, Record>,
    pub discipline: Option<Arc<Discipline>>,
    next: Mutex<(Cursor, usize)>,
}

impl<'a> StageGames<'a> {
    /// The games of a stage from the cursor on.
    pub fn new(series: &'a Series, stage: &'a Stage, seed: RootSeed, cursor: Cursor) -> StageGames<'a> {
        StageGames {
            series,
            stage,
            seed,
            over: Stop::default(),
            stop: Stop::default(),
            known: HashMap::new(),
            discipline: None,
            next: Mutex::new((cursor, 0)),
        }
    }
}

impl Source for StageGames<'_> {
    fn next(&self) -> Option<(usize, NextGame)> {
        if self.over.is_set() || self.stop.is_set() {
            return None;
        }
        let (slot, index) = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let slot = next.0.next(self.series, self.stage)?;
            next.1 += 1;
            (slot, next.1 - 1)
        };
        let job = self.stage.job(self.series, self.seed, &slot);
        let same = |record: &&Record| record.bots == job.names && record.seed == job.seed.to_string();
        let game = match self.known.get(&job.match_id).filter(same) {
            Some(record) => NextGame::Played(Box::new(record.clone())),
            None => match self.discipline.as_ref().map(|discipline| discipline.out(&job.seating)) {
                Some(out) if !out.is_empty() => NextGame::Played(Box::new(game::disqualified(&job, out))),
                _ => NextGame::Due(job),
            },
        };
        Some((index, game))
    }
}
