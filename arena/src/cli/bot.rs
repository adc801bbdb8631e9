//! `arena bot`: a built-in bot on standard input and output.

use super::Failure;
use bots::builtin::{Name, Options};

/// Be a bot: speak the protocol on standard input and output
#[derive(clap::Args)]
#[command(
    after_help = "Bots:\n  random      a random legal move\n  first       always the first legal move\n  \
    greedy      looks one ply ahead\n  minimax     plain minimax\n  negamax     plain negamax\n  \
    alpha-beta  alpha-beta, in the order the game lists its moves\n  \
    perfect     plays from the exact solver, wherever the game is small enough\n\n\
    In a match they are named builtin:NAME?option=value.\n\n\
    Examples:\n  arena bot alpha-beta --depth 6\n  arena match nim builtin:random 'builtin:minimax?depth=3'"
)]
pub struct Args {
    /// Which one
    name: Name,
    /// Plies to look ahead
    #[arg(long, default_value_t = Options::default().depth)]
    depth: u32,
    /// Nodes per move; a search that needs more gives the result of a smaller depth
    #[arg(long, default_value_t = Options::default().nodes)]
    nodes: u64,
    /// The most memory that the solver of perfect may use
    #[arg(long, value_name = "SIZE", default_value_t = Options::default().memory)]
    memory: solver::Memory,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    Ok(args.name.run(Options { depth: args.depth, nodes: args.nodes, memory: args.memory })?)
}
