//! How well a hypothesis explains what a bot answered.

use super::hypothesis::{Depth, Hypothesis};
use super::inquiry::{DEEPEST, is_beyond_sight};
use super::remark::View;
use super::{Asked, ExaminedAnswer};
use crate::diagram::Side;
use crate::technique::Technique;
use search::WIN;

/// So many positions are enough where every move, every score and every count agrees.
pub(super) const ENOUGH_IF_ALL_AGREE: usize = 4;
/// What is decided whatever the estimate says something if a bot that moves at random gets it right
/// so rarely.
const CHANCE: f64 = 0.001;

/// How well a hypothesis explains all answers.
#[derive(Clone, Debug, PartialEq)]
pub struct HypothesisFit {
    pub hypothesis: Hypothesis,
    /// Agreeing and asked.
    pub moves: (usize, usize),
    /// Moves that it makes whatever the estimate.
    pub decided: (usize, usize),
    pub scores: (usize, usize),
    pub counts: (usize, usize),
    /// The probability that a bot that moves at random agrees with as many moves.
    pub by_chance: f64,
    /// The same of those that are decided.
    pub decided_by_chance: f64,
    /// The numbers of the answers that contradict it whatever the estimate.
    pub against: Vec<usize>,
    /// Agreeing scores, by whose they are: all, those that are estimates, and, where somebody has
    /// won or lost in sight, those of the right sign.
    pub(super) views: [usize; View::ALL.len()],
    pub(super) estimate_views: [usize; View::ALL.len()],
    pub(super) sign_views: [usize; View::ALL.len()],
    /// Scores that are expected to be an estimate, agreeing and asked. Nobody has won or lost in
    /// sight, and it is not 0: that is also the score of whoever estimates nothing.
    pub(super) estimates: (usize, usize),
    /// Scores of positions with a win or a loss in sight.
    pub(super) signs: usize,
    /// Agreeing counts that leave the root out.
    pub(super) rootless: usize,
    /// Moves that take a win at once or else are the first: whatever the mistake, a search that
    /// sees no further and estimates nothing plays so.
    pub(super) blind: usize,
    pub(super) told: Told,
    asked: usize,
}

/// What besides the moves says something: scores and counts that hardly agree with any hypothesis
/// are those of another evaluation, or of another way to count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Told {
    pub(super) scores: bool,
    pub(super) counts: bool,
}

impl Told {
    fn anything(self) -> bool {
        self.scores || self.counts
    }

    pub(super) fn by(fits: &[HypothesisFit]) -> Told {
        Told {
            scores: fits.iter().any(|fit| fit.has_scores(8)),
            counts: fits.iter().any(|fit| fit.has_counts(8)),
        }
    }
}

/// Do so many of ten agree, of enough of them?
fn agree((agree, asked): (usize, usize), of_ten: usize) -> bool {
    asked >= ENOUGH_IF_ALL_AGREE && agree * 10 >= asked * of_ten
}

pub(super) fn nearly_all(tally: (usize, usize)) -> bool {
    agree(tally, 9)
}

impl HypothesisFit {
    /// The share of all that was told and agrees.
    pub fn share(&self) -> f64 {
        // The truth has neither scores nor counts that could agree.
        if self.hypothesis.is_to_the_end() && self.told.anything() {
            return 0.0;
        }
        let [scores, counts] = [(self.told.scores, self.scores), (self.told.counts, self.counts)]
            .map(|(told, tally)| if told { tally } else { (0, 0) });
        let agree = self.moves.0 + scores.0 + counts.0;
        let told = self.moves.1 + scores.1 + counts.1;
        agree as f64 / told.max(1) as f64
    }

    /// Are so many of ten scores its own? Where the game is decided the scores of all agree: the
    /// estimates tell.
    fn has_scores(&self, of_ten: usize) -> bool {
        agree(self.scores, of_ten) && agree(self.estimates, of_ten)
    }

    fn has_counts(&self, of_ten: usize) -> bool {
        agree(self.counts, of_ten)
    }

    /// Do its scores or counts tell it from every correct search, so that the estimate does not
    /// matter?
    pub(super) fn is_reported(&self, fits: &[HypothesisFit]) -> bool {
        // Whoever has the scores has the estimate too, and then every difference counts.
        let mut correct = fits.iter().filter(|fit| fit.is_correct());
        self.has_scores(9)
            || self.has_counts(9) && correct.all(|fit| !fit.has_counts(9) && fit.moves.0 <= self.moves.0)
    }

    /// Do its moves, scores or counts show an estimate? What a blind bot plays does not, nor do the
    /// counts of a search without cuts: they are alike for all.
    pub(super) fn shows_estimate(&self) -> bool {
        let cuts = matches!(self.hypothesis.technique, Technique::Buggy(_));
        self.moves.0 > self.blind || self.has_scores(9) || cuts && self.has_counts(9)
    }

    /// Does nothing speak against its mistake, whatever the estimate? If counts tell, they must be
    /// its own; and a mistake that is nothing but another estimate must be seen in the scores.
    pub(super) fn may_be_named(&self) -> bool {
        let counts = !self.told.counts || self.has_counts(8);
        let scores = !self.hypothesis.is_estimate() || self.has_scores(9);
        self.hypothesis.bug().is_some() && !self.is_refuted() && counts && scores
    }

    /// Does it explain more moves than a correct search, and most of those that the correct search
    /// does not? If the scores or the counts are its own alone, then as many moves are enough.
    pub(super) fn plays_better_than(&self, correct: &HypothesisFit) -> bool {
        let alone = |has: fn(&HypothesisFit, usize) -> bool| has(self, 9) && !has(correct, 9);
        if alone(HypothesisFit::has_scores) || alone(HypothesisFit::has_counts) {
            return self.moves.0 >= correct.moves.0;
        }
        let misses = |fit: &HypothesisFit| fit.moves.1 - fit.moves.0;
        let clearly = !correct.is_told() || misses(self) * 4 <= misses(correct);
        self.moves.0 > correct.moves.0 && clearly
    }

    /// A search that this bot is not, whatever its estimate.
    pub(super) fn is_refuted(&self) -> bool {
        !self.against.is_empty()
    }

    pub(super) fn is_correct(&self) -> bool {
        self.hypothesis.is_correct()
    }

    /// Was its search small enough in most positions?
    pub fn is_told(&self) -> bool {
        self.moves.1 * 2 >= self.asked
    }

    /// Does it agree with so much that chance does not explain it?
    pub fn explains(&self) -> bool {
        // Where most moves are alike, the scores tell: nobody gets so many right by chance.
        let scores = self.scores.1 >= 8 && self.has_scores(9);
        let all = |(agree, asked): (usize, usize)| asked >= ENOUGH_IF_ALL_AGREE && agree == asked;
        let everything = all(self.moves) && all(self.scores) && all(self.counts);
        let doubt = if scores { 0.05 } else { CHANCE };
        let least = match self.hypothesis.depth {
            // Of several depths that are only guessed, one fits a bot that errs in a good part of
            // its moves.
            Depth::Fixed(_) | Depth::End => 100,
            _ if self.hypothesis.bug().is_some() || self.told.scores => 90,
            _ => 95,
        };
        let enough = self.moves.0 * 100 >= self.moves.1 * least;
        self.is_told() && enough && (self.by_chance < doubt || everything)
    }

    /// Does it explain at least every move that does not depend on the estimate?
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
        told: Told::default(),
        asked: questions.len(),
    };
    let (mut chances, mut decided) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let Some(expected) = question.predict(hypothesis) else { continue };
        let Asked { sample, answer } = question.asked;
        let legal = sample.study.legal().len().max(1) as f64;
        note(&mut fit.moves, expected.moves.contains(&answer.mv));
        fit.blind += usize::from(question.is_blind());
        // What a search of a few plies sees as well says nothing about the end of the game.
        let tells = !hypothesis.is_to_the_end() || is_beyond_sight(&sample.study, DEEPEST, question.nodes);
        let chance = |moves: usize| if tells { moves as f64 / legal } else { 1.0 };
        chances.push(chance(expected.moves.len()));
        if !expected.decided.is_empty() {
            // Who looks further than it says may know that all is lost, or another way to win.
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
            // Some count the root, some do not.
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

/// Bots have their own scale: where the game is decided the sign is enough.
fn same_score(score: f64, value: i32) -> bool {
    let equal = (score - f64::from(value)).abs() < 0.5;
    let own_scale = value.abs() >= WIN && score != 0.0 && score.abs() <= f64::from(WIN);
    equal || own_scale && (score > 0.0) == (value > 0)
}

/// The probability of at least `count` successes of independent trials.
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
