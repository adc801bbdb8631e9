//! The flags of every command that plays games in which bots may explore.

use super::numbers::whole;
use referee::explorer::{ExploreMode, ExploreRules};

#[derive(clap::Args, Clone, Copy)]
pub struct ExploreArgs {
    /// May bots walk through the game by the arena's rules during their turn? `rules`: without the
    /// arena's evaluation [default: on]
    #[arg(long, value_enum, value_name = "on|rules|off", hide_possible_values = true)]
    explore: Option<ExploreMode>,
    /// The most nodes that a bot may explore for one move [default: 10000000]
    #[arg(long, value_name = "N", value_parser = whole::<u64, 1, { ExploreRules::MOST_NODES }>)]
    explore_nodes: Option<u64>,
}

impl ExploreArgs {
    /// Flags count more than a file.
    pub fn over(self, written: ExploreRules) -> ExploreRules {
        written.with(self.explore, self.explore_nodes)
    }
}
