//! Limits on a search.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// A search was stopped before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBudget;

/// Limits on the nodes generated and on the time. A node limit gives the same result on every
/// machine.
#[derive(Clone)]
pub struct Budget {
    nodes_left: Cell<u64>,
    /// Checks that are made now and then. If any check says so, the search stops.
    stops: Vec<Arc<StopCheck>>,
}

/// Reading a clock costs more than a small node, so the clock is read once per this many nodes.
const CLOCK_EVERY: u64 = 256;

type StopCheck = dyn Fn() -> bool + Send + Sync;

impl Budget {
    pub fn unlimited() -> Budget {
        Budget::nodes(u64::MAX)
    }

    pub fn nodes(limit: u64) -> Budget {
        Budget { nodes_left: Cell::new(limit), stops: Vec::new() }
    }

    /// Also stops at a wall-clock time.
    #[must_use]
    pub fn until(self, deadline: Instant) -> Budget {
        self.stop_when(move || Instant::now() >= deadline)
    }

    /// Also stops as soon as `stop` returns true, such as when a processor clock has run out or a
    /// key was pressed.
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

    /// Pays for one node from a counter of the caller, which is faster to reach than the budget.
    #[inline]
    pub(crate) fn spend_from(&self, left: &mut u64) -> Result<(), OutOfBudget> {
        if left.is_multiple_of(CLOCK_EVERY) && (*left == 0 || self.is_stopped()) {
            return Err(OutOfBudget);
        }
        *left -= 1;
        Ok(())
    }

    /// Pays for several nodes at once. The clock is read as often as if each node were paid for
    /// alone.
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

    /// Subtracts nodes that were spent already, without a check.
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
