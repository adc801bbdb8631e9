//! `arena tournament`: reads a config, plays a tournament, and prints the standings.

mod dry_run;

use super::engine_login::{LoginArgs, own_build};
use super::interrupt::{EXIT_CODE, listen};
use super::sandbox::SandboxArgs;
use super::{Failure, counted, say, usage, usage_lines};
use crate::console;
use config_file::{At, Mistakes};
use engine::{Coordinator, CoordinatorOptions};
use ratings::{Outcomes, Scale, Unbiased, Verdict};
use referee::explorer::ExploreMode;
use referee::seeds::SeedChoice;
use referee::spec::GameDraft;
use report::page::Extras;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use text::wrap::indented;
use text::{Ticker, harmless, wrap};
use tournament::config::{self, Format, Tournament};
use tournament::count::RunningCount;
use tournament::draft::{
    self, BotDraft, BotTable, Concurrency, DealCount, Draft, ExploreNodes, MemoryMib, MoveMs, OpeningPlies,
    RoundCount,
};
use tournament::elo_gap::{ends, words_of_faults};
use tournament::journal::{self, JournalError};
use tournament::roster::RosterWish;
use tournament::run::{self, RunError, RunOptions, RunOutcome};
use tournament::schedule::Shard;
use tournament::sprt::RunningTest;
use tournament::standings::{self, LARGEST_CROSSTABLE, Shown, SprtResult, Standings};
use tournament::stop::Stop;
use tournament::venue::{Here, Venue};

/// With more games, the page is made only when somebody asks for it, because that takes a while.
const MOST_REPORTED: u64 = 10_000;

/// Play a tournament, from a config or from flags alone
#[derive(clap::Args)]
#[command(
    after_help = "The journal is results/NAME/journal.jsonl. A game counts once it is on the disk. To continue after \
    Ctrl-C, kill -9 or a power cut, run the same command again. The first Ctrl-C stops after the running games, a second \
    Ctrl-C stops at once. Flags override the file.\n\n\
    Examples:\n  arena tournament configs/round-robin.toml --dry-run\n  arena tournament configs/round-robin.toml\n  \
    arena tournament --game nim --bots builtin:random,builtin:greedy,builtin:first --deals 10\n  \
    arena tournament league.toml --shard 2/8\n\n\
    Exit codes: 0 success, 1 a bot failed (or a test did not accept H1), 2 wrong usage or config, 3 an error of \
    the arena or the machine, 130 interrupted."
)]
pub struct TournamentArgs {
    /// The config, see docs/tournaments.md
    file: Option<PathBuf>,
    /// A game, if there is no config; may be repeated
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// Bots, separated by commas
    #[arg(long, value_name = "BOT,…", value_delimiter = ',')]
    bots: Vec<String>,
    /// One more bot, whose command may contain commas
    #[arg(long = "bot", value_name = "BOT")]
    more_bots: Vec<String>,
    /// How bots are paired
    #[arg(long)]
    format: Option<Format>,
    /// How often each bot meets each other bot; in a Swiss, the number of rounds
    #[arg(long, value_name = "N")]
    rounds: Option<RoundCount>,
    /// Deals or openings for each table and round, each played in every seat order
    #[arg(long, value_name = "N")]
    deals: Option<DealCount>,
    /// The seed of everything random: a number, 64 hexadecimal digits or `random`
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Random plies before the first turn of the bots, in board games
    #[arg(long, value_name = "PLIES")]
    openings: Option<OpeningPlies>,
    /// The folder in results/
    #[arg(long)]
    name: Option<String>,
    /// The folder to use instead of results/
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// Time for each move
    #[arg(long, value_name = "MS")]
    move_ms: Option<MoveMs>,
    /// Memory for all processes of a bot together
    #[arg(long, value_name = "MIB")]
    memory: Option<MemoryMib>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    concurrency: Option<Concurrency>,
    /// Start a new process of every bot for each game
    #[arg(long)]
    restart: bool,
    /// Stop all processes of a bot while others must move
    #[arg(long)]
    no_pondering: bool,
    /// Let the system move games between cores
    #[arg(long)]
    no_pin: bool,
    /// May bots walk through the game by the arena's rules during their turn? `rules`: without the
    /// arena's evaluation
    #[arg(long, value_enum, value_name = "on|rules|off", hide_possible_values = true)]
    explore: Option<ExploreMode>,
    /// The most nodes that a bot may explore for one move
    #[arg(long, value_name = "N")]
    explore_nodes: Option<ExploreNodes>,
    /// Add a bot from the next round on: a command, or
    /// { name = "anna", run = "python3 anna.py" }
    #[arg(long, value_name = "BOT", conflicts_with_all = ["dry_run", "fresh"])]
    add: Vec<String>,
    /// Withdraw the bot of this name after the current round
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dry_run", "fresh"])]
    withdraw: Vec<String>,
    /// Print what would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Refuse to start unless there is a tournament to continue
    #[arg(long, conflicts_with = "fresh")]
    resume: bool,
    /// Start from the beginning; the old journal is kept under another name
    #[arg(long)]
    fresh: bool,
    /// Play only the I-th of N parts of the schedule; `arena merge` merges the journals
    #[arg(long, value_name = "I/N", value_parser = read_shard, default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Write everything that was said in each game, and the standard error of the bots, into files of
    /// this folder
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    transcript: Option<PathBuf>,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Play on the workers of this engine: a ticket of `arena engine up`, nats://HOST:PORT or
    /// tls://HOST:PORT
    #[arg(long, value_name = "ENGINE", help_heading = "Engine", conflicts_with = "shard")]
    engine: Option<String>,
    /// Only workers of this class get the games
    #[arg(long, value_name = "CLASS", help_heading = "Engine", requires = "engine",
        default_value = engine::subjects::USUAL_CLASS, hide_default_value = true, value_parser = super::worker::class)]
    class: String,
    /// The percentage of blocks that a second worker plays again, to compare the records
    #[arg(long, value_name = "PERCENT", help_heading = "Engine", requires = "engine",
        default_value_t = 1.0, value_parser = percent)]
    audit: f64,
    /// Play the games of this worker again; the old journal is kept under another name
    #[arg(long, value_name = "WORKER", help_heading = "Engine", conflicts_with_all = ["fresh", "dry_run"])]
    without: Vec<String>,
    #[command(flatten)]
    login: LoginArgs,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse().ok();
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "expected 0 to 100".to_owned())
}

fn read_shard(text: &str) -> Result<Shard, String> {
    let wrong = || format!("expected I/N such as 2/8, with I from 1 to N, not `{text}`");
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let (part, parts): (u64, u64) = part.parse().ok().zip(parts.parse().ok()).ok_or_else(wrong)?;
    if part == 0 || part > parts || parts > 100_000 {
        return Err(wrong());
    }
    Ok(Shard { part: part - 1, parts })
}

impl From<Mistakes> for Failure {
    fn from(mistakes: Mistakes) -> Failure {
        usage_lines(mistakes)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Io(..)
            | RunError::Venue(_)
            | RunError::Journal(JournalError::Io(..) | JournalError::Touched { .. }) => {
                Failure::Ours(error.to_string())
            }
            RunError::Journal(JournalError::Changed { .. }) | RunError::Refused(_) => usage_lines(error),
            RunError::Journal(_) => usage(error),
        }
    }
}

pub fn run(args: &TournamentArgs) -> Result<ExitCode, Failure> {
    let draft = draft(args)?;
    let mut tournament = config::check(&draft)?;
    // A knockout that was begun without an encounter for third place goes on without it.
    let journal = tournament.results.join(journal::file_name(args.shard));
    if draft.third_place.is_none() && !args.fresh && journal::begun_without(&journal, "third_place") {
        tournament.third_place = false;
    }
    if args.dry_run {
        return dry_run::run(args, &tournament).map(|()| ExitCode::SUCCESS);
    }
    warn_of_seed(&tournament);
    args.sandbox.announce(&tournament.sandbox)?;
    let stop = Stop::default();
    listen(&stop)?;
    let options = RunOptions {
        shard: args.shard,
        fresh: args.fresh,
        resume: args.resume,
        without: args.without.clone(),
        roster: roster(args)?,
        screen: (!args.quiet).then_some(console::SCREEN),
    };
    let mut venue = venue(args, &tournament)?;
    let outcome = run::play(&mut tournament, &options, &mut *venue, &stop)?;
    let collector = &outcome.count.collector;
    let page = report_page(args, &tournament, &outcome);
    say(&standings(args, &tournament, &outcome, page.as_deref())?)?;
    if !outcome.finished {
        let games = counted(collector.game_count(), "game");
        console::tell(&format!("stopped after {games}; run the same command again to continue"));
        if let Some(words) = changed_words(&outcome) {
            console::tell(&words);
        }
        return Ok(ExitCode::from(EXIT_CODE));
    }
    let accepted =
        outcome.count.test.as_ref().is_none_or(|test| test.result().verdict == Verdict::Upper.word());
    if collector.void_count() > 0 && collector.has_arena_faults() {
        return Err(Failure::Ours(format!("{} games could not be played", collector.void_count())));
    }
    if let Some(words) = changed_words(&outcome) {
        return Err(Failure::Failed(words));
    }
    Ok(if accepted && collector.fault_count() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// This machine, or the workers of an engine.
fn venue(args: &TournamentArgs, tournament: &Tournament) -> Result<Box<dyn Venue>, Failure> {
    let Some(url) = &args.engine else { return Ok(Box::new(Here)) };
    if let Some(reason) = tournament.stays_here() {
        return Err(usage(format!("--engine: {reason}")));
    }
    let options = CoordinatorOptions {
        class: args.class.clone(),
        audit: args.audit / 100.0,
        build: own_build()?,
        host: engine::host(),
        screen: (!args.quiet).then_some(console::SCREEN),
    };
    Ok(Box::new(Coordinator::new(args.login.connect(url, "coordinator")?, options)))
}

/// Warns once if bots could compute the deals from the seed.
fn warn_of_seed(tournament: &Tournament) {
    let SeedChoice::Given(seed) = tournament.seed else { return };
    if let Some(warning) = tournament.series.games.iter().find_map(|entry| seed.warning(entry.game.kind)) {
        console::tell(&warning);
    }
}

/// The message about bots whose files changed during the tournament.
fn changed_words(outcome: &RunOutcome) -> Option<String> {
    let bots = (!outcome.changed.is_empty()).then(|| outcome.changed.join(", "))?;
    Some(format!(
        "files of these bots changed while the tournament was played: {bots}\nnot all games are by the same program, so \
         the tournament can't go on; begin again with --fresh"
    ))
}

/// The config of the file, overridden by flags.
fn draft(args: &TournamentArgs) -> Result<Draft, Failure> {
    let mut draft = match &args.file {
        None => Draft::of_flags(),
        Some(path) => {
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| usage(format!("{file}: {error}")))?;
            draft::read(&file, &text)
        }
    };
    flags(args, &mut draft);
    if draft.name.is_none() {
        draft.name = Some(At::flag(usual_name(args, &draft), "the name of the file"));
    }
    Ok(draft)
}

/// The late entries and withdrawals of the command line.
fn roster(args: &TournamentArgs) -> Result<RosterWish, Failure> {
    let read = |text: &String| {
        if !text.trim_start().starts_with('{') {
            return Ok(BotDraft(BotTable::plain(At::flag(text.clone(), "--add"))));
        }
        let draft = draft::read("--add", &format!("bots = [{text}]"));
        if !draft.mistakes.is_empty() {
            return Err(draft.mistakes.into());
        }
        draft.bots.into_iter().next().ok_or_else(|| {
            usage("--add: expected a bot, such as { name = \"anna\", run = \"python3 anna.py\" }")
        })
    };
    let add = args.add.iter().map(read).collect::<Result<_, Failure>>()?;
    Ok(RosterWish { add, withdraw: args.withdraw.clone() })
}

/// Flags that say how games are played, and not which. They leave the usual name as it is.
const ALONE: [&str; 6] = ["--resume", "--fresh", "--json", "--quiet", "-q", "--dry-run"];
/// The same, with a value.
const WITH_VALUE: [&str; 6] = ["--engine", "--engine-key", "--engine-ca", "--class", "--audit", "--without"];

/// The name of the config file. Without a file, the name of the game and a digest of the flags, so
/// that the same command finds its results again.
fn usual_name(args: &TournamentArgs, draft: &Draft) -> String {
    let fine = |text: &str| {
        let fine = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        text.chars().map(fine).collect::<String>()
    };
    if let Some(stem) = args.file.as_ref().and_then(|file| file.file_stem()) {
        return fine(&stem.to_string_lossy());
    }
    let game = draft
        .all_games()
        .next()
        .map_or("tournament", |game| game.line.value.split('?').next().unwrap_or_default());
    let (mut flags, mut words) = (Vec::new(), std::env::args().skip(2));
    while let Some(word) = words.next() {
        let (flag, value) =
            word.split_once('=').map_or((word.as_str(), None), |(flag, value)| (flag, Some(value)));
        if WITH_VALUE.contains(&flag) {
            if value.is_none() {
                words.next();
            }
        } else if !ALONE.contains(&word.as_str()) {
            flags.push(word);
        }
    }
    let digest = rules::Seed(Sha256::digest(flags.join("\n")).into()).to_string();
    format!("{}-{}", fine(game), &digest[..8])
}

fn flags(args: &TournamentArgs, draft: &mut Draft) {
    fn set<T>(field: &mut Option<T>, value: Option<T>) {
        if value.is_some() {
            *field = value;
        }
    }
    fn set_at<T>(field: &mut Option<At<T>>, value: Option<T>, flag: &'static str) {
        set(field, value.map(|value| At::flag(value, flag)));
    }
    if !args.games.is_empty() {
        let game = |line: &String| GameDraft::plain(At::flag(line.clone(), "--game"));
        draft.game = None;
        draft.games = args.games.iter().map(game).collect();
    }
    let bots = args.bots.iter().map(|bot| (bot, "--bots"));
    let bots: Vec<_> = bots.chain(args.more_bots.iter().map(|bot| (bot, "--bot"))).collect();
    if !bots.is_empty() {
        let bot =
            |(bot, flag): (&String, &'static str)| BotDraft(BotTable::plain(At::flag(bot.clone(), flag)));
        draft.bots = bots.into_iter().map(bot).collect();
    }
    set_at(&mut draft.seed, args.seed, "--seed");
    set_at(&mut draft.format, args.format, "--format");
    set_at(&mut draft.rounds, args.rounds, "--rounds");
    set_at(&mut draft.deals, args.deals, "--deals");
    set_at(&mut draft.openings, args.openings, "--openings");
    set_at(&mut draft.name, args.name.clone(), "--name");
    set(&mut draft.output.folder, args.folder.clone());
    set(&mut draft.output.transcript_folder, args.transcript.clone());
    set(&mut draft.clock.move_ms, args.move_ms);
    set(&mut draft.memory_mib, args.memory);
    set(&mut draft.concurrency, args.concurrency);
    set(&mut draft.restart, args.restart.then_some(true));
    set(&mut draft.pondering, args.no_pondering.then_some(false));
    set(&mut draft.pin, args.no_pin.then_some(false));
    set_at(&mut draft.explore, args.explore, "--explore");
    set(&mut draft.explore_nodes, args.explore_nodes);
    set(&mut draft.sandbox.profile, args.sandbox.profile());
    draft.sandbox.read.extend(args.sandbox.read().map(|path| At::flag(path, "--allow-read")));
}

/// The result as text or as JSON. The files beside the journal are always complete.
fn standings(
    args: &TournamentArgs,
    tournament: &Tournament,
    outcome: &RunOutcome,
    page: Option<&Path>,
) -> Result<String, Failure> {
    let RunningCount { collector, test } = &outcome.count;
    let options = standings::TableOptions {
        ties: tournament.tie_breaks.clone(),
        anchor: tournament.anchor.clone(),
        equal_games: true,
        ..standings::TableOptions::default()
    };
    let sprt = test.as_ref().map(RunningTest::result);
    let standings = Standings { sprt, ..collector.standings(&options) };
    // The shards of a tournament may share a folder, and each knows only its own games.
    if let Some(folder) = outcome.journal.parent().filter(|_| args.shard == Shard::WHOLE) {
        standings::write_all(folder, &standings)?;
    }
    let seed = outcome.finished.then_some(outcome.seed);
    if args.json {
        let sprt = test.as_ref().map(|test| {
            let SprtResult { verdict, llr, words } = test.result();
            let elo = strength(tournament, test, collector.fault_count())
                .map(|found| json!({ "elo": found.elo, "low": found.low, "high": found.high }));
            json!({ "llr": llr, "verdict": verdict, "words": words, "blocks": test.blocks(), "elo": elo })
        });
        let value = json!({
            "name": tournament.name, "journal": outcome.journal, "finished": outcome.finished,
            "games": collector.game_count(), "seed": seed, "standings": standings, "sprt": sprt,
            "faults": collector.fault_count(), "closing": outcome.closing_words, "changed": outcome.changed,
            "report": page,
        });
        return Ok(format!("{value}\n"));
    }
    let crosstable = standings.rows.len() <= LARGEST_CROSSTABLE;
    let shown = Shown { width: console::width(), crosstable, superiority: false, left_out: 0 };
    let mut text = standings::text(&standings, shown);
    text.push('\n');
    text.extend(test.as_ref().map(|test| sprt_sentence(tournament, test, collector.fault_count())));
    if let Some(words) = &outcome.closing_words {
        text.push_str(&indented("", words));
    }
    for (bot, failures) in collector.failures() {
        text.push_str(&format!("{}\n", failures.report(bot)));
    }
    let seed = seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    // A path that people copy is not broken into rows.
    let count = format!("{}{seed}:", counted(collector.game_count(), "game"));
    let line = format!("{count} {}", outcome.journal.display());
    let last = if wrap::fits(&line) { line } else { format!("{count}\n{}", outcome.journal.display()) };
    text.push_str(&format!("{last}\n"));
    text.extend(page.map(|page| format!("report: {}\n", page.display())));
    Ok(text)
}

/// Writes the page of a tournament that has ended, and returns its path. The journal is what
/// counts, so a page that can't be written is no failure.
fn report_page(args: &TournamentArgs, tournament: &Tournament, outcome: &RunOutcome) -> Option<PathBuf> {
    let is_small = outcome.count.collector.game_count() <= MOST_REPORTED;
    if !tournament.report || !outcome.finished || args.shard != Shard::WHOLE || !is_small {
        return None;
    }
    let page = outcome.journal.with_file_name("report.html");
    let journals = [outcome.journal.clone()];
    let ticker = Ticker::new(console::SCREEN);
    let transcripts = tournament.transcripts.as_deref();
    let extras = Extras { transcripts, ticker: Some(&ticker), ..Extras::default() };
    let made = report::page::tournament_page(&tournament.name, &journals, None, extras)
        .map_err(|error| error.to_string())
        .and_then(|made| std::fs::write(&page, made.page.to_html()).map_err(|error| error.to_string()));
    if let Err(problem) = made {
        console::tell(&format!("{}: {}", page.display(), harmless::sentence(&problem)));
        return None;
    }
    Some(page)
}

/// The difference in strength after a sequential test, corrected for the stopping rule. `None` if
/// the games say nothing about strength.
fn strength(tournament: &Tournament, test: &RunningTest, faults: u64) -> Option<Unbiased> {
    let has_elo = test.no_elo().is_none() && faults == 0;
    tournament.sprt.unbiased(&Outcomes::of_levels(test.blocks())).filter(|_| has_elo)
}

fn sprt_sentence(tournament: &Tournament, test: &RunningTest, faults: u64) -> String {
    let SprtResult { llr, words, .. } = test.result();
    let (low, high) = test.bounds();
    let counted = if tournament.sprt.scale == Scale::Bayesian { "games" } else { "blocks" };
    let has_verdict = test.no_elo().is_none();
    let no_elo = if has_verdict && faults > 0 { words_of_faults(faults) + "\n" } else { String::new() };
    let strength = strength(tournament, test, faults).map_or(no_elo, |found| {
        let [first, second] = [0, 1].map(|bot| harmless::line(&tournament.series.bots[bot].name));
        let (elo, ends) = (found.elo.round() + 0.0, ends(found.low, found.high));
        indented("", &format!("{first} against {second}:"))
            + &format!("{elo:+} Elo, {ends} (95 % interval, corrected for the stopping rule)\n")
    });
    let blocks = test.blocks();
    format!(
        "{words}\n{strength}(LLR {llr:.2} in {low:.2} … {high:.2}; {counted} from lost to won: {blocks:?})\n\n"
    )
}
