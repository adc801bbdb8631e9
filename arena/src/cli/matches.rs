//! `arena match`: bots play one game many times.

use super::explore::ExploreArgs;
use super::numbers::{DAY_MS, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, about, counted, say, unwritable, usage};
use crate::console;
use config_file::Whole;
use protocol::Measured;
use referee::clock::ClockRules;
use referee::fault::Code;
use referee::game::FaultPolicy;
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::{RootSeed, SeedChoice};
use referee::spec::{BotSpec, GameSpec};
use rules::{Family, Game, Kind, Seed};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};
use text::wrap::indented;
use text::{Ticker, harmless};
use tournament::book::Book;
use tournament::draft::MemoryMib;
use tournament::elo_gap::{EloGap, words_of_faults};
use tournament::openings;
use tournament::paired::{NoElo, PairedBlocks};
use tournament::schedule::{Cursor, Stage};
use tournament::seating::Arrangements;
use tournament::series::{Entrant, GameEntry, SeatingBy, Series};
use tournament::standings::{Collector, MatchRow, short_names};

/// Let bots play a game against each other
#[derive(clap::Args)]
#[command(
    after_help = "A bot is builtin:NAME?option=value (see `arena bot --help`), a folder with bot.toml, an archive of such a \
    folder, a path to a program, or a command line. \
    Each deal is played once in every seat order, so that luck and the first move cancel out. The same seed \
    gives the same deals, and with deterministic bots the same games, at any concurrency.\n\n\
    Examples:\n  arena match tic-tac-toe builtin:random builtin:alpha-beta --games 20\n  \
    arena match 'quixo?size=4' 'python3 bots/python/first_bot.py' 'builtin:minimax?depth=2' --seed 7\n  \
    arena match meidale builtin:random builtin:greedy builtin:random --record games.jsonl\n  \
    arena match nim ./my-bot builtin:greedy --transcript said\n  \
    arena match nim ./my-bot builtin:greedy --json\n  \
    arena match othello ./my-bot builtin:greedy --position 'd3 c3 c4'\n\n\
    Exit codes: 0 success, 1 a bot failed, 2 wrong usage or input, 3 an error of \
    the arena or the machine (some games could not be played)."
)]
pub struct MatchArgs {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The bots: one per seat, or one per team
    #[arg(required = true)]
    bots: Vec<String>,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// The number of games
    #[arg(long, default_value_t = 10, value_parser = whole::<u32, 1, 1_000_000>)]
    games: u32,
    /// Begin each deal with this many random plies, in board games
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = whole::<u32, 0, { openings::MOST_PLIES as u64 }>)]
    openings: u32,
    /// Begin each game with these moves, separated by blanks
    #[arg(long, value_name = "MOVES", conflicts_with = "openings")]
    position: Option<String>,
    /// Play one deal again: the `seed` of a record, 64 hexadecimal digits
    #[arg(long, value_name = "SEED")]
    deal: Option<Seed>,
    /// The seed of everything random: a number, 64 hexadecimal digits or `random` [default: 1, or
    /// `random` if cards are hidden]
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Time for each move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Extra time for the whole game, used when a move takes longer than --move-ms
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64, 0, DAY_MS>)]
    bank_ms: u64,
    /// Added to the bank after every move
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64, 0, DAY_MS>)]
    increment_ms: u64,
    /// Extra time for a bot to start, before its first move
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = whole::<u64, 0, DAY_MS>)]
    startup_ms: u64,
    /// Measure processor time instead of wall-clock time, which is fair on a busy machine
    #[arg(long)]
    cpu_time: bool,
    /// Memory for all processes of a bot together
    #[arg(long, value_name = "MIB")]
    memory: Option<MemoryMib>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16, 1, 1_024>)]
    concurrency: Option<u16>,
    /// Start a new process of every bot for each game, which is the default if cards are hidden
    #[arg(long)]
    restart: bool,
    /// Keep the processes from game to game even if cards are hidden: bots then know the cards when
    /// a deal is played again
    #[arg(long, conflicts_with = "restart")]
    no_restart: bool,
    /// Stop all processes of a bot while others must move, so that no bot thinks on another's time
    #[arg(long)]
    no_pondering: bool,
    /// Let the system move games between cores
    #[arg(long)]
    no_pin: bool,
    /// If a bot fails in a game of more than two sides: `forfeit` makes the bot last, and a random
    /// bot plays on in its seat; `void` does not count the game
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    on_fault: FaultPolicy,
    /// Write a record of every game to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write everything that was said in each game, and the standard error of the bots, into files of
    /// this folder
    #[arg(long, value_name = "DIR")]
    transcript: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    explore: ExploreArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub fn run(args: &MatchArgs) -> Result<(), Failure> {
    let sandbox =
        Arc::new(args.sandbox.settle()?.closing(args.record.iter().chain(&args.transcript).cloned()));
    let specs = args.bots.iter().map(|bot| super::bot_named(bot, &sandbox)).collect::<Result<Vec<_>, _>>()?;
    let spec = super::game_line(&args.game, args.params.as_deref())?.for_bots(specs.len()).map_err(usage)?;
    specs.iter().try_for_each(|bot| spec.check(bot)).map_err(usage)?;
    let game = spec.game;
    let entry = GameEntry { opening_plies: args.openings, ..game_entry(spec, specs.len())? };
    if let Some(problem) = openings::problem(&entry, 0, args.openings) {
        return Err(usage(format!("--openings: {problem}")));
    }
    let seed = args.seed.unwrap_or_else(|| SeedChoice::usual([game.kind])).settle()?;
    if let Some(warning) = seed.warning(game.kind) {
        console::tell(&warning);
    }
    let book = args.position.as_deref().filter(|moves| !moves.trim().is_empty());
    let book = book.map(|moves| position_book(moves, &entry)).transpose()?;
    let series = Series { book, deal: args.deal, ..series(args, entry, specs) };
    let played = play(args, &series, seed)?;
    report(args, &series, seed, &played)?;
    let faults = &played.faults;
    let unplayed: BTreeSet<&str> =
        faults.iter().filter(|fault| fault.ours).map(|fault| fault.match_id.as_str()).collect();
    match unplayed.len() {
        0 if faults.is_empty() => Ok(()),
        0 => Err(Failure::Failed(String::new())),
        unplayed => Err(Failure::Ours(format!("{} could not be played", counted(unplayed as u64, "game")))),
    }
}

/// The time between two tables on a terminal.
const PAUSE: Duration = Duration::from_millis(200);

/// The book whose only opening leads to the position.
fn position_book(moves: &str, entry: &GameEntry) -> Result<Book, Failure> {
    if entry.game.kind == Kind::Hidden {
        return Err(usage("--position is for board games, because cards are shuffled"));
    }
    let wrong = |wrong: Vec<String>| {
        let first = wrong.first().map_or("", String::as_str);
        usage(format!("--position: {}", first.strip_prefix("line 1: ").unwrap_or(first)))
    };
    Book::read(&moves.split_whitespace().collect::<Vec<_>>().join(" "), &*entry.setting).map_err(wrong)
}

/// The results of the games.
struct PlayedGames {
    collector: Collector,
    blocks: PairedBlocks,
    faults: Vec<Failing>,
}

fn play(args: &MatchArgs, series: &Series, seed: RootSeed) -> Result<PlayedGames, Failure> {
    let entry = &series.games[0];
    let collector = Collector::of(series.bots.iter().map(|bot| bot.name.as_str()));
    let blocks = PairedBlocks::new(entry.arrangements.len());
    let mut played = PlayedGames { collector, blocks, faults: Vec::new() };
    let mut file = args.record.as_ref().map(|path| open(args, path)).transpose()?;
    let mut scribe = super::scribe(args.transcript.as_deref())?;
    let mut written = Ok(());
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin(format!("match of {}", entry.game.about.id));
    ticker.expect("games", args.games as usize);
    let mut shown = Instant::now();
    let bots = (0..series.bots.len()).map(BotId).collect();
    let (stage, cursor) = (Stage::of_one_table(bots, args.games.into()), Cursor::of_games(args.games.into()));
    series.play(&stage, seed, cursor, |_, seating, record| {
        ticker.tick();
        if ticker.is_seen() && shown.elapsed() >= PAUSE {
            shown = Instant::now();
            let rows = table(&played.collector.match_rows(), entry.game.about.family == Family::Cards);
            ticker.show_rows(rows.lines().map(str::to_owned).collect());
        }
        let said = scribe.write(&record.match_id.clone(), record, |name| series.bot_named(name));
        if written.is_ok() {
            written = said.map_err(|error| about("--transcript", &error));
        }
        if let Err(problem) = played.collector.add_seated(record, seating) {
            tracing::error!(record.match_id, problem, "not counted");
        }
        played.blocks.add(record, entry.worth(record, seating, BotId(0)));
        played.faults.extend(record.faults.iter().map(|fault| Failing::of(record, fault)));
        if let Some(file) = &mut file {
            // Each game is written at once, so that an interrupted match keeps its games.
            let result = writeln!(file, "{}", record.to_line()).and_then(|()| file.flush());
            if written.is_ok() {
                written = result.map_err(|error| about(record_flag(args), &error));
            }
        }
        ControlFlow::Continue(())
    })?;
    drop(ticker);
    written?;
    Ok(played)
}

/// The game with its bots in every rotation, one bot per seat or one bot per team.
pub(super) fn game_entry(spec: GameSpec, bots: usize) -> Result<GameEntry, Failure> {
    let (id, seats, teams) = (spec.id(), spec.teams.len(), spec.sides());
    if bots != seats && bots != teams {
        let teams = if teams == seats { String::new() } else { format!(", or {teams} for its teams") };
        let one = if seats == 1 { "bot" } else { "bots" };
        return Err(usage(format!("{id} needs {seats} {one}{teams}, not {bots}")));
    }
    let by = if bots == seats { SeatingBy::Seat } else { SeatingBy::Team };
    let entry = GameEntry::new(String::new(), spec, by);
    Ok(GameEntry { arrangements: Arrangements::Rotations.of(bots), ..entry })
}

fn series(args: &MatchArgs, entry: GameEntry, specs: Vec<BotSpec>) -> Series {
    let ms = Duration::from_millis;
    let clock = ClockRules {
        startup: ms(args.startup_ms),
        per_move: ms(args.move_ms),
        bank: ms(args.bank_ms),
        increment: ms(args.increment_ms),
        measured: if args.cpu_time { Measured::Cpu } else { Measured::Wall },
    };
    let entrant = |spec: BotSpec| Entrant {
        memory_mib: args.memory.map(Whole::get),
        ..Entrant::new(spec.text.clone(), spec, clock)
    };
    let usual = Series::new(vec![entry], specs.into_iter().map(entrant).collect());
    Series {
        concurrency: args.concurrency.map_or(usual.concurrency, usize::from),
        restart: args.restart || (usual.restart && !args.no_restart),
        on_fault: args.on_fault,
        pondering: !args.no_pondering,
        explore: args.explore.over(usual.explore),
        pin: !args.no_pin,
        transcripts: args.transcript.is_some(),
        ..usual
    }
}

fn open(args: &MatchArgs, path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| unwritable(record_flag(args), &error))
}

fn record_flag(args: &MatchArgs) -> String {
    format!("--record {}", args.record.as_deref().unwrap_or(Path::new("")).display())
}

/// A fault, and the game in which it happened.
struct Failing {
    match_id: String,
    /// Is this a fault of the arena?
    ours: bool,
    json: Value,
}

impl Failing {
    fn of(record: &Record, fault: &referee::record::SeatFault) -> Failing {
        let bot = record.bots.get(fault.seat as usize);
        let mut json = json!({ "match": record.match_id, "bot": bot, "fault": fault });
        if let Some(repeat) = &fault.fault.repeat {
            json["repeat"] = json!(repeat);
        }
        let ours = fault.fault.code == Code::ArenaFault;
        Failing { match_id: record.match_id.clone(), ours, json }
    }
}

fn report(args: &MatchArgs, series: &Series, seed: RootSeed, played: &PlayedGames) -> Result<(), Failure> {
    let PlayedGames { collector, blocks, faults } = played;
    let GameEntry { game, setting, .. } = &series.games[0];
    let standings = collector.match_rows();
    // Games that were lost by faults say nothing about strength.
    let elo = match collector.fault_count() {
        _ if standings.len() != 2 => Err(NoElo::NoGames),
        0 => blocks.elo(),
        _ => Err(NoElo::Faults),
    };
    if args.json {
        let faults: Vec<&Value> = faults.iter().map(|fault| &fault.json).collect();
        return say(&format!(
            "{}\n",
            json!({
                "game": game.about.id, "params": setting.params(), "seed": seed, "games": args.games,
                "standings": standings, "elo": elo.ok(), "faults": faults,
            })
        ));
    }
    // In a board game the points say the same as the score.
    let table = table(&standings, game.about.family == Family::Cards);
    let games = counted(args.games.into(), "game");
    let break_before = if matches!(seed, RootSeed::Secret(_)) { '\n' } else { ' ' };
    let mut text = format!("{}, {games},{break_before}seed {seed}\n\n", game.about.id);
    // Somebody whose bot has failed looks for the reason first.
    text.extend(collector.failures().map(|(bot, failures)| failures.report(bot) + "\n"));
    text.push_str(&table);
    text.push_str(&elo_sentence(&standings, elo, collector.fault_count()));
    if collector.fault_count() == 0 {
        text.push_str(&repeats_sentence(game, blocks.repeats()));
    }
    say(&text)
}

pub(super) fn table(standings: &[MatchRow], with_points: bool) -> String {
    let mut rows: Vec<&MatchRow> = standings.iter().collect();
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    let solitaire = rows.len() == 1;
    let mut table = Builder::default();
    let mut push = |cells: [String; 7]| {
        let shown =
            cells.into_iter().enumerate().filter(|(at, _)| *at != 4 || with_points).map(|(_, cell)| cell);
        table.push_record(shown);
    };
    push(["bot", "games", "w-d-l", "score", "points", "faults", "ms/move"].map(str::to_owned));
    let names: Vec<&str> = rows.iter().map(|row| row.bot.as_str()).collect();
    let names = short_names(&names, if with_points { 22 } else { 30 });
    for (row, name) in rows.into_iter().zip(names) {
        let faults: u64 = row.faults.values().sum();
        push([
            name,
            row.games.to_string(),
            format!("{}-{}-{}", row.won, row.drawn, row.lost),
            if solitaire { "-".to_owned() } else { format!("{:.1} %", row.score * 100.0) },
            format!("{:.2}", row.points),
            faults.to_string(),
            format!("{:.2}", row.mean_move_us / 1_000.0),
        ]);
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..), Alignment::right());
    // Without the blanks that the style leaves at the end of each line.
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Fewer games than this say too little for a sentence about Elo.
const FEW_GAMES: u64 = 10;

fn elo_sentence(standings: &[MatchRow], elo: Result<EloGap, NoElo>, faults: u64) -> String {
    let games = standings[0].games;
    let gap = match elo {
        Err(NoElo::Faults) if faults < games => {
            return format!("\n{}\n", words_of_faults(faults));
        }
        Ok(gap) if games >= FEW_GAMES => gap,
        _ => return String::new(),
    };
    let mut names = [&standings[0].bot, &standings[1].bot].map(|name| harmless::line(name));
    if names[0] == names[1] {
        names = [format!("the first {}", names[0]), format!("the second {}", names[1])];
    }
    let [first, second] = names;
    let (stronger, weaker, gap) =
        if gap.difference >= 0.0 { (first, second, gap) } else { (second, first, gap.reversed()) };
    let guarded = if gap.guarded { "; a rough estimate: all deals had the same result" } else { "" };
    let ends = format!(
        "{} (95 % interval; stronger with probability {:.1} %{guarded}).",
        gap.ends(),
        gap.superiority * 100.0
    );
    let above = format!("{stronger} is {:.0} Elo above {weaker},", gap.difference);
    format!("\n{}{}", indented("", &above), indented("", &ends))
}

/// Deterministic bots play the same game again if nothing is different. Such games tell nothing new.
fn repeats_sentence(game: &Game, (deals, repeated): (usize, usize)) -> String {
    let words = match repeated {
        0 => return String::new(),
        _ if repeated + 1 == deals => {
            format!("No Elo: all {deals} deals have the same moves, so one game is played again and again.")
        }
        _ => format!("{repeated} of {deals} deals repeat the moves of an earlier deal."),
    };
    let advice =
        if game.kind == Kind::Hidden { "" } else { " `--openings 4` makes deals begin differently." };
    format!("\n{}", indented("", &(words + advice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_sits_in_every_seat() {
        for (game, bots, seatings) in [
            ("nim", 2, vec![vec![0, 1], vec![1, 0]]),
            ("quixo-teams", 2, vec![vec![0, 1, 0, 1], vec![1, 0, 1, 0]]),
        ] {
            let entry = game_entry(game.parse().unwrap(), bots).ok().unwrap();
            let series = Series::new(vec![entry], Vec::new());
            let stage = Stage::of_one_table((0..bots).map(BotId).collect(), 1);
            let mut cursor = Cursor::of_games(10);
            for expected in seatings {
                let slot = cursor.next(&series, &stage).unwrap();
                let seating: Vec<usize> = stage.seating(&series, &slot).iter().map(|bot| bot.0).collect();
                assert_eq!(seating, expected);
            }
            assert!(cursor.next(&series, &stage).is_none());
        }
        let refused = game_entry("nim".parse().unwrap(), 3).err();
        assert!(matches!(refused, Some(Failure::Usage(problem)) if problem == "nim needs 2 bots, not 3"));
    }
}
