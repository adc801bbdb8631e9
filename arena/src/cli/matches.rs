//! `arena match`: some bots, one game, many times.

use super::numbers::{DAY_MS, whole};
use super::{Failure, about, counted, say, unwritable, usage};
use crate::console;
use protocol::Measured;
use referee::clock::ClockRules;
use referee::fault::Code;
use referee::game::{FaultPolicy, Job};
use referee::record::Record;
use referee::runner::{self, Plan};
use referee::seeds::{RootSeed, SeedChoice, deal_seed};
use referee::spec::BotSpec;
use rules::{Family, Game, Kind, Seed, Setting, Table};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};
use text::harmless;
use text::wrap::indented;
use tournament::elo_gap::EloGap;
use tournament::standings::short_names;
use tournament::tally::{NoElo, Standing, Tally};

/// Let bots play a game against each other
#[derive(clap::Args)]
#[command(
    after_help = "A bot is builtin:NAME?option=value (see `arena bot --help`), a folder with bot.toml or an archive of one, \
    a path to a program, or a command line. \
    Each deal is played once in every seat order, so that luck and the first move cancel out. The same seed \
    gives the same deals, and with deterministic bots the same games, at any concurrency.\n\n\
    Examples:\n  arena match tic-tac-toe builtin:random builtin:alpha-beta --games 20\n  \
    arena match 'quixo?size=4' 'python3 bots/python/random_bot.py' 'builtin:minimax?depth=2' --seed 7\n  \
    arena match meidale builtin:random builtin:greedy builtin:random --record games.jsonl\n  \
    arena match nim ./my-bot builtin:greedy --json\n\n\
    Exit codes: 0 fine, 1 a bot failed, 2 wrong usage or input, 3 an error of \
    the arena or the machine (some games could not be played)."
)]
pub struct Args {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The bots: one per seat, or one per team
    #[arg(required = true)]
    bots: Vec<String>,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// How many games to play
    #[arg(long, default_value_t = 10, value_parser = whole::<u32, 1, 1_000_000>)]
    games: u32,
    /// Everything random comes from this number, 64 hexadecimal digits or `random` [default: 1, or `random` where
    /// cards are hidden]
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Time for each move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Time for the whole game, used where a move takes longer than --move-ms
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64, 0, DAY_MS>)]
    bank_ms: u64,
    /// Added to the bank after every move
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64, 0, DAY_MS>)]
    increment_ms: u64,
    /// Time for a bot to start, in addition to its first move
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = whole::<u64, 0, DAY_MS>)]
    startup_ms: u64,
    /// Measure processor time instead of wall-clock time: fair on a busy machine
    #[arg(long)]
    cpu_time: bool,
    /// Memory for all processes of a bot together
    #[arg(long, value_name = "MIB", value_parser = whole::<u64, 1, 1_048_576>)]
    memory: Option<u64>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16, 1, 1_024>)]
    concurrency: Option<u16>,
    /// Start a new process of every bot for each game, as is usual where cards are hidden
    #[arg(long)]
    restart: bool,
    /// Keep the processes from game to game even where cards are hidden: bots then know the cards of
    /// a deal when it returns
    #[arg(long, conflicts_with = "restart")]
    no_restart: bool,
    /// Stop all processes of a bot while others must move, so that no bot thinks on another's time
    #[arg(long)]
    no_pondering: bool,
    /// Let the system move games between cores
    #[arg(long)]
    no_pin: bool,
    /// What happens to a game of more than two sides when a bot fails
    #[arg(long, value_enum, default_value_t)]
    on_fault: FaultPolicy,
    /// Write a record of every game to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let specs =
        args.bots.iter().map(|bot| bot.parse()).collect::<Result<Vec<BotSpec>, _>>().map_err(usage)?;
    let (game, mut params) = super::game_with_params(&args.game, args.params.as_deref())?;
    fit_seats(game, &mut params, specs.len()).map_err(usage)?;
    let setting = game.prepare(&Value::Object(params)).map_err(usage)?;
    let table = setting.start(Seed::from_number(0)).map_err(usage)?;
    check_bots(game, &specs)?;
    specs.iter().try_for_each(|spec| spec.check_game(game.about.id, table.params())).map_err(usage)?;
    let seatings = seatings(&*table, specs.len()).map_err(usage)?;
    let seed = args.seed.unwrap_or_else(|| SeedChoice::usual([game.kind])).settle()?;
    if let Some(warning) = seed.warning(game.kind) {
        console::tell(&warning);
    }
    let games = games(args, seed, &setting, &specs, &seatings);
    let plan = plan(args, game.kind, specs);
    let names: Vec<String> = plan.bots.iter().map(|bot| bot.text.clone()).collect();
    let mut tally = Tally::new(&names, seatings.len(), teams(&*table));
    let mut faults = Vec::new();
    let mut file = args.record.as_ref().map(|path| open(args, path)).transpose()?;
    let mut written = Ok(());
    let mut played = 0;
    runner::run(&plan, &games, |record| {
        tally.add(record, &games[played].1);
        played += 1;
        faults.extend(record.faults.iter().map(|fault| Failing::of(record, fault)));
        if let Some(file) = &mut file {
            // Each game is on its way to the disk when it counts.
            let result = writeln!(file, "{}", record.to_line()).and_then(|()| file.flush());
            if written.is_ok() {
                written = result;
            }
        }
    })?;
    written.map_err(|error| about(record_flag(args), &error))?;
    report(args, game, (seed, table.params()), &tally, &faults)?;
    let unplayed: BTreeSet<&str> =
        faults.iter().filter(|fault| fault.ours).map(|fault| fault.match_id.as_str()).collect();
    match unplayed.len() {
        0 if faults.is_empty() => Ok(()),
        0 => Err(Failure::Failed(String::new())),
        unplayed => {
            Err(Failure::Ours(format!("{} could not be played", super::counted(unplayed as u64, "game"))))
        }
    }
}

/// In a game for a varying number of seats, as many as there are bots.
fn fit_seats(game: &Game, params: &mut Map<String, Value>, bots: usize) -> Result<(), String> {
    let (least, most) = game.about.seats;
    if least == most || params.contains_key("seats") {
        return Ok(());
    }
    if !(least as usize..=most as usize).contains(&bots) {
        return Err(format!("{} needs {least} to {most} bots, not {bots}", game.about.id));
    }
    params.insert("seats".to_owned(), json!(bots));
    Ok(())
}

fn check_bots(game: &Game, specs: &[BotSpec]) -> Result<(), Failure> {
    let unfit = specs.iter().find(|spec| game.kind == Kind::Hidden && !spec.plays_hidden_games());
    match unfit {
        Some(spec) => Err(usage(format!(
            "{spec} needs to see the whole position, and {} hides cards; try builtin:ismcts or builtin:greedy",
            game.about.id
        ))),
        None => Ok(()),
    }
}

/// Which side each seat is on.
fn teams(table: &dyn Table) -> Vec<usize> {
    let teams = rules::teams(table);
    let team_of = |seat: u8| teams.iter().position(|team| team.contains(rules::Seat(seat))).unwrap_or(0);
    (0..table.seats()).map(team_of).collect()
}

/// Who sits where, in every rotation: one bot per seat, or one per team.
fn seatings(table: &dyn Table, bots: usize) -> Result<Vec<Vec<usize>>, String> {
    let seats = table.seats() as usize;
    let team_of = teams(table);
    let teams = rules::teams(table);
    if bots != seats && bots != teams.len() {
        let teams =
            if teams.len() == seats { String::new() } else { format!(", or {} for its teams", teams.len()) };
        let one = if seats == 1 { "bot" } else { "bots" };
        return Err(format!("{} needs {seats} {one}{teams}, not {bots}", table.about().id));
    }
    let chair = |seat: usize| if bots == seats { seat } else { team_of[seat] };
    Ok((0..bots).map(|turn| (0..seats).map(|seat| (chair(seat) + turn) % bots).collect()).collect())
}

fn games(
    args: &Args,
    seed: RootSeed,
    setting: &Arc<dyn Setting>,
    bots: &[BotSpec],
    seatings: &[Vec<usize>],
) -> Vec<(Job, Vec<usize>)> {
    let ms = Duration::from_millis;
    let clock = ClockRules {
        startup: ms(args.startup_ms),
        per_move: ms(args.move_ms),
        bank: ms(args.bank_ms),
        increment: ms(args.increment_ms),
        measured: if args.cpu_time { Measured::Cpu } else { Measured::Wall },
    };
    let job = |number: u32| {
        let (deal, turn) = (number as usize / seatings.len(), number as usize % seatings.len());
        let seating = seatings[turn].clone();
        let job = Job {
            match_id: format!("{:04}", number + 1),
            setting: Arc::clone(setting),
            seed: deal_seed(seed, deal as u64),
            match_seed: seed,
            names: seating.iter().map(|&bot| bots[bot].text.clone()).collect(),
            clocks: vec![clock; seating.len()],
            policy: args.on_fault,
            pondering: !args.no_pondering,
            block: None,
            round: None,
            opening: Vec::new(),
        };
        (job, seating)
    };
    (0..args.games).map(job).collect()
}

fn plan(args: &Args, kind: Kind, bots: Vec<BotSpec>) -> Plan {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Plan {
        concurrency: args.concurrency.map_or(cores, usize::from),
        // A process that has played one half of a deal knows the cards of the other half.
        restart: args.restart || (kind == Kind::Hidden && !args.no_restart),
        memory_bytes: vec![args.memory.map(|mib| mib * 1_048_576); bots.len()],
        pin: !args.no_pin,
        bots,
    }
}

fn open(args: &Args, path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| unwritable(record_flag(args), &error))
}

fn record_flag(args: &Args) -> String {
    format!("--record {}", args.record.as_deref().unwrap_or(Path::new("")).display())
}

/// A failure, and in which game it was.
struct Failing {
    match_id: String,
    bot: String,
    /// Could the game not be played, through no fault of a bot?
    ours: bool,
    text: String,
    json: Value,
}

impl Failing {
    fn of(record: &Record, fault: &referee::record::SeatFault) -> Failing {
        let bot = record.bots.get(fault.seat as usize).cloned().unwrap_or_default();
        let json = json!({ "match": record.match_id, "bot": bot, "fault": fault });
        let ours = fault.fault.code == Code::ArenaFault;
        Failing { match_id: record.match_id.clone(), bot, ours, text: fault.fault.to_string(), json }
    }
}

fn report(
    args: &Args,
    game: &Game,
    (seed, params): (RootSeed, &Value),
    tally: &Tally,
    faults: &[Failing],
) -> Result<(), Failure> {
    let standings = tally.standings();
    let elo = if standings.len() == 2 { tally.elo() } else { Err(NoElo::NoGames) };
    if args.json {
        let faults: Vec<&Value> = faults.iter().map(|fault| &fault.json).collect();
        return say(&format!(
            "{}\n",
            json!({
                "game": game.about.id, "params": params, "seed": seed, "games": args.games,
                "standings": standings, "elo": elo.ok(), "faults": faults,
            })
        ));
    }
    // In a board game the points say no more than the score.
    let table = table(&standings, game.about.family == Family::Cards);
    let games = counted(args.games.into(), "game");
    let break_before = if matches!(seed, RootSeed::Secret(_)) { '\n' } else { ' ' };
    let mut text = format!("{}, {games},{break_before}seed {seed}\n\n{table}", game.about.id);
    text.push_str(&elo_sentence(&standings, elo));
    text.push_str(&fault_report(faults));
    say(&text)
}

pub(super) fn table(standings: &[Standing], with_points: bool) -> String {
    let mut rows: Vec<&Standing> = standings.iter().collect();
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
        let faults: u32 = row.faults.values().sum();
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

fn elo_sentence(standings: &[Standing], elo: Result<EloGap, NoElo>) -> String {
    let gap = match elo {
        Ok(gap) => gap,
        Err(NoElo::NoGames | NoElo::Faults) => return String::new(),
        Err(NoElo::Repeated) => {
            return "\nNo Elo: every deal was played alike, move by move, so this is one game played\n\
                    again and again. `arena tournament --openings 4` makes deals begin differently.\n"
                .to_owned();
        }
    };
    let (first, second) = (harmless::line(&standings[0].bot), harmless::line(&standings[1].bot));
    let (stronger, weaker, gap) =
        if gap.difference >= 0.0 { (first, second, gap) } else { (second, first, gap.reversed()) };
    let guarded = if gap.guarded { "; a rough estimate: all deals ended alike" } else { "" };
    let ends = format!(
        "{} (95 % interval; stronger with probability {:.1} %{guarded}).",
        gap.ends(),
        gap.superiority * 100.0
    );
    format!("\n{stronger} is {:.0} Elo above {weaker},\n{}", gap.difference, indented("", &ends))
}

/// The first failure of each kind in full, and how often it came.
fn fault_report(faults: &[Failing]) -> String {
    let mut kinds: BTreeMap<(&str, &str), (u32, &Failing)> = BTreeMap::new();
    for fault in faults {
        let code = fault.text.split(':').next().unwrap_or_default();
        kinds.entry((&fault.bot, code)).or_insert((0, fault)).0 += 1;
    }
    let mut text = String::new();
    for ((bot, _), (count, first)) in kinds {
        let more = if count > 1 { format!(" (the first of {count})") } else { String::new() };
        let bot = harmless::line(bot);
        let Failing { match_id, text: words, .. } = first;
        text.push_str(&if first.ours {
            format!("\nmatch {match_id} does not count{more}; no bot is to blame:\n{words}\n")
        } else {
            format!("\n{bot} failed in match {match_id}{more}:\n{words}\n")
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_sits_in_every_seat() {
        let table = rules::find("nim").unwrap().start(&Value::Null, Seed::from_number(0)).unwrap();
        assert_eq!(seatings(&*table, 2), Ok(vec![vec![0, 1], vec![1, 0]]));
        assert_eq!(seatings(&*table, 3), Err("nim needs 2 bots, not 3".to_owned()));
    }
}
