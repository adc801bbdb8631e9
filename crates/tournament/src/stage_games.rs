//! Hands the games of a stage to the runner, one after the other.

use super::discipline::Discipline;
use super::schedule::{Cursor, Slot, Stage, match_id};
use super::series::Series;
use super::stop::Stop;
use referee::game::{self, Job};
use referee::record::Record;
use referee::runner::{BotId, NextGame, Source};
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

impl StageGames<'_> {
    /// Shall no new game begin?
    pub fn is_over(&self) -> bool {
        self.over.is_set() || self.stop.is_set()
    }

    /// The place of the next game, and its number in the order of records.
    pub fn next_slot(&self) -> Option<(usize, Slot)> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = next.0.next(self.series, self.stage)?;
        next.1 += 1;
        Some((next.1 - 1, slot))
    }

    /// The bots of the table at a place.
    pub fn table(&self, slot: &Slot) -> &[BotId] {
        &self.stage.tables[slot.game][slot.table]
    }

    pub fn job(&self, slot: &Slot) -> Job {
        self.stage.job(self.series, self.seed, slot)
    }

    /// The game at a place, if it need not be played.
    pub fn settled(&self, slot: &Slot) -> Option<Record> {
        let is_out =
            |discipline: &Arc<Discipline>| !discipline.out(&self.stage.seating(self.series, slot)).is_empty();
        let may_be =
            self.known.contains_key(&match_id(slot.number)) || self.discipline.as_ref().is_some_and(is_out);
        if may_be { self.known(&self.job(slot)) } else { None }
    }

    /// The game of a job, if it need not be played.
    pub fn known(&self, job: &Job) -> Option<Record> {
        let same = |record: &&Record| record.bots == job.names && record.seed == job.seed.to_string();
        if let Some(record) = self.known.get(&job.match_id).filter(same) {
            return Some(record.clone());
        }
        let out = self.discipline.as_ref()?.out(&job.seating);
        (!out.is_empty()).then(|| game::disqualified(job, out))
    }
}

impl Source for StageGames<'_> {
    fn next(&self) -> Option<(usize, NextGame)> {
        if self.is_over() {
            return None;
        }
        let (index, slot) = self.next_slot()?;
        let job = self.job(&slot);
        let game = match self.known(&job) {
            Some(record) => NextGame::Played(Box::new(record)),
            None => NextGame::Due(job),
        };
        Some((index, game))
    }

    fn is_called_off(&self) -> bool {
        self.stop.is_set()
    }
}
