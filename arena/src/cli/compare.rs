//! `arena compare`: compares searches, on the same positions and in a match.

mod explored;
mod paired_match;
mod searcher;

use super::numbers::{DAY_MS, MOST_NODES, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, counted, say, usage};
use crate::console;
use lab::{ComparisonRow, Technique};
use ratings::Sprt;
use searcher::MatchSearch;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use text::Ticker;
use text::harmless;
use text::markup::csv_cell;
use text::wrap::indented;
use tournament::standings::short_names;

/// Compare searches on the same positions: values, nodes, cuts, time
#[derive(clap::Args)]
#[command(
    after_help = "Searches: minimax, negamax, alpha-beta, strong, buggy?bug=NAME (see `arena diagnose --help`), and bots: \
    a command line with a blank or a /, in which {depth} stands for the depth. A bot must explore (see protocol.md). The \
    arena sees which nodes the bot visits, and finds the cuts by comparing them with the full tree, so nobody has to \
    believe the bot. Its `value` is = if all its moves keep the value that the first search finds.\n\n\
    The column `value` has = if the search finds the same value as the first search in every position, ≠ 3 if it finds \
    another value in three positions, - if it needs more than --nodes in a position, and ? if the first search does. \
    Every number is a sum over all positions, so a search with - has no numbers. `ebf` is the effective branching \
    factor: the branching factor of a uniform tree with as many nodes.\n\n\
    With --match every two searches play a match as real processes. Each random opening is played twice, with seats \
    exchanged. --sprt stops as soon as the test is decided. Monte Carlo tree search has no depth, so it takes part only \
    in the match: mcts, or mcts?iterations=1000.\n\n\
    Examples:\n  arena compare minimax negamax alpha-beta --game tic-tac-toe,quixo --depth 1..4\n  \
    arena compare minimax alpha-beta --game othello --depth 1..5 --positions 10 \\\n    --csv nodes.csv --svg nodes.svg\n  \
    arena compare alpha-beta 'buggy?bug=max-min-swapped' --game tic-tac-toe --depth 3 --match 200 \\\n    \
    --sprt elo0=0,elo1=20\n  arena compare minimax alpha-beta 'python3 bot.py {depth}' --game tic-tac-toe --depth 1..5"
)]
pub struct CompareArgs {
    /// The searches, two or more, and bots that explore
    #[arg(required = true, num_args = 2..)]
    searches: Vec<MatchSearch>,
    /// The games, separated by commas
    #[arg(long)]
    game: String,
    /// A depth, or a range such as 1..6
    #[arg(long, default_value = "1..4", value_parser = read_depths)]
    depth: RangeInclusive<u32>,
    /// The number of positions: the start, and random positions
    #[arg(long, default_value_t = 5, value_parser = whole::<u32, 1, 10_000>)]
    positions: u32,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most nodes of one search
    #[arg(long, default_value_t = 20_000_000, value_parser = whole::<u64, 1, MOST_NODES>)]
    nodes: u64,
    /// Then play up to this many games for every two searches, at the largest depth; an even number
    #[arg(long = "match", value_name = "GAMES", value_parser = read_games)]
    games: Option<u32>,
    /// Stop a match when this test is decided: elo0=0,elo1=20[,alpha=0.05,beta=0.05]
    #[arg(long, requires = "games", value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Random moves at the start of each game of a match
    #[arg(long, alias = "opening", value_name = "PLIES", default_value_t = 4, value_parser = whole::<u32, 0, 1_000>)]
    openings: u32,
    /// Time for each answer of a bot
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16, 1, 1_024>)]
    concurrency: Option<u16>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write plots of nodes against depth to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
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

fn read_games(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(games @ 2..=1_000_000) if games % 2 == 0 => Ok(games),
        Ok(2..=1_000_000) => {
            Err("each opening is played twice, with seats exchanged, so expected an even number".to_owned())
        }
        _ => Err("expected an even number from 2 to 1000000".to_owned()),
    }
}

pub fn run(args: &CompareArgs) -> Result<(), Failure> {
    let games = split_games(&args.game);
    let methods: Vec<Technique> = args.searches.iter().filter_map(MatchSearch::method).collect();
    let is_of_match_alone = |entrant: &MatchSearch| matches!(entrant, MatchSearch::MonteCarlo(_));
    if args.searches.iter().any(is_of_match_alone) && args.games.is_none() {
        return Err(usage(searcher::ONLY_IN_A_MATCH));
    }
    let ticker = Ticker::new(console::SCREEN);
    let mut rows = Vec::new();
    for game in &games {
        let (study, _) = super::lab_study(game, None, "")?;
        let samples = lab::sample(&study, args.positions as usize, args.seed);
        for depth in args.depth.clone() {
            ticker.begin(format!("{game}, depth {depth} of {}", args.depth.end()));
            let mut searched = lab::compare(game, &samples, &methods, depth, args.nodes).into_iter();
            for entrant in &args.searches {
                rows.extend(match entrant {
                    MatchSearch::Search(_) => searched.next(),
                    MatchSearch::MonteCarlo(_) => None,
                    MatchSearch::Bot(_) => {
                        let (name, command) = (entrant.to_string(), entrant.bot(depth));
                        let first = methods.first().copied();
                        Some(explored::row(args, game, &samples, (&name, &command), depth, first)?)
                    }
                });
            }
        }
    }
    if let Some(file) = &args.csv {
        write(file, "--csv", &csv(&rows))?;
    }
    if let Some(file) = &args.svg {
        write(file, "--svg", &lab::plot(&with_short_names(&rows)))?;
    }
    if !args.json {
        say(&table(&rows, args.nodes))?;
        for entrant in args.searches.iter().filter(|entrant| is_of_match_alone(entrant)) {
            say(&indented("", &format!("{entrant} has no depth, so it plays only in the match")))?;
        }
    }
    let mut matches = Vec::new();
    if args.games.is_some() {
        for game in &games {
            for (first, second) in pairs(&args.searches) {
                let played = paired_match::play(args, game, (first, second), &ticker)?;
                if !args.json {
                    say(&played.text())?;
                }
                matches.push(played);
            }
        }
    }
    if args.json {
        let matches: Vec<Value> = matches.iter().map(paired_match::PairedMatch::json).collect();
        say(&format!("{:#}\n", json!({ "rows": rows, "matches": matches })))?;
    }
    Ok(())
}

/// Splits at the commas outside of brackets: `nim?heaps=[1,2],quixo` are two games.
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

fn pairs(searches: &[MatchSearch]) -> impl Iterator<Item = (&MatchSearch, &MatchSearch)> {
    (0..searches.len()).flat_map(move |b| (0..b).map(move |a| (&searches[a], &searches[b])))
}

fn write(file: &PathBuf, option: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text)
        .map_err(|error| super::unwritable(format!("{option} {}", file.display()), &error))
}

/// The rows for a plot. A command line may be longer than the room beside its line.
fn with_short_names(rows: &[ComparisonRow]) -> Vec<ComparisonRow> {
    const ROOM: usize = 30;
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.method.as_str()) {
            names.push(&row.method);
        }
    }
    let short: BTreeMap<&str, String> = names.iter().copied().zip(short_names(&names, ROOM)).collect();
    rows.iter()
        .map(|row| ComparisonRow { method: short[row.method.as_str()].clone(), ..row.clone() })
        .collect()
}

fn table(rows: &[ComparisonRow], most_nodes: u64) -> String {
    let mut text = String::new();
    for of_game in rows.chunk_by(|row, next| row.game == next.game) {
        let gap = if text.is_empty() { "" } else { "\n" };
        let positions = counted(of_game[0].positions as u64, "position");
        text += &format!("{gap}{}\n", indented("", &format!("{}, {positions}", of_game[0].game)));
        let heads = ["value", "nodes", "leaves", "α cuts", "β cuts", "ebf", "ms", "Mn/s"];
        text += &line("depth", "search", &heads.map(str::to_owned));
        let mut shown = None;
        let methods: Vec<&str> = of_game.iter().map(|row| row.method.as_str()).collect();
        let methods: Vec<&str> =
            methods.iter().map(|name| name.strip_prefix("buggy?bug=").unwrap_or(name)).collect();
        for (row, name) in of_game.iter().zip(short_names(&methods, 20)) {
            let depth = if shown == Some(row.depth) { String::new() } else { row.depth.to_string() };
            shown = Some(row.depth);
            text += &line(&depth, &harmless::line(&name), &cells(row));
        }
        text += &legend(of_game, most_nodes);
    }
    text
}

/// Explains the marks in the table.
fn legend(rows: &[ComparisonRow], most_nodes: u64) -> String {
    let mut lines = String::new();
    if rows.iter().any(|row| !row.finished) {
        let most = counted(most_nodes, "node");
        let meaning = format!("some positions need more than {most} (--nodes), so there are no sums");
        lines += &indented("- ", &meaning);
    }
    if rows.iter().any(|row| value(row) == "?") {
        let first = &rows[0].method;
        let meaning =
            format!("no different value was found, but {first} finished only some of the positions");
        lines += &indented("? ", &meaning);
    }
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn line(depth: &str, search: &str, cells: &[String; 8]) -> String {
    let [value, nodes, leaves, alpha, beta, ebf, ms, speed] = cells;
    format!(
        "{depth:>5} {search:<20} {value:>5} {nodes:>7} {leaves:>7} {alpha:>6} {beta:>6} {ebf:>5} {ms:>6} {speed:>4}\n"
    )
}

/// Compares the values of a search with the values of the first search.
fn value(row: &ComparisonRow) -> String {
    match row.different {
        1.. => format!("≠ {}", short(row.different as f64, 0, 3)),
        _ if !row.finished => "-".to_owned(),
        _ if row.compared < row.positions => "?".to_owned(),
        _ => "=".to_owned(),
    }
}

fn cells(row: &ComparisonRow) -> [String; 8] {
    let number = |number: Option<f64>, places, width| {
        number.map_or("-".to_owned(), |number| short(number, places, width))
    };
    let count = |count: Option<u64>, width| number(count.map(|count| count as f64), 0, width);
    [
        value(row),
        count(row.nodes, 7),
        count(row.leaves, 7),
        count(row.alpha_cuts, 6),
        count(row.beta_cuts, 6),
        number(row.branching, 2, 5),
        number(row.seconds.map(|seconds| seconds * 1e3), 1, 6),
        number(row.nodes_per_second().map(|rate| rate / 1e6), 1, 4),
    ]
}

/// A number with this many decimals if it fits the width, otherwise rounded: `1234567`, `12346k`.
fn short(number: f64, places: usize, width: usize) -> String {
    let units = [(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];
    let tries = units.into_iter().flat_map(|(unit, letter)| {
        let places = if letter.is_empty() { places } else { 1 };
        (0..=places).rev().map(move |places| format!("{:.places$}{letter}", number / unit))
    });
    let texts: Vec<String> = tries.collect();
    texts.iter().find(|text| text.len() <= width).unwrap_or(&texts[0]).clone()
}

/// The rows as CSV. A cell without a sum is empty.
fn csv(rows: &[ComparisonRow]) -> String {
    let mut text = "game,depth,search,positions,searched,finished,compared,different,\
        nodes,leaves,alpha_cuts,beta_cuts,branching,seconds\n"
        .to_owned();
    for row in rows {
        let game = row.game.replace('"', "\"\"");
        let ComparisonRow { depth, method, positions, searched, finished, compared, different, .. } = row;
        let counts = [row.nodes, row.leaves, row.alpha_cuts, row.beta_cuts];
        let [nodes, leaves, alpha, beta] =
            counts.map(|count| count.map_or(String::new(), |count| count.to_string()));
        let branching = row.branching.map_or(String::new(), |branching| format!("{branching:.4}"));
        let seconds = row.seconds.map_or(String::new(), |seconds| format!("{seconds:.6}"));
        let _ = writeln!(
            text,
            "\"{game}\",{depth},{},{positions},{searched},{finished},{compared},{different},\
            {nodes},{leaves},{alpha},{beta},{branching},{seconds}",
            csv_cell(method)
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
        assert_eq!(read_games("4"), Ok(4));
        assert!(read_games("3").unwrap_err().contains("expected an even number"));
        for wrong in ["0", "1", "-2", "1000002", "x", ""] {
            assert!(read_games(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn large_numbers_are_rounded_to_fit_their_column() {
        for (number, places, width, text) in [
            (9_999_999.0, 0, 7, "9999999"),
            (123_456_789.0, 0, 7, "123457k"),
            (4_321_000_000.0, 0, 6, "4321M"),
            (1_234_567.0, 0, 6, "1235k"),
            (17.667, 2, 5, "17.67"),
            (217.667, 2, 5, "217.7"),
            (12_345.67, 1, 6, "12346"),
            (1_234.0, 0, 3, "1k"),
        ] {
            assert_eq!(short(number, places, width), text);
        }
    }
}
