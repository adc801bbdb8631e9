//! `arena compare`: searches side by side, on paper and in a match.

mod duel;

use super::{Failure, say, usage};
use lab::{Method, Row};
use ratings::Sprt;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Compare searches on the same positions: values, nodes, cuts, time; then in a match
#[derive(clap::Args)]
#[command(
    after_help = "Searches: minimax, negamax, alpha-beta, buggy?bug=NAME (see `arena diagnose --help`).\n\
    `value` says whether a search finds the value of the first one in every position; `ebf` is the effective\n\
    branching factor, that of a uniform tree with as many nodes.\n\n\
    With --match every two of them play through the real pipe: each random opening twice, with seats\n\
    changed. --sprt stops as soon as it is decided.\n\n\
    Examples:\n  arena compare minimax negamax alpha-beta --game tic-tac-toe,quixo --depth 1..4\n  \
    arena compare minimax alpha-beta --game othello --depth 1..5 --positions 10 --csv nodes.csv --svg nodes.svg\n  \
    arena compare alpha-beta 'buggy?bug=max-min-swapped' --game tic-tac-toe --depth 3 --match 200 \\\n    \
    --sprt elo0=0,elo1=20"
)]
pub struct Args {
    /// The searches, two or more
    #[arg(required = true, num_args = 2..)]
    methods: Vec<Method>,
    /// The games, separated by commas
    #[arg(long)]
    game: String,
    /// A depth, or a range such as 1..6
    #[arg(long, default_value = "1..4", value_parser = read_depths)]
    depth: RangeInclusive<u32>,
    /// How many positions: the start, and random ones
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: u32,
    /// Everything random comes from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most nodes of one search
    #[arg(long, default_value_t = 20_000_000)]
    nodes: u64,
    /// Then play up to so many games for every two of them, at the largest depth
    #[arg(long = "match", value_name = "GAMES", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: Option<u32>,
    /// Stop a match when this test is decided: elo0=0,elo1=20[,alpha=0.05,beta=0.05]
    #[arg(long, requires = "games", value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Random moves at the start of each game of a match
    #[arg(long, default_value_t = 4)]
    opening: u32,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write plots of nodes against depth to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

fn read_depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        text.trim_start_matches('=').parse::<u32>().ok().filter(|depth| (1..=100).contains(depth))
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected a depth such as 4 or a range such as 1..6, from 1 to 100".to_owned()),
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let games = split_games(&args.game);
    let mut rows = Vec::new();
    for game in &games {
        let (bench, _) = super::lab_bench(game, None, "")?;
        let samples = lab::sample(&*bench, args.positions as usize, args.seed);
        for depth in args.depth.clone() {
            rows.extend(lab::compare(game, &samples, &args.methods, depth, args.nodes));
        }
    }
    if let Some(file) = &args.csv {
        write(file, "--csv", &csv(&rows))?;
    }
    if let Some(file) = &args.svg {
        write(file, "--svg", &lab::plot(&rows))?;
    }
    if !args.json {
        say(&table(&rows))?;
    }
    let mut duels = Vec::new();
    if args.games.is_some() {
        for game in &games {
            for (first, second) in pairs(&args.methods) {
                let duel = duel::play(args, game, first, second)?;
                if !args.json {
                    say(&duel.text())?;
                }
                duels.push(duel);
            }
        }
    }
    if args.json {
        let matches: Vec<Value> = duels.iter().map(duel::Duel::json).collect();
        say(&format!("{:#}\n", json!({ "rows": rows, "matches": matches })))?;
    }
    Ok(())
}

/// At the commas outside of brackets: `nim?heaps=[1,2],quixo` are two.
fn split_games(text: &str) -> Vec<String> {
    let mut games = vec![String::new()];
    let mut depth = 0_i32;
    for letter in text.chars() {
        depth += i32::from(matches!(letter, '[' | '{')) - i32::from(matches!(letter, ']' | '}'));
        match (letter, games.last_mut()) {
            (',', _) if depth == 0 => games.push(String::new()),
            (letter, Some(game)) => game.push(letter),
            (_, None) => {}
        }
    }
    games.into_iter().map(|game| game.trim().to_owned()).collect()
}

fn pairs(methods: &[Method]) -> impl Iterator<Item = (Method, Method)> {
    (0..methods.len()).flat_map(move |b| (0..b).map(move |a| (methods[a], methods[b])))
}

fn write(file: &PathBuf, option: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| usage(format!("{option} {}: {error}", file.display())))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut shown = ("", 0);
    for row in rows {
        if shown.0 != row.game {
            let gap = if text.is_empty() { "" } else { "\n" };
            let many = if row.positions == 1 { "" } else { "s" };
            let _ = writeln!(text, "{gap}{}, {} position{many}\n", row.game, row.positions);
            let heads = ["value", "nodes", "leaves", "cuts", "ebf", "ms", "Mn/s"];
            let [value, nodes, leaves, cuts, ebf, ms, speed] = heads;
            let _ = writeln!(
                text,
                "depth search               {value:>5} {nodes:>9} {leaves:>9} {cuts:>7} {ebf:>5} {ms:>7} {speed:>5}"
            );
        }
        let depth =
            if shown == (row.game.as_str(), row.depth) { String::new() } else { row.depth.to_string() };
        shown = (&row.game, row.depth);
        let _ = writeln!(text, "{depth:>5} {}", cells(row));
    }
    text
}

fn cells(row: &Row) -> String {
    let value = match (row.finished, row.different) {
        (false, _) => "-".to_owned(),
        (_, 0) => "=".to_owned(),
        (_, different) => format!("≠ {different}"),
    };
    let name = row.method.strip_prefix("buggy?bug=").unwrap_or(&row.method);
    let more = if row.finished { "" } else { "+" };
    let (nodes, leaves) = (format!("{}{more}", row.nodes), row.leaves);
    let (cuts, ebf, ms) = (row.alpha_cuts + row.beta_cuts, row.branching, row.seconds * 1e3);
    let speed = row.nodes_per_second() / 1e6;
    format!("{name:<20} {value:>5} {nodes:>9} {leaves:>9} {cuts:>7} {ebf:>5.2} {ms:>7.1} {speed:>5.1}")
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        "game,depth,search,positions,finished,different,nodes,leaves,alpha_cuts,beta_cuts,branching,seconds\n".to_owned();
    for row in rows {
        let game = row.game.replace('"', "\"\"");
        let Row { depth, method, positions, finished, different, nodes, leaves, .. } = row;
        let Row { alpha_cuts, beta_cuts, branching, seconds, .. } = row;
        let _ = writeln!(
            text,
            "\"{game}\",{depth},{method},{positions},{finished},{different},{nodes},{leaves},{alpha_cuts},{beta_cuts},{branching:.4},{seconds:.6}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(split_games("nim?heaps=[1,2],quixo"), ["nim?heaps=[1,2]", "quixo"]);
        assert_eq!(read_depths("1..6"), Ok(1..=6));
        assert_eq!(read_depths("4"), Ok(4..=4));
        for wrong in ["0", "6..1", "x", "1..101", ""] {
            assert!(read_depths(wrong).is_err(), "{wrong}");
        }
    }
}
