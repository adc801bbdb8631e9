//! One slot: plays one game after another, batch after batch.
//!
//! ```text
//! Supply (asked by the thread that plays)     BegunBatch (batches whose records are coming in)
//!   current batch, next batch  ── jobs ──▶ runner ── records ──▶ sent when a batch is complete
//! ```

use super::kit::{Kit, KitError};
use super::{WorkerError, WorkerShared, simulated};
use crate::messages::Batch;
use crate::parcel::{self, ParcelHead};
use crate::subjects::{self, WORK};
use nats::{Delivery, JetStreamError, Pull, RequestError};
use referee::game::Job;
use referee::record::Record;
use referee::runner::{self, NextGame, Source};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A batch that takes longer is not pulled before the last one has ended.
const SHORT_MS: f64 = 3_000.0;
/// Bots are kept running for so long without a batch.
const KEPT: Duration = Duration::from_secs(10);
/// A batch that was handed out so often has ended its workers.
const MOST_DELIVERIES: u64 = 5;
/// How long a worker waits before a batch that is not for this worker comes back.
const NOT_FOR_ME: Duration = Duration::from_millis(500);

/// A batch that was taken.
struct TakenBatch {
    batch: Batch,
    delivery: Delivery,
    lease: u64,
    kit: Arc<Kit>,
    jobs: VecDeque<Job>,
}

/// A batch whose games are being played.
struct BegunBatch {
    name: String,
    tid: String,
    delivery: Delivery,
    lease: u64,
    games: usize,
    records: Vec<Record>,
    began: Instant,
}

/// Where the runner gets its games from.
struct Supply<'w> {
    work: &'w WorkerShared,
    kit: Arc<Kit>,
    inner: Mutex<SupplyState>,
}

struct SupplyState {
    pull: Pull,
    current: VecDeque<Job>,
    /// The lease of the current batch.
    lease: u64,
    is_short: bool,
    next: Option<TakenBatch>,
    pending: VecDeque<BegunBatch>,
    /// The number of the next game, in the order of records.
    number: usize,
}

/// Works until the worker ends.
pub(super) fn run(work: &WorkerShared) {
    let mut pull = Pull::new(work.engine.connection(), WORK, &work.options.class);
    let mut carried: Option<TakenBatch> = None;
    while !work.stop.is_set() {
        let taken = match carried.take() {
            Some(taken) => taken,
            None => match take(work, &mut pull, Duration::from_millis(300)) {
                Some(taken) => taken,
                None => continue,
            },
        };
        work.busy.fetch_add(1, Ordering::Relaxed);
        let (back, left) = play(work, pull, taken);
        work.busy.fetch_sub(1, Ordering::Relaxed);
        work.note_activity();
        (pull, carried) = (back, left);
    }
    if let Some(taken) = carried {
        give_back(work, &taken.delivery, taken.lease, Duration::ZERO);
    }
}

/// Takes the next batch that this worker can play.
fn take(work: &WorkerShared, pull: &mut Pull, most: Duration) -> Option<TakenBatch> {
    let delivery = match pull.next_blocking(most) {
        Ok(delivery) => delivery?,
        Err(JetStreamError::Request(RequestError::Refused(refused))) => {
            work.give_up(WorkerError::Unfit(format!(
                "{refused}; the key of this worker is not for this class"
            )));
            return None;
        }
        Err(error) => {
            // The consumer is missing until a coordinator has made it.
            tracing::info!(%error, "no batch");
            std::thread::sleep(most.min(Duration::from_millis(300)));
            return None;
        }
    };
    let lease = work.leases.add(delivery.clone());
    match open(work, &delivery) {
        Ok((batch, kit, jobs)) => Some(TakenBatch { batch, delivery, lease, kit, jobs }),
        Err(Unplayed::GiveBack(delay)) => {
            give_back(work, &delivery, lease, delay);
            None
        }
        Err(Unplayed::Drop) => {
            work.leases.remove(lease);
            let _ = work.engine.done(&delivery); // else it is handed out again
            None
        }
        Err(Unplayed::Poison(batch)) => {
            let problem = format!("it was begun {} times and never ended", delivery.delivered - 1);
            let poison = ParcelHead { poison: Some(problem), ..head(work, 0.0) };
            send(work, &batch.tid, &batch.batch, &delivery, lease, &poison, &[]);
            None
        }
    }
}

/// Why a batch is not played here and now.
enum Unplayed {
    GiveBack(Duration),
    Drop,
    Poison(Batch),
}

fn open(work: &WorkerShared, delivery: &Delivery) -> Result<(Batch, Arc<Kit>, VecDeque<Job>), Unplayed> {
    let Ok(batch) = serde_json::from_slice::<Batch>(&delivery.message.payload) else {
        return Err(Unplayed::Drop);
    };
    if batch.not.contains(&work.name) {
        return Err(Unplayed::GiveBack(NOT_FOR_ME));
    }
    if delivery.delivered > MOST_DELIVERIES && batch.not.is_empty() {
        return Err(Unplayed::Poison(batch));
    }
    let kit = work.kits.get(&work.engine, &batch).map_err(|error| {
        match error {
            KitError::Later(problem) => tracing::warn!(problem, "a batch is given back"),
            KitError::Never(error) => work.give_up(error),
        }
        Unplayed::GiveBack(Duration::from_secs(1))
    })?;
    let jobs: Option<Vec<Vec<Job>>> =
        batch.units.iter().map(|unit| unit.jobs(&kit.series, kit.seed)).collect();
    let jobs: VecDeque<Job> = jobs.ok_or(Unplayed::Drop)?.into_iter().flatten().collect();
    if jobs.is_empty() { Err(Unplayed::Drop) } else { Ok((batch, kit, jobs)) }
}

fn give_back(work: &WorkerShared, delivery: &Delivery, lease: u64, delay: Duration) {
    work.leases.remove(lease);
    let _ = work.engine.give_back(delivery, delay); // without a connection the lease ends by itself
}

/// Plays batches of one tournament with the same bots, until another tournament comes or no batch
/// comes for a while. Returns a batch of the other tournament.
fn play(work: &WorkerShared, pull: Pull, first: TakenBatch) -> (Pull, Option<TakenBatch>) {
    let kit = Arc::clone(&first.kit);
    let inner = SupplyState {
        pull,
        current: VecDeque::new(),
        lease: 0,
        is_short: false,
        next: Some(first),
        pending: VecDeque::new(),
        number: 0,
    };
    let supply = Supply { work, kit: Arc::clone(&kit), inner: Mutex::new(inner) };
    let played = runner::run_from(&kit.series.plan(), &supply, |records, _| supply.keep(records));
    if let Err(error) = played {
        work.give_up(error.into());
    }
    let mut inner = supply.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
    for pending in inner.pending.drain(..) {
        give_back(work, &pending.delivery, pending.lease, Duration::ZERO);
    }
    (inner.pull, inner.next)
}

impl SupplyState {
    /// Begins to play a batch.
    fn begin(&mut self, taken: TakenBatch) {
        let TakenBatch { batch, delivery, lease, jobs, .. } = taken;
        self.is_short = batch.expected_ms <= SHORT_MS;
        self.lease = lease;
        self.pending.push_back(BegunBatch {
            name: batch.batch,
            tid: batch.tid,
            delivery,
            lease,
            games: jobs.len(),
            records: Vec::with_capacity(jobs.len()),
            began: Instant::now(),
        });
        self.current = jobs;
    }
}

impl Source for Supply<'_> {
    fn next(&self) -> Option<(usize, NextGame)> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.next.is_none() && inner.is_short && !self.work.stop.is_set() {
            inner.next = take(self.work, &mut inner.pull, Duration::ZERO);
        }
        let idle = Instant::now();
        while inner.current.is_empty() {
            if inner.next.is_none() {
                if self.work.stop.is_set() || idle.elapsed() > KEPT {
                    return None;
                }
                // The records of the last batch are sent meanwhile, so the lock is not held for long.
                let found = take(self.work, &mut inner.pull, Duration::from_millis(20));
                inner.next = found;
                if inner.next.is_none() {
                    drop(inner);
                    std::thread::sleep(Duration::from_millis(1));
                    inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
            }
            let is_mine = inner.next.as_ref().is_some_and(|next| Arc::ptr_eq(&next.kit, &self.kit));
            // A batch that is not begun can be given to somebody else.
            if !is_mine || self.work.stop.is_set() {
                return None;
            }
            if let Some(next) = inner.next.take() {
                inner.begin(next);
            }
        }
        if self.work.end.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return None; // there is a reason to leave at once
        }
        let job = inner.current.pop_front()?;
        self.work.leases.moved(inner.lease, patience(&job));
        let number = inner.number;
        inner.number += 1;
        drop(inner);
        let game = if self.work.options.simulated {
            NextGame::Played(Box::new(simulated::record(&job)))
        } else {
            NextGame::Due(job)
        };
        Some((number, game))
    }

    fn is_called_off(&self) -> bool {
        self.work.stop.is_set()
    }
}

/// The longest time for a game, with half as much again.
fn patience(job: &Job) -> Duration {
    const PLIES: u32 = 600;
    let clocks = job
        .clocks
        .iter()
        .map(|clock| clock.startup + clock.bank + PLIES * (clock.per_move + clock.increment));
    clocks.sum::<Duration>().mul_f64(1.5).max(Duration::from_mins(1))
}

impl Supply<'_> {
    /// Takes records in the order of the games, and sends every batch that is complete.
    fn keep(&self, records: Vec<Record>) {
        let mut complete = Vec::new();
        {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            for record in records {
                let Some(pending) = inner.pending.front_mut() else { break };
                pending.records.push(record);
                if pending.records.len() == pending.games {
                    complete.extend(inner.pending.pop_front());
                }
            }
        }
        for BegunBatch { name, tid, delivery, lease, records, began, .. } in complete {
            let took_ms = began.elapsed().as_secs_f64() * 1e3;
            let failed = records.iter().filter(|record| !record.faults.is_empty()).count();
            send(self.work, &tid, &name, &delivery, lease, &head(self.work, took_ms), &records);
            self.work.games.fetch_add(records.len() as u64, Ordering::Relaxed);
            self.work.batches.fetch_add(1, Ordering::Relaxed);
            self.work.faults.fetch_add(failed as u64, Ordering::Relaxed);
            self.work.note_activity();
        }
    }
}

fn head(work: &WorkerShared, took_ms: f64) -> ParcelHead {
    ParcelHead { build: work.options.build.clone(), host: work.options.host.clone(), took_ms, poison: None }
}

/// Sends a result until the engine has it, then acknowledges the batch. A lost connection is waited
/// for, because the games are worth it.
fn send(
    work: &WorkerShared,
    tid: &str,
    name: &str,
    delivery: &Delivery,
    lease: u64,
    head: &ParcelHead,
    records: &[Record],
) {
    const PATIENCE: Duration = Duration::from_mins(10);
    let Ok(bytes) = parcel::pack(head, records) else { return };
    let (headers, parts) = parcel::split(&bytes);
    let begin = Instant::now();
    for (part, bytes) in parts.iter().enumerate() {
        let subject = subjects::result(tid, &work.name, name, part);
        while let Err(error) = work.engine.store(&subject, &headers, bytes) {
            let is_refused = matches!(error, JetStreamError::Request(RequestError::Refused(_)));
            let is_gone = work.end.lock().unwrap_or_else(PoisonError::into_inner).is_some();
            if is_refused || is_gone || begin.elapsed() > PATIENCE {
                work.say(&format!("the games of a batch are lost: {error}"));
                work.leases.remove(lease);
                return;
            }
            // A stream that is missing comes back with the coordinator.
            std::thread::sleep(Duration::from_millis(100));
            work.engine.connection().wait_blocking(Duration::from_secs(1));
        }
    }
    work.leases.remove(lease);
    if let Err(error) = work.engine.done_blocking(delivery) {
        tracing::info!(%error, "a batch comes again that was played"); // the second result is dropped
    }
}
