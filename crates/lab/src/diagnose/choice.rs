//! Which positions to ask a bot about: those that tell the hypotheses apart.

use super::inquiry::is_clear;
use super::prediction::Prediction;
use super::{Hypothesis, Reports};
use crate::sample::Sample;
use std::collections::BTreeSet;

/// What there is to choose from, and how.
pub(super) struct Choice<'a> {
    pub(super) hypotheses: &'a [Hypothesis],
    pub(super) claimed: Option<u32>,
    pub(super) reports: Reports,
    /// Positions in which most searches need more nodes are passed over.
    pub(super) nodes: u64,
}

/// Positions that are looked at in any case, for each one that is wanted.
const POOL: usize = 3;
/// How much more a decided position counts for a bot that reports no scores.
const DECIDED: f64 = 6.0;
/// So many positions that give a mistake away are enough to choose from.
const GIVING_AWAY: f64 = 6.0;
/// The most positions in which to look for more of them, and the most nodes, in multiples of what one search may take.
const MORE: usize = 1000;
const SEARCHES_FOR_MORE: u64 = 200;
/// A mistake that has not shown in so many more is one that does not matter in this game.
const IN_VAIN: usize = 200;

/// A mistake and a correct search, by their numbers, and how well they can be told apart so far.
struct HiddenMistake {
    mistaken: usize,
    correct: usize,
    shown: f64,
}

/// A position and what every hypothesis expects there.
type Predicted = (Sample, Vec<Option<Prediction>>);

impl Choice<'_> {
    /// Picks the positions in which the hypotheses disagree most, those first that separate what is not yet separated.
    /// Also gives back the positions that it has looked at and not picked.
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
        let told = |expected: &[Option<Prediction>]| -> Vec<f64> {
            let pairs =
                pairs.iter().map(|&(truth, rival)| (expected[truth].as_ref(), expected[rival].as_ref()));
            pairs.map(|(truth, rival)| self.told(truth, rival)).collect()
        };
        let (known, mut rest) = self.predicted(pool, count * POOL);
        let mut known: Vec<(Sample, Vec<f64>, f64)> = known
            .into_iter()
            .map(|(sample, expected)| {
                let weight = self.weight(&sample, &expected);
                (sample, told(&expected), weight)
            })
            .collect();
        // A mistake must be told from a correct search above all. What was told needs to be told again much less.
        let matters = |&(truth, rival): &(usize, usize)| {
            !self.hypotheses[truth].is_correct() && self.hypotheses[rival].is_correct()
        };
        let mut news: Vec<f64> = pairs.iter().map(|pair| if matters(pair) { 10.0 } else { 1.0 }).collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !known.is_empty() {
            let gain = |told: &[f64]| told.iter().zip(&news).map(|(told, news)| told * news).sum::<f64>();
            let gains: Vec<f64> = known.iter().map(|(_, told, weight)| gain(told) * weight).collect();
            let best =
                (0..known.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a))).unwrap_or(0);
            let (sample, told, _) = known.remove(best);
            news.iter_mut().zip(told).for_each(|(news, told)| *news *= 0.25_f64.powf(told));
            chosen.push(sample);
        }
        rest.extend(known.into_iter().map(|known| known.0));
        (chosen, rest)
    }

    /// Without scores a position tells most if it is decided whatever the estimate, and not every other move is right.
    fn weight(&self, sample: &Sample, expected: &[Option<Prediction>]) -> f64 {
        let clear = |expected: &Prediction| is_clear(&sample.study, expected);
        let of_correct = self.hypotheses.iter().zip(expected).filter(|(it, _)| it.is_correct());
        let decided = of_correct.filter_map(|(_, expected)| expected.as_ref()).any(clear);
        if decided && !self.reports.scores { DECIDED } else { 1.0 }
    }

    /// The first positions, and then, within a bounded number of nodes, those in which a mistake shows that has hardly
    /// shown so far. Also gives back the others.
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
                let told = self.told(expected[*mistaken].as_ref(), expected[*correct].as_ref());
                *shown += told;
                shows |= told > 0.5;
            }
            if shows {
                known.extend(self.predict(&sample).map(|predictions| (sample, predictions)));
            } else {
                rest.push(sample);
            }
        }
        (known, rest)
    }

    /// Every mistake beside every correct search, with how well these positions tell them apart.
    fn hidden(&self, known: &[Predicted]) -> Vec<HiddenMistake> {
        let numbers = |wanted: fn(Hypothesis) -> bool| {
            (0..self.hypotheses.len()).filter(move |&at| wanted(self.hypotheses[at]))
        };
        let shown = |mistaken: usize, correct: usize| {
            let each = known
                .iter()
                .map(|(_, expected)| self.told(expected[mistaken].as_ref(), expected[correct].as_ref()));
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

    /// What every hypothesis expects, as far as its search does not need too many nodes; nothing if most do.
    fn predict(&self, sample: &Sample) -> Option<Vec<Option<Prediction>>> {
        let each = self.hypotheses.iter();
        let expected: Vec<Option<Prediction>> = each.map(|&it| self.expected(it, sample)).collect();
        let told = expected.iter().flatten().count();
        (told * 2 >= expected.len()).then_some(expected)
    }

    /// The truth would take too long for so many positions.
    fn expected(&self, hypothesis: Hypothesis, sample: &Sample) -> Option<Prediction> {
        (!hypothesis.is_to_the_end()).then(|| hypothesis.predict(&sample.study, self.claimed, self.nodes))?
    }

    fn told(&self, truth: Option<&Prediction>, rival: Option<&Prediction>) -> f64 {
        truth.zip(rival).map_or(0.0, |(truth, rival)| self.refutes(truth, rival))
    }

    /// How likely an answer in the sense of one hypothesis speaks against the other. A move counts most: every bot
    /// gives one.
    fn refutes(&self, truth: &Prediction, rival: &Prediction) -> f64 {
        // Moves that both would make tell nothing, and a bot may prefer just these.
        let outside = |expected: &[String]| {
            let others = truth.moves.iter().filter(|mv| !expected.contains(mv)).count();
            (others as f64 / truth.moves.len().max(1) as f64).powi(2)
        };
        let mut moves = outside(&rival.moves);
        // Without scores the estimate is unknown, and a move counts for little where it depends on that.
        if !self.reports.scores {
            let decided = if rival.decided.is_empty() { 0.0 } else { outside(&rival.decided) };
            moves = moves * 0.5 + decided;
        }
        let scores = if self.reports.scores && truth.value != rival.value { 0.3 } else { 0.0 };
        let nodes = if self.reports.nodes && truth.nodes != rival.nodes { 0.2 } else { 0.0 };
        moves + scores + nodes
    }
}
