//! Chooses the positions to ask a bot about: positions that tell the hypotheses apart.

use super::inquiry::is_clear;
use super::prediction::Prediction;
use super::{Hypothesis, Reports};
use crate::sample::Sample;
use std::collections::BTreeSet;

/// The hypotheses to tell apart, and the limits of the choice.
pub(super) struct Choice<'a> {
    pub(super) hypotheses: &'a [Hypothesis],
    pub(super) claimed: Option<u32>,
    pub(super) reports: Reports,
    /// Positions in which most searches need more nodes are skipped.
    pub(super) nodes: u64,
}

/// For each wanted position, at least this many positions are looked at.
const POOL: usize = 3;
/// The weight of a decided position for a bot that reports no scores.
const DECIDED: f64 = 6.0;
/// This much separation from a correct search is enough for a mistake.
const GIVING_AWAY: f64 = 6.0;
/// Limits on the search for more positions that show a mistake: the positions, and the nodes in
/// multiples of one search.
const MORE: usize = 1000;
const SEARCHES_FOR_MORE: u64 = 200;
/// A mistake that has not shown in this many more positions does not matter in this game.
const IN_VAIN: usize = 200;

/// A mistake and a correct search, by index, and how well the positions so far separate them.
struct HiddenMistake {
    mistaken: usize,
    correct: usize,
    shown: f64,
}

/// A position and what every hypothesis expects there.
type Predicted = (Sample, Vec<Option<Prediction>>);

impl Choice<'_> {
    /// Picks the positions in which the hypotheses disagree most. Positions that separate
    /// hypotheses for the first time come first. Also returns the positions that were looked at and
    /// not picked.
    pub(super) fn pick(
        &self,
        pool: impl Iterator<Item = Sample>,
        count: usize,
    ) -> (Vec<Sample>, Vec<Sample>) {
        let pairs: Vec<(usize, usize)> = (0..self.hypotheses.len())
            .flat_map(|a| (0..self.hypotheses.len()).map(move |b| (a, b)))
            .filter(|(a, b)| a != b)
            .filter(|&(a, b)| ![a, b].iter().any(|&at| self.hypotheses[at].is_to_the_end()))
            .collect();
        let separations = |expected: &[Option<Prediction>]| -> Vec<f64> {
            let pairs =
                pairs.iter().map(|&(truth, rival)| (expected[truth].as_ref(), expected[rival].as_ref()));
            pairs.map(|(truth, rival)| self.separation(truth, rival)).collect()
        };
        let (known, mut rest) = self.predicted(pool, count * POOL);
        let mut known: Vec<(Sample, Vec<f64>, f64)> = known
            .into_iter()
            .map(|(sample, expected)| {
                let weight = self.weight(&sample, &expected);
                (sample, separations(&expected), weight)
            })
            .collect();
        // It matters most to tell a mistake from a correct search. A pair that is already separated
        // matters much less.
        let matters = |&(truth, rival): &(usize, usize)| {
            !self.hypotheses[truth].is_correct() && self.hypotheses[rival].is_correct()
        };
        let mut need: Vec<f64> = pairs.iter().map(|pair| if matters(pair) { 10.0 } else { 1.0 }).collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !known.is_empty() {
            let gain = |separations: &[f64]| {
                separations.iter().zip(&need).map(|(separation, need)| separation * need).sum::<f64>()
            };
            let gains: Vec<f64> =
                known.iter().map(|(_, separations, weight)| gain(separations) * weight).collect();
            let best =
                (0..known.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a))).unwrap_or(0);
            let (sample, separations, _) = known.remove(best);
            need.iter_mut()
                .zip(separations)
                .for_each(|(need, separation)| *need *= 0.25_f64.powf(separation));
            chosen.push(sample);
        }
        rest.extend(known.into_iter().map(|known| known.0));
        (chosen, rest)
    }

    /// The weight of a position. Without scores, the most useful positions are decided for any
    /// estimate and have at most half of their moves right.
    fn weight(&self, sample: &Sample, expected: &[Option<Prediction>]) -> f64 {
        let clear = |expected: &Prediction| is_clear(&sample.study, expected);
        let of_correct = self.hypotheses.iter().zip(expected).filter(|(it, _)| it.is_correct());
        let decided = of_correct.filter_map(|(_, expected)| expected.as_ref()).any(clear);
        if decided && !self.reports.scores { DECIDED } else { 1.0 }
    }

    /// The first positions with their predictions. Then, within a bounded number of nodes,
    /// positions that show a mistake that has hardly shown so far. Also returns the other
    /// positions.
    fn predicted(
        &self,
        mut pool: impl Iterator<Item = Sample>,
        count: usize,
    ) -> (Vec<Predicted>, Vec<Sample>) {
        let (mut known, mut rest) = (Vec::new(), Vec::new());
        for sample in pool.by_ref().take(count) {
            known.extend(self.predict(&sample).map(|predictions| (sample, predictions)));
        }
        let mut hidden = self.hidden(&known);
        let mut left = self.nodes.saturating_mul(SEARCHES_FOR_MORE);
        for (looked, sample) in pool.take(MORE).enumerate() {
            hidden.retain(|hidden| hidden.shown < GIVING_AWAY && (looked < IN_VAIN || hidden.shown > 0.0));
            if hidden.is_empty() || left == 0 {
                break;
            }
            let mut expected: Vec<Option<Prediction>> = vec![None; self.hypotheses.len()];
            let needed = hidden.iter().flat_map(|hidden| [hidden.mistaken, hidden.correct]);
            for at in needed.collect::<BTreeSet<_>>() {
                expected[at] = self.expected(self.hypotheses[at], &sample);
                let used = expected[at].as_ref().map_or(self.nodes, |prediction| prediction.nodes);
                left = left.saturating_sub(used);
            }
            let mut shows = false;
            for HiddenMistake { mistaken, correct, shown } in &mut hidden {
                let separation = self.separation(expected[*mistaken].as_ref(), expected[*correct].as_ref());
                *shown += separation;
                shows |= separation > 0.5;
            }
            if shows {
                known.extend(self.predict(&sample).map(|predictions| (sample, predictions)));
            } else {
                rest.push(sample);
            }
        }
        (known, rest)
    }

    /// Every pair of a mistake and a correct search, with how well these positions separate the
    /// pair.
    fn hidden(&self, known: &[Predicted]) -> Vec<HiddenMistake> {
        let numbers = |wanted: fn(Hypothesis) -> bool| {
            (0..self.hypotheses.len()).filter(move |&at| wanted(self.hypotheses[at]))
        };
        let shown = |mistaken: usize, correct: usize| {
            let each = known.iter().map(|(_, expected)| {
                self.separation(expected[mistaken].as_ref(), expected[correct].as_ref())
            });
            each.sum()
        };
        let pair = |mistaken, correct| HiddenMistake { mistaken, correct, shown: shown(mistaken, correct) };
        numbers(|it| it.bug().is_some())
            .flat_map(|mistaken| {
                numbers(|it| it.is_correct() && !it.is_to_the_end()).map(move |correct| (mistaken, correct))
            })
            .map(|(mistaken, correct)| pair(mistaken, correct))
            .collect()
    }

    /// The prediction of every hypothesis, `None` where its search needs too many nodes. No list if
    /// most searches do.
    fn predict(&self, sample: &Sample) -> Option<Vec<Option<Prediction>>> {
        let each = self.hypotheses.iter();
        let expected: Vec<Option<Prediction>> = each.map(|&it| self.expected(it, sample)).collect();
        let predicted = expected.iter().flatten().count();
        (predicted * 2 >= expected.len()).then_some(expected)
    }

    /// The truth is left out, because it would take too long for so many positions.
    fn expected(&self, hypothesis: Hypothesis, sample: &Sample) -> Option<Prediction> {
        (!hypothesis.is_to_the_end()).then(|| hypothesis.predict(&sample.study, self.claimed, self.nodes))?
    }

    fn separation(&self, truth: Option<&Prediction>, rival: Option<&Prediction>) -> f64 {
        truth.zip(rival).map_or(0.0, |(truth, rival)| self.refutes(truth, rival))
    }

    /// How strongly an answer that fits one hypothesis contradicts the other. A move counts most,
    /// because every bot gives a move.
    fn refutes(&self, truth: &Prediction, rival: &Prediction) -> f64 {
        // Moves that both searches may play tell nothing, and a bot may prefer exactly these moves.
        let outside = |expected: &[String]| {
            let others = truth.moves.iter().filter(|mv| !expected.contains(mv)).count();
            (others as f64 / truth.moves.len().max(1) as f64).powi(2)
        };
        let mut moves = outside(&rival.moves);
        // Without scores the estimate is unknown. A move that depends on the estimate counts for
        // little.
        if !self.reports.scores {
            let decided = if rival.decided.is_empty() { 0.0 } else { outside(&rival.decided) };
            moves = moves * 0.5 + decided;
        }
        let scores = if self.reports.scores && truth.value != rival.value { 0.3 } else { 0.0 };
        let nodes = if self.reports.nodes && truth.nodes != rival.nodes { 0.2 } else { 0.0 };
        moves + scores + nodes
    }
}
