//! The searches that the laboratory knows by name.

use crate::bugs::Bug;
use search::Algorithm;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A way to search to a fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    Correct(Algorithm),
    /// Alpha-beta (or negamax) with a deliberate mistake.
    Buggy(Bug),
    /// Minimax without cuts, with the same mistake.
    BuggyMinimax(Bug),
}

impl Technique {
    pub const MINIMAX: Technique = Technique::Correct(Algorithm::Minimax);
    pub const ALPHA_BETA: Technique = Technique::Correct(Algorithm::AlphaBeta);

    pub fn bug(self) -> Option<Bug> {
        match self {
            Technique::Correct(_) => None,
            Technique::Buggy(bug) | Technique::BuggyMinimax(bug) => Some(bug),
        }
    }
}

impl Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Technique::Correct(algorithm) => algorithm.fmt(f),
            Technique::Buggy(bug) => write!(f, "buggy?bug={bug}"),
            Technique::BuggyMinimax(bug) => write!(f, "{bug} in minimax"),
        }
    }
}

/// Reads the name of a built-in bot: `alpha-beta`, `buggy?bug=negamax-sign`.
impl FromStr for Technique {
    type Err = String;

    fn from_str(text: &str) -> Result<Technique, String> {
        if let Some(bug) = text.strip_prefix("buggy?bug=") {
            return bug.parse().map(Technique::Buggy);
        }
        let words = Algorithm::ALL.map(Algorithm::word);
        let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.word() == text);
        known.map(Technique::Correct).ok_or_else(|| {
            let near = rules::nearest(text, &words).unwrap_or_default();
            format!(
                "there is no search `{text}`; did you mean `{near}`? known: {}, buggy?bug=NAME",
                words.join(", ")
            )
        })
    }
}
