//! Searches to depth 1, 2, 3, … until the depth, the tree or the budget is used up.

use crate::budget::{Budget, OutOfBudget};
use crate::tree::{Count, Found, Tree};

/// What searches to depth 1, 2, … have found.
pub struct Deepened<M> {
    /// The last finished result, with the counts of its depth alone.
    pub found: Found<M>,
    /// The work of all depths together. An unfinished depth adds only its nodes.
    pub all: Count,
    /// Whether the budget ended the search.
    pub stopped: bool,
}

/// The last finished result of [`deepen_counting`].
pub fn deepen<T: Tree>(
    root: &T,
    depth: u32,
    budget: &Budget,
    search: impl Fn(&T, u32, &Budget) -> Result<Found<T::Move>, OutOfBudget>,
) -> Found<T::Move> {
    deepen_counting(root, depth, budget, search).found
}

/// Runs a search at depth 1, 2, … up to `depth`, or to the end of the tree. Depth 1 is always
/// searched, even without any budget, and is paid for like the other depths.
pub fn deepen_counting<T: Tree>(
    root: &T,
    depth: u32,
    budget: &Budget,
    search: impl Fn(&T, u32, &Budget) -> Result<Found<T::Move>, OutOfBudget>,
) -> Deepened<T::Move> {
    let mut found =
        search(root, 1, &Budget::unlimited()).unwrap_or_else(|OutOfBudget| unreachable!("unlimited"));
    budget.charge(found.count.nodes);
    let mut all = found.count;
    for deeper in 2..=depth {
        if root.ends_within(deeper - 1) {
            break;
        }
        let left = budget.nodes_left();
        let searched = search(root, deeper, budget);
        all.nodes += left - budget.nodes_left();
        let Ok(better) = searched else { return Deepened { found, all, stopped: true } };
        all.leaves += better.count.leaves;
        all.alpha_cuts += better.count.alpha_cuts;
        all.beta_cuts += better.count.beta_cuts;
        // One more ply brought nothing new: the search has seen the whole tree.
        if better.count == found.count {
            break;
        }
        found = better;
    }
    Deepened { found, all, stopped: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::Strong;
    use crate::{alpha_beta, minimax, negamax};
    use rules::{Amoba, Duel, Seed, TicTacToe};

    fn after<P: Duel>(moves: &str) -> P {
        let mut position = P::start(&Default::default(), Seed::from_number(0)).unwrap();
        for text in moves.split_whitespace() {
            let Ok(mv) = text.parse() else { panic!("{text} is not a move") };
            position.play(position.mover(), &mv);
        }
        position
    }

    #[test]
    fn nothing_is_searched_deeper_than_the_tree() {
        for (moves, height) in [("a1 b2 c3 a3", 5), ("a1 b2 b1 c1 a3 a2 c2 b3", 1)] {
            let start: TicTacToe = after(moves);
            let budget = Budget::unlimited();
            for (name, found) in [
                ("minimax", deepen(&start, 30, &budget, minimax)),
                ("negamax", deepen(&start, 30, &budget, negamax)),
                ("alpha-beta", deepen(&start, 30, &budget, alpha_beta)),
            ] {
                assert_eq!(found.depth, height, "{name} after {moves}");
            }
            // Cuts may save the strong search the last plies.
            let strong = Strong::new(1).deepen(&start, 100, &budget);
            assert!(strong.depth <= height, "strong after {moves}: {}", strong.depth);
        }
    }

    #[test]
    fn all_nodes_are_counted_and_stay_within_the_budget() {
        let (small, large): (TicTacToe, Amoba) = (after(""), after(""));
        for limit in [10, 500, 1_000, 5_000] {
            let all = deepen_counting(&small, 30, &Budget::nodes(limit), minimax);
            assert!(all.stopped && all.all.nodes == limit, "{} of {limit}", all.all.nodes);
            let strong = Strong::new(1).deepen(&small, 30, &Budget::nodes(limit));
            assert!(strong.count.nodes <= limit, "strong: {} of {limit}", strong.count.nodes);
        }
        // Depth 1 is always searched.
        assert_eq!(deepen_counting(&large, 30, &Budget::nodes(5), minimax).all.nodes, 145);
    }
}
