//! One coordinator for each tournament. The journal is locked on its machine; this lock is for two
//! machines with two journals.

use super::patiently;
use crate::messages::Lock;
use crate::subjects::{self, BUCKET_STREAM, LOCK_STALE};
use nats::{ApiError, Headers, JetStream, JetStreamError, random_word};
use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::time::{Duration, Instant};

/// How often the lock is renewed.
pub(super) const RENEWAL: Duration = Duration::from_secs(4);

/// A lock that this coordinator has.
pub(super) struct HeldLock {
    subject: String,
    lock: Lock,
    sequence: u64,
    pub(super) renewed: Instant,
}

/// Why there is no lock.
#[derive(Debug, thiserror::Error)]
pub(super) enum LockError {
    #[error(transparent)]
    Engine(#[from] JetStreamError),
    #[error("another coordinator plays this tournament, on {host} (process {process}); stop that one first")]
    Taken { host: String, process: u32 },
}

fn store(engine: &JetStream, subject: &str, lock: &Lock, after: u64) -> Result<u64, JetStreamError> {
    let headers = Headers::of(&[("Nats-Expected-Last-Subject-Sequence", &after.to_string())]);
    let payload = serde_json::to_vec(lock).unwrap_or_default();
    Ok(engine.store(subject, &headers, &payload)?.seq)
}

impl HeldLock {
    /// Takes the lock. Waits until a silent owner counts as gone.
    pub(super) fn take(engine: &JetStream, tid: &str, host: &str) -> Result<HeldLock, LockError> {
        let subject = subjects::lock(tid);
        let owner = random_word().unwrap_or_default();
        let lock = Lock { owner, host: host.to_owned(), process: std::process::id(), beat: 0 };
        let begin = Instant::now();
        let mut seen: Option<u64> = None;
        loop {
            let found = patiently(|| engine.last(BUCKET_STREAM, &subject))?;
            let sequence = found.as_ref().map_or(0, |found| found.sequence);
            let other: Lock =
                found.and_then(|found| serde_json::from_slice(&found.payload).ok()).unwrap_or_default();
            let is_free = other.owner.is_empty() || is_dead(&other, host) || begin.elapsed() > LOCK_STALE;
            if seen.is_some_and(|seen| seen != sequence) {
                return Err(LockError::Taken { host: other.host, process: other.process });
            }
            if is_free {
                match store(engine, &subject, &lock, sequence) {
                    Ok(sequence) => return Ok(HeldLock { subject, lock, sequence, renewed: Instant::now() }),
                    Err(error) if error.is(ApiError::WRONG_SEQUENCE) => {
                        seen.get_or_insert(sequence);
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            seen = Some(sequence);
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Says that the owner is still there.
    pub(super) fn renew(&mut self, engine: &JetStream) -> Result<(), LockError> {
        self.lock.beat += 1;
        match store(engine, &self.subject, &self.lock, self.sequence) {
            Ok(sequence) => self.sequence = sequence,
            Err(error) if error.is(ApiError::WRONG_SEQUENCE) => {
                let found = engine.last(BUCKET_STREAM, &self.subject)?;
                let other =
                    found.as_ref().and_then(|found| serde_json::from_slice::<Lock>(&found.payload).ok());
                match (found, other) {
                    // The answer to an earlier renewal was lost.
                    (Some(found), Some(other)) if other.owner == self.lock.owner => {
                        self.sequence = found.sequence;
                    }
                    (Some(_), Some(other)) if !other.owner.is_empty() => {
                        return Err(LockError::Taken { host: other.host, process: other.process });
                    }
                    // The engine has lost its store.
                    (found, _) => self.sequence = found.map_or(0, |found| found.sequence),
                }
                self.sequence = store(engine, &self.subject, &self.lock, self.sequence)?;
            }
            Err(error) => return Err(error.into()),
        }
        self.renewed = Instant::now();
        Ok(())
    }

    /// Gives the lock back.
    pub(super) fn release(self, engine: &JetStream) {
        let nobody = Lock { beat: self.lock.beat + 1, ..Lock::default() };
        let _ = store(engine, &self.subject, &nobody, self.sequence); // it is stale soon in any case
    }
}

/// Is the owner a process of this machine that is gone?
fn is_dead(lock: &Lock, host: &str) -> bool {
    lock.host == host && kill(Pid::from_raw(lock.process as i32), None) == Err(Errno::ESRCH)
}
