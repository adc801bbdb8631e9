//! `arena bench search`: the cost of plain alpha-beta, and of the strong search for the same value.

use super::super::{Failure, say, usage};
use super::{BenchArgs, own_cpu_us};
use lab::{Study, Technique};
use search::Algorithm;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let mut table = Builder::default();
    table.push_record(["game", "depth", "nodes", "ms", "nodes/s", "strong: nodes", "ms"]);
    let mut list = Vec::new();
    for (game, params) in super::duels(args)? {
        let study = lab::open(game, &params).map_err(usage)?;
        let depth = args.depth.unwrap_or_else(|| depth_for(&study, args.seconds));
        let [plain, strong] = [Technique::ALPHA_BETA, Technique::Correct(Algorithm::Strong)]
            .map(|method| cost(&study, method, depth, args.seconds / 2.0));
        let per_second = plain.nodes as f64 / plain.seconds;
        list.push(json!({
            "game": game.about.id, "params": params, "depth": depth, "nodes": plain.nodes, "seconds": plain.seconds,
            "nodes_per_second": per_second, "strong_nodes": strong.nodes, "strong_seconds": strong.seconds,
        }));
        let ms = |cost: &SearchCost| format!("{:.3}", cost.seconds * 1e3);
        table.push_record([
            game.about.id.to_owned(),
            depth.to_string(),
            plain.nodes.to_string(),
            ms(&plain),
            format!("{per_second:.0}"),
            strong.nodes.to_string(),
            ms(&strong),
        ]);
    }
    if args.json {
        return say(&format!("{:#}\n", json!(list)));
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(1..), Alignment::right());
    say(&format!("{table}\n"))
}

/// The cost of one search from the start.
struct SearchCost {
    nodes: u64,
    /// CPU time.
    seconds: f64,
}

/// The depth that plain alpha-beta reaches in about this time.
fn depth_for(study: &Study, seconds: f64) -> u32 {
    let mut last = cost(study, Technique::ALPHA_BETA, 1, 0.0);
    for depth in 2..=60 {
        let next = cost(study, Technique::ALPHA_BETA, depth, 0.0);
        // If the search sees the end of the game, a greater depth needs no more nodes.
        let (growth, done) = (next.nodes as f64 / last.nodes as f64, next.nodes == last.nodes);
        last = next;
        if done || last.seconds * growth > seconds * 2.0 {
            return depth;
        }
    }
    60
}

/// The mean of as many searches as fill the time, at least one.
fn cost(study: &Study, method: Technique, depth: u32, seconds: f64) -> SearchCost {
    let (begin, mut times) = (own_cpu_us(), 0.0);
    loop {
        let nodes = study.search(method, depth, u64::MAX).map_or(0, |found| found.count.nodes);
        times += 1.0;
        let spent = (own_cpu_us() - begin) / 1e6;
        if spent >= seconds {
            return SearchCost { nodes, seconds: spent.max(1e-6) / times };
        }
    }
}
