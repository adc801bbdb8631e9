//! `arena bench tournament`: the cost of a whole tournament, with its journal.

use super::super::{Failure, say};
use super::raw_pipe::{ping_pong, stay_on_one_core};
use super::start_cost::start_times;
use super::{BenchArgs, own_cpu_us};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};
use tournament::config;
use tournament::draft;
use tournament::roster::RosterWish;
use tournament::run::{self, RunOptions};
use tournament::schedule::Shard;
use tournament::stop::Stop;
use tournament::venue::Here;

/// The number of games in each measurement of speed.
const GAMES: u64 = 1_000;
/// With this many short games, the start and the end of a tournament do not matter.
const ENOUGH_GAMES: u64 = 10_000;
/// How often each measurement is repeated.
const TIMES: usize = 3;
/// Memory is measured after these numbers of games.
const MANY_GAMES: [u64; 3] = [1_000, 100_000, 1_000_000];
/// The time for each measurement of the bare pipe. The speed of the machine changes from one second
/// to the next.
const RAW: Duration = Duration::from_millis(100);
/// The shortest game: two plies without a choice.
const SHORTEST: &str = "nim?heaps=[1,1]";
/// The number of games with new processes.
const RESTARTS: u64 = 200;

struct MeasuredRate {
    what: String,
    games: u64,
    seconds: f64,
    moves: u64,
    cpu_us: f64,
    resident_kib: u64,
    /// Round trips per second of the bare pipe on one core, directly before and after.
    raw: f64,
}

struct TournamentFigures {
    list: Vec<MeasuredRate>,
    restart_ms: f64,
    /// What the sandbox adds to the first start of a bot in a worker.
    sandbox_ms: f64,
    /// The share of processor time that the host of a virtual machine gave to other machines.
    stolen: f64,
}

/// From this share on a warning is printed.
const MUCH_STOLEN: f64 = 0.01;

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("ludus-bench-{}", std::process::id()));
    let result = measure_all(&folder, args.games);
    let _ = std::fs::remove_dir_all(&folder); // the folder may not exist
    let TournamentFigures { list, restart_ms, sandbox_ms, stolen } = result?;
    if args.json {
        let rows: Vec<Value> = list.iter().map(MeasuredRate::to_json).collect();
        let all = json!({
            "runs": rows, "restart_ms_per_game": restart_ms, "sandbox_ms_per_keeper": sandbox_ms, "stolen": stolen,
        });
        return say(&format!("{all:#}\n"));
    }
    let mut table = Builder::default();
    table.push_record(["", "games", "games/s", "moves/s", "ratio", "arena µs/move", "MiB"]);
    for row in &list {
        table.push_record([
            row.what.clone(),
            row.games.to_string(),
            format!("{:.0}", row.games as f64 / row.seconds),
            format!("{:.0}", row.moves_per_second()),
            format!("{:.2}", row.ratio()),
            format!("{:.1}", row.cpu_us / row.moves as f64),
            format!("{:.1}", row.resident_kib as f64 / 1_024.0),
        ]);
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..), Alignment::right());
    let raw = |end: f64, choose: fn(f64, f64) -> f64| list.iter().map(|row| row.raw).fold(end, choose);
    let (least, most) = (raw(f64::MAX, f64::min), raw(0.0, f64::max));
    let warning = if stolen < MUCH_STOLEN {
        String::new()
    } else {
        format!("{:.0} % of the processor time went to other machines: measure again\n", 100.0 * stolen)
    };
    say(&format!(
        "{table}\n\nratio: moves/s divided by the round trips/s of a bare ping-pong on one core,\nmeasured directly \
         before and after ({least:.0} to {most:.0})\nnew processes for each game cost {restart_ms:.2} ms per game\n\
         the sandbox adds {sandbox_ms:.2} ms to the first start of a bot in a worker\n{warning}"
    ))
}

impl MeasuredRate {
    fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.seconds
    }

    fn ratio(&self) -> f64 {
        self.moves_per_second() / self.raw
    }

    fn to_json(&self) -> Value {
        json!({
            "what": self.what, "games": self.games,
            "games_per_second": self.games as f64 / self.seconds,
            "moves_per_second": self.moves_per_second(), "raw_round_trips_per_second": self.raw,
            "ratio": self.ratio(),
            "arena_cpu_us_per_move": self.cpu_us / self.moves as f64,
            "resident_kib": self.resident_kib,
        })
    }
}

fn measure_all(folder: &Path, most: u64) -> Result<TournamentFigures, Failure> {
    let mut list = Vec::new();
    let before = processor_time();
    for game in ["tic-tac-toe", "othello"] {
        for concurrency in [1, 2, 4] {
            list.push(usual(|| measure(folder, game, GAMES, concurrency, false))?);
        }
    }
    list.push(usual(|| measure(folder, "tic-tac-toe", ENOUGH_GAMES, 1, false))?);
    for games in MANY_GAMES.into_iter().filter(|&games| games <= most) {
        list.push(measure(folder, SHORTEST, games, 2, false)?);
    }
    let kept = usual(|| measure(folder, "tic-tac-toe", RESTARTS, 1, false))?;
    let new = usual(|| measure(folder, "tic-tac-toe", RESTARTS, 1, true))?;
    let restart_ms = (new.seconds - kept.seconds) * 1e3 / RESTARTS as f64;
    let [all, stolen] =
        processor_time().zip(before).map_or([1, 0], |(now, before)| [now[0] - before[0], now[1] - before[1]]);
    let [off, _, strict] = start_times()?;
    let sandbox_ms = strict - off;
    Ok(TournamentFigures { list, restart_ms, sandbox_ms, stolen: stolen as f64 / all.max(1) as f64 })
}

fn raw_rate() -> Result<f64, Failure> {
    let measured = std::thread::spawn(|| {
        stay_on_one_core();
        ping_pong(RAW)
    });
    measured.join().unwrap_or_else(|_| Err(Failure::Ours("the measurement panicked".to_owned())))
}

/// The median of several measurements.
fn usual(measure: impl Fn() -> Result<MeasuredRate, Failure>) -> Result<MeasuredRate, Failure> {
    let mut runs = (0..TIMES).map(|_| measure()).collect::<Result<Vec<_>, _>>()?;
    runs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    Ok(runs.swap_remove(TIMES / 2))
}

fn measure(
    folder: &Path,
    game: &str,
    games: u64,
    concurrency: u64,
    restart: bool,
) -> Result<MeasuredRate, Failure> {
    let folder: PathBuf = folder.join(format!("{games}-{concurrency}-{restart}"));
    let text = format!(
        "game = '{game}'\nbots = ['builtin:first', 'builtin:random']\ndeals = {}\nconcurrency = {concurrency}\n\
         restart = {restart}\n[output]\nfolder = {:?}\n",
        games / 2,
        folder.display().to_string(),
    );
    let mut tournament = config::check(&draft::read("bench", &text))?;
    let options = RunOptions {
        shard: Shard::WHOLE,
        fresh: false,
        resume: false,
        without: Vec::new(),
        roster: RosterWish::default(),
        screen: None,
    };
    let before = raw_rate()?;
    let (begin, cpu) = (Instant::now(), own_cpu_us());
    let outcome = run::play(&mut tournament, &options, &mut Here, &Stop::default())?;
    let (seconds, cpu_us) = (begin.elapsed().as_secs_f64(), own_cpu_us() - cpu);
    let resident_kib = resident_kib();
    let raw = f64::midpoint(before, raw_rate()?);
    let _ = std::fs::remove_dir_all(&folder); // a million games take half a gigabyte
    Ok(MeasuredRate {
        what: format!("{game}, {concurrency} at a time"),
        games: outcome.count.collector.game_count(),
        seconds,
        moves: outcome.count.collector.move_count(),
        cpu_us,
        resident_kib,
        raw,
    })
}

/// The time of all processors, and the part of it that went to other machines, in ticks since the
/// system started.
fn processor_time() -> Option<[u64; 2]> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let fields = text.lines().next()?.split_whitespace().skip(1);
    // user, nice, system, idle, iowait, irq, softirq, steal. The later fields are parts of these.
    let ticks: Vec<u64> = fields.take(8).filter_map(|field| field.parse().ok()).collect();
    Some([ticks.iter().sum(), *ticks.get(7)?])
}

/// The memory of this process.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
