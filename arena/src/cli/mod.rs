//! The command line. Results go to standard output, messages go to standard error.

mod analyse;
mod bench;
mod bot;
mod check;
mod compare;
mod complaint;
mod diagnose;
mod doctor;
mod drawings;
mod engine;
mod engine_login;
mod explore;
mod gallery;
mod game_page;
mod games;
mod grade;
mod grid;
mod interrupt;
mod known_values;
mod manual;
mod marks;
mod matches;
mod merge;
mod new;
mod numbers;
mod overview;
mod pack;
mod perft;
mod play;
mod practice;
mod query;
mod records;
mod replay_page;
mod report;
mod rules_page;
mod sandbox;
mod serve;
mod solve;
mod standings;
mod status;
mod tournament;
mod tree;
mod values;
mod worker;

use crate::console;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use referee::fault::{Code, Fault};
use referee::process::{self, Sandbox};
use referee::spec::{BotSpec, GameLine, GameSpec, SpecError};
use referee::submission::SubmissionError;
use referee::transcript::Scribe;
use rules::Seed;
use std::ffi::OsString;
use std::io;
use std::panic::{UnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use text::{harmless, wrap};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A bot or a check failed. Exit code 1.
    Failed(String),
    /// Wrong usage, config or input. Exit code 2.
    Usage(String),
    /// An error of the arena or the machine. Exit code 3.
    Ours(String),
    /// The reader of the output has closed the pipe. Exit code 0.
    Closed,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Ours(error.to_string()),
        }
    }
}

/// An error of the system, with the name of the file or stream.
fn about(place: impl std::fmt::Display, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Ours(format!("{place}: {error}")),
    }
}

/// A file that the user named can't be written. A wrong name is the user's mistake, a full disk is
/// not.
fn unwritable(place: impl std::fmt::Display, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => about(place, error),
        _ => usage(format!("{place}: {error}")),
    }
}

/// Who writes transcripts, or only the input of a bot that fails.
fn scribe(folder: Option<&Path>) -> Result<Scribe, Failure> {
    Scribe::new(folder).map_err(|error| unwritable("--transcript", &error))
}

/// The failure for a fault. `which` names the bot. A fault of the arena is an error of the arena.
fn failed(which: &str, fault: &Fault) -> Failure {
    match fault.code {
        Code::ArenaFault => Failure::Ours(fault.to_string()),
        _ => Failure::Failed(format!("{which}{fault}")),
    }
}

/// A bot that the user named can't be used. A wrong name is the user's mistake, a full disk is not.
fn no_bot(error: SpecError) -> Failure {
    match error {
        SpecError::BadSubmission(SubmissionError::Host(problem)) => {
            Failure::Ours(harmless::sentence(&problem))
        }
        SpecError::BadSubmission(SubmissionError::BadManifest(mistakes)) => usage_lines(mistakes),
        error => usage(error),
    }
}

/// A mistake of the user, as one line. The text may contain words of strangers.
fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(harmless::sentence(&error.to_string()))
}

/// A mistake of the user, as several lines. Each line may contain words of strangers.
fn usage_lines(error: impl std::fmt::Display) -> Failure {
    let lines: Vec<String> = error.to_string().lines().map(harmless::sentence).collect();
    Failure::Usage(lines.join("\n"))
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 a bot or a check failed, 2 wrong usage or input,\n\
    3 an error of the arena or the machine. protocol.md is the protocol of bots.";

#[derive(Parser)]
#[command(
    name = "arena",
    version,
    args_override_self = true,
    about = "Bots play games against each other, with a strict referee",
    after_help = EXIT_CODES,
)]
struct Cli {
    /// Tell more on standard error (-vv for even more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 1_000)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::GamesArgs),
    Rules(rules_page::RulesArgs),
    Match(matches::MatchArgs),
    Tournament(Box<tournament::TournamentArgs>),
    Merge(merge::MergeArgs),
    Worker(worker::WorkerArgs),
    Grade(grade::GradeArgs),
    Play(play::PlayArgs),
    Practice(practice::PracticeArgs),
    Perft(perft::PerftArgs),
    Tree(tree::TreeArgs),
    Values(values::ValuesArgs),
    Compare(compare::CompareArgs),
    Analyse(analyse::AnalyseArgs),
    Diagnose(diagnose::DiagnoseArgs),
    Query(query::QueryArgs),
    Solve(solve::SolveArgs),
    Standings(standings::StandingsArgs),
    Report(report::ReportArgs),
    Serve(serve::ServeArgs),
    Engine(engine::EngineArgs),
    Status(status::StatusArgs),
    /// Print JSON Schemas: protocol, games, views, standings, server
    #[command(
        after_help = "Examples:\n  arena schema\n  arena schema nim\n  arena schema 'quixo?size=4' --view\n  \
        arena schema standings\n  arena schema api"
    )]
    Schema {
        /// A game, for the schema of its parameters, or one of the words standings and api
        game: Option<String>,
        /// Print the schema of what a bot sees of the game, with the parameters that are given
        #[arg(long, requires = "game")]
        view: bool,
    },
    Verify(records::VerifyArgs),
    Show(records::ShowArgs),
    Bot(bot::BotArgs),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    New(new::NewArgs),
    Pack(pack::PackArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  arena completions bash > ~/.local/share/bash-completion/completions/arena"
    )]
    Completions {
        shell: clap_complete::Shell,
    },
    Manual(manual::ManualArgs),
    Doctor(doctor::DoctorArgs),
    /// Make one of the attacks of `arena doctor`
    #[command(hide = true)]
    Attack {
        name: String,
        targets: String,
    },
    /// Answer every line with itself (used by the benchmark)
    #[command(hide = true)]
    Echo,
    /// Explore so many nodes in the first turn of a game, so many in one go (used by the benchmark)
    #[command(hide = true)]
    Explore {
        nodes: u64,
        burst: usize,
    },
}

/// Runs the program.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(console::tell_of_panic));
    let mut words = std::env::args_os().skip(1);
    match words.next().as_ref().and_then(|word| word.to_str()) {
        Some(process::KEEP) => {
            return process::keep(words).unwrap_or_else(|| {
                console::tell(&format!("error: only the arena itself runs `arena {}`", process::KEEP));
                ExitCode::from(2)
            });
        }
        // A bot may be started for each game, so it must start fast. Reading the full command line
        // takes too long.
        Some("bot") => {
            if let Some((name, options)) = bot::as_the_arena_writes_it(words) {
                return finish(|| bot::play(name, options));
            }
        }
        _ => {}
    }
    wrap::fit_to(console::width());
    let Cli { verbose, command } = match read_command_line() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    start_log(verbose);
    finish(|| run(command))
}

/// All commands and flags. `--depth -1` is a number out of range, not an unknown flag.
fn command_line() -> clap::Command {
    fn with_negatives(command: clap::Command) -> clap::Command {
        let negatives = |arg: clap::Arg| {
            if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg }
        };
        command.mut_args(negatives).mut_subcommands(with_negatives)
    }
    overview::with_overview(with_negatives(Cli::command()))
}

/// The command line. After help or an error message, the exit code.
fn read_command_line() -> Result<Cli, ExitCode> {
    let parse = |words: &mut dyn Iterator<Item = OsString>| {
        let matches = command_line().try_get_matches_from(words)?;
        Cli::from_arg_matches(&matches)
    };
    parse(&mut std::env::args_os()).map_err(|error| {
        if !error.use_stderr() {
            error.exit(); // help has no words of strangers
        }
        // The message repeats words of the command line, which may be names of strangers' files.
        let mut words = std::env::args_os().map(|word| harmless::line(&word.to_string_lossy()).into());
        let harmless = parse(&mut words).err().filter(clap::Error::use_stderr);
        console::tell(harmless.unwrap_or(error).render().to_string().trim_end());
        ExitCode::from(2)
    })
}

/// Runs a command, prints its error if it fails, and returns the exit code.
fn finish(command: impl FnOnce() -> Result<ExitCode, Failure> + UnwindSafe) -> ExitCode {
    let failure = match catch_unwind(command) {
        Ok(Ok(code)) => return code,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::Ours(
            "the program panicked; this is a bug of the arena, please report it with the text above"
                .to_owned(),
        ),
    };
    let (code, text) = match failure {
        Failure::Closed => return ExitCode::SUCCESS,
        Failure::Failed(text) => (1, text),
        Failure::Usage(text) => (2, text),
        Failure::Ours(text) => (3, text),
    };
    if !text.is_empty() {
        console::tell(&format!("error: {}", complaint::for_terminal(&text)));
    }
    ExitCode::from(code)
}

/// Filters the log by `ARENA_LOG`, such as `debug` or `referee=trace`, or by the number of `-v`.
fn start_log(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let asked = std::env::var("ARENA_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let log = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| console::LogLine);
    let log = log.with_target(false).without_time();
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(level));
    tracing_subscriber::registry().with(log).with(filter).init();
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let done = |()| ExitCode::SUCCESS;
    match command {
        Command::Games(args) => games::run(&args).map(done),
        Command::Rules(args) => rules_page::run(&args).map(done),
        Command::Match(args) => matches::run(&args).map(done),
        Command::Tournament(args) => tournament::run(&args),
        Command::Merge(args) => merge::run(&args).map(done),
        Command::Worker(args) => worker::run(&args),
        Command::Grade(args) => grade::run(&args).map(done),
        Command::Play(args) => play::run(&args).map(done),
        Command::Practice(args) => practice::run(&args).map(done),
        Command::Perft(args) => perft::run(&args).map(done),
        Command::Tree(args) => tree::run(&args).map(done),
        Command::Values(args) => values::run(&args).map(done),
        Command::Compare(args) => compare::run(&args).map(done),
        Command::Analyse(args) => analyse::run(&args).map(done),
        Command::Diagnose(args) => diagnose::run(&args).map(done),
        Command::Query(args) => query::run(&args).map(done),
        Command::Solve(args) => solve::run(&args).map(done),
        Command::Standings(args) => standings::run(&args).map(done),
        Command::Report(args) => report::run(&args).map(done),
        Command::Serve(args) => serve::run(&args).map(done),
        Command::Engine(args) => engine::run(&args).map(done),
        Command::Status(args) => status::run(&args).map(done),
        Command::Schema { game, view } => schema(game.as_deref(), view).map(done),
        Command::Verify(args) => records::verify(&args).map(done),
        Command::Show(args) => records::show(&args).map(done),
        Command::Bot(args) => bot::run(&args),
        Command::Bench(args) => bench::run(&args).map(done),
        Command::Check(args) => check::run(&args).map(done),
        Command::New(args) => new::run(&args).map(done),
        Command::Pack(args) => pack::run(&args).map(done),
        Command::Completions { shell } => completions(shell).map(done),
        Command::Manual(args) => manual::run(&args).map(done),
        Command::Doctor(args) => doctor::run(&args).map(done),
        Command::Attack { name, targets } => Ok(process::attack(&name, &targets)),
        Command::Echo => bench::echo().map(done),
        Command::Explore { nodes, burst } => bench::explore(nodes, burst).map(done),
    }
}

fn schema(game: Option<&str>, view: bool) -> Result<(), Failure> {
    let schema = match game {
        Some(name) if view => {
            let setting = game_named(name, None)?.setting;
            setting.start(Seed::from_number(1)).map_err(usage)?.view_schema().json()
        }
        None => protocol::schema(),
        Some("standings") => ::tournament::standings::schema(),
        Some("api") => ::serve::api::schema(),
        Some(name) => match rules::near_miss(name, &["standings", "api"]) {
            Some(near) => return Err(usage(config_file::no_such("schema", name, &[near]))),
            None => game_named(name, None)?.game.schema(),
        },
    };
    say(&format!("{schema:#}\n"))
}

fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "arena", &mut script);
    console::say_verbatim(&script).map_err(|error| about("standard output", &error))
}

/// Prints to standard output.
fn say(text: &str) -> Result<(), Failure> {
    console::say(text).map_err(|error| about("standard output", &error))
}

/// A bot named on the command line.
fn bot_named(text: &str, sandbox: &Arc<Sandbox>) -> Result<BotSpec, Failure> {
    text.parse().map(|spec: BotSpec| spec.within(sandbox)).map_err(no_bot)
}

/// A game named on the command line, with its parameters from the name and from `--params`.
fn game_line(name: &str, params: Option<&str>) -> Result<GameLine, Failure> {
    let params = params.map(read_params).transpose()?.unwrap_or_default();
    GameLine::read(name, params, "--params").map_err(usage)
}

/// A game named on the command line, with its parameters checked.
fn game_named(name: &str, params: Option<&str>) -> Result<GameSpec, Failure> {
    game_line(name, params)?.check().map_err(usage)
}

/// A duel in the laboratory after some moves separated by blanks, and the canonical texts of the
/// moves.
fn lab_study(name: &str, params: Option<&str>, moves: &str) -> Result<(lab::Study, Vec<String>), Failure> {
    let spec = game_named(name, params)?;
    let mut study = lab::open(spec.game, &spec.given()).map_err(usage)?;
    let played = play_all(&mut study, moves).map_err(usage)?;
    Ok((study, played))
}

/// Plays moves separated by blanks, and returns their canonical texts.
fn play_all(study: &mut lab::Study, moves: &str) -> Result<Vec<String>, String> {
    let play = |(at, mv): (usize, &str)| {
        study.play(mv).map_err(|error| {
            let near = error.near().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("move {}: {error}{near}", at + 1)
        })
    };
    moves.split_whitespace().enumerate().map(play).collect()
}

/// Reads the value of `--params`: JSON, or `@` and a file with JSON.
fn read_params(text: &str) -> Result<serde_json::Map<String, serde_json::Value>, Failure> {
    let (place, json) = match text.strip_prefix('@') {
        None => ("--params".to_owned(), text.to_owned()),
        Some(file) => {
            let json =
                std::fs::read_to_string(file).map_err(|error| usage(format!("--params @{file}: {error}")))?;
            (file.to_owned(), json)
        }
    };
    let expected = "expected an object such as {\"size\":4}";
    match serde_json::from_str(&json) {
        Ok(serde_json::Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(usage(format!("{place}: {expected}, not {other}"))),
        Err(error) => {
            let why = protocol::why_not_json(&error);
            Err(usage(format!("{place} is not JSON: {why}; {expected}")))
        }
    }
}

/// A word as a shell needs it.
fn quoted(word: &str) -> String {
    text::harmless::line(
        &shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.to_string()),
    )
}

/// `1 node`, `2 nodes`
fn counted(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Does the locale say that the terminal shows only ASCII?
fn ascii_only() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    !locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
