//! When to stop searching.

use std::cell::Cell;
use std::time::Instant;

/// A search was stopped before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBudget;

/// Limits on the nodes generated and on the time. A node limit gives the same result on every machine.
#[derive(Clone, Debug)]
pub struct Budget {
    nodes_left: Cell<u64>,
    deadline: Option<Instant>,
}

impl Budget {
    pub fn unlimited() -> Budget {
        Budget::nodes(u64::MAX)
    }

    pub fn nodes(limit: u64) -> Budget {
        Budget { nodes_left: Cell::new(limit), deadline: None }
    }

    #[must_use]
    pub fn until(self, deadline: Instant) -> Budget {
        Budget { deadline: Some(deadline), ..self }
    }

    /// Pays for one node.
    #[inline]
    pub(crate) fn spend(&self) -> Result<(), OutOfBudget> {
        let left = self.nodes_left.get();
        self.nodes_left.set(left.saturating_sub(1));
        // Looking at the clock costs more than a small node, so it is done now and then.
        let late =
            left.is_multiple_of(256) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if left == 0 || late { Err(OutOfBudget) } else { Ok(()) }
    }
}
