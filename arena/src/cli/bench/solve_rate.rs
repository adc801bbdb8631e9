//! `arena bench solve`: positions per second of the exact solver.

use super::super::{Failure, say, usage};
use super::{BenchArgs, own_cpu_us};
use serde_json::{Value, json};
use solver::{Options, Progress, Refusal, Verdict};
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let mut table = Builder::default();
    table.push_record(["game", "value", "states", "s", "states/s"]);
    let mut list = Vec::new();
    for (game, params) in super::duels(args)? {
        let effort = effort(game.about.id, &params, args.seconds).map_err(usage)?;
        let per_second = effort.states as f64 / effort.seconds;
        list.push(json!({
            "game": game.about.id, "params": params, "value": effort.verdict.map(|verdict| verdict.value.to_string()),
            "states": effort.states, "seconds": effort.seconds, "states_per_second": per_second,
        }));
        table.push_record([
            game.about.id.to_owned(),
            effort.verdict.map_or_else(|| "open".to_owned(), |verdict| verdict.value.to_string()),
            effort.states.to_string(),
            format!("{:.4}", effort.seconds),
            format!("{per_second:.0}"),
        ]);
    }
    if args.json {
        return say(&format!("{:#}\n", json!(list)));
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(2..), Alignment::right());
    say(&format!("{table}\n"))
}

/// The cost of solving the start of a game.
struct SolveCost {
    /// `None` if the time was not enough.
    verdict: Option<Verdict>,
    /// The number of positions that the solver remembers.
    states: u64,
    /// CPU time of all cores.
    seconds: f64,
}

/// The mean of as many solutions as fill the time, at least one. A solution that takes longer is
/// stopped.
fn effort(game: &str, params: &Value, seconds: f64) -> Result<SolveCost, Refusal> {
    let (begin, mut times) = (own_cpu_us(), 0.0);
    loop {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let mut in_time = |_: &Progress| Instant::now() < deadline;
        let (verdict, states) = match solver::solve(game, params, &[], Options::default(), &mut in_time) {
            Ok(solution) => (Some(solution.verdict), solution.states),
            Err(Refusal::TooLarge(partial)) => (None, partial.states),
            Err(refusal) => return Err(refusal),
        };
        times += 1.0;
        let spent = (own_cpu_us() - begin) / 1e6;
        if spent >= seconds || verdict.is_none() {
            return Ok(SolveCost { verdict, states, seconds: spent.max(1e-6) / times });
        }
    }
}
