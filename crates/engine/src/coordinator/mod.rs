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
mod offers;
mod results;
pub(crate) mod window;

use crate::audit::Audits;
use crate::bundles::{self, part_count};
use crate::login::Session;
use crate::messages::{Offer, OfferedBot, TournamentStatus, WorkerOrder};
use crate::parcel::{Parts, sha256};
use crate::statistics::Statistics;
use crate::subjects::{self, BUCKET_STREAM, RESULTS, WORK};
pub(crate) use fleet::Fleet;
use lock::{HeldLock, LockError, RENEWAL};
use nats::{Delivery, Headers, JetStream, JetStreamError, RequestError};
use referee::record::Record;
use referee::seeds::RootSeed;
use referee::submission;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use text::{Screen, harmless};
use tournament::config::Tournament;
use tournament::formats::expected_games;
use tournament::journal::JournalHeader;
use tournament::run::RunError;
use tournament::stage_games::StageGames;
use tournament::travel::BotTicket;
use tournament::venue::{Keep, Venue};
use window::GameWindow;

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

    fn order(&self, subject: &str, order: &WorkerOrder) -> Result<(), JetStreamError> {
        let text = serde_json::to_vec(order).unwrap_or_default();
        Ok(self.engine.connection().publish(subject, &text)?)
    }

    pub fn user(&self) -> &str {
        &self.user
    }
}
