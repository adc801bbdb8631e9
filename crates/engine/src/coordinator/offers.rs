//! Batches: cut from the schedule, offered to workers, and offered again until they come back.

use super::window::{self, GameWindow};
use super::{BATCH, Coordinator, LEAST_OUT, MOST_BATCH};
use crate::messages::Batch;
use crate::subjects::{self, WORK};
use nats::{ApiError, JetStreamError};
use serde_json::json;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tournament::config::{Format, Tournament};
use tournament::travel::Unit;

impl Coordinator {
    /// Cuts new batches while there is room, and offers them.
    pub(super) fn offer(
        &mut self,
        tournament: &Tournament,
        window: &mut GameWindow,
    ) -> Result<(), JetStreamError> {
        let live = self.live();
        let slots = live.fleet.slots().max(1);
        let most = match tournament.format {
            // Games behind the decision are played for nothing.
            Format::Sprt => 2 * slots + 2,
            _ => (3 * slots).max(LEAST_OUT),
        };
        let left = live.status.expected.saturating_sub(live.status.games) as usize;
        let mut new = Vec::new();
        while window.has_room() && window.batches.len() < most {
            let left = left.saturating_sub(window.out());
            let size = self.size(left, slots);
            match window.cut(size) {
                Some(first) => new.push(first),
                None => break,
            }
        }
        if !new.is_empty() {
            self.offer_again(window, |first| new.contains(&first))?;
        }
        self.hedge(window)
    }

    /// The number of games of the next batch.
    fn size(&mut self, left: usize, slots: usize) -> usize {
        let live = self.live();
        let Some(pace) = live.pace.values().copied().reduce(f64::max) else { return 1 };
        let usual = (BATCH.as_secs_f64() / pace.max(1e-9)) as usize;
        let fair = left / (2 * slots);
        usual.min(fair).min(window::MOST_GAMES / (4 * slots)).clamp(1, MOST_BATCH)
    }

    /// Offers batches that are out. The engine refuses those that still wait for a worker.
    pub(super) fn offer_again(
        &mut self,
        window: &GameWindow,
        wanted: impl Fn(u64) -> bool,
    ) -> Result<(), JetStreamError> {
        let class = self.options.class.clone();
        let (tid, bots) = (self.live().tid.clone(), self.live().offer.bots.len());
        let pace = self.live().pace.clone();
        let mut messages = Vec::new();
        for (&first, out) in window.batches.iter().filter(|(first, _)| wanted(**first)) {
            let name = batch_name(first, out.games, out.hedges);
            let expected = expected_ms(&out.units, out.games, &pace);
            messages.push(message(&class, &tid, bots, &name, expected, &out.units, &[]));
        }
        self.publish(&messages)
    }

    pub(super) fn publish(&self, messages: &[(String, Vec<u8>)]) -> Result<(), JetStreamError> {
        let parts = messages.iter().map(|(subject, text)| (subject.clone(), text.as_slice()));
        for stored in self.engine.store_all(parts) {
            match stored {
                Err(error) if !error.is(ApiError::TAKEN) => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Offers a batch once more that takes much longer than others, when nothing else is left.
    fn hedge(&mut self, window: &mut GameWindow) -> Result<(), JetStreamError> {
        if !window.is_exhausted() || window.batches.is_empty() {
            return Ok(());
        }
        let pace = self.live().pace.values().copied().fold(0.0, f64::max);
        let mut late = Vec::new();
        for (&first, out) in &mut window.batches {
            let usual = Duration::from_secs_f64(3.0 * (pace * out.games as f64).max(1.0)) * (1 + out.hedges);
            if out.hedges < 3 && out.since.elapsed() > usual {
                out.hedges += 1;
                out.since = Instant::now();
                late.push(first);
            }
        }
        if late.is_empty() { Ok(()) } else { self.offer_again(window, |first| late.contains(&first)) }
    }

    /// Offers a batch again whose games are still missing.
    pub(super) fn bring_back(&mut self, window: &GameWindow, batch: &str) -> Result<(), JetStreamError> {
        match first_of(batch).filter(|first| window.batches.contains_key(first)) {
            Some(first) => self.offer_again(window, |other| other == first),
            None => Ok(()),
        }
    }

    /// Takes back what is offered and needs no longer be played.
    pub(super) fn withdraw(&mut self) {
        let tid = self.live().tid.clone();
        let filter = format!("work.*.{tid}.*");
        // Games that are repeated are still wanted.
        if self.live().audits.open() == 0 {
            let _ = self.engine.api(&format!("STREAM.PURGE.{WORK}"), &json!({ "filter": filter }));
        }
    }
}

/// The name of a batch: its first game, its number of games, and how often it was offered besides.
fn batch_name(first: u64, games: usize, hedges: u32) -> String {
    let more = if hedges == 0 { String::new() } else { format!("-h{hedges}") };
    format!("{first}-{games}{more}")
}

/// The first game of a batch.
pub(super) fn first_of(batch: &str) -> Option<u64> {
    batch.split('-').next()?.parse().ok()
}

fn expected_ms(units: &[Unit], games: usize, pace: &HashMap<usize, f64>) -> f64 {
    let game = units.first().map_or(0, |unit| unit.game);
    pace.get(&game).map_or(f64::INFINITY, |seconds| 1e3 * seconds * games as f64).min(1e9)
}

pub(super) fn message(
    class: &str,
    tid: &str,
    bots: usize,
    name: &str,
    expected_ms: f64,
    units: &[Unit],
    not: &[String],
) -> (String, Vec<u8>) {
    let batch = Batch {
        tid: tid.to_owned(),
        batch: name.to_owned(),
        bots,
        expected_ms,
        not: not.to_vec(),
        units: units.to_vec(),
    };
    (subjects::work(class, tid, name), serde_json::to_vec(&batch).unwrap_or_default())
}
