//! Compares searches on the same positions.

use crate::sample::Sample;
use crate::technique::Technique;
use search::{Count, Found};
use serde::Serialize;
use std::time::{Duration, Instant};

/// One search at one depth, over all positions of a game.
///
/// A search that did not finish every position has no sums. They would cover other positions than
/// the sums of the other searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonRow {
    pub game: String,
    pub depth: u32,
    pub method: String,
    pub positions: usize,
    /// The number of positions for which the nodes were enough.
    pub searched: usize,
    /// Whether the nodes were enough for all positions.
    pub finished: bool,
    /// The number of positions that both this search and the first search of the comparison
    /// finished.
    pub compared: usize,
    /// The number of these positions for which this search finds another value.
    pub different: usize,
    pub nodes: Option<u64>,
    pub leaves: Option<u64>,
    pub alpha_cuts: Option<u64>,
    pub beta_cuts: Option<u64>,
    /// The branching factor of a uniform tree of this depth with the same number of nodes.
    pub branching: Option<f64>,
    pub seconds: Option<f64>,
}

impl ComparisonRow {
    pub fn nodes_per_second(&self) -> Option<f64> {
        let (nodes, seconds) = self.nodes.zip(self.seconds)?;
        Some(if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 })
    }
}

/// Runs every method at one depth on all positions.
pub fn compare(
    game: &str,
    samples: &[Sample],
    methods: &[Technique],
    depth: u32,
    nodes: u64,
) -> Vec<ComparisonRow> {
    let mut first: Vec<Option<i32>> = Vec::new();
    let mut rows = Vec::new();
    for (at, &method) in methods.iter().enumerate() {
        let start = Instant::now();
        let found: Vec<Option<Found<String>>> =
            samples.iter().map(|sample| sample.study.search(method, depth, nodes)).collect();
        let time = start.elapsed();
        let values: Vec<Option<i32>> =
            found.iter().map(|found| found.as_ref().map(|found| found.value)).collect();
        if at == 0 {
            first.clone_from(&values);
        }
        let pairs: Vec<(i32, i32)> =
            values.iter().zip(&first).filter_map(|(value, first)| value.zip(*first)).collect();
        let different = pairs.iter().filter(|(value, first)| value != first).count();
        let about =
            ComparisonRow { compared: pairs.len(), different, ..unfinished(game, depth, method, &values) };
        rows.push(if about.finished { summed(about, &found, time) } else { about });
    }
    rows
}

fn unfinished(game: &str, depth: u32, method: Technique, values: &[Option<i32>]) -> ComparisonRow {
    let searched = values.iter().flatten().count();
    ComparisonRow {
        game: game.to_owned(),
        depth,
        method: method.to_string(),
        positions: values.len(),
        searched,
        finished: searched == values.len(),
        compared: 0,
        different: 0,
        nodes: None,
        leaves: None,
        alpha_cuts: None,
        beta_cuts: None,
        branching: None,
        seconds: None,
    }
}

fn summed(row: ComparisonRow, found: &[Option<Found<String>>], time: Duration) -> ComparisonRow {
    let sum = |part: fn(&Count) -> u64| found.iter().flatten().map(|found| part(&found.count)).sum::<u64>();
    let nodes = sum(|count| count.nodes);
    ComparisonRow {
        nodes: Some(nodes),
        leaves: Some(sum(|count| count.leaves)),
        alpha_cuts: Some(sum(|count| count.alpha_cuts)),
        beta_cuts: Some(sum(|count| count.beta_cuts)),
        branching: Some(branching(nodes as f64 / row.positions.max(1) as f64, row.depth)),
        seconds: Some(time.as_secs_f64()),
        ..row
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
    use search::Algorithm;
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
        let samples = crate::sample(&start, 6, 1);
        let methods = [
            Technique::MINIMAX,
            Technique::Correct(Algorithm::Negamax),
            Technique::ALPHA_BETA,
            Technique::Correct(Algorithm::Strong),
            Technique::Buggy(Bug::MaxMinSwapped),
        ];
        let rows = compare("tic-tac-toe", &samples, &methods, 3, 1_000_000);
        assert_eq!((rows[0].nodes, rows[0].leaves), (rows[1].nodes, rows[1].leaves));
        assert!(rows[2].nodes < rows[0].nodes && rows[2].alpha_cuts > Some(0) && rows[2].beta_cuts > Some(0));
        assert_eq!(rows[..4].iter().map(|row| row.different).sum::<usize>(), 0);
        assert!(rows[4].different > 0);
    }

    /// Otherwise a search that finishes more positions would seem to need more nodes.
    #[test]
    fn all_sums_cover_all_positions() {
        let start = crate::open(rules::find("tic-tac-toe").unwrap(), &json!({})).unwrap();
        let samples = crate::sample(&start, 5, 1);
        let bug = Technique::Buggy(Bug::MaxMinSwapped);
        let rows =
            compare("tic-tac-toe", &samples, &[Technique::MINIMAX, bug, Technique::ALPHA_BETA], 5, 3_000);
        assert_eq!(rows.iter().map(|row| row.searched).collect::<Vec<_>>(), [3, 5, 5]);
        for row in &rows {
            assert_eq!((row.nodes.is_some(), row.branching.is_some()), (row.finished, row.finished));
            assert_eq!(
                (row.positions, row.compared),
                (5, 3),
                "only positions that the first search finished"
            );
        }
        assert_eq!(serde_json::to_value(&rows[0]).unwrap()["branching"], json!(null));
    }
}
