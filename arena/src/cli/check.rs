//! `arena check`: checks whether a bot is ready for a match.

use super::numbers::{DAY_MS, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, say, usage};
use crate::console;
use config_file::no_such;
use grading::check_bot::{self, BenchLimits, CHECKS, Pace};
use protocol::Measured;
use referee::clock::ClockRules;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use text::Ticker;
use tournament::draft::MemoryMib;

/// Check whether a bot follows the protocol, and say what to change
#[derive(clap::Args)]
#[command(
    after_help = notes()
)]
pub struct CheckArgs {
    /// The bot
    bot: String,
    /// A game to play; may be repeated [default: the games in bot.toml, or tic-tac-toe]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// The seed of everything random in the games
    #[arg(long, default_value = "1")]
    seed: RootSeed,
    /// Time for each move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Extra time for the bot to start, before its first move
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = whole::<u64, 0, DAY_MS>)]
    startup_ms: u64,
    /// Measure processor time instead of wall-clock time, which is fair on a busy machine
    #[arg(long)]
    cpu_time: bool,
    /// Memory for all processes of the bot together
    #[arg(long, value_name = "MIB")]
    memory: Option<MemoryMib>,
    /// A check to leave out; may be repeated
    #[arg(long, value_name = "CHECK", value_parser = check_name)]
    skip: Vec<String>,
    /// Write everything that was said in each game, and the standard error of the bot, into files of
    /// this folder
    #[arg(long, value_name = "DIR")]
    transcript: Option<PathBuf>,
    /// Print JSON, with longer lines
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

fn check_name(name: &str) -> Result<String, String> {
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    if names.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(no_such("check", name, &names))
}

fn notes() -> String {
    let list: String = CHECKS.iter().map(|check| format!("  {:<11} {}\n", check.name, check.asks)).collect();
    format!(
        "A bot is a folder with bot.toml, an archive of such a folder, a path to a program, or a command line.\n\n\
        Checks:\n{list}\n\
        Examples:\n  arena check my-bot\n  arena check my-bot.tar.gz --game quixo --game nim\n  \
        arena check 'python3 my_bot.py' --game othello --json\n  arena check ./my-bot --skip repeats\n\n\
        Exit codes: 0 ready, 1 not ready, 2 wrong usage or input, 3 an error of the arena or the machine."
    )
}

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let measured = if args.cpu_time { Measured::Cpu } else { Measured::Wall };
    let sandbox = args.sandbox.settle()?.closing(args.transcript.clone()).metering(measured);
    let spec = super::bot_named(&args.bot, &Arc::new(sandbox))?;
    let games = games(args, &spec)?;
    let clock = ClockRules {
        startup: Duration::from_millis(args.startup_ms),
        per_move: Duration::from_millis(args.move_ms),
        measured,
        ..ClockRules::default()
    };
    let limits = BenchLimits {
        clock,
        memory_bytes: args.memory.map(|mib| mib.get() * 1_048_576),
        seed: args.seed,
        pace: Pace::QUICK,
    };
    let ticker = Ticker::new(console::SCREEN);
    let scribe = super::scribe(args.transcript.as_deref())?;
    let report = check_bot::run(&spec, games, limits, &args.skip, (Some(scribe), &ticker));
    drop(ticker);
    let report = report.map_err(Failure::Ours)?;
    say(&if args.json { format!("{}\n", report.json()) } else { report.text() })?;
    if report.ready() { Ok(()) } else { Err(Failure::Failed(String::new())) }
}

/// The games of `--game`, or the games in `bot.toml`, or tic-tac-toe.
fn games(args: &CheckArgs, spec: &BotSpec) -> Result<Vec<GameSpec>, Failure> {
    let own = spec.submission().map_or(&[][..], |submission| &submission.manifest.games);
    let usual = ["tic-tac-toe".to_owned()];
    let names =
        [&args.games[..], own, &usual].into_iter().find(|names| !names.is_empty()).unwrap_or_default();
    let fitting = |name: &String| {
        let game = super::game_named(name, None)?;
        game.check(spec).map_err(usage)?;
        Ok(game)
    };
    names.iter().map(fitting).collect()
}
