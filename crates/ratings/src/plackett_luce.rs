//! The likelihood of a finishing order.
//!
//! The strength of a side is the mean strength of its bots, plus the worth of the first seat for
//! the side that has it. The first place goes to each side with a chance proportional to
//! e^strength. The second place is given in the same way among the sides left, and so on. Tied
//! sides finish in every order equally often, and the log-likelihood is the mean over these orders.
//! With two sides this is the model of Bradley and Terry, in which a draw is half a win for each
//! side.

use crate::games::RatedSide;

/// A sparse vector of pairs (parameter, factor).
pub(crate) type Sparse = Vec<(usize, f64)>;

/// The log-likelihood of a game, its gradient, and the negative of its second derivative as a sum
/// of weighted outer products.
pub(crate) struct Terms {
    pub(crate) value: f64,
    pub(crate) gradient: Sparse,
    pub(crate) curvature: Vec<(f64, Sparse)>,
}

/// A way to finish. Its parameters are the bots of the line-up, then the first seat.
pub(crate) struct Order {
    /// For each side, how its strength depends on the parameters.
    sides: Vec<Sparse>,
    /// The sets of sides that are still to be placed, each with its frequency among the orders that
    /// the places allow.
    stages: Vec<(f64, Vec<usize>)>,
}

impl Order {
    pub(crate) fn new(finish: &[RatedSide]) -> Order {
        let bots = finish.iter().flat_map(|side| &side.bots).max().map_or(0, |last| last + 1);
        let sides = finish.iter().map(|side| {
            let share = 1.0 / side.bots.len() as f64;
            let members = side.bots.iter().map(|&bot| (bot, share));
            summed(members.chain(side.first.then_some((bots, 1.0))))
        });
        let places: Vec<u8> = finish.iter().map(|side| side.place).collect();
        Order { sides: sides.collect(), stages: stages(&places) }
    }

    pub(crate) fn terms(&self, parameters: &[f64]) -> Terms {
        let strength: Vec<f64> = self.sides.iter().map(|side| dot(side, parameters)).collect();
        let mut value: f64 = strength.iter().sum();
        let mut pull = vec![1.0; self.sides.len()];
        let mut curvature = Vec::new();
        for (weight, left) in &self.stages {
            let top = left.iter().map(|&side| strength[side]).fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = left.iter().map(|&side| (strength[side] - top).exp()).sum();
            value -= weight * (top + total.ln());
            let chance = |side: usize| (strength[side] - top).exp() / total;
            for &side in left {
                pull[side] -= weight * chance(side);
            }
            if left.len() < 2 {
                continue;
            }
            let mean = summed(left.iter().flat_map(|&side| scaled(&self.sides[side], chance(side))));
            for &side in left {
                let distance = summed(self.sides[side].iter().copied().chain(scaled(&mean, -1.0)));
                curvature.push((weight * chance(side), distance));
            }
        }
        let gradient = summed(pull.iter().zip(&self.sides).flat_map(|(&pull, side)| scaled(side, pull)));
        Terms { value, gradient, curvature }
    }

    /// The expected score of the first of two sides.
    pub(crate) fn expected(&self, parameters: &[f64]) -> f64 {
        1.0 / (1.0 + (dot(&self.sides[1], parameters) - dot(&self.sides[0], parameters)).exp())
    }
}

/// The sides left when each place is given. Where `m` sides tie, every subset of the tied sides
/// still left comes equally often among subsets of its size.
fn stages(places: &[u8]) -> Vec<(f64, Vec<usize>)> {
    let mut stages = Vec::new();
    let mut start = 0;
    while start < places.len() {
        let tied = places[start..].iter().take_while(|&&place| place == places[start]).count();
        let rest: Vec<usize> = (start + tied..places.len()).collect();
        for choice in 1_u32..1 << tied {
            let left = choice.count_ones();
            let mut sides: Vec<usize> =
                (0..tied).filter(|at| choice >> at & 1 == 1).map(|at| start + at).collect();
            sides.extend(&rest);
            stages.push((1.0 / choose(tied as u32, left), sides));
        }
        start += tied;
    }
    stages
}

fn choose(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

pub(crate) fn dot(sparse: &[(usize, f64)], dense: &[f64]) -> f64 {
    sparse.iter().map(|&(at, factor)| factor * dense[at]).sum()
}

fn scaled(sparse: &[(usize, f64)], by: f64) -> impl Iterator<Item = (usize, f64)> {
    sparse.iter().map(move |&(at, factor)| (at, factor * by))
}

/// Adds up the factors, so that each parameter has one entry.
fn summed(entries: impl Iterator<Item = (usize, f64)>) -> Sparse {
    let mut sum: Sparse = Vec::new();
    for (at, factor) in entries {
        match sum.iter_mut().find(|(known, _)| *known == at) {
            Some((_, total)) => *total += factor,
            None => sum.push((at, factor)),
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_ties_are_all_orders() {
        assert_eq!(stages(&[1, 2]), vec![(1.0, vec![0, 1]), (1.0, vec![1])]);
        assert_eq!(stages(&[1, 1]), vec![(0.5, vec![0]), (0.5, vec![1]), (1.0, vec![0, 1])]);
        let three = stages(&[1, 1, 1]);
        assert_eq!(three.len(), 7);
        assert!((three.iter().map(|(weight, _)| weight).sum::<f64>() - 3.0).abs() < 1e-12);
        assert_eq!(stages(&[1, 2, 2])[0], (1.0, vec![0, 1, 2]));
    }
}
