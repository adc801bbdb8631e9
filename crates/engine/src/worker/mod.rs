//! A worker: takes batches, plays them, and brings back the records. Comes and goes.
//!
//! ```text
//! slot 0 ── pull ──▶ batch ──▶ runner ──▶ records ──▶ RES, then the batch is acknowledged
//! slot 1 …
//! lease       says every few seconds that batches are still being played
//! presence    says every few seconds that the worker is there
//! ```
//!
//! A slot keeps its bots for the next batch, and pulls the next batch before the last one has ended.

mod kit;
mod lease;
mod simulated;
mod slot;

use crate::bundles::Shelf;
use crate::login::Session;
use crate::messages::{WorkerOrder, WorkerPresence};
use crate::subjects::{self, PRESENCE};
use kit::Kits;
use lease::Leases;
use nats::{Headers, JetStream, random_word};
use nix::sys::resource::{Resource, setrlimit};
use referee::process::{Protections, Sandbox};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use text::{Screen, harmless};
use tournament::stop::Stop;

/// How to work.
pub struct WorkerOptions {
    pub class: String,
    /// The number of games at the same time.
    pub slots: usize,
    /// Leave after so long without a batch.
    pub exit_idle: Option<Duration>,
    /// Where bundles are kept.
    pub cache: PathBuf,
    /// What no bot may read: the files with secrets.
    pub closed: Vec<PathBuf>,
    pub build: String,
    pub host: String,
    pub screen: Option<&'static dyn Screen>,
    /// Start no bots, and play the first legal move for them. That measures the coordinator.
    pub simulated: bool,
}

/// Why a worker has ended.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error("{0}")]
    Io(#[from] io::Error),
    /// This worker can't play what is offered.
    #[error("{0}")]
    Unfit(String),
    #[error("the coordinator has set this worker aside: {0}")]
    Banned(String),
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkDone {
    pub games: u64,
    pub batches: u64,
}

/// What all slots share.
struct WorkerShared {
    engine: JetStream,
    name: String,
    options: WorkerOptions,
    stop: Stop,
    kits: Kits,
    leases: Leases,
    busy: AtomicUsize,
    games: AtomicU64,
    batches: AtomicU64,
    faults: AtomicU64,
    /// When the last batch began or ended.
    active: Mutex<Instant>,
    /// Why all slots must end.
    end: Mutex<Option<WorkerError>>,
}

/// Why this machine must not run the bots of strangers, or `None` if it may.
pub fn unfit(found: &Protections) -> Option<String> {
    let Protections { files, calls, processes, network, .. } = *found;
    let mut missing = Vec::new();
    if !files {
        missing.push("bots could read the key of this worker (`files` is missing)");
    }
    if !network && !calls {
        missing.push("bots could reach the network (`network` and `calls` are missing)");
    }
    if !calls && !processes {
        missing.push("bots could look into this worker (`calls` and `processes` are missing)");
    }
    (!missing.is_empty()).then(|| {
        format!(
            "this machine can't hold the bots of strangers: {}; `arena doctor` says what to do",
            missing.join("; ")
        )
    })
}

/// Works until `stop` is set, or the worker is idle for too long, or can't go on.
pub fn work(session: Session, options: WorkerOptions, stop: &Stop) -> Result<WorkDone, WorkerError> {
    let sandbox = Sandbox::default();
    if let Some(problem) = unfit(&sandbox.protections()?) {
        return Err(WorkerError::Unfit(problem));
    }
    // A core dump would have the key.
    setrlimit(Resource::RLIMIT_CORE, 0, 0).map_err(io::Error::from)?;
    let shelf = Shelf::open(&options.cache)?;
    let closed = options.closed.iter().cloned().chain([options.cache.clone()]);
    let kits = Kits::new(shelf, sandbox.closing(closed), options.build.clone());
    let word = random_word()?;
    let name = format!("{}.{}-{}", session.user, plain(&options.host), &word[..6]);
    let work = Arc::new(WorkerShared {
        engine: JetStream::new(session.connection),
        name,
        stop: stop.clone(),
        kits,
        leases: Leases::default(),
        busy: AtomicUsize::new(0),
        games: AtomicU64::new(0),
        batches: AtomicU64::new(0),
        faults: AtomicU64::new(0),
        active: Mutex::new(Instant::now()),
        end: Mutex::new(None),
        options,
    });
    let orders = work.engine.connection().subscribe(&subjects::worker_orders(&work.name));
    let orders = orders.map_err(io::Error::other)?;
    work.say(&format!(
        "worker {}: {} at a time, class {}, engine {}",
        work.name,
        counted(work.options.slots, "game"),
        work.options.class,
        work.engine.connection().address()
    ));
    std::thread::scope(|scope| {
        let lease = std::thread::Builder::new().name("lease".to_owned());
        let leases = lease.spawn_scoped(scope, || work.leases.renew(&work.engine))?;
        let slots: io::Result<Vec<_>> = (0..work.options.slots)
            .map(|number| {
                let thread = std::thread::Builder::new().name(format!("slot {number}"));
                let work = &*work;
                thread.spawn_scoped(scope, move || slot::run(work))
            })
            .collect();
        let slots = slots.inspect_err(|_| {
            work.stop.set();
            work.leases.end();
        })?;
        let mut presence = Presence::new(&work);
        while slots.iter().any(|slot| !slot.is_finished()) {
            presence.tell_sometimes(&work);
            match orders.next_blocking(Duration::from_millis(100)) {
                Ok(Some(message)) => work.obey(&message.payload),
                Ok(None) => {}
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
            if work.options.exit_idle.is_some_and(|most| work.idle() > most) {
                work.stop.set();
            }
        }
        work.leases.end();
        let _ = leases.join();
        presence.leave(&work);
        Ok::<_, io::Error>(())
    })?;
    work.engine.connection().flush_blocking(Duration::from_secs(2));
    if let Some(error) = work.end.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    Ok(WorkDone { games: work.games.load(Ordering::Relaxed), batches: work.batches.load(Ordering::Relaxed) })
}

fn counted(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// A word that may stand in a subject.
fn plain(host: &str) -> String {
    let fine = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    host.chars().take(24).map(fine).collect()
}

impl WorkerShared {
    fn say(&self, text: &str) {
        if let Some(screen) = self.options.screen {
            screen.tell(&harmless::sentence(text));
        }
    }

    fn idle(&self) -> Duration {
        if self.busy.load(Ordering::Relaxed) > 0 {
            return Duration::ZERO;
        }
        self.active.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    fn note_activity(&self) {
        *self.active.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Ends all slots for this reason.
    fn give_up(&self, error: WorkerError) {
        self.end.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.set();
    }

    fn obey(&self, text: &[u8]) {
        match serde_json::from_slice(text) {
            Ok(WorkerOrder::Drain) => {
                self.say("leaving after the running games, as ordered");
                self.stop.set();
            }
            Ok(WorkerOrder::Ban(reason)) => self.give_up(WorkerError::Banned(harmless::line(&reason))),
            Ok(WorkerOrder::Stop) | Err(_) => {}
        }
    }
}

/// What the worker says about itself.
struct Presence {
    said: WorkerPresence,
    next: Instant,
}

impl Presence {
    fn new(work: &WorkerShared) -> Presence {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let said = WorkerPresence {
            worker: work.name.clone(),
            host: work.options.host.clone(),
            class: work.options.class.clone(),
            slots: work.options.slots,
            build: work.options.build.clone(),
            sandbox: "strict".to_owned(),
            speed: speed(),
            started_ms: started.as_millis() as u64,
            ..WorkerPresence::default()
        };
        Presence { said, next: Instant::now() }
    }

    fn tell_sometimes(&mut self, work: &WorkerShared) {
        let is_leaving = work.stop.is_set();
        if Instant::now() < self.next && is_leaving == self.said.draining {
            return;
        }
        self.next = Instant::now() + PRESENCE;
        self.said.draining = is_leaving;
        self.said.busy = work.busy.load(Ordering::Relaxed);
        self.said.games = work.games.load(Ordering::Relaxed);
        self.said.batches = work.batches.load(Ordering::Relaxed);
        self.said.faults = work.faults.load(Ordering::Relaxed);
        self.tell(work);
    }

    fn tell(&mut self, work: &WorkerShared) {
        self.said.beat += 1;
        let text = serde_json::to_vec(&self.said).unwrap_or_default();
        let subject = subjects::presence(&work.name);
        if let Err(error) = work.engine.store(&subject, &Headers::default(), &text) {
            tracing::info!(%error, "nobody knows that this worker is here");
            self.next = Instant::now() + Duration::from_millis(500);
        }
    }

    fn leave(&mut self, work: &WorkerShared) {
        self.said.draining = true;
        self.said.slots = 0;
        self.said.busy = 0;
        self.tell(work);
    }
}

/// Random games of Othello in each second on this core.
fn speed() -> f64 {
    const LONG: Duration = Duration::from_millis(100);
    let Some(setting) = rules::find("othello").and_then(|game| game.prepare(&serde_json::Value::Null).ok())
    else {
        return 0.0;
    };
    let (begin, mut games) = (Instant::now(), 0_u32);
    while begin.elapsed() < LONG {
        let Ok(mut table) = setting.start(rules::Seed::from_number(u64::from(games))) else { return 0.0 };
        let mut number = games as usize;
        while let Some(seat) = table.turn().seats().lowest() {
            let legal = table.legal(seat);
            number = number.wrapping_mul(31).wrapping_add(7);
            if table.play(seat, &legal[number % legal.len()]).is_err() {
                break;
            }
        }
        games += 1;
    }
    f64::from(games) / begin.elapsed().as_secs_f64()
}

/// Where bundles are kept, unless somebody says otherwise.
pub fn usual_cache() -> PathBuf {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    let folder = named.or_else(home).unwrap_or_else(std::env::temp_dir);
    folder.join(Path::new("ludus/bundles"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_walls_is_refused() {
        let all = Protections {
            files: true,
            calls: true,
            signals: true,
            processes: true,
            network: true,
            count: true,
            scratch: true,
        };
        for (found, word) in [
            (all, None),
            (Protections { network: false, ..all }, None),
            (Protections { calls: false, ..all }, None),
            (Protections { calls: false, network: false, ..all }, Some("reach the network")),
            (Protections { files: false, ..all }, Some("read the key")),
            (Protections { calls: false, processes: false, ..all }, Some("look into this worker")),
        ] {
            let problem = unfit(&found);
            assert_eq!(problem.is_some(), word.is_some(), "{found:?}");
            assert!(word.is_none_or(|word| problem.unwrap().contains(word)), "{found:?}");
        }
    }

    #[test]
    fn a_host_becomes_a_word() {
        assert_eq!(plain("Node-7.cluster.Example"), "node-7-cluster-example");
    }
}
