//! `arena solve`: solves a position.

use super::numbers::{seconds, whole};
use super::{Failure, say, usage};
use crate::console;
use referee::spec::GameSpec;
use serde_json::{Value, json};
use solver::{Advice, Memory, Options, Partial, Progress, Refusal, Solution, TheoryUse, ValueAlone, Verdict};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use text::wrap::indented;
use text::{Ticker, clock};

/// Solve a position: who wins, how fast, and with which moves
#[derive(clap::Args)]
#[command(
    after_help = "The value is for the player to move. Endless play is a draw. Draws by repetition and limits on the number \
    of moves do not apply. If a position is too large for the memory or the time, the command prints what it could \
    prove and ends with exit code 1.\n\n\
    Examples:\n  arena solve tic-tac-toe\n  arena solve tic-tac-toe --position \"b2 a2\"\n  \
    arena solve quixo?size=3 --json\n  arena solve nim --params '{\"heaps\":[1,3,5,7],\"misere\":true}'\n  \
    arena solve dao --memory 4GiB --save dao.table"
)]
pub struct SolveArgs {
    /// The game: dao, or with parameters quixo?size=4
    game: String,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// Moves that lead to the position, separated by blanks [default: none, to solve the start]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// The most memory to use
    #[arg(long, value_name = "SIZE", default_value_t = Options::default().memory)]
    memory: Memory,
    /// The most time to use, in seconds [default: as long as the memory lasts]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<f64>,
    /// Find out only who wins, not how fast and with which moves
    #[arg(long)]
    value: bool,
    /// Cores to use
    #[arg(long, default_value_t = cores(), value_parser = whole::<u16, 1, 1_024>)]
    threads: u16,
    /// Do not treat symmetric positions as one
    #[arg(long)]
    no_symmetry: bool,
    /// Use nim values only, in a game that is a sum of heaps or rows
    #[arg(long)]
    theory: bool,
    /// Write the solved positions to a file, for --load
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Begin with a file that --save wrote for the same game and parameters
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The answer: the value alone, or everything.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum SolveRequest {
    Value(ValueAlone),
    All(Solution),
}

fn cores() -> u16 {
    Options::default().threads.min(1024) as u16
}

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let GameSpec { game, setting, .. } = super::game_named(&args.game, args.params.as_deref())?;
    let params = setting.params().clone();
    let moves: Vec<String> = args.position.split_whitespace().map(str::to_owned).collect();
    let mut display = Display::new(args.seconds.map(Duration::from_secs_f64));
    let options = Options {
        memory: args.memory,
        threads: args.threads.into(),
        symmetry: !args.no_symmetry,
        theory: if args.theory { TheoryUse::Always } else { TheoryUse::WhereNeeded },
        advice: display.limit.map_or(Advice::Always, Advice::Until),
    };
    let oracle = solver::oracle_for_one(game.about.id, &params, options);
    let mut oracle = oracle.map_err(|refusal| match refusal {
        Refusal::NoSum { .. } => usage(format!("--theory: {refusal}")),
        refusal => usage(refusal),
    })?;
    if let Some(file) = &args.load {
        oracle.load(file).map_err(usage)?;
    }
    let mut listen = |progress: &Progress| display.show(progress);
    let solved = if args.value {
        oracle.value(&moves, &mut listen).map(SolveRequest::Value)
    } else {
        oracle.solve(&moves, &mut listen).map(SolveRequest::All)
    };
    let start = display.start;
    drop(display);
    if let Some(file) = &args.save {
        oracle.save(file).map_err(usage)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let head = json!({ "game": game.about.id, "params": params, "position": moves });
    match solved {
        Ok(answer) if args.json => print_json(head, &answer, seconds),
        Ok(SolveRequest::Value(found)) => {
            say(&format!("value    {}\n{}", found.value, describe_states(found.states, seconds)))
        }
        Ok(SolveRequest::All(solution)) => say(&describe(&solution, seconds)),
        Err(Refusal::TooLarge(partial)) => {
            if args.json {
                print_json(head, &partial, seconds)?;
            }
            Err(Failure::Failed(describe_partial(&partial, args.memory)))
        }
        Err(refusal) => Err(usage(refusal)),
    }
}

fn print_json(mut head: Value, answer: &impl serde::Serialize, seconds: f64) -> Result<(), Failure> {
    let answer = serde_json::to_value(answer).map_err(|error| Failure::Ours(error.to_string()))?;
    if let (Value::Object(head), Value::Object(answer)) = (&mut head, answer) {
        head.extend(answer);
        head.insert("seconds".into(), json!((seconds * 1000.0).round() / 1000.0));
    }
    say(&format!("{head}\n"))
}

fn describe_verdict(verdict: Verdict) -> String {
    let margin = match verdict.margin {
        Some(0) | None => String::new(),
        Some(points) => format!(" by {}", points.abs()),
    };
    let plies = match verdict.plies {
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None if verdict.is_timed() => String::new(),
        None => ", not known how fast".to_owned(),
    };
    format!("{}{margin}{plies}", verdict.value)
}

fn describe(solution: &Solution, seconds: f64) -> String {
    let list = |label: &str, words: &[String]| indented(&format!("{label:<8} "), &words.join(" "));
    let mut text = format!("value    {}\n", describe_verdict(solution.verdict));
    text += &list("best", &solution.best);
    if solution.keeping != solution.best {
        text += &list("keeping", &solution.keeping);
    }
    if !solution.line.is_empty() {
        text += &list("line", &solution.line);
    }
    text + &describe_states(solution.states, seconds)
}

fn describe_states(states: u64, seconds: f64) -> String {
    format!("states   {} in {seconds:.2} s\n", grouped(states))
}

fn describe_partial(partial: &Partial, memory: Memory) -> String {
    let proven = match (partial.at_least, partial.at_most) {
        (solver::Value::Loss, solver::Value::Win) => "nothing".to_owned(),
        (low, high) if low == high => format!("a {low} for the player to move, and nothing else"),
        (solver::Value::Loss, high) => format!("at most a {high} for the player to move"),
        (low, _) => format!("at least a {low} for the player to move"),
    };
    let why = match partial.stopped {
        solver::Stopped::Memory => format!("{memory} of memory is not enough; use a larger --memory"),
        solver::Stopped::Asked => "the time is up; use a larger --seconds".to_owned(),
    };
    let advice = partial.advice.as_ref().map_or(String::new(), |mv| {
        format!("\nnot proven: a search {} plies deep would play {mv}", partial.advice_depth)
    });
    format!("{why}\nproven: {proven}\npositions remembered: {}{advice}", grouped(partial.states))
}

/// `1,768,108`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// The most time that is kept for the advice, a search that proves nothing.
const LONGEST_ADVICE: Duration = Duration::from_secs(1);

/// The clock of a solver, and its progress on the terminal.
struct Display {
    start: Instant,
    /// The end of all work.
    limit: Option<Instant>,
    /// The end of the solver's work, so that there is time for the advice.
    last_call: Option<Instant>,
    limit_seconds: Option<f64>,
    ticker: Ticker,
    phase: &'static str,
}

impl Display {
    fn new(limit: Option<Duration>) -> Display {
        let start = Instant::now();
        // A time that is too large for a clock is no limit.
        let after = |wait: Duration| start.checked_add(wait);
        Display {
            start,
            limit: limit.and_then(after),
            last_call: limit.and_then(|limit| after(limit.saturating_sub((limit / 20).min(LONGEST_ADVICE)))),
            limit_seconds: limit.map(|limit| limit.as_secs_f64()),
            ticker: Ticker::new(console::SCREEN),
            phase: "",
        }
    }

    fn show(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if progress.phase != self.phase {
            self.phase = progress.phase;
            self.ticker.begin(self.phase);
        }
        self.ticker.note(|| self.numbers(progress, now));
        self.last_call.is_none_or(|last_call| now < last_call)
    }

    /// Nobody knows how long a solver takes, so only a limit says how long it takes at most.
    fn numbers(&self, progress: &Progress, now: Instant) -> String {
        let passed = (now - self.start).as_secs_f64();
        let end = self
            .limit_seconds
            .map_or(String::new(), |limit| format!(", at most {} left", clock((limit - passed).max(0.0))));
        format!(
            "{} positions, {} states, {}{end}",
            grouped(progress.positions),
            grouped(progress.states),
            Memory(progress.bytes),
        )
    }
}
