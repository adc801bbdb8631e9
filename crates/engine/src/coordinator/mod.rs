//! The coordinator of a tournament: offers what is not in the journal, and takes what comes back.
//!
//! ```text
//! schedule ──▶ window ──▶ WORK        RES ──▶ checks ──▶ window ──▶ journal ──▶ acknowledged
//! ```
//!
//! Nothing is entrusted to the engine. Whatever the engine forgets is offered again, and whatever
//! comes twice is dropped.

mod fleet;
mod lock;
pub(crate) mod window;

use crate::audit::{Audits, Ruling};
use crate::bundles::{self, part_count};
use crate::login::Session;
use crate::messages::{Batch, Offer, OfferedBot, TournamentStatus, WorkerOrder};
use crate::parcel::{self, Parts, sha256};
use crate::statistics::Statistics;
use crate::subjects::{self, BUCKET_STREAM, RESULTS, WORK};
pub(crate) use fleet::Fleet;
use lock::{HeldLock, LockError, RENEWAL};
use nats::{ApiError, Delivery, Headers, JetStream, JetStreamError, RequestError};
use referee::record::Record;
use referee::seeds::RootSeed;
use referee::submission;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use text::{Screen, harmless};
use tournament::config::{Format, Tournament};
use tournament::formats::expected_games;
use tournament::journal::JournalHeader;
use tournament::run::RunError;
use tournament::stage_games::StageGames;
use tournament::travel::{BotTicket, Unit};
use tournament::venue::{Keep, Venue};
use window::{Accepted, GameWindow};

/// How long a worker should play a batch.
const BATCH: Duration = Duration::from_secs(2);
/// The most games of a batch.
const MOST_BATCH: usize = 1_000;
/// The fewest batches that are out, if there are so many.
const LEAST_OUT: usize = 64;
/// How often results are looked for. All results of one look share an `fdatasync`.
const LOOK: Duration = Duration::from_millis(10);
/// How often everything that is out is offered again while nothing comes back.
const RECONCILE: Duration = Duration::from_secs(10);
/// A batch that comes back so often without its games is given up.
const MOST_FAILURES: u32 = 3;
/// How long a coordinator that begins waits for an engine that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the coordinator waits at the end for workers that repeat games.
const LAST_AUDITS: Duration = Duration::from_secs(20);

/// How to coordinate.
pub struct CoordinatorOptions {
    /// The class of workers that get the games.
    pub class: String,
    /// The share of blocks that a second worker plays again.
    pub audit: f64,
    pub build: String,
    pub host: String,
    pub screen: Option<&'static dyn Screen>,
}

pub struct Coordinator {
    user: String,
    engine: JetStream,
    options: CoordinatorOptions,
    live: Option<Underway>,
}

/// A tournament that is being coordinated.
struct Underway {
    tid: String,
    offer: Offer,
    lock: Option<HeldLock>,
    generation: u64,
    fleet: Fleet,
    audits: Audits,
    statistics: Statistics,
    parts: HashMap<(String, String), (Parts, Vec<Delivery>)>,
    /// Seconds for a game, by the number of the game in the tournament.
    pace: HashMap<usize, f64>,
    status: TournamentStatus,
    told: Instant,
    begun: Instant,
    games_before: Option<u64>,
}

impl Coordinator {
    pub fn new(session: Session, options: CoordinatorOptions) -> Coordinator {
        let Session { connection, user } = session;
        Coordinator { user, engine: JetStream::new(connection), options, live: None }
    }

    fn say(&self, text: &str) {
        if let Some(screen) = self.options.screen {
            screen.tell(&harmless::sentence(text));
        }
    }

    fn live(&mut self) -> &mut Underway {
        self.live.as_mut().expect("opened before it plays")
    }
}

/// The name of a tournament, from its header without what depends on the host.
pub fn tournament_id(header: &JournalHeader) -> String {
    let plain = JournalHeader { sandbox: None, ..header.clone() };
    sha256(json!(plain).to_string().as_bytes())[..16].to_owned()
}

impl Venue for Coordinator {
    fn open(
        &mut self,
        tournament: &Tournament,
        header: &JournalHeader,
        seed: RootSeed,
    ) -> Result<(), RunError> {
        let refused = |error: &dyn std::fmt::Display| RunError::Venue(format!("the engine: {error}"));
        let tid = tournament_id(header);
        let offer = Offer {
            build: self.options.build.clone(),
            header: header.clone(),
            seed,
            transcripts: tournament.transcripts.is_some(),
            bots: Vec::new(),
        };
        let now = Instant::now();
        let started_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
        let (expected, words) = expected_games(tournament);
        let status = TournamentStatus {
            tid: tid.clone(),
            name: tournament.name.clone(),
            format: tournament.format.word(),
            build: self.options.build.clone(),
            expected,
            expected_words: words.trim().to_owned(),
            started_ms,
            ..TournamentStatus::default()
        };
        // A server that has just started needs a moment.
        patiently(|| create_streams(&self.engine, &self.options.class)).map_err(|error| refused(&error))?;
        let lock = HeldLock::take(&self.engine, &tid, &self.options.host).map_err(|error| match error {
            LockError::Taken { .. } => RunError::Refused(error.to_string()),
            LockError::Engine(_) => refused(&error),
        })?;
        // What an earlier coordinator has offered was cut in another way.
        let filter = json!({ "filter": format!("work.*.{tid}.>") });
        patiently(|| self.engine.api(&format!("STREAM.PURGE.{WORK}"), &filter))
            .map_err(|error| refused(&error))?;
        self.live = Some(Underway {
            tid,
            offer,
            lock: Some(lock),
            generation: 0,
            fleet: Fleet::new(&self.options.class, &self.options.build),
            audits: Audits::new(self.options.audit),
            statistics: Statistics::default(),
            parts: HashMap::new(),
            pace: HashMap::new(),
            status,
            told: now,
            begun: now,
            games_before: None,
        });
        let until = Instant::now() + PATIENCE;
        loop {
            match self.restore(tournament) {
                Ok(()) => return Ok(()),
                Err(SendError::Bot(problem)) => return Err(RunError::Refused(problem)),
                Err(SendError::Engine(error)) if Instant::now() > until => return Err(refused(&error)),
                Err(SendError::Engine(_)) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    fn play(&mut self, tournament: &Tournament, games: &StageGames, keep: &mut Keep) -> Result<(), RunError> {
        let mut window = GameWindow::new(games);
        let mut acked: Vec<Delivery> = Vec::new();
        let mut quiet = Instant::now();
        while !window.is_done() && !games.is_over() {
            match self.round(tournament, &mut window, keep, &mut acked, &mut quiet) {
                Ok(()) => {}
                Err(RoundError::Lock(error)) => return Err(RunError::Venue(error.to_string())),
                Err(RoundError::Engine(error)) => {
                    self.wait_for_engine(tournament, games, &error)?;
                    acked.clear(); // they come again
                    if self.offer_again(&window, |_| true).is_err() {
                        tracing::info!("lost again"); // found out in the next round
                    }
                }
            }
        }
        if !games.stop.is_set() {
            self.withdraw();
        }
        Ok(())
    }

    fn close(&mut self, finished: bool) {
        if finished {
            self.finish_audits();
        }
        self.report(finished);
        let tid = self.live().tid.clone();
        if finished {
            let _ = self.order(&subjects::tournament_orders(&tid), &WorkerOrder::Stop);
            for (stream, filter) in [
                (WORK, format!("work.*.{tid}.>")),
                (RESULTS, format!("res.{tid}.>")),
                (BUCKET_STREAM, subjects::tournament(&tid)),
            ] {
                let _ = self.engine.api(&format!("STREAM.PURGE.{stream}"), &json!({ "filter": filter }));
            }
            let consumer = subjects::results_consumer_name(&tid);
            let _ = self.engine.api(&format!("CONSUMER.DELETE.{RESULTS}.{consumer}"), &Value::Null);
        }
        if let Some(lock) = self.live().lock.take() {
            lock.release(&self.engine);
        }
        self.engine.connection().flush_blocking(Duration::from_secs(1));
    }
}

/// Why bots could not be sent.
enum SendError {
    Bot(String),
    Engine(JetStreamError),
}

enum RoundError {
    Engine(JetStreamError),
    Lock(LockError),
}

impl From<JetStreamError> for RoundError {
    fn from(error: JetStreamError) -> RoundError {
        RoundError::Engine(error)
    }
}

/// Tries again for a while what a server refuses that has just started.
fn patiently<T>(mut ask: impl FnMut() -> Result<T, JetStreamError>) -> Result<T, JetStreamError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Err(JetStreamError::Request(RequestError::Refused(refused))) => {
                return Err(RequestError::Refused(refused).into());
            }
            Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(100)),
            answer => return answer,
        }
    }
}

/// Makes sure that an engine has all streams, and the consumer of a class.
pub fn create_streams(engine: &JetStream, class: &str) -> Result<(), JetStreamError> {
    for config in subjects::streams() {
        engine.ensure_stream(&config)?;
    }
    engine.ensure_consumer(WORK, &subjects::work_consumer(class))
}

impl Coordinator {
    /// Brings the files of all bots into the engine.
    fn send_bots(&self, tournament: &Tournament) -> Result<Vec<OfferedBot>, SendError> {
        let bots = &tournament.series.bots;
        let own: Vec<Vec<std::path::PathBuf>> = bots.iter().map(|bot| bot.spec.own_paths()).collect();
        let mut offered = Vec::new();
        for (bot, entrant) in bots.iter().enumerate() {
            let others = own.iter().flatten().filter(|path| !own[bot].contains(path)).cloned();
            let closed: Vec<_> = entrant.spec.sandbox.closed.iter().cloned().chain(others).collect();
            let bundle = submission::bundle(&entrant.spec, &closed).map_err(|error| {
                SendError::Bot(format!("the bot `{}` can't travel: {error}", entrant.name))
            })?;
            let ticket = BotTicket::of(entrant);
            let Some(bundle) = bundle else {
                offered.push(OfferedBot { ticket, bundle: None, words: None });
                continue;
            };
            bundles::upload(&self.engine, &bundle.sha256, &bundle.bytes).map_err(SendError::Engine)?;
            let parts = part_count(bundle.bytes.len());
            offered.push(OfferedBot { ticket, bundle: Some((bundle.sha256, parts)), words: bundle.words });
        }
        Ok(offered)
    }

    /// Says what is played, and makes the consumer for its results.
    fn settle(&mut self) -> Result<(), JetStreamError> {
        let generation = self.engine.connection().generation();
        let live = self.live.as_mut().expect("opened before it plays");
        live.generation = generation;
        let text = serde_json::to_vec(&live.offer).unwrap_or_default();
        self.engine.store(&subjects::tournament(&live.tid), &Headers::default(), &text)?;
        self.engine.ensure_consumer(RESULTS, &subjects::results_consumer(&live.tid))
    }

    /// Waits until the engine answers, and brings back what it may have lost.
    fn wait_for_engine(
        &mut self,
        tournament: &Tournament,
        games: &StageGames,
        error: &JetStreamError,
    ) -> Result<(), RunError> {
        self.say(&format!("the engine does not answer ({error}); going on as soon as it does"));
        loop {
            if games.is_over() {
                return Ok(());
            }
            if !self.engine.connection().wait_blocking(Duration::from_millis(200)) {
                continue;
            }
            match self.restore(tournament) {
                Ok(()) => return Ok(()),
                Err(SendError::Bot(problem)) => return Err(RunError::Refused(problem)),
                Err(SendError::Engine(error)) => {
                    tracing::info!(%error, "the engine is not ready");
                    std::thread::sleep(Duration::from_millis(200));
                }
            }
        }
    }

    fn restore(&mut self, tournament: &Tournament) -> Result<(), SendError> {
        create_streams(&self.engine, &self.options.class).map_err(SendError::Engine)?;
        let bots = self.send_bots(tournament)?;
        self.live().offer.bots = bots;
        self.live().parts.clear();
        self.settle().map_err(SendError::Engine)
    }

    /// Offers, looks for results, and keeps them.
    fn round(
        &mut self,
        tournament: &Tournament,
        window: &mut GameWindow,
        keep: &mut Keep,
        acked: &mut Vec<Delivery>,
        quiet: &mut Instant,
    ) -> Result<(), RoundError> {
        let is_new = self.live().generation != self.engine.connection().generation();
        if is_new {
            // The engine may have lost everything.
            return Err(RoundError::Engine(RequestError::Lost.into()));
        }
        self.tend()?;
        self.offer(tournament, window)?;
        if quiet.elapsed() > RECONCILE {
            *quiet = Instant::now();
            self.offer_again(window, |_| true)?;
        }
        let consumer = subjects::results_consumer_name(&self.live().tid);
        let taken = self.engine.take(RESULTS, &consumer, 256)?;
        if taken.is_empty() {
            std::thread::sleep(LOOK);
        } else {
            *quiet = Instant::now();
        }
        for delivery in taken {
            self.receive(window, delivery, acked)?;
        }
        let ready = window.ready();
        if !ready.is_empty() || window.has_fresh() {
            let number = |record: &Record| record.match_id.parse::<u64>().unwrap_or(0);
            if let (Some(first), Some(last)) = (ready.first(), ready.last()) {
                let live = self.live();
                live.games_before.get_or_insert(number(first).saturating_sub(1));
                live.status.games = number(last);
            }
            keep(ready, &window.early());
        }
        // Only now the games are on the disk. A message that is not acknowledged comes again.
        for delivery in acked.drain(..) {
            self.engine.done(&delivery).map_err(JetStreamError::from)?;
        }
        Ok(())
    }

    /// Does what must be done every few seconds.
    fn tend(&mut self) -> Result<(), RoundError> {
        let engine = self.engine.clone();
        let live = self.live();
        if live.lock.as_ref().is_some_and(|held| held.renewed.elapsed() > RENEWAL) {
            let held = live.lock.as_mut().expect("looked at just now");
            held.renew(&engine).map_err(|error| match error {
                LockError::Engine(error) => RoundError::Engine(error),
                taken @ LockError::Taken { .. } => RoundError::Lock(taken),
            })?;
        }
        if live.fleet.is_old() {
            live.fleet.look(&engine)?;
            let remarks = live.fleet.take_remarks();
            for remark in remarks {
                self.say(&remark);
            }
        }
        if self.live().told.elapsed() > Duration::from_secs(2) {
            self.live().told = Instant::now();
            self.report(false);
        }
        Ok(())
    }

    /// Tells everybody how the tournament stands.
    fn report(&mut self, finished: bool) {
        let engine = self.engine.clone();
        let live = self.live();
        let games = live.status.games;
        let before = live.games_before.unwrap_or(games);
        let seconds = live.begun.elapsed().as_secs_f64();
        live.status.rate = (games - before) as f64 / seconds.max(0.1);
        let left = live.status.expected.saturating_sub(games) as f64;
        live.status.eta = (live.status.rate > 0.0 && !finished).then(|| left / live.status.rate);
        live.status.finished = finished;
        live.status.beat += 1;
        live.status.audited = live.audits.done();
        live.status.workers = live.statistics.tallies(&live.fleet);
        let text = serde_json::to_vec(&live.status).unwrap_or_default();
        let _ = engine.store(&subjects::status(&live.tid), &Headers::default(), &text); // for display alone
    }

    /// Cuts new batches while there is room, and offers them.
    fn offer(&mut self, tournament: &Tournament, window: &mut GameWindow) -> Result<(), JetStreamError> {
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
    fn offer_again(
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

    fn publish(&self, messages: &[(String, Vec<u8>)]) -> Result<(), JetStreamError> {
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

    /// Takes a part of a result.
    fn receive(
        &mut self,
        window: &mut GameWindow,
        delivery: Delivery,
        acked: &mut Vec<Delivery>,
    ) -> Result<(), JetStreamError> {
        let words: Vec<String> = delivery.message.subject.split('.').map(str::to_owned).collect();
        let [_, _, user, instance, batch, part] = words.as_slice() else {
            acked.push(delivery);
            return Ok(());
        };
        let worker = format!("{user}.{instance}");
        let key = (worker.clone(), batch.clone());
        let part: usize = part.parse().unwrap_or(usize::MAX);
        let (headers, payload) = (delivery.message.headers.clone(), delivery.message.payload.clone());
        let (parts, deliveries) = self.live().parts.entry(key.clone()).or_default();
        deliveries.push(delivery);
        let whole = match parts.add(&headers, part, payload) {
            Ok(None) => return Ok(()),
            Ok(Some(whole)) => Ok(whole),
            Err(problem) => Err(problem),
        };
        acked.extend(self.live().parts.remove(&key).into_iter().flat_map(|(_, deliveries)| deliveries));
        let opened = whole.and_then(|whole| parcel::open(&whole).map_err(|error| error.to_string()));
        match opened {
            Ok((head, records)) => self.unpack(window, (worker.as_str(), batch.as_str()), &head, records),
            Err(problem) => {
                self.refuse(&worker, &format!("its result can't be read: {problem}"));
                self.bring_back(window, batch)
            }
        }
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
        if let Some(number) = batch.strip_prefix('a').and_then(|rest| rest.split('-').next()?.parse().ok()) {
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

    /// Offers a batch again whose games are still missing.
    fn bring_back(&mut self, window: &GameWindow, batch: &str) -> Result<(), JetStreamError> {
        match first_of(batch).filter(|first| window.batches.contains_key(first)) {
            Some(first) => self.offer_again(window, |other| other == first),
            None => Ok(()),
        }
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
    fn set_aside(&mut self, worker: &str, reason: &str) -> Result<(), JetStreamError> {
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

    fn order(&self, subject: &str, order: &WorkerOrder) -> Result<(), JetStreamError> {
        let text = serde_json::to_vec(order).unwrap_or_default();
        Ok(self.engine.connection().publish(subject, &text)?)
    }

    /// Takes back what is offered and needs no longer be played.
    fn withdraw(&mut self) {
        let tid = self.live().tid.clone();
        let filter = format!("work.*.{tid}.*");
        // Games that are repeated are still wanted.
        if self.live().audits.open() == 0 {
            let _ = self.engine.api(&format!("STREAM.PURGE.{WORK}"), &json!({ "filter": filter }));
        }
    }

    /// Waits a while for the last games that second workers play again.
    fn finish_audits(&mut self) {
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
            for delivery in taken {
                let words: Vec<String> = delivery.message.subject.split('.').map(str::to_owned).collect();
                let _ = self.engine.done(&delivery);
                let [_, _, user, instance, batch, part] = words.as_slice() else { continue };
                let (worker, part) = (format!("{user}.{instance}"), part.parse().unwrap_or(usize::MAX));
                let key = (worker.clone(), batch.clone());
                let (parts, _) = self.live().parts.entry(key).or_default();
                let whole = parts.add(&delivery.message.headers, part, delivery.message.payload);
                let number = batch.strip_prefix('a').and_then(|rest| rest.split('-').next()?.parse().ok());
                if let (Ok(Some(whole)), Some(number)) = (whole, number)
                    && let Ok((head, records)) = parcel::open(&whole)
                    && head.build == self.options.build
                {
                    let _ = self.judge(number, &worker, records);
                }
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

    pub fn user(&self) -> &str {
        &self.user
    }
}

/// The name of a batch: its first game, its number of games, and how often it was offered besides.
fn batch_name(first: u64, games: usize, hedges: u32) -> String {
    let more = if hedges == 0 { String::new() } else { format!("-h{hedges}") };
    format!("{first}-{games}{more}")
}

/// The first game of a batch.
fn first_of(batch: &str) -> Option<u64> {
    batch.split('-').next()?.parse().ok()
}

fn expected_ms(units: &[Unit], games: usize, pace: &HashMap<usize, f64>) -> f64 {
    let game = units.first().map_or(0, |unit| unit.game);
    pace.get(&game).map_or(f64::INFINITY, |seconds| 1e3 * seconds * games as f64).min(1e9)
}

fn message(
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
