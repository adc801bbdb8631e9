//! The names of the searches to a fixed depth.

use std::fmt;

/// A search to a fixed depth. All searches give the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    Minimax,
    Negamax,
    AlphaBeta,
    /// Alpha-beta with a table, a move order and other refinements, see [`crate::strong()`].
    Strong,
}

impl Algorithm {
    pub const ALL: [Algorithm; 4] =
        [Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta, Algorithm::Strong];

    pub fn word(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alpha-beta",
            Algorithm::Strong => "strong",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
