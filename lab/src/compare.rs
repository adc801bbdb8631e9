//! Searches side by side, on the same positions.

use crate::bench::{Bench, Finding};
use crate::method::Method;
use crate::sample::Sample;
use search::Count;
use serde::Serialize;
use std::time::{Duration, Instant};

/// One search at one depth, over all positions of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub game: String,
    pub depth: u32,
    pub method: String,
    pub positions: usize,
    /// Positions in which it finds another value than the first search of the comparison.
    pub different: usize,
    /// Positions for which the nodes were enough; the counts are those of these.
    pub searched: usize,
    /// Were they enough for all?
    pub finished: bool,
    pub nodes: u64,
    pub leaves: u64,
    pub alpha_cuts: u64,
    pub beta_cuts: u64,
    /// Of a uniform tree of this depth with as many nodes.
    pub branching: f64,
    /// For the positions that are counted.
    pub seconds: f64,
}

impl Row {
    pub fn nodes_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.nodes as f64 / self.seconds } else { 0.0 }
    }
}

/// Runs every method at one depth on all positions.
pub fn compare(game: &str, samples: &[Sample], methods: &[Method], depth: u32, nodes: u64) -> Vec<Row> {
    let mut expected: Vec<Option<i32>> = Vec::new();
    let mut rows = Vec::new();
    for (at, &method) in methods.iter().enumerate() {
        let mut time = Duration::ZERO;
        let mut search = |bench: &dyn Bench| {
            let start = Instant::now();
            let found = bench.search(method, depth, nodes)?;
            time += start.elapsed();
            Some(found)
        };
        let found: Vec<Option<Finding>> = samples.iter().map(|sample| search(&*sample.bench)).collect();
        let values: Vec<Option<i32>> =
            found.iter().map(|found| found.as_ref().map(|found| found.value)).collect();
        if at == 0 {
            expected.clone_from(&values);
        }
        let differs = |(value, expected): &(&Option<i32>, &Option<i32>)| {
            value.is_some_and(|value| expected.is_some_and(|expected| value != expected))
        };
        let different = values.iter().zip(&expected).filter(differs).count();
        rows.push(row(game, depth, method, &found, different, time));
    }
    rows
}

fn row(
    game: &str,
    depth: u32,
    method: Method,
    found: &[Option<Finding>],
    different: usize,
    time: Duration,
) -> Row {
    let counts: Vec<Count> = found.iter().flatten().map(|found| found.count).collect();
    let sum = |part: fn(&Count) -> u64| counts.iter().map(part).sum::<u64>();
    let nodes = sum(|count| count.nodes);
    Row {
        game: game.to_owned(),
        depth,
        method: method.to_string(),
        positions: found.len(),
        searched: counts.len(),
        different,
        finished: counts.len() == found.len(),
        nodes,
        leaves: sum(|count| count.leaves),
        alpha_cuts: sum(|count| count.alpha_cuts),
        beta_cuts: sum(|count| count.beta_cuts),
        branching: branching(nodes as f64 / counts.len().max(1) as f64, depth),
        seconds: time.as_secs_f64(),
    }
}

/// The effective branching factor: `b` with 1 + b + b² + … + b^depth = nodes.
pub fn branching(nodes: f64, depth: u32) -> f64 {
    let tree = |b: f64| (0..=depth).map(|level| b.powi(level as i32)).sum::<f64>();
    let (mut low, mut high) = (0.0, nodes.max(1.0));
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        *(if tree(middle) < nodes { &mut low } else { &mut high }) = middle;
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bug;
    use serde_json::json;

    #[test]
    fn branching_of_uniform_trees() {
        for (nodes, depth, expected) in [(15.0, 3, 2.0), (121.0, 4, 3.0), (11.0, 1, 10.0), (1.0, 3, 0.0)] {
            assert!((branching(nodes, depth) - expected).abs() < 1e-9, "{nodes} nodes");
        }
        // The example of Russell and Norvig: a solution at depth 5 with 52 nodes besides the root.
        assert!((branching(53.0, 5) - 1.92).abs() < 0.01);
    }

    #[test]
    fn only_a_bug_gives_another_value() {
        let start = crate::open(rules::find("tic-tac-toe").unwrap(), &json!({})).unwrap();
        let samples = crate::sample(&*start, 6, 1);
        let methods = [
            Method::Minimax,
            Method::Negamax,
            Method::AlphaBeta,
            Method::Strong,
            Method::Buggy(Bug::MaxMinSwapped),
        ];
        let rows = compare("tic-tac-toe", &samples, &methods, 3, 1_000_000);
        assert_eq!((rows[0].nodes, rows[0].leaves), (rows[1].nodes, rows[1].leaves));
        assert!(rows[2].nodes < rows[0].nodes && rows[2].alpha_cuts + rows[2].beta_cuts > 0);
        assert_eq!(rows[..4].iter().map(|row| row.different).sum::<usize>(), 0);
        assert!(rows[4].different > 0);
        let row = &compare("tic-tac-toe", &samples, &methods, 3, 20)[0];
        assert!(!row.finished && row.searched < row.positions, "{row:?}");
    }
}
