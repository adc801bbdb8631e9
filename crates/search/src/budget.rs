//! When to stop searching.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// A search was stopped before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBudget;

/// Limits on the nodes generated and on the time. A node limit gives the same result on every machine.
#[derive(Clone)]
pub struct Budget {
    nodes_left: Cell<u64>,
    /// Each is asked now and then whether to stop.
    stops: Vec<Arc<StopCheck>>,
}

/// Looking at a clock costs more than a small node, so it is done now and then.
const CLOCK_EVERY: u64 = 256;

type StopCheck = dyn Fn() -> bool + Send + Sync;

impl Budget {
    pub fn unlimited() -> Budget {
        Budget::nodes(u64::MAX)
    }

    pub fn nodes(limit: u64) -> Budget {
        Budget { nodes_left: Cell::new(limit), stops: Vec::new() }
    }

    /// Stops at a time on the wall.
    #[must_use]
    pub fn until(self, deadline: Instant) -> Budget {
        self.stop_when(move || Instant::now() >= deadline)
    }

    /// Stops as soon as `stop` says so: a processor clock that has run out, a key that was pressed.
    #[must_use]
    pub fn stop_when(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Budget {
        self.stops.push(Arc::new(stop));
        self
    }

    pub(crate) fn nodes_left(&self) -> u64 {
        self.nodes_left.get()
    }

    pub(crate) fn set_nodes_left(&self, nodes: u64) {
        self.nodes_left.set(nodes);
    }

    /// Pays for one node.
    #[inline]
    pub(crate) fn spend(&self) -> Result<(), OutOfBudget> {
        let mut left = self.nodes_left.get();
        self.spend_from(&mut left)?;
        self.nodes_left.set(left);
        Ok(())
    }

    /// Pays for one node from what a search knows to be left: a number that is nearer at hand.
    #[inline]
    pub(crate) fn spend_from(&self, left: &mut u64) -> Result<(), OutOfBudget> {
        if left.is_multiple_of(CLOCK_EVERY) && (*left == 0 || self.is_stopped()) {
            return Err(OutOfBudget);
        }
        *left -= 1;
        Ok(())
    }

    /// Pays for several nodes at once. The clock is looked at as often as if they were paid for one by one.
    pub(crate) fn spend_many(&self, nodes: u64) -> Result<(), OutOfBudget> {
        let before = self.nodes_left.get();
        let after = before.checked_sub(nodes).ok_or(OutOfBudget)?;
        self.nodes_left.set(after);
        if before / CLOCK_EVERY != after / CLOCK_EVERY && self.is_stopped() {
            Err(OutOfBudget)
        } else {
            Ok(())
        }
    }

    /// Takes away what was spent already, without asking.
    pub(crate) fn charge(&self, nodes: u64) {
        self.nodes_left.set(self.nodes_left.get().saturating_sub(nodes));
    }

    #[cold]
    #[inline(never)]
    fn is_stopped(&self) -> bool {
        self.stops.iter().any(|stop| stop())
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} nodes, {} other limits)", self.nodes_left.get(), self.stops.len())
    }
}
