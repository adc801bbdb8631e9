//! Searches from the start of some games: `cargo bench -p search`. The items are nodes, or random
//! games for mcts. `arena bench search` measures alpha-beta for every duel.

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
    /// A smaller depth for plain minimax.
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

/// Alpha-beta written for tic-tac-toe only, without advice, counted cuts or limits. It shows how
/// much speed is left to gain.
#[divan::bench]
fn alpha_beta_by_hand(bencher: Bencher) {
    let look = || {
        let mut nodes = 1;
        let value = by_hand([0; 2], 9, (i32::MIN, i32::MAX), &mut nodes);
        (value, nodes)
    };
    bencher.counter(ItemsCount::new(look().1)).bench_local(look);
}

/// The value for X. Each side has three rows of three bits. It is X's turn if the number of empty
/// cells is odd.
fn by_hand(marks: [u32; 2], empty: u32, (mut alpha, mut beta): (i32, i32), nodes: &mut u64) -> i32 {
    let mover = (empty + 1) as usize % 2;
    let mut free = !(marks[0] | marks[1]) & 0o777;
    while free != 0 {
        let cell = free & free.wrapping_neg();
        free ^= cell;
        let mut next = marks;
        next[mover] |= cell;
        *nodes += 1;
        let set = next[mover];
        let line = set & set >> 1 & set >> 2 & 0o111
            | set & set >> 3 & set >> 6
            | set & set >> 4 & set >> 8
            | set >> 2 & set >> 4 & set >> 6 & 1;
        let value = match (line, empty) {
            (1.., _) => (1 - 2 * mover as i32) * (1_000 + empty as i32),
            (0, 1) => 0,
            _ => by_hand(next, empty - 1, (alpha, beta), nodes),
        };
        if mover == 0 {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    if mover == 0 { alpha } else { beta }
}
