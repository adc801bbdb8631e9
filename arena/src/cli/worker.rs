//! `arena worker`: plays games of tournaments that are coordinated elsewhere.

use super::engine_login::{LoginArgs, own_build};
use super::{Failure, counted, usage};
use crate::console;
use engine::{WorkDone, WorkerError, WorkerOptions};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use text::harmless;
use tournament::draft::Concurrency;
use tournament::stop::Stop;

/// Play games for tournaments that run on an engine
#[derive(clap::Args)]
#[command(
    after_help = "A worker takes games from an engine (a NATS server), plays them, and brings back the records.\n\
    Workers may come and go at any time. The first Ctrl-C leaves after the running games, a\n\
    second one at once; the games are then played by others. A worker runs bots of strangers, so\n\
    it needs a machine with the whole sandbox (`arena doctor`), and refuses to start elsewhere.\n\
    It must be the same program as the coordinator's.\n\n\
    Examples:\n  arena worker --engine nats://league.example:4222\n  \
    arena worker --engine tls://league.example:4222 --engine-key worker.nk --engine-ca ca.pem\n  \
    arena worker --engine nats://10.0.0.1 --concurrency 4 --exit-idle 60s\n\n\
    Exit codes: 0 left in order, 2 wrong usage, or another program than the coordinator's, 3 an error\n\
    of the arena or the machine."
)]
pub struct WorkerArgs {
    /// The engine: a ticket of `arena engine up`, nats://HOST:PORT or tls://HOST:PORT
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Leave after so long without a game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    exit_idle: Option<Duration>,
    /// Take only the games of this class
    #[arg(long, default_value = engine::subjects::USUAL_CLASS, value_parser = class)]
    class: String,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    concurrency: Option<Concurrency>,
    /// Where the files of bots are kept [default: ~/.cache/ludus/bundles]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Do not tell what happens
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    login: LoginArgs,
}

/// A class is one word of a subject.
pub fn class(text: &str) -> Result<String, String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if text.is_empty() || text.len() > 32 || !text.chars().all(fine) {
        return Err("expected up to 32 letters, digits, `-` and `_`".to_owned());
    }
    Ok(text.to_owned())
}

pub fn run(args: &WorkerArgs) -> Result<ExitCode, Failure> {
    let stop = Stop::default();
    listen(&stop)?;
    let build = own_build()?;
    let login = args.login.login();
    let session = args.login.connect(&args.engine, "worker")?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = WorkerOptions {
        class: args.class.clone(),
        slots: args.concurrency.map_or(cores, |number| number.get() as usize),
        exit_idle: args.exit_idle,
        cache: args.cache.clone().unwrap_or_else(engine::usual_cache),
        // A ticket is a secret too.
        closed: login.key.into_iter().chain([PathBuf::from(&args.engine)]).collect(),
        build,
        host: engine::host(),
        screen: (!args.quiet).then_some(console::SCREEN),
        simulated: false,
    };
    let WorkDone { games, batches } = engine::work(session, options, &stop).map_err(|error| match error {
        WorkerError::Unfit(_) => usage(error),
        WorkerError::Banned(_) | WorkerError::Io(_) => Failure::Ours(harmless::sentence(&error.to_string())),
    })?;
    if !args.quiet {
        console::tell(&format!("played {} in {}", counted(games, "game"), of_batches(batches)));
    }
    Ok(ExitCode::SUCCESS)
}

fn of_batches(number: u64) -> String {
    if number == 1 { "1 batch".to_owned() } else { format!("{number} batches") }
}

/// The first signal lets the running games end, the second one stops at once.
fn listen(stop: &Stop) -> std::io::Result<()> {
    let stop = stop.clone();
    super::interrupt::on_each(move || {
        if stop.is_set() {
            console::tell("\nleft at once; other workers play the games again");
            std::process::exit(i32::from(super::interrupt::EXIT_CODE));
        }
        stop.set();
        console::tell("\nleaving after the running games; press Ctrl-C again to leave at once");
    })
}
