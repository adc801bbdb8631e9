//! Draws a tidy tree: parents above the middle of their children, subtrees as close as possible, no
//! crossings.

use crate::diagram::Diagram;

/// The horizontal centre of every node. The leftmost box starts at 0.
pub(super) fn centres(diagram: &Diagram, widths: &[f64], gap: f64) -> Vec<f64> {
    let out = diagram.out_edges();
    let children: Vec<Vec<usize>> =
        out.iter().map(|edges| edges.iter().map(|&at| diagram.edges[at].to).collect()).collect();
    let mut tree = Tidy { children, widths, gap, shift: vec![0.0; widths.len()] };
    let outline = tree.place(0);
    let left = outline.iter().map(|(left, _)| *left).fold(f64::INFINITY, f64::min);
    let mut centres = vec![0.0; widths.len()];
    tree.settle(0, -left, &mut centres);
    centres
}

struct Tidy<'a> {
    children: Vec<Vec<usize>>,
    widths: &'a [f64],
    gap: f64,
    /// By node: the distance from its parent.
    shift: Vec<f64>,
}

/// The left and right end of a subtree on each of its levels, relative to the centre of its root.
type Outline = Vec<(f64, f64)>;

impl Tidy<'_> {
    fn place(&mut self, node: usize) -> Outline {
        let half = self.widths[node] / 2.0;
        let children = self.children[node].clone();
        let mut merged: Outline = Vec::new();
        let mut centres = Vec::new();
        for &child in &children {
            let outline = self.place(child);
            // The subtree goes as far left as the subtrees before it allow.
            let levels = merged.iter().zip(&outline);
            let x = levels
                .map(|((_, right), (left, _))| right + self.gap - left)
                .fold(f64::NEG_INFINITY, f64::max);
            let x = if merged.is_empty() { 0.0 } else { x };
            for (level, (left, right)) in outline.into_iter().enumerate() {
                match merged.get_mut(level) {
                    Some(ends) => ends.1 = x + right,
                    None => merged.push((x + left, x + right)),
                }
            }
            centres.push(x);
        }
        let middle =
            centres.first().zip(centres.last()).map_or(0.0, |(first, last)| f64::midpoint(*first, *last));
        for (&child, x) in children.iter().zip(&centres) {
            self.shift[child] = x - middle;
        }
        let below = merged.into_iter().map(|(left, right)| (left - middle, right - middle));
        std::iter::once((-half, half)).chain(below).collect()
    }

    fn settle(&self, node: usize, x: f64, centres: &mut [f64]) {
        centres[node] = x;
        for &child in &self.children[node] {
            self.settle(child, x + self.shift[child], centres);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, open};
    use serde_json::json;

    #[test]
    fn boxes_never_overlap_and_parents_stand_in_the_middle() {
        let study = open(rules::find("nim").unwrap(), &json!({"heaps": [2, 2]})).unwrap();
        let tree = study.unfold(Shape::Tree, 9, 10_000).unwrap();
        let widths: Vec<f64> = (0..tree.nodes.len()).map(|node| 10.0 + (node % 7) as f64).collect();
        let centres = centres(&tree, &widths, 4.0);
        for level in 0..tree.levels().len() {
            let mut row: Vec<usize> = (0..widths.len()).filter(|&at| tree.nodes[at].level == level).collect();
            row.sort_by(|&a, &b| centres[a].total_cmp(&centres[b]));
            for pair in row.windows(2) {
                let free =
                    centres[pair[1]] - centres[pair[0]] - f64::midpoint(widths[pair[0]], widths[pair[1]]);
                assert!(free > 3.999, "{pair:?}: {free}");
            }
        }
        for (node, edges) in tree.out_edges().iter().enumerate() {
            if let (Some(&first), Some(&last)) = (edges.first(), edges.last()) {
                let middle = f64::midpoint(centres[tree.edges[first].to], centres[tree.edges[last].to]);
                assert!((centres[node] - middle).abs() < 1e-6, "node {node}");
            }
        }
    }
}
