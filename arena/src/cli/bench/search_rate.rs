//! `arena bench search`: nodes per second of plain alpha-beta.

use super::super::{Failure, say, usage};
use super::{Args, own_cpu_us};
use serde_json::{Value, json};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

pub(super) fn table(args: &Args) -> Result<(), Failure> {
    let games = match &args.game {
        Some(name) => vec![rules::parse_name(name).map_err(usage)?],
        None => rules::GAMES
            .iter()
            .filter(|game| game.kind == rules::Kind::Duel)
            .map(|game| (game, Value::Null))
            .collect(),
    };
    let mut table = Builder::default();
    table.push_record(["game", "depth", "nodes", "seconds", "nodes/s"]);
    let mut list = Vec::new();
    for (game, params) in games {
        let id = game.about.id;
        let rate = rules::visit_duel(
            id,
            AlphaBetaRate { params: &params, depth: args.depth, seconds: args.seconds },
        )
        .ok_or_else(|| usage(format!("{id} hides cards, so alpha-beta can't search it")))?
        .map_err(usage)?;
        let per_second = rate.nodes as f64 / rate.seconds;
        list.push(json!({
            "game": id, "params": params, "depth": rate.depth, "nodes": rate.nodes, "seconds": rate.seconds,
            "nodes_per_second": per_second,
        }));
        table.push_record([
            id.to_owned(),
            rate.depth.to_string(),
            rate.nodes.to_string(),
            format!("{:.4}", rate.seconds),
            format!("{per_second:.0}"),
        ]);
    }
    if args.json {
        return say(&format!("{:#}\n", json!(list)));
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..), Alignment::right());
    say(&format!("{table}\n"))
}

/// Runs plain alpha-beta from the start of a duel, deeper and deeper while the time lasts.
struct AlphaBetaRate<'a> {
    params: &'a Value,
    depth: Option<u32>,
    seconds: f64,
}

/// What one search cost.
struct Rate {
    depth: u32,
    nodes: u64,
    /// Of CPU time.
    seconds: f64,
}

impl rules::DuelVisitor for AlphaBetaRate<'_> {
    type Output = Result<Rate, rules::ParamError>;

    fn visit<P: rules::Duel>(self) -> Self::Output {
        let start = P::start(&rules::read_params::<P::Params>(self.params)?, rules::Seed::from_number(1))?;
        if let Some(depth) = self.depth {
            return Ok(search_for(&start, depth, 0.0));
        }
        let mut last = search_for(&start, 1, 0.0);
        for depth in 2..=60 {
            let next = search_for(&start, depth, 0.0);
            // A game that is seen to its end needs no more nodes at a greater depth.
            let (growth, done) = (next.nodes as f64 / last.nodes as f64, next.nodes == last.nodes);
            last = next;
            if done || last.seconds * growth > self.seconds * 2.0 {
                break;
            }
        }
        Ok(search_for(&start, last.depth, self.seconds / 2.0))
    }
}

/// The mean of as many searches as fill the time, one at least.
fn search_for<P: rules::Duel>(start: &P, depth: u32, seconds: f64) -> Rate {
    let (begin, mut times) = (own_cpu_us(), 0.0);
    loop {
        let nodes = search::alpha_beta(start, depth, &search::Budget::unlimited())
            .map_or(0, |found| found.count.nodes);
        times += 1.0;
        let spent = (own_cpu_us() - begin) / 1e6;
        if spent >= seconds {
            return Rate { depth, nodes, seconds: spent.max(1e-6) / times };
        }
    }
}
