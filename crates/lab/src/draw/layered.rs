//! Draws a graph in layers, with few crossings and short edges. The method is Sugiyama's: first the
//! layers, then the order within the layers by barycentres, then the coordinates.

use crate::diagram::Diagram;
use std::collections::VecDeque;

/// The places of all nodes and edges.
pub(super) struct LayeredLayout {
    /// By node: the layer, and the horizontal centre. The leftmost box starts at 0.
    pub(super) layers: Vec<usize>,
    pub(super) centres: Vec<f64>,
    /// By edge: the centres of its passages through the layers between its ends.
    pub(super) bends: Vec<Vec<f64>>,
}

/// The width of the passage of an edge through a layer.
const PASSAGE: f64 = 14.0;
const SWEEPS: usize = 24;

pub(super) fn layout(diagram: &Diagram, widths: &[f64], gap: f64) -> LayeredLayout {
    let layers = layers(diagram);
    let mut rows = LayeredRows::new(diagram, &layers, widths, gap);
    rows.uncross();
    let xs = rows.places();
    let left = (0..xs.len()).map(|at| xs[at] - rows.widths[at] / 2.0).fold(f64::INFINITY, f64::min);
    let centres = xs[..widths.len()].iter().map(|x| x - left).collect();
    let bends = rows.chains.iter().map(|chain| chain.iter().map(|&at| xs[at] - left).collect()).collect();
    LayeredLayout { layers, centres, bends }
}

/// A node lies below every node that leads to it. Where positions can repeat, the layer is the
/// least number of moves from the root.
fn layers(diagram: &Diagram) -> Vec<usize> {
    if diagram.is_cyclic() {
        return diagram.nodes.iter().map(|node| node.level).collect();
    }
    let out = diagram.out_edges();
    let mut entering = vec![0; diagram.nodes.len()];
    diagram.edges.iter().for_each(|edge| entering[edge.to] += 1);
    let mut layers = vec![0; diagram.nodes.len()];
    let mut ready = VecDeque::from([0]);
    while let Some(node) = ready.pop_front() {
        for &at in &out[node] {
            let to = diagram.edges[at].to;
            layers[to] = layers[to].max(layers[node] + 1);
            entering[to] -= 1;
            if entering[to] == 0 {
                ready.push_back(to);
            }
        }
    }
    layers
}

/// Nodes and passages, row by row.
struct LayeredRows {
    order: Vec<Vec<usize>>,
    widths: Vec<f64>,
    /// The neighbours in the row above and in the row below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// By edge, its passages.
    chains: Vec<Vec<usize>>,
    gap: f64,
}

impl LayeredRows {
    fn new(diagram: &Diagram, layers: &[usize], widths: &[f64], gap: f64) -> LayeredRows {
        let deepest = layers.iter().max().copied().unwrap_or(0);
        let mut rows = LayeredRows {
            order: vec![Vec::new(); deepest + 1],
            widths: widths.to_vec(),
            above: vec![Vec::new(); widths.len()],
            below: vec![Vec::new(); widths.len()],
            chains: Vec::new(),
            gap,
        };
        (0..widths.len()).for_each(|node| rows.order[layers[node]].push(node));
        for edge in &diagram.edges {
            let mut chain = Vec::new();
            let mut from = edge.from;
            // An edge that leads up or stays within a row does not affect the order.
            if layers[edge.to] > layers[edge.from] {
                for row in layers[edge.from] + 1..layers[edge.to] {
                    let passage = rows.add_passage(row);
                    rows.link(from, passage);
                    chain.push(passage);
                    from = passage;
                }
                rows.link(from, edge.to);
            }
            rows.chains.push(chain);
        }
        rows
    }

    fn add_passage(&mut self, row: usize) -> usize {
        let number = self.widths.len();
        self.widths.push(PASSAGE);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.order[row].push(number);
        number
    }

    fn link(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Sorts the rows by the mean place of their neighbours, downwards and upwards in turn. Keeps
    /// the order with the fewest crossings.
    fn uncross(&mut self) {
        let mut best = (self.crossings(), self.order.clone());
        for sweep in 0..SWEEPS {
            let downwards = sweep % 2 == 0;
            let count = self.order.len();
            for step in 1..count {
                let row = if downwards { step } else { count - 1 - step };
                let fixed = if downwards { row - 1 } else { row + 1 };
                let place = self.ranks(fixed);
                let neighbours = if downwards { &self.above } else { &self.below };
                let mut sorted: Vec<(f64, usize)> = (self.order[row].iter().enumerate())
                    .map(|(at, &node)| {
                        let near: Vec<f64> = neighbours[node].iter().map(|&other| place[other]).collect();
                        let mean = near.iter().sum::<f64>() / near.len() as f64;
                        (if near.is_empty() { at as f64 } else { mean }, node)
                    })
                    .collect();
                sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.order[row] = sorted.into_iter().map(|(_, node)| node).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.order.clone());
            }
        }
        self.order = best.1;
    }

    fn ranks(&self, row: usize) -> Vec<f64> {
        let mut ranks = vec![0.0; self.widths.len()];
        self.order[row].iter().enumerate().for_each(|(at, &node)| ranks[node] = at as f64);
        ranks
    }

    fn crossings(&self) -> usize {
        let mut crossings = 0;
        for row in 0..self.order.len() - 1 {
            let place = self.ranks(row + 1);
            let mut seen: Vec<f64> = Vec::new();
            for &node in &self.order[row] {
                for &to in &self.below[node] {
                    crossings += seen.iter().filter(|&&other| other > place[to]).count();
                }
                seen.extend(self.below[node].iter().map(|&to| place[to]));
            }
        }
        crossings
    }

    /// Places each node as near as possible to the mean of its neighbours, in the order of its row.
    fn places(&self) -> Vec<f64> {
        let mut xs = vec![0.0; self.widths.len()];
        for row in &self.order {
            let wishes = vec![0.0; row.len()];
            self.settle(row, &wishes, &mut xs);
        }
        for round in 0..40 {
            let downwards = round % 2 == 0;
            let order: Vec<usize> = if downwards {
                (0..self.order.len()).collect()
            } else {
                (0..self.order.len()).rev().collect()
            };
            for row in order {
                let wishes: Vec<f64> = self.order[row].iter().map(|&node| self.wish(node, &xs)).collect();
                self.settle(&self.order[row], &wishes, &mut xs);
            }
        }
        xs
    }

    fn wish(&self, node: usize, xs: &[f64]) -> f64 {
        let near: Vec<f64> =
            self.above[node].iter().chain(&self.below[node]).map(|&other| xs[other]).collect();
        if near.is_empty() { xs[node] } else { near.iter().sum::<f64>() / near.len() as f64 }
    }

    /// Finds the places that are nearest to the wishes (least squares) and keep order and distance.
    /// Neighbours that would collide become one block at their mean wish.
    fn settle(&self, row: &[usize], wishes: &[f64], xs: &mut [f64]) {
        let mut offset = 0.0;
        // By block: the sum of the wishes minus the packed offsets, and the number of members.
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        let mut offsets = Vec::new();
        for (at, &node) in row.iter().enumerate() {
            if at > 0 {
                offset += f64::midpoint(self.widths[row[at - 1]], self.widths[node]) + self.gap;
            }
            offsets.push(offset);
            blocks.push((wishes[at] - offset, 1));
            while let [.., before, last] = blocks[..]
                && before.0 / before.1 as f64 >= last.0 / last.1 as f64
            {
                blocks.truncate(blocks.len() - 2);
                blocks.push((before.0 + last.0, before.1 + last.1));
            }
        }
        let mut at = 0;
        for (sum, members) in blocks {
            for _ in 0..members {
                xs[row[at]] = sum / members as f64 + offsets[at];
                at += 1;
            }
        }
    }
}
