//! A flag that stops a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when no new game should begin.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
