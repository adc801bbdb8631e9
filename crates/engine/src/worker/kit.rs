//! What a worker needs to play games of a tournament: its series, its seed, and the files of its
//! bots.

use super::WorkerError;
use crate::bundles::{BundleError, Shelf};
use crate::messages::{Batch, Offer};
use crate::subjects::{self, BUCKET_STREAM};
use nats::{JetStream, JetStreamError};
use referee::process::Sandbox;
use referee::seeds::RootSeed;
use referee::spec::BotSpec;
use referee::submission::{self, Unbundled};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tournament::series::Series;
use tournament::travel;

/// Everything for one tournament.
pub(super) struct Kit {
    pub(super) tid: String,
    pub(super) series: Series,
    pub(super) seed: RootSeed,
    /// The unpacked files, removed at the end.
    _files: Vec<Arc<Unbundled>>,
}

/// Why there is no kit.
pub(super) enum KitError {
    /// Try again later.
    Later(String),
    /// This worker can never play the tournament.
    Never(WorkerError),
}

impl From<JetStreamError> for KitError {
    fn from(error: JetStreamError) -> KitError {
        KitError::Later(error.to_string())
    }
}

/// The kits of a worker. All slots share them.
pub(super) struct Kits {
    shelf: Shelf,
    sandbox: Arc<Sandbox>,
    build: String,
    ready: Mutex<Vec<Arc<Kit>>>,
}

/// More tournaments are not kept ready.
const MOST_KITS: usize = 4;

impl Kits {
    pub(super) fn new(shelf: Shelf, sandbox: Sandbox, build: String) -> Kits {
        Kits { shelf, sandbox: Arc::new(sandbox), build, ready: Mutex::default() }
    }

    /// The kit for a batch.
    pub(super) fn get(&self, engine: &JetStream, batch: &Batch) -> Result<Arc<Kit>, KitError> {
        // One slot fetches, and the others wait for it.
        let mut kits = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |kit: &&Arc<Kit>| kit.tid == batch.tid && kit.series.bots.len() >= batch.bots;
        if let Some(kit) = kits.iter().find(fits) {
            return Ok(Arc::clone(kit));
        }
        let kit = Arc::new(self.fetch(engine, batch)?);
        kits.retain(|known| known.tid != batch.tid);
        kits.insert(0, Arc::clone(&kit));
        kits.truncate(MOST_KITS);
        Ok(kit)
    }

    fn fetch(&self, engine: &JetStream, batch: &Batch) -> Result<Kit, KitError> {
        let stored = engine.last(BUCKET_STREAM, &subjects::tournament(&batch.tid))?;
        let stored = stored.ok_or_else(|| KitError::Later("the tournament is not described".to_owned()))?;
        let never = |problem: String| KitError::Never(WorkerError::Unfit(problem));
        let offer: Offer = serde_json::from_slice(&stored.payload)
            .map_err(|error| never(format!("the tournament can't be read: {error}")))?;
        if offer.build != self.build {
            return Err(never(format!(
                "the tournament {} is coordinated by another program: {} there, {} here; copy the program of the coordinator to this machine",
                text::harmless::line(&offer.header.name),
                text::harmless::line(&offer.build),
                self.build
            )));
        }
        if offer.bots.len() < batch.bots {
            return Err(KitError::Later("a late entry is not described yet".to_owned()));
        }
        let mut files: HashMap<(String, Option<Vec<String>>), Arc<Unbundled>> = HashMap::new();
        let mut entrants = Vec::new();
        for bot in &offer.bots {
            let run = &bot.ticket.run;
            let spec: BotSpec = match &bot.bundle {
                None => run.parse().map_err(|error| never(format!("{run}: {error}")))?,
                Some((hash, parts)) => {
                    let key = (hash.clone(), bot.words.clone());
                    let arrived = match files.get(&key) {
                        Some(arrived) => Arc::clone(arrived),
                        None => {
                            let path =
                                self.shelf.fetch(engine, hash, *parts).map_err(|error| match error {
                                    BundleError::Io(..) => never(error.to_string()),
                                    _ => KitError::Later(error.to_string()),
                                })?;
                            let arrived = submission::unbundle(&path, bot.words.as_deref());
                            let arrived =
                                Arc::new(arrived.map_err(|error| never(format!("{run}: {error}")))?);
                            files.insert(key, Arc::clone(&arrived));
                            arrived
                        }
                    };
                    arrived.spec(run)
                }
            };
            let spec = spec.within(&self.sandbox);
            // What the machine lacks is never a bot's loss.
            spec.check_exists().map_err(|problem| {
                never(format!("this machine can't run the bot `{}`: {problem}", bot.ticket.name))
            })?;
            entrants.push(bot.ticket.entrant(spec));
        }
        let series = travel::series(&offer.header, entrants, offer.transcripts).map_err(never)?;
        let files = files.into_values().collect();
        Ok(Kit { tid: batch.tid.clone(), series, seed: offer.seed, _files: files })
    }
}
