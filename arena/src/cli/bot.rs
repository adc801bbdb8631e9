//! `arena bot`: a built-in bot on standard input and output.

use super::{Failure, usage};
use bots::builtin::{Name, Options};
use std::ffi::OsString;
use std::process::ExitCode;

/// Run a built-in bot on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Bots, and the options they have:\n  \
    random        plays a random legal move\n  \
    first         always plays the first legal move\n  \
    greedy        looks one ply ahead\n  \
    minimax       plain minimax (depth, nodes, ms, cpu-ms)\n  \
    negamax       plain negamax (depth, nodes, ms, cpu-ms)\n  \
    alpha-beta    alpha-beta, with the moves in the order of the game (depth, nodes,\n                ms, cpu-ms)\n  \
    strong        alpha-beta with move ordering, deepening and a table of positions\n                (depth, nodes, ms, cpu-ms, table)\n  \
    mcts          Monte Carlo tree search (iterations, ms, cpu-ms)\n  \
    ismcts        for card games: imagines the hidden cards and searches (iterations)\n  \
    perfect       plays the moves of the exact solver, if the game is small enough\n                (depth, nodes, memory)\n  \
    thesis-amoba  the amoba program of the thesis, exactly (depth)\n  \
    buggy         a search with one deliberate mistake (bug, depth, nodes)\n\n\
    Setting one limit removes the default limits: with --ms 300 only the time decides. --depth alone\n\
    keeps the limit of 100000 nodes. The defaults: minimax, negamax and alpha-beta look 4 plies ahead,\n\
    within 100000 nodes; strong visits 100000 nodes; mcts plays 2000 rounds. No bot thinks longer\n\
    than half of its time for a move.\n\n\
    In a match the name of a bot is builtin:NAME?option=value.\n\n\
    Examples:\n  arena bot alpha-beta --depth 6\n  arena match nim builtin:random 'builtin:minimax?depth=3'\n  \
    arena match othello 'builtin:strong?ms=100&table=64' 'builtin:mcts?iterations=500'")]
pub struct BotArgs {
    /// The name of the bot
    name: Name,
    /// Plies to look ahead
    #[arg(long)]
    depth: Option<String>,
    /// Nodes per move; a search that needs more nodes uses the result of a smaller depth
    #[arg(long)]
    nodes: Option<String>,
    /// Milliseconds per move
    #[arg(long)]
    ms: Option<String>,
    /// Milliseconds of processor time per move
    #[arg(long)]
    cpu_ms: Option<String>,
    /// MiB for the positions that strong remembers
    #[arg(long)]
    table: Option<String>,
    /// Rounds of mcts, or games that ismcts imagines, per move
    #[arg(long)]
    iterations: Option<String>,
    /// The most memory that the solver of perfect may use: 512MiB
    #[arg(long)]
    memory: Option<String>,
    /// The mistake of buggy: depth-off-by-one, end-not-seen, max-min-swapped, player-not-switched,
    /// negamax-sign, best-starts-at-zero, best-not-reset, bound-not-passed, alpha-kept,
    /// cut-on-wrong-side, cut-reversed, cut-too-early, cut-too-late, evaluates-wrong-side, ignores-pass,
    /// draw-is-loss, table-without-depth or wrong-move-returned
    #[arg(long)]
    bug: Option<String>,
}

pub fn run(args: &BotArgs) -> Result<ExitCode, Failure> {
    let flags = [
        ("depth", &args.depth),
        ("nodes", &args.nodes),
        ("ms", &args.ms),
        ("cpu-ms", &args.cpu_ms),
        ("table", &args.table),
        ("iterations", &args.iterations),
        ("memory", &args.memory),
        ("bug", &args.bug),
    ];
    let given = flags.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
    let options = Options::read(args.name, given).map_err(|problems| usage(problems.join("; ")))?;
    play(args.name, options)
}

pub fn play(name: Name, options: Options) -> Result<ExitCode, Failure> {
    name.run(options)?;
    Ok(ExitCode::SUCCESS)
}

/// The bot of a command line that the arena itself wrote, see
/// [`BotSpec::command`](referee::spec::BotSpec::command). `None` for other command lines.
pub fn as_the_arena_writes_it(mut words: impl Iterator<Item = OsString>) -> Option<(Name, Options)> {
    let name: Name = words.next()?.to_str()?.parse().ok()?;
    let mut options = Options::default();
    for word in words {
        let (key, value) = word.to_str()?.strip_prefix("--")?.split_once('=')?;
        options.set(name, key, value).ok()?;
    }
    Some((name, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::spec::{BotKind, BotSpec};

    #[test]
    fn the_arena_reads_its_own_command_lines() {
        for text in [
            "builtin:first",
            "builtin:strong?table=64&ms=50",
            "builtin:perfect?memory=64MiB",
            "builtin:buggy?bug=negamax-sign&depth=3",
        ] {
            let spec: BotSpec = text.parse().unwrap();
            let (name, options) = as_the_arena_writes_it(spec.command().into_iter().skip(2)).unwrap();
            assert_eq!(BotKind::Builtin(name, options), spec.kind, "{text}");
        }
        for words in
            [&[][..], &["frist"], &["first", "-v"], &["minimax", "--depth", "3"], &["minimax", "--depth=x"]]
        {
            assert!(as_the_arena_writes_it(words.iter().map(OsString::from)).is_none(), "{words:?}");
        }
    }
}
