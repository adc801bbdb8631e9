//! How well a hypothesis explains the answers of a bot.

use super::hypothesis::{Depth, Hypothesis};
use super::inquiry::{DEEPEST, is_beyond_sight};
use super::remark::View;
use super::{Asked, ExaminedAnswer};
use crate::diagram::Side;
use crate::technique::Technique;
use search::WIN;

/// This many positions are enough where every move, every score and every count agrees.
pub(super) const ENOUGH_IF_ALL_AGREE: usize = 4;
/// Agreement in decided positions is evidence only if a bot that moves at random agrees with at
/// most this probability.
const CHANCE: f64 = 0.001;

/// How well a hypothesis explains all answers. A pair of numbers counts the answers that agree, and
/// the answers that were compared.
#[derive(Clone, Debug, PartialEq)]
pub struct HypothesisFit {
    pub hypothesis: Hypothesis,
    pub moves: (usize, usize),
    /// Moves that are right for any estimate.
    pub decided: (usize, usize),
    pub scores: (usize, usize),
    pub counts: (usize, usize),
    /// The probability that a bot that moves at random agrees with as many moves.
    pub by_chance: f64,
    /// The same probability for the decided moves.
    pub decided_by_chance: f64,
    /// The indices of the answers that contradict the hypothesis for any estimate.
    pub against: Vec<usize>,
    /// Agreeing scores by [`View`]: all scores, the scores that are estimates, and the scores of
    /// the right sign where a win or a loss is in sight.
    pub(super) views: [usize; View::ALL.len()],
    pub(super) estimate_views: [usize; View::ALL.len()],
    pub(super) sign_views: [usize; View::ALL.len()],
    /// Scores where the expected value is an estimate: no win or loss is in sight, and the expected
    /// value is not 0. A bot without an estimate reports 0 too.
    pub(super) estimates: (usize, usize),
    /// The number of scores where a win or a loss is in sight.
    pub(super) signs: usize,
    /// The number of agreeing counts that leave out the root.
    pub(super) rootless: usize,
    /// The number of answers that are an immediate win, or the first move otherwise. Whatever the
    /// mistake, a search that sees no further and estimates nothing plays like that.
    pub(super) blind: usize,
    pub(super) useful: UsefulReports,
    asked: usize,
}

/// Which reports are evidence. Scores or counts that hardly agree with any hypothesis come from
/// another evaluation, or from another way of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UsefulReports {
    pub(super) scores: bool,
    pub(super) counts: bool,
}

impl UsefulReports {
    fn anything(self) -> bool {
        self.scores || self.counts
    }

    pub(super) fn by(fits: &[HypothesisFit]) -> UsefulReports {
        UsefulReports {
            scores: fits.iter().any(|fit| fit.has_scores(8)),
            counts: fits.iter().any(|fit| fit.has_counts(8)),
        }
    }
}

/// Whether at least this many of ten agree, in enough answers.
fn agree((agree, asked): (usize, usize), of_ten: usize) -> bool {
    asked >= ENOUGH_IF_ALL_AGREE && agree * 10 >= asked * of_ten
}

pub(super) fn nearly_all(tally: (usize, usize)) -> bool {
    agree(tally, 9)
}

impl HypothesisFit {
    /// The share of all evidence that agrees.
    pub fn share(&self) -> f64 {
        // The truth predicts neither scores nor counts.
        if self.hypothesis.is_to_the_end() && self.useful.anything() {
            return 0.0;
        }
        let [scores, counts] = [(self.useful.scores, self.scores), (self.useful.counts, self.counts)]
            .map(|(useful, tally)| if useful { tally } else { (0, 0) });
        let agree = self.moves.0 + scores.0 + counts.0;
        let compared = self.moves.1 + scores.1 + counts.1;
        agree as f64 / compared.max(1) as f64
    }

    /// Whether at least this many of ten scores match the hypothesis. Where the game is decided,
    /// the scores of all searches agree, so the estimates must match too.
    fn has_scores(&self, of_ten: usize) -> bool {
        agree(self.scores, of_ten) && agree(self.estimates, of_ten)
    }

    fn has_counts(&self, of_ten: usize) -> bool {
        agree(self.counts, of_ten)
    }

    /// Whether scores or counts distinguish the hypothesis from every correct search. If so, the
    /// estimate does not matter.
    pub(super) fn is_reported(&self, fits: &[HypothesisFit]) -> bool {
        // A bot with matching scores has the same estimate, so every difference counts.
        let mut correct = fits.iter().filter(|fit| fit.is_correct());
        self.has_scores(9)
            || self.has_counts(9) && correct.all(|fit| !fit.has_counts(9) && fit.moves.0 <= self.moves.0)
    }

    /// Whether moves, scores or counts show an estimate. The moves of a blind bot do not. Neither
    /// do the counts of a search without cuts, because such counts are the same for all estimates.
    pub(super) fn shows_estimate(&self) -> bool {
        let cuts = matches!(self.hypothesis.technique, Technique::Buggy(_));
        self.moves.0 > self.blind || self.has_scores(9) || cuts && self.has_counts(9)
    }

    /// Whether nothing contradicts the mistake, for any estimate. If counts are evidence, they must
    /// match. A mistake that is only another estimate must show in the scores.
    pub(super) fn may_be_named(&self) -> bool {
        let counts = !self.useful.counts || self.has_counts(8);
        let scores = !self.hypothesis.is_estimate() || self.has_scores(9);
        self.hypothesis.bug().is_some() && !self.is_refuted() && counts && scores
    }

    /// Whether the mistake explains more moves than a correct search, and most of the moves that
    /// the correct search does not explain. If scores or counts match the mistake alone, explaining
    /// as many moves is enough.
    pub(super) fn plays_better_than(&self, correct: &HypothesisFit) -> bool {
        let alone = |has: fn(&HypothesisFit, usize) -> bool| has(self, 9) && !has(correct, 9);
        if alone(HypothesisFit::has_scores) || alone(HypothesisFit::has_counts) {
            return self.moves.0 >= correct.moves.0;
        }
        let misses = |fit: &HypothesisFit| fit.moves.1 - fit.moves.0;
        let clearly = !correct.is_told() || misses(self) * 4 <= misses(correct);
        self.moves.0 > correct.moves.0 && clearly
    }

    /// Whether the bot is not this search, whatever its estimate.
    pub(super) fn is_refuted(&self) -> bool {
        !self.against.is_empty()
    }

    pub(super) fn is_correct(&self) -> bool {
        self.hypothesis.is_correct()
    }

    /// Whether the search was small enough in most positions.
    pub fn is_told(&self) -> bool {
        self.moves.1 * 2 >= self.asked
    }

    /// Whether the agreement is too large for chance.
    pub fn explains(&self) -> bool {
        // Where most moves agree, the scores decide: so many scores do not match by chance.
        let scores = self.scores.1 >= 8 && self.has_scores(9);
        let all = |(agree, asked): (usize, usize)| asked >= ENOUGH_IF_ALL_AGREE && agree == asked;
        let everything = all(self.moves) && all(self.scores) && all(self.counts);
        let doubt = if scores { 0.05 } else { CHANCE };
        let least = match self.hypothesis.depth {
            // When several depths are guessed, one of them often fits a bot with many wrong moves.
            Depth::Fixed(_) | Depth::End => 100,
            _ if self.useful.scores => 90,
            _ => 95,
        };
        let enough = self.moves.0 * 100 >= self.moves.1 * least;
        self.is_told() && enough && (self.by_chance < doubt || everything)
    }

    /// Whether the hypothesis explains at least every move that does not depend on the estimate.
    pub(super) fn explains_decided(&self) -> bool {
        self.against.is_empty() && self.decided_by_chance < CHANCE
    }
}

pub(super) fn fit(questions: &[ExaminedAnswer], hypothesis: Hypothesis) -> HypothesisFit {
    let mut fit = HypothesisFit {
        hypothesis,
        moves: (0, 0),
        decided: (0, 0),
        scores: (0, 0),
        counts: (0, 0),
        by_chance: 1.0,
        decided_by_chance: 1.0,
        against: Vec::new(),
        views: [0; View::ALL.len()],
        estimate_views: [0; View::ALL.len()],
        sign_views: [0; View::ALL.len()],
        estimates: (0, 0),
        signs: 0,
        rootless: 0,
        blind: 0,
        useful: UsefulReports::default(),
        asked: questions.len(),
    };
    let (mut chances, mut decided) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let Some(expected) = question.predict(hypothesis) else { continue };
        let Asked { sample, answer, .. } = question.asked;
        let legal = sample.study.legal().len().max(1) as f64;
        note(&mut fit.moves, expected.moves.contains(&answer.mv));
        fit.blind += usize::from(question.is_blind());
        // A win that a search of a few plies also sees says nothing about the end of the game.
        let tells = !hypothesis.is_to_the_end() || is_beyond_sight(&sample.study, DEEPEST, question.nodes);
        let chance = |moves: usize| if tells { moves as f64 / legal } else { 1.0 };
        chances.push(chance(expected.moves.len()));
        if !expected.decided.is_empty() {
            // A bot that searches deeper than it reports may know that the game is lost, or another
            // way to win.
            let knows_more = || hypothesis.is_correct() && question.truth().keeps(&answer.mv);
            let agrees = expected.decided.contains(&answer.mv) || knows_more();
            note(&mut fit.decided, agrees);
            decided.push(chance(expected.decided.len()));
            fit.against.extend((!agrees).then_some(number));
        }
        if hypothesis.is_to_the_end() {
            continue;
        }
        if let Some(score) = answer.score {
            note_score(&mut fit, score, sample.study.to_move(), expected.value);
        }
        if let Some(nodes) = answer.nodes {
            // Some programs count the root, and others do not.
            let rootless = nodes.checked_add(1) == Some(expected.nodes);
            note(&mut fit.counts, nodes == expected.nodes || rootless);
            fit.rootless += usize::from(rootless);
        }
    }
    fit.by_chance = at_least(fit.moves.0, &chances);
    fit.decided_by_chance = at_least(fit.decided.0, &decided);
    fit
}

fn note(tally: &mut (usize, usize), agrees: bool) {
    *tally = (tally.0 + usize::from(agrees), tally.1 + 1);
}

fn note_score(fit: &mut HypothesisFit, score: f64, to_move: Side, expected: i32) {
    let in_sight = expected.abs() >= WIN;
    let estimate = !in_sight && expected != 0;
    fit.scores.1 += 1;
    fit.estimates.1 += usize::from(estimate);
    fit.signs += usize::from(in_sight);
    for view in View::ALL {
        let score = view.own(score, to_move);
        let agrees = same_score(score, expected);
        let same_sign = score * f64::from(expected) > 0.0;
        fit.views[view as usize] += usize::from(agrees);
        fit.estimate_views[view as usize] += usize::from(agrees && estimate);
        fit.sign_views[view as usize] += usize::from(same_sign && in_sight);
    }
}

/// Bots have their own scales. Where the game is decided, the sign is enough.
fn same_score(score: f64, value: i32) -> bool {
    let equal = (score - f64::from(value)).abs() < 0.5;
    let own_scale = value.abs() >= WIN && score != 0.0 && score.abs() <= f64::from(WIN);
    equal || own_scale && (score > 0.0) == (value > 0)
}

/// The probability of at least `count` successes in independent trials with these chances.
pub(super) fn at_least(count: usize, chances: &[f64]) -> f64 {
    let mut exactly = vec![1.0];
    for &chance in chances {
        let chance = chance.min(1.0);
        let mut next = vec![0.0; exactly.len() + 1];
        for (successes, probability) in exactly.iter().enumerate() {
            next[successes] += probability * (1.0 - chance);
            next[successes + 1] += probability * chance;
        }
        exactly = next;
    }
    exactly[count.min(exactly.len())..].iter().sum()
}
