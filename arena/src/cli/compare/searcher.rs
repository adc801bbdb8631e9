//! The searches of a comparison: searches to a depth, bots that explore, and Monte Carlo tree search,
//! which has no depth.

use lab::Technique;
use referee::spec::BotSpec;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub(super) const ONLY_IN_A_MATCH: &str = "mcts has no depth and finds no exact value, so it can't be compared on the same \
    positions; add --match to let mcts play against the other searches";

/// A search on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MatchSearch {
    Search(Technique),
    /// With its options, as in `mcts?iterations=1000`.
    MonteCarlo(String),
    /// A bot of somebody else, as a command line. `{depth}` stands for the depth.
    Bot(String),
}

impl MatchSearch {
    pub(super) fn method(&self) -> Option<Technique> {
        match self {
            MatchSearch::Search(method) => Some(*method),
            MatchSearch::MonteCarlo(_) | MatchSearch::Bot(_) => None,
        }
    }

    /// The name of the built-in bot with this search, to this depth if the search has a depth.
    pub(super) fn bot(&self, depth: u32) -> String {
        match self {
            MatchSearch::Search(method) => {
                let method = method.to_string();
                let joint = if method.contains('?') { '&' } else { '?' };
                format!("builtin:{method}{joint}depth={depth}")
            }
            MatchSearch::MonteCarlo(name) => format!("builtin:{name}"),
            MatchSearch::Bot(command) => command.replace("{depth}", &depth.to_string()),
        }
    }
}

impl fmt::Display for MatchSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchSearch::Search(method) => method.fmt(f),
            MatchSearch::MonteCarlo(name) => f.write_str(name),
            MatchSearch::Bot(command) => {
                f.write_str(command.replace(" {depth}", "").replace("{depth}", "").trim_end())
            }
        }
    }
}

impl FromStr for MatchSearch {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchSearch, String> {
        if text == "mcts" || text.starts_with("mcts?") {
            let spec = format!("builtin:{text}").parse::<BotSpec>();
            return spec.map(|_| MatchSearch::MonteCarlo(text.to_owned())).map_err(|error| error.to_string());
        }
        // A name of ours has no blanks and is not the name of a file.
        if text.contains([' ', '/']) || Path::new(text).exists() {
            return Ok(MatchSearch::Bot(text.to_owned()));
        }
        text.parse().map(MatchSearch::Search)
    }
}
