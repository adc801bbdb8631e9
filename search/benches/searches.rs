//! Searches from the start of some games: `cargo bench -p search`. Nodes (for mcts: random games) per second are
//! printed as items. `arena bench search` has alpha-beta for every duel.

use divan::Bencher;
use divan::counter::ItemsCount;
use rules::{Amoba, DotsAndBoxes, Duel, Nim, NineMensMorris, Othello, Seed, TicTacToe};
use search::{Budget, alpha_beta, mcts, minimax, strong};
use serde_json::json;

fn main() {
    divan::main();
}

/// A game to search from its start, and how deep.
trait Start: Duel {
    const DEPTH: u32;
    /// Plain minimax has to be content with less.
    const MINIMAX_DEPTH: u32;

    fn begin() -> Self {
        Self::with(&json!({}))
    }

    fn with(params: &serde_json::Value) -> Self {
        let params = rules::read_params(params).expect("good parameters");
        Self::start(&params, Seed::from_number(0)).expect("a start")
    }
}

impl Start for TicTacToe {
    const DEPTH: u32 = 9;
    const MINIMAX_DEPTH: u32 = 6;
}

impl Start for Nim {
    const DEPTH: u32 = 12;
    const MINIMAX_DEPTH: u32 = 5;

    fn begin() -> Self {
        Self::with(&json!({"heaps": [3, 4, 5]}))
    }
}

impl Start for DotsAndBoxes {
    const DEPTH: u32 = 12;
    const MINIMAX_DEPTH: u32 = 5;

    fn begin() -> Self {
        Self::with(&json!({"width": 2, "height": 2}))
    }
}

impl Start for NineMensMorris {
    const DEPTH: u32 = 5;
    const MINIMAX_DEPTH: u32 = 3;
}

impl Start for Othello {
    const DEPTH: u32 = 8;
    const MINIMAX_DEPTH: u32 = 6;
}

impl Start for Amoba {
    const DEPTH: u32 = 2;
    const MINIMAX_DEPTH: u32 = 2;
}

#[divan::bench(types = [TicTacToe, Nim, DotsAndBoxes, NineMensMorris, Othello, Amoba])]
fn plain_minimax<P: Start>(bencher: Bencher) {
    let (start, budget) = (P::begin(), Budget::unlimited());
    let look = || minimax(&start, P::MINIMAX_DEPTH, &budget).expect("no limit");
    bencher.counter(ItemsCount::new(look().count.nodes)).bench_local(look);
}

#[divan::bench(types = [TicTacToe, Nim, DotsAndBoxes, NineMensMorris, Othello, Amoba])]
fn plain_alpha_beta<P: Start>(bencher: Bencher) {
    let (start, budget) = (P::begin(), Budget::unlimited());
    let look = || alpha_beta(&start, P::DEPTH, &budget).expect("no limit");
    bencher.counter(ItemsCount::new(look().count.nodes)).bench_local(look);
}

#[divan::bench(types = [TicTacToe, Nim, DotsAndBoxes, NineMensMorris, Othello, Amoba])]
fn strong_alpha_beta<P: Start>(bencher: Bencher) {
    let (start, budget) = (P::begin(), Budget::unlimited());
    let look = || strong(&start, P::DEPTH, &budget).expect("no limit");
    bencher.counter(ItemsCount::new(look().count.nodes)).bench_local(look);
}

#[divan::bench(types = [TicTacToe, Nim, DotsAndBoxes, NineMensMorris, Othello, Amoba])]
fn monte_carlo<P: Start>(bencher: Bencher) {
    let (start, budget) = (P::begin(), Budget::unlimited());
    let look = || mcts(&start, 3_000, 1, &budget);
    bencher.counter(ItemsCount::new(look().games)).bench_local(look);
}
