//! The strategies that the arena carries: `builtin:NAME?option=value`.

mod perfect;
mod simple;
mod thinker;

pub use perfect::Perfect;
pub use simple::{First, Random};
pub use thinker::{Algorithm, Searcher};

use std::fmt;
use std::str::FromStr;

/// The name of a built-in bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Random,
    First,
    Greedy,
    Minimax,
    Negamax,
    AlphaBeta,
    Perfect,
}

impl Name {
    pub const ALL: [Name; 7] = [
        Name::Random,
        Name::First,
        Name::Greedy,
        Name::Minimax,
        Name::Negamax,
        Name::AlphaBeta,
        Name::Perfect,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Name::Random => "random",
            Name::First => "first",
            Name::Greedy => "greedy",
            Name::Minimax => "minimax",
            Name::Negamax => "negamax",
            Name::AlphaBeta => "alpha-beta",
            Name::Perfect => "perfect",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Name::Random => "a random legal move",
            Name::First => "always the first legal move",
            Name::Greedy => {
                "looks one ply ahead (in card games: imagines the hidden cards and plays on at random)"
            }
            Name::Minimax => "plain minimax",
            Name::Negamax => "plain negamax",
            Name::AlphaBeta => "alpha-beta, in the order the game lists its moves",
            Name::Perfect => "plays from the exact solver, wherever the game is small enough",
        }
    }

    /// Does it need to know the whole position?
    pub fn needs_open_information(self) -> bool {
        matches!(self, Name::Minimax | Name::Negamax | Name::AlphaBeta | Name::Perfect)
    }

    /// Does it search to a depth?
    pub fn searches(self) -> bool {
        self.needs_open_information()
    }

    /// Plays on standard input and output.
    pub fn run(self, options: Options) -> std::io::Result<()> {
        let search = |algorithm| crate::run(self.word(), Searcher::new(algorithm, options));
        match self {
            Name::Random => crate::run(self.word(), Random::default()),
            Name::First => crate::run(self.word(), First),
            Name::Greedy => search(Algorithm::Greedy),
            Name::Minimax => search(Algorithm::Minimax),
            Name::Negamax => search(Algorithm::Negamax),
            Name::AlphaBeta => search(Algorithm::AlphaBeta),
            Name::Perfect => crate::run(self.word(), Perfect::new(options)),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Name, String> {
        let words = Name::ALL.map(Name::word);
        Name::ALL.into_iter().find(|name| name.word() == text).ok_or_else(|| {
            let near = rules::nearest(text, &words).unwrap_or_default();
            format!("there is no built-in bot `{text}`; did you mean `{near}`? known: {}", words.join(", "))
        })
    }
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Plies.
    pub depth: u32,
    /// Nodes per move; a search that needs more gives the result of a smaller depth.
    pub nodes: u64,
    /// For the solver of `perfect`.
    pub memory: solver::Memory,
}

impl Default for Options {
    fn default() -> Self {
        Options { depth: 4, nodes: 100_000, memory: solver::Memory(1 << 30) }
    }
}
