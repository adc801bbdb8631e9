//! The workers that a coordinator knows: who is there, with how many slots, and whom not to trust.

use crate::messages::{Suspect, WorkerPresence};
use crate::subjects::{self, BUCKET, BUCKET_STREAM, STALE};
use nats::{JetStream, JetStreamError};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

/// How often the coordinator looks who is there.
const LOOK: Duration = Duration::from_secs(3);

/// After so long without a worker the first remark is made. The next one takes twice as long.
const LONELY: Duration = Duration::from_secs(10);

/// A worker with a smaller share of the usual speed is slow.
const SLOW: f64 = 0.75;

pub(crate) struct Fleet {
    class: String,
    build: String,
    looked: Option<Instant>,
    /// Since when no worker is here, and how long that may last until the next remark.
    lonely: (Instant, Duration),
    /// By name, with the time at which the last new beat was seen. So no two clocks are compared.
    seen: HashMap<String, (WorkerPresence, Instant)>,
    suspects: BTreeMap<String, String>,
    refused: HashSet<String>,
    remarks: Vec<String>,
    /// Workers of which a remark has said that they are slow.
    slow: HashSet<String>,
}

impl Fleet {
    pub(crate) fn new(class: &str, build: &str) -> Fleet {
        Fleet {
            class: class.to_owned(),
            build: build.to_owned(),
            looked: None,
            lonely: (Instant::now(), LONELY),
            seen: HashMap::new(),
            suspects: BTreeMap::new(),
            refused: HashSet::new(),
            remarks: Vec::new(),
            slow: HashSet::new(),
        }
    }

    pub(crate) fn is_old(&self) -> bool {
        self.looked.is_none_or(|looked| looked.elapsed() > LOOK)
    }

    /// Reads what all workers say about themselves.
    pub(crate) fn look(&mut self, engine: &JetStream) -> Result<(), JetStreamError> {
        self.looked = Some(Instant::now());
        for subject in engine.subjects(BUCKET_STREAM, &subjects::all_presences())? {
            let Some(stored) = engine.last(BUCKET_STREAM, &subject)? else { continue };
            let Ok(mut presence) = serde_json::from_slice::<WorkerPresence>(&stored.payload) else {
                continue;
            };
            // The rights of a worker are for its own subject, so the subject does not lie.
            subject.trim_start_matches(&format!("$KV.{BUCKET}.w.")).clone_into(&mut presence.worker);
            let now = Instant::now();
            let name = presence.worker.clone();
            let known = self.seen.get(&name);
            if known.is_none() && presence.build != self.build && presence.class == self.class {
                self.remarks.push(format!(
                    "the worker {name} on {} has another program ({}), and gets no games; copy this program to it",
                    presence.host, presence.build
                ));
            }
            if known.is_none_or(|(known, _)| known.beat != presence.beat || known.slots != presence.slots) {
                self.seen.insert(name, (presence, now));
            }
        }
        self.note_slow();
        self.note_lonely();
        Ok(())
    }

    /// Notes that no worker is here. A tournament then waits without an end.
    fn note_lonely(&mut self) {
        if self.workers() > 0 {
            self.lonely = (Instant::now(), LONELY);
            return;
        }
        let (since, patience) = self.lonely;
        if since.elapsed() >= patience {
            self.lonely.1 = 2 * patience;
            self.remarks.push(format!(
                "no worker of the class `{}` has been here for {} s, so the games wait; start `arena worker`, or press Ctrl-C and go on later",
                self.class,
                since.elapsed().as_secs(),
            ));
        }
    }

    /// Remarks about workers, once for each.
    pub(crate) fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Notes workers that are much slower than the others.
    fn note_slow(&mut self) {
        let mut speeds: Vec<f64> = self.present().map(|presence| presence.speed).collect();
        speeds.sort_by(f64::total_cmp);
        let usual = speeds.get(speeds.len() / 2).copied().unwrap_or(0.0);
        let is_slow = |presence: &&WorkerPresence| presence.speed < SLOW * usual;
        let slow: Vec<(String, f64)> = self
            .present()
            .filter(is_slow)
            .map(|presence| (presence.worker.clone(), presence.speed / usual))
            .filter(|(worker, _)| !self.slow.contains(worker))
            .collect();
        for (worker, share) in slow {
            self.remarks.push(format!(
                "the worker {worker} has {:.0} % of the speed of the others, so its bots can think less in the same time; for fair clocks give it a class of its own, or use `measured = \"cpu\"`",
                100.0 * share
            ));
            self.slow.insert(worker);
        }
    }

    fn present(&self) -> impl Iterator<Item = &WorkerPresence> {
        let is_here = |seen: &Instant| seen.elapsed() < STALE;
        self.seen.values().filter(move |(_, seen)| is_here(seen)).map(|(presence, _)| presence).filter(
            |presence| {
                presence.class == self.class
                    && presence.build == self.build
                    && !presence.draining
                    && !self.suspects.contains_key(&presence.worker)
            },
        )
    }

    /// The number of games that all workers play at the same time.
    pub(crate) fn slots(&self) -> usize {
        self.present().map(|presence| presence.slots).sum()
    }

    pub(crate) fn workers(&self) -> usize {
        self.present().count()
    }

    pub(crate) fn host(&self, worker: &str) -> String {
        self.seen.get(worker).map_or(String::new(), |(presence, _)| presence.host.clone())
    }

    /// Notes a suspicion. False if the worker is a suspect already.
    pub(crate) fn suspect(&mut self, worker: &str, reason: &str) -> bool {
        self.suspects.insert(worker.to_owned(), reason.to_owned()).is_none()
    }

    pub(crate) fn is_suspect(&self, worker: &str) -> bool {
        self.suspects.contains_key(worker)
    }

    pub(crate) fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(worker, reason): (&String, &String)| Suspect {
            worker: worker.clone(),
            host: self.host(worker),
            reason: reason.clone(),
        };
        self.suspects.iter().map(suspect).collect()
    }

    /// True the first time that results of this worker are refused.
    pub(crate) fn refuse(&mut self, worker: &str) -> bool {
        self.refused.insert(worker.to_owned())
    }
}
