//! Searches for games of two sides with open information.
//!
//! [`minimax()`], [`negamax()`], [`alpha_beta()`] and [`strong()`] search a [`Tree`] to a fixed
//! depth and give the same value. They differ in how they are written and how many nodes they need.
//! Every duel of the rule crate is a tree, and so is any tree that a textbook draws. [`mcts()`]
//! plays random games instead.
//!
//! An [`Engine`] offers all of these searches for a game that is given by name: texts outside,
//! typed and fast inside.
//!
//! ```
//! use rules::{Position, Seed, TicTacToe};
//! use search::{Budget, alpha_beta, minimax};
//!
//! let start = TicTacToe::start(&Default::default(), Seed::from_number(0)).unwrap();
//! let slow = minimax(&start, 9, &Budget::unlimited()).unwrap();
//! let fast = alpha_beta(&start, 9, &Budget::unlimited()).unwrap();
//! assert_eq!((slow.value, fast.value), (0, 0)); // a draw
//! assert!(fast.count.nodes < slow.count.nodes / 10);
//! ```

mod algorithm;
mod alpha_beta;
mod budget;
mod deepening;
mod desk;
mod engine;
mod greedy;
mod ismcts;
mod mcts;
mod minimax;
mod negamax;
mod strong;
mod table;
mod tree;

pub use algorithm::Algorithm;
pub use alpha_beta::{alpha_beta, prove};
pub use budget::{Budget, OutOfBudget};
pub use deepening::{Deepened, deepen, deepen_counting};
pub use engine::{Engine, engine};
pub use greedy::greedy;
pub use ismcts::{IsmctsAdvice, Settings as IsmctsSettings, ismcts};
pub use mcts::{Sampled, mcts};
pub use minimax::minimax;
pub use negamax::negamax;
pub use strong::{Strong, TABLE_MIB, strong};
pub use tree::{Count, Found, Tree, WIN};
