//! The searches that the laboratory knows by name.

use crate::bugs::{Bug, buggy};
use search::{Budget, Found, OutOfBudget, Tree, alpha_beta, minimax, negamax, strong};
use std::fmt::{self, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A way to search to a fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    Minimax,
    Negamax,
    AlphaBeta,
    /// Alpha-beta with everything that makes it quick.
    Strong,
    /// With a deliberate mistake.
    Buggy(Bug),
    /// The same mistake in a minimax without cuts.
    BuggyMinimax(Bug),
}

impl Method {
    pub(crate) fn search<T>(self, root: &T, depth: u32, nodes: u64) -> Result<Found<T::Move>, OutOfBudget>
    where
        T: Tree<Move: Display + Eq + Hash> + Eq + Hash,
    {
        let budget = Budget::nodes(nodes);
        match self {
            Method::Minimax => minimax(root, depth, &budget),
            Method::Negamax => negamax(root, depth, &budget),
            Method::AlphaBeta => alpha_beta(root, depth, &budget),
            Method::Strong => strong(root, depth, &budget),
            Method::Buggy(bug) => buggy(root, bug, true, depth, nodes),
            Method::BuggyMinimax(bug) => buggy(root, bug, false, depth, nodes),
        }
    }
}

impl Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Minimax => f.write_str("minimax"),
            Method::Negamax => f.write_str("negamax"),
            Method::AlphaBeta => f.write_str("alpha-beta"),
            Method::Strong => f.write_str("strong"),
            Method::Buggy(bug) => write!(f, "buggy?bug={bug}"),
            Method::BuggyMinimax(bug) => write!(f, "{bug} in minimax"),
        }
    }
}

/// As in the name of a built-in bot: `alpha-beta`, `buggy?bug=negamax-sign`.
impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Method, String> {
        if let Some(bug) = text.strip_prefix("buggy?bug=") {
            return bug.parse().map(Method::Buggy);
        }
        let known = [Method::Minimax, Method::Negamax, Method::AlphaBeta, Method::Strong];
        known.into_iter().find(|method| method.to_string() == text).ok_or_else(|| {
            let words: Vec<String> = known.iter().map(ToString::to_string).collect();
            let near = rules::nearest(text, &words).unwrap_or_default();
            format!(
                "there is no search `{text}`; did you mean `{near}`? known: {}, buggy?bug=NAME",
                words.join(", ")
            )
        })
    }
}
