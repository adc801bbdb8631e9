//! What workers bring: put together, checked, counted, and compared with what others have brought.

use super::offers::{first_of, message};
use super::window::{Accepted, GameWindow};
use super::{Coordinator, LAST_AUDITS, LOOK, MOST_FAILURES};
use crate::audit::Ruling;
use crate::messages::WorkerOrder;
use crate::parcel::{self, ParcelHead};
use crate::subjects::{self, RESULTS};
use nats::{Delivery, JetStreamError};
use referee::record::Record;
use std::collections::BTreeMap;
use std::time::Instant;
use tournament::travel::Unit;

/// A result of which all parts are here.
struct Arrived {
    worker: String,
    batch: String,
    /// The games, or why they can't be read.
    opened: Result<(ParcelHead, Vec<Record>), String>,
}

impl Coordinator {
    /// Takes a part of a result.
    pub(super) fn receive(
        &mut self,
        window: &mut GameWindow,
        delivery: Delivery,
        acked: &mut Vec<Delivery>,
    ) -> Result<(), JetStreamError> {
        let Some(Arrived { worker, batch, opened }) = self.collect(delivery, acked) else { return Ok(()) };
        match opened {
            Ok((head, records)) => self.unpack(window, (&worker, &batch), &head, records),
            Err(problem) => {
                self.refuse(&worker, &format!("its result can't be read: {problem}"));
                self.bring_back(window, &batch)
            }
        }
    }

    /// Puts the parts of a result together. None while a part is missing.
    fn collect(&mut self, delivery: Delivery, acked: &mut Vec<Delivery>) -> Option<Arrived> {
        let words: Vec<String> = delivery.message.subject.split('.').map(str::to_owned).collect();
        let [_, _, user, instance, batch, part] = words.as_slice() else {
            acked.push(delivery);
            return None;
        };
        let key = (format!("{user}.{instance}"), batch.clone());
        let part: usize = part.parse().unwrap_or(usize::MAX);
        let (headers, payload) = (delivery.message.headers.clone(), delivery.message.payload.clone());
        let (parts, deliveries) = self.live().parts.entry(key.clone()).or_default();
        deliveries.push(delivery);
        let whole = parts.add(&headers, part, payload).transpose()?;
        acked.extend(self.live().parts.remove(&key).into_iter().flat_map(|(_, deliveries)| deliveries));
        let opened = whole.and_then(|whole| parcel::open(&whole).map_err(|error| error.to_string()));
        let (worker, batch) = key;
        Some(Arrived { worker, batch, opened })
    }

    fn unpack(
        &mut self,
        window: &mut GameWindow,
        (worker, batch): (&str, &str),
        head: &parcel::ParcelHead,
        mut records: Vec<Record>,
    ) -> Result<(), JetStreamError> {
        let own_build = self.options.build.clone();
        if head.build != own_build {
            self.refuse(worker, &format!("its program is {}, and this one is {own_build}", head.build));
            return self.bring_back(window, batch);
        }
        if self.live().fleet.is_suspect(worker) {
            return self.bring_back(window, batch);
        }
        for record in &mut records {
            record.times.worker = Some(worker.to_owned());
        }
        if let Some(number) = audit_of(batch) {
            return self.judge(number, worker, records);
        }
        if let Some(problem) = &head.poison {
            return self.poisoned(window, batch, problem);
        }
        if records.iter().any(crate::record_check::is_trouble)
            && let Some(first) = first_of(batch)
            && let Some(out) = window.batches.get_mut(&first)
            && out.failures < MOST_FAILURES
        {
            out.failures += 1;
            tracing::warn!(worker, "a batch came back with games that could not be played");
            return self.bring_back(window, batch);
        }
        if let Some(record) = records.first() {
            tracing::debug!(record.match_id, worker, head.took_ms, "a batch has come back");
            self.learn_pace(window, head.took_ms / 1e3 / records.len() as f64, batch);
        }
        let mut last: Option<Unit> = None;
        let mut audited: BTreeMap<u64, (Unit, Vec<Record>)> = BTreeMap::new();
        for record in records {
            match window.accept(record) {
                Accepted::New(unit, record) => {
                    let live = self.live();
                    live.statistics.add(worker, &unit, record);
                    let is_first = last.as_ref() != Some(&unit);
                    if is_first && live.audits.wants() || audited.contains_key(&unit.number) {
                        let audit = audited.entry(unit.number).or_insert_with(|| (unit.clone(), Vec::new()));
                        audit.1.push(record.clone());
                    }
                    last = Some(unit);
                }
                Accepted::Again => self.live().status.duplicates += 1,
                Accepted::Differs(match_id) => {
                    self.live().status.duplicates += 1;
                    let list = &mut self.live().status.differing;
                    if list.len() < 100 && !list.contains(&match_id) {
                        list.push(match_id);
                    }
                }
                Accepted::Refused(problem) => {
                    self.set_aside(
                        worker,
                        &format!("it brought a game that can't have happened: {problem}"),
                    )?;
                    return self.bring_back(window, batch);
                }
            }
        }
        let (tid, bots, class) =
            (self.live().tid.clone(), self.live().offer.bots.len(), self.options.class.clone());
        let mut messages = Vec::new();
        for (number, (unit, records)) in audited {
            self.live().audits.begin(unit.clone(), worker, records);
            let name = format!("a{number}-1");
            messages.push(message(&class, &tid, bots, &name, 0.0, &[unit], &[worker.to_owned()]));
        }
        self.publish(&messages)?;
        // A worker that has brought only a part of a batch has lost the rest.
        self.bring_back(window, batch)
    }

    /// Learns how long a game takes.
    fn learn_pace(&mut self, window: &GameWindow, seconds: f64, batch: &str) {
        let game = first_of(batch)
            .and_then(|first| window.batches.get(&first))
            .and_then(|out| out.units.first())
            .map_or(0, |unit| unit.game);
        let pace = self.live().pace.entry(game).or_insert(seconds);
        *pace += 0.3 * (seconds - *pace);
    }

    /// A batch has ended several workers. Each of its blocks is tried alone, then given up.
    fn poisoned(
        &mut self,
        window: &mut GameWindow,
        batch: &str,
        problem: &str,
    ) -> Result<(), JetStreamError> {
        let Some(first) = first_of(batch).and_then(|first| window.batch_of(first).or(Some(first))) else {
            return Ok(());
        };
        let Some(out) = window.batches.get_mut(&first) else { return Ok(()) };
        if out.units.len() > 1 {
            let parts = window.split(first);
            return self.offer_again(window, |first| parts.contains(&first));
        }
        out.failures += 1;
        if out.failures < MOST_FAILURES {
            return self.offer_again(window, |other| other == first);
        }
        self.say(&format!("match {} could not be played by any worker: {problem}", first + 1));
        window.give_up(first, &format!("no worker could play this game: {problem}"));
        Ok(())
    }

    /// Compares games that a second worker has played with those of the first.
    fn judge(&mut self, number: u64, worker: &str, records: Vec<Record>) -> Result<(), JetStreamError> {
        let tid = self.live().tid.clone();
        match self.live().audits.compare(number, worker, records) {
            Ruling::Fine => Ok(()),
            Ruling::Again { unit, not, round } => {
                let (bots, class) = (self.live().offer.bots.len(), self.options.class.clone());
                let name = format!("a{number}-{round}");
                self.publish(&[message(&class, &tid, bots, &name, 0.0, &[unit], &not)])
            }
            Ruling::Liar { worker, match_id } => {
                self.set_aside(&worker, &format!("match {match_id} is another game on two other workers"))
            }
            Ruling::Unstable { match_id } => {
                let list = &mut self.live().status.differing;
                if list.len() < 100 && !list.contains(&match_id) {
                    list.push(match_id.clone());
                    self.say(&format!(
                        "match {match_id} is another game on each worker: a bot in it decides by chance or by time"
                    ));
                }
                Ok(())
            }
        }
    }

    /// Sets a worker aside: what it brings no longer counts.
    pub(super) fn set_aside(&mut self, worker: &str, reason: &str) -> Result<(), JetStreamError> {
        if self.live().fleet.suspect(worker, reason) {
            self.live().status.suspects = self.live().fleet.suspects();
            self.say(&format!("the worker {worker} is set aside: {reason}"));
        }
        self.order(&subjects::worker_orders(worker), &WorkerOrder::Ban(reason.to_owned()))
    }

    fn refuse(&mut self, worker: &str, reason: &str) {
        let live = self.live();
        live.statistics.refuse(worker);
        if live.fleet.refuse(worker) {
            self.say(&format!("results of the worker {worker} do not count: {reason}"));
        }
    }

    /// Waits a while for the last games that second workers play again.
    pub(super) fn finish_audits(&mut self) {
        let until = Instant::now() + LAST_AUDITS;
        let consumer = subjects::results_consumer_name(&self.live().tid);
        while self.live().audits.open() > 0 && self.live().fleet.workers() > 1 && Instant::now() < until {
            if self.tend().is_err() {
                return;
            }
            let Ok(taken) = self.engine.take(RESULTS, &consumer, 256) else { return };
            if taken.is_empty() {
                std::thread::sleep(LOOK);
            }
            let mut acked = Vec::new();
            for delivery in taken {
                if let Some(Arrived { worker, batch, opened: Ok((head, records)) }) =
                    self.collect(delivery, &mut acked)
                    && let Some(number) = audit_of(&batch)
                    && head.build == self.options.build
                {
                    let _ = self.judge(number, &worker, records);
                }
            }
            for delivery in acked {
                let _ = self.engine.done(&delivery);
            }
        }
        for suspect in self.live().fleet.suspects() {
            let games = self.live().statistics.games(&suspect.worker);
            if games > 0 {
                self.say(&format!(
                    "the journal has {games} games of the worker {0}, which was set aside; to play them again, repeat the command with --without {0}",
                    suspect.worker
                ));
            }
        }
        if let Some(words) = self.live().audits.closing_words() {
            self.say(&words);
        }
        for finding in self.live().statistics.findings() {
            self.say(&finding);
        }
    }
}

/// The number of the block that a second worker has played again.
fn audit_of(batch: &str) -> Option<u64> {
    batch.strip_prefix('a')?.split('-').next()?.parse().ok()
}
