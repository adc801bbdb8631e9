//! Deeper and deeper, until the depth or the budget is used up.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Found, Tree};

/// Runs a search at depth 1, 2, … up to `depth` and gives the last result that was finished.
///
/// Its counts are those of the deepest finished search alone. Even a budget of nothing gives the search at depth 1.
pub fn deepen<T: Tree>(
    root: &T,
    depth: u32,
    budget: &Budget,
    search: impl Fn(&T, u32, &Budget) -> Result<Found<T::Move>, OutOfBudget>,
) -> Found<T::Move> {
    let mut found =
        search(root, 1, &Budget::unlimited()).unwrap_or_else(|OutOfBudget| unreachable!("unlimited"));
    for deeper in 2..=depth {
        match search(root, deeper, budget) {
            Ok(better) => found = better,
            Err(OutOfBudget) => break,
        }
    }
    found
}
