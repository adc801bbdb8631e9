//! `arena perft`: counts sequences of moves.

use super::numbers::whole;
use super::{Failure, say, usage};
use crate::console;
use rules::{Draws, Seed};
use serde_json::json;
use text::Ticker;

/// Count the legal move sequences of each length
#[derive(clap::Args)]
#[command(
    after_help = "A finished game is not counted at greater lengths, and a forced pass is a move. If several seats decide \
    together, the lowest seat decides first, and each decision counts.\n\n\
    Examples:\n  arena perft othello --depth 6\n  arena perft nim --depth 4 --params '{\"heaps\":[1,3,5,7]}' --json"
)]
pub struct PerftArgs {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The longest sequences to count
    #[arg(long, default_value_t = 4, value_parser = whole::<usize, 1, 1_000>)]
    depth: usize,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// The seed of the deal, for card games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Apply draws by repetition, by quiet plies and by the limit on plies
    #[arg(long)]
    draws: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &PerftArgs) -> Result<(), Failure> {
    let spec = super::game_named(&args.game, args.params.as_deref())?;
    let (game, params) = (spec.game, spec.given());
    let seed = Seed::from_number(args.seed);
    let draws = if args.draws { Draws::Applied } else { Draws::Off };
    let table = game.start(&params, seed).map_err(usage)?;
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin(format!("counting sequences of up to {} moves", args.depth));
    let counts = game.perft(&params, seed, args.depth, draws).map_err(usage)?;
    drop(ticker);
    if args.json {
        return say(&format!(
            "{}\n",
            json!({ "game": game.about.id, "params": table.params(), "perft": counts })
        ));
    }
    let lines: Vec<String> =
        counts.iter().enumerate().map(|(at, count)| format!("{:>3}  {count}\n", at + 1)).collect();
    say(&lines.concat())
}
