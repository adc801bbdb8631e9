//! `arena bench`: measures the cost of the arena, compared with the cost of the machine itself.

mod explore_rate;
mod published;
mod raw_pipe;
mod scale_rate;
mod search_rate;
mod solve_rate;
mod standings_cost;
mod start_cost;
mod tournament_rate;

pub use explore_rate::explore;
pub use published::published_starts;
pub use raw_pipe::echo;

use super::numbers::{seconds, whole};
use super::{Failure, say, usage};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use raw_pipe::{ping_pong, stay_on_one_core};
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::game::{FaultPolicy, Job};
use referee::runner::{self, BotId, RunPlan};
use referee::seeds::deal_seed;
use referee::spec::BotSpec;
use rules::Setting;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

/// Measure the pipe, rules, searches, the solver and tournaments
#[derive(clap::Args)]
#[command(
    after_help = "pipe        moves per second through the whole arena (bot `first`, tic-tac-toe), as\n            \
    a ratio to a bare two-process ping-pong of the same run, all on one core\n\
    explore     nodes of tic-tac-toe per second that a bot explores, one by one (a minimax)\n            \
    and 100 in one go, as ratios to the same ping-pong\n\
    start       the time to start a bot under each profile of the sandbox\n\
    rules       random games and perft nodes per second of every game, in CPU time\n\
    search      nodes per second of plain alpha-beta in every duel, in CPU time, from\n            \
    the start, at the depth that takes about --seconds\n\
    solve       positions per second of the exact solver in every duel, in CPU time,\n            \
    and the value if the time is enough\n\
    published   time and states to find published values of games again; exit code 1\n            \
    if another value is found (seven minutes and up to 4 GiB)\n\
    standings   time and memory of `arena standings` for up to 1,000 bots and as many\n            \
    games as --games says (a minute with a million games)\n\
    tournament  games and moves per second of tournaments of 1,000 games (medians of\n            \
    three), as a ratio to the same ping-pong; the arena's CPU; memory after\n            \
    as many games as --games says; the cost of new processes for each game\n            \
    (half a minute; two minutes with a million games)\n\
    scale       tournaments on an engine beside the same games here: time per game, two\n            \
    workers, the coordinator with simulated workers, and kill -9 (some minutes;\n            \
    needs nats-server)\n\n\
    Examples:\n  arena bench pipe\n  arena bench rules --seconds 0.5 --json\n  \
    arena bench search --game 'othello?size=6' --depth 8"
)]
pub struct BenchArgs {
    /// What to measure
    #[arg(value_parser = [
        "pipe", "explore", "start", "rules", "search", "solve", "published", "standings", "tournament", "scale",
    ])]
    what: String,
    /// Time for each measurement
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Only this game (for rules, search, solve and published)
    #[arg(long)]
    game: Option<String>,
    /// Leave out the values that take minutes (for published)
    #[arg(long)]
    quick: bool,
    /// Search to this depth instead of the depth that takes the time (for search)
    #[arg(long, value_parser = whole::<u32, 1, 1_000>)]
    depth: Option<u32>,
    /// Measure memory with 1000 to 1000000 games, up to this number (for standings and tournament); the
    /// number of simulated games (for scale)
    #[arg(long, default_value_t = 100_000, value_parser = whole::<u64, 1, 1_000_000>)]
    games: u64,
    /// The server to measure with [default: nats-server on the path] (for scale)
    #[arg(long, value_name = "FILE")]
    nats_server: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    if !(0.01..=600.0).contains(&args.seconds) {
        return Err(usage(format!("--seconds must be from 0.01 to 600, not {}", args.seconds)));
    }
    match args.what.as_str() {
        "pipe" => pipe(args),
        "explore" => explore_rate::table(args),
        "search" => search_rate::table(args),
        "solve" => solve_rate::table(args),
        "published" => published::table(args),
        "standings" => standings_cost::table(args),
        "tournament" => tournament_rate::table(args),
        "start" => start_cost::table(args),
        "scale" => scale_rate::table(args),
        _ => rules_table(args),
    }
}

/// The game of `--game`, or every duel.
fn duels(args: &BenchArgs) -> Result<Vec<(&'static rules::Game, Value)>, Failure> {
    match &args.game {
        Some(name) => {
            let spec = super::game_named(name, None)?;
            Ok(vec![(spec.game, spec.setting.params().as_ref().clone())])
        }
        None => {
            let duels = rules::GAMES.iter().filter(|game| game.kind == rules::Kind::Duel);
            Ok(duels.map(|game| (game, Value::Null)).collect())
        }
    }
}

fn pipe(args: &BenchArgs) -> Result<(), Failure> {
    stay_on_one_core();
    let time = Duration::from_secs_f64(args.seconds);
    // Measured before and after, to notice a machine that changes its speed.
    let before = ping_pong(time / 2)?;
    let arena = through_the_arena(time)?;
    let after = ping_pong(time / 2)?;
    let raw = f64::midpoint(before, after);
    let ratio = arena.per_second / raw;
    if args.json {
        return say(&format!(
            "{}\n",
            json!({
                "raw_round_trips_per_second": raw, "moves_per_second": arena.per_second, "ratio": ratio,
                "arena_cpu_us_per_move": arena.cpu_us, "reads_and_writes_per_move": arena.calls,
            })
        ));
    }
    say(&format!(
        "bare ping-pong   {raw:>9.0} round trips/s ({before:.0} before, {after:.0} after)\n\
         through arena    {:>9.0} moves/s\n\
         ratio            {ratio:>9.2}\n\
         arena's own CPU  {:>9.2} µs/move\n\
         reads and writes {:>9.2} per move\n",
        arena.per_second, arena.cpu_us, arena.calls
    ))
}

struct Cost {
    per_second: f64,
    cpu_us: f64,
    calls: f64,
}

/// Enough games to last longer than the warm-up.
const LEAST_GAMES: usize = 1_000;

fn through_the_arena(time: Duration) -> Result<Cost, Failure> {
    let game = rules::find("tic-tac-toe").ok_or_else(|| Failure::Ours("no tic-tac-toe".to_owned()))?;
    let setting = game.prepare(&Value::Null).map_err(usage)?;
    let bot: BotSpec = "builtin:first".parse().map_err(usage)?;
    let games = |count: usize| (0..count).map(|number| job(&setting, &bot, number)).collect::<Vec<_>>();
    let plan = RunPlan {
        bots: vec![bot.clone(), bot.clone()],
        concurrency: 1,
        restart: false,
        memory_bytes: vec![None; 2],
        pin: false,
        transcripts: false,
    };
    // A first run finds how many games take about the wanted time. Only the first run starts the
    // bots.
    let sample = measure(&plan, &games(LEAST_GAMES))?;
    let count = (time.as_secs_f64() * sample.per_second / 7.0) as usize;
    measure(&plan, &games(count.max(LEAST_GAMES)))
}

/// A game of two bots with the same name.
fn job(setting: &Arc<dyn Setting>, bot: &BotSpec, number: usize) -> Job {
    Job {
        match_id: number.to_string(),
        setting: Arc::clone(setting),
        seed: deal_seed(0_u64, number as u64),
        match_seed: 0.into(),
        seating: vec![BotId(0), BotId(1)],
        names: vec![bot.text.clone(); 2],
        clocks: vec![ClockRules::default(); 2],
        policy: FaultPolicy::default(),
        pondering: true,
        explore: ExploreRules::default(),
        block: None,
        round: None,
        opening: Vec::new(),
    }
}

/// The beginning of a run, which is not counted.
const WARM_UP: Duration = Duration::from_millis(10);

fn measure(plan: &RunPlan, games: &[Job]) -> Result<Cost, Failure> {
    let (mut moves, mut played) = (0, 0);
    let mut begin = None;
    let (mut first, mut last) = (None, None);
    runner::run(plan, games, |record| {
        played += 1;
        moves += record.moves.len();
        // Counting begins after the first records, when the bots have started. Records come in
        // batches, so it begins with the last record of a batch.
        let begun = *begin.get_or_insert_with(Instant::now);
        if begun.elapsed() < WARM_UP {
            first = Some((Instant::now(), own_cpu_us(), calls()));
            moves = 0;
        }
        if played == games.len() {
            last = Some((Instant::now(), own_cpu_us(), calls()));
        }
    })?;
    let (Some(start), Some(end)) = (first, last) else {
        return Err(Failure::Ours("no game was played".to_owned()));
    };
    let moves = moves as f64;
    Ok(Cost {
        per_second: moves / (end.0 - start.0).as_secs_f64(),
        cpu_us: (end.1 - start.1) / moves,
        calls: (end.2 - start.2) as f64 / moves,
    })
}

/// User and system time of this process alone.
pub(super) fn own_cpu_us() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64
    })
}

/// Read and write system calls of this process so far.
fn calls() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let count =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    count("syscr:").unwrap_or(0) + count("syscw:").unwrap_or(0)
}

fn rules_table(args: &BenchArgs) -> Result<(), Failure> {
    let time = Duration::from_secs_f64(args.seconds);
    let games: Vec<&rules::Game> = match &args.game {
        Some(name) => vec![rules::parse_name(name).map_err(usage)?.0],
        None => rules::GAMES.iter().collect(),
    };
    let mut table = Builder::default();
    table.push_record(["game", "random games/s", "plies/s", "perft nodes/s"]);
    let mut list = Vec::new();
    for game in games {
        let (games_rate, plies_rate) = playout_rate(game, time)?;
        let nodes_rate = perft_rate(game, time)?;
        list.push(json!({
            "game": game.about.id, "games_per_second": games_rate, "plies_per_second": plies_rate,
            "perft_nodes_per_second": nodes_rate,
        }));
        let whole = |rate: f64| format!("{rate:.0}");
        table.push_record([
            game.about.id.to_owned(),
            whole(games_rate),
            whole(plies_rate),
            whole(nodes_rate),
        ]);
    }
    if args.json {
        return say(&format!("{:#}\n", json!(list)));
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..), Alignment::right());
    say(&format!("{table}\n"))
}

/// Random games and plies per second of CPU time, with draws by history off.
fn playout_rate(game: &rules::Game, time: Duration) -> Result<(f64, f64), Failure> {
    let (mut games, mut plies, mut batch) = (0, 0, 16);
    let start = own_cpu_us();
    loop {
        let done = game.playouts(&Value::Null, batch, 5_000).map_err(usage)?;
        games += done.games;
        plies += done.plies;
        let seconds = (own_cpu_us() - start) / 1e6;
        if seconds >= time.as_secs_f64() {
            return Ok((games as f64 / seconds, plies as f64 / seconds));
        }
        batch = (batch * 2).min(100_000);
    }
}

/// Perft nodes per second of CPU time, at the depth that takes about the wanted time.
fn perft_rate(game: &rules::Game, time: Duration) -> Result<f64, Failure> {
    let seed = rules::Seed::from_number(1);
    let mut rate = 0.0;
    for depth in 1..=60 {
        let start = own_cpu_us();
        let counts = game.perft(&Value::Null, seed, depth, rules::Draws::Off).map_err(usage)?;
        let seconds = (own_cpu_us() - start) / 1e6;
        let nodes: u64 = counts.iter().sum();
        if seconds > 0.001 {
            rate = nodes as f64 / seconds;
        }
        let growth = counts
            .last()
            .zip(counts.iter().rev().nth(1))
            .map_or(10.0, |(a, b)| *a as f64 / (*b).max(1) as f64);
        if counts.last() == Some(&0) || seconds * growth.max(1.0) > time.as_secs_f64() * 2.0 {
            break;
        }
    }
    Ok(rate)
}
