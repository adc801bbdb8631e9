//! Says that batches are still being played. A batch of which no game ends for too long loses its
//! lease, so that another worker gets the batch.

use crate::subjects::SIGN_OF_LIFE;
use nats::{Delivery, JetStream};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
pub(super) struct Leases {
    state: Mutex<LeaseBook>,
    changed: Condvar,
}

#[derive(Default)]
struct LeaseBook {
    next: u64,
    leases: BTreeMap<u64, Lease>,
    ended: bool,
}

struct Lease {
    delivery: Delivery,
    /// When the last game ended.
    moved: Instant,
    /// The longest time for one game.
    patience: Duration,
}

impl Leases {
    fn lock(&self) -> MutexGuard<'_, LeaseBook> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to renew a lease.
    pub(super) fn add(&self, delivery: Delivery) -> u64 {
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        let lease = Lease { delivery, moved: Instant::now(), patience: Duration::from_mins(10) };
        state.leases.insert(number, lease);
        number
    }

    /// Notes that a game has ended, and how long the next one may take.
    pub(super) fn moved(&self, number: u64, patience: Duration) {
        if let Some(lease) = self.lock().leases.get_mut(&number) {
            (lease.moved, lease.patience) = (Instant::now(), patience);
        }
    }

    pub(super) fn remove(&self, number: u64) {
        self.lock().leases.remove(&number);
    }

    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Renews all leases until the end.
    pub(super) fn renew(&self, engine: &JetStream) {
        let mut state = self.lock();
        while !state.ended {
            for lease in state.leases.values() {
                if lease.moved.elapsed() < lease.patience {
                    let _ = engine.in_progress(&lease.delivery); // without a connection the lease ends
                }
            }
            let waited = self.changed.wait_timeout(state, SIGN_OF_LIFE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
