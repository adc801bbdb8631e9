//! `arena bench explore`: how many nodes a bot can explore in a second.

use super::super::{Failure, say, usage};
use super::raw_pipe::{ping_pong, stay_on_one_core};
use super::{BenchArgs, job};
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::runner::{self, RunPlan};
use referee::spec::{BotKind, BotSpec, own_program};
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// How many requests the second measurement writes in one go.
const BURST: usize = 100;
/// The first measurement finds how many nodes take the wanted time.
const SAMPLE: u64 = 10_000;

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    stay_on_one_core();
    let time = Duration::from_secs_f64(args.seconds);
    // Measured before and after, to notice a machine that changes its speed.
    let before = ping_pong(time / 2)?;
    let (one, burst) = (rate(time, 1)?, rate(time, BURST)?);
    let after = ping_pong(time / 2)?;
    let raw = f64::midpoint(before, after);
    if args.json {
        return say(&format!(
            "{}\n",
            json!({
                "raw_round_trips_per_second": raw, "nodes_per_second": one, "ratio": one / raw, "burst": BURST,
                "burst_nodes_per_second": burst, "burst_ratio": burst / raw,
            })
        ));
    }
    say(&format!(
        "bare ping-pong    {raw:>9.0} round trips/s ({before:.0} before, {after:.0} after)\n\
         one by one        {one:>9.0} nodes/s\n\
         ratio             {:>9.2}\n\
         {BURST} in one go    {burst:>9.0} nodes/s\n\
         ratio             {:>9.2}\n",
        one / raw,
        burst / raw
    ))
}

/// Nodes per second of a bot that explores for this time.
fn rate(time: Duration, burst: usize) -> Result<f64, Failure> {
    let sample = explored(SAMPLE, burst)?;
    explored(((time.as_secs_f64() * sample) as u64).max(SAMPLE), burst)
}

/// Plays one game against a bot that explores so many nodes in its first turn.
fn explored(nodes: u64, burst: usize) -> Result<f64, Failure> {
    let words = ["explore".to_owned(), nodes.to_string(), burst.to_string()];
    let words = std::iter::once(own_program().to_string_lossy().into_owned()).chain(words).collect();
    let other: BotSpec = "builtin:first".parse().map_err(usage)?;
    let bot = BotSpec { kind: BotKind::Command(words), ..other.clone() };
    let game = rules::find("tic-tac-toe").ok_or_else(|| Failure::Ours("no tic-tac-toe".to_owned()))?;
    let setting = game.prepare(&Value::Null).map_err(usage)?;
    let mut job = job(&setting, &other, 0);
    job.clocks = vec![ClockRules { per_move: Duration::from_hours(1), ..ClockRules::default() }; 2];
    job.explore.nodes = ExploreRules::MOST_NODES;
    let plan = RunPlan {
        bots: vec![bot, other],
        concurrency: 1,
        restart: false,
        memory_bytes: vec![None; 2],
        pin: false,
        transcripts: false,
    };
    let mut found = Err(Failure::Ours("no game was played".to_owned()));
    runner::run(&plan, &[job], |record| {
        found = match (record.faults.first(), record.moves.first(), record.times.moves_us.first()) {
            (None, Some(played), Some(&us)) if played.explored > 0 => {
                Ok(played.explored as f64 * 1e6 / us.max(1) as f64)
            }
            (Some(fault), ..) => Err(Failure::Ours(fault.fault.to_string())),
            _ => Err(Failure::Ours("the bot has explored nothing".to_owned())),
        };
    })?;
    found
}

/// The bot of this benchmark: minimax from the first turn on until its nodes are used up. With a
/// burst, it asks for the children of the root again and again.
#[expect(clippy::disallowed_methods, reason = "only the benchmark reads this")]
pub fn explore(nodes: u64, burst: usize) -> Result<(), Failure> {
    let (mut input, output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    let mut explorer = BenchExplorer { left: nodes, output, line: String::new(), request: String::new() };
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 || line.starts_with(r#"{"type":"quit""#) {
            return Ok(());
        }
        if !line.starts_with(r#"{"type":"turn""#) {
            continue;
        }
        let legal = moves(&line);
        // From here on the clock counts.
        writeln!(explorer.output, r#"{{"type":"ready"}}"#)?;
        explorer.output.flush()?;
        if burst > 1 {
            explorer.flood(&legal, burst, &mut input)?;
        } else {
            explorer.search(0, &legal, &mut input)?;
        }
        writeln!(explorer.output, r#"{{"move":"{}"}}"#, legal.first().map_or("", String::as_str))?;
        explorer.output.flush()?;
    }
}

struct BenchExplorer<W> {
    left: u64,
    output: W,
    line: String,
    request: String,
}

impl<W: Write> BenchExplorer<W> {
    /// Minimax, without keeping the values.
    fn search(&mut self, depth: usize, legal: &[String], input: &mut impl BufRead) -> io::Result<()> {
        for mv in legal {
            if self.left == 0 {
                return Ok(());
            }
            self.left -= 1;
            self.request.clear();
            push_request(&mut self.request, depth, mv);
            self.output.write_all(self.request.as_bytes())?;
            self.output.flush()?;
            self.line.clear();
            input.read_line(&mut self.line)?;
            let below = moves(&self.line);
            self.search(depth + 1, &below, input)?;
        }
        Ok(())
    }

    fn flood(&mut self, legal: &[String], burst: usize, input: &mut impl BufRead) -> io::Result<()> {
        while self.left > 0 {
            let count = burst.min(self.left as usize);
            self.left -= count as u64;
            self.request.clear();
            legal.iter().cycle().take(count).for_each(|mv| push_request(&mut self.request, 0, mv));
            self.output.write_all(self.request.as_bytes())?;
            self.output.flush()?;
            for _ in 0..count {
                self.line.clear();
                input.read_line(&mut self.line)?;
            }
        }
        Ok(())
    }
}

fn push_request(request: &mut String, depth: usize, mv: &str) {
    use std::fmt::Write as _;
    let _ = writeln!(request, r#"{{"type":"explore","at":{depth},"play":"{mv}"}}"#);
}

/// The legal moves of a `turn` or a `node`. None if the game is over.
fn moves(line: &str) -> Vec<String> {
    let list = line.split_once(r#""legal":["#).and_then(|(_, rest)| rest.split_once(']'));
    let list = list.map_or("", |(list, _)| list);
    list.split(',').map(|mv| mv.trim_matches('"').to_owned()).filter(|mv| !mv.is_empty()).collect()
}
