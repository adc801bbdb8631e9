//! Finds the known mistake that explains what a bot does.
//!
//! A hypothesis is a correct search, or a search with a known bug, to some depth. Every hypothesis
//! predicts a bot's move in a position. If the bot reports its score and its node count, the
//! hypothesis predicts them too. Questions are positions in which the hypotheses disagree.
//!
//! A bot may have its own evaluation, and then its moves say little. But whatever the evaluation, a
//! correct search takes a win that it sees and avoids a loss that it sees. A bot that does both
//! counts as correct. A mistake is named only where the bot missed a win or ran into a loss that it
//! should have seen, or where its scores or node counts are those of the mistake.

mod choice;
mod fit;
mod hypothesis;
mod inquiry;
mod oversight;
mod prediction;
mod remark;
#[cfg(test)]
mod tests;
mod verdict;

pub use fit::HypothesisFit;
pub use hypothesis::{Depth, Hypothesis};
pub use inquiry::{DEEPEST, Inquiry, Plan};
pub use oversight::{Oversight, OversightKind};
pub use prediction::Prediction;
pub use remark::Remark;

use crate::sample::Sample;
use crate::seen::SeenTree;
use crate::technique::Technique;
use fit::{ENOUGH_IF_ALL_AGREE, UsefulReports, fit};
use prediction::Truth;
use remark::View;
use search::WIN;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use verdict::verdict;

/// What a bot answered in a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub mv: String,
    /// The score for the bot.
    pub score: Option<f64>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub cutoffs: Option<u64>,
}

/// A question with its answer.
pub struct Asked {
    pub sample: Sample,
    pub answer: Answer,
    /// What the bot has explored meanwhile, if it has explored anything.
    pub seen: Option<SeenTree>,
}

/// What a bot reports in addition to its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    pub scores: bool,
    pub nodes: bool,
}

impl Reports {
    pub fn of(asked: &[Asked]) -> Reports {
        Reports {
            scores: asked.iter().any(|asked| asked.answer.score.is_some()),
            nodes: asked.iter().any(|asked| asked.answer.nodes.is_some()),
        }
    }
}

/// The hypotheses, the best first. The first `found` of them are the diagnosis: several if nothing
/// tells them apart, none if no hypothesis explains the bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    pub fits: Vec<HypothesisFit>,
    pub found: usize,
    /// Whether the bot reports nothing and always plays the first legal move. Such a bot does not
    /// search at all, although some bugs look like that.
    pub always_first: bool,
    /// What is unusual about the reports of the bot.
    pub remarks: Vec<Remark>,
}

impl Diagnosis {
    pub fn verdict(&self) -> &[HypothesisFit] {
        &self.fits[..self.found]
    }

    /// Whether the bot is a correct search, as far as can be told.
    pub fn is_healthy(&self) -> bool {
        self.verdict().first().is_some_and(|fit| fit.hypothesis.bug().is_none())
    }

    /// The correct search that the answers refute, if they refute every correct search.
    pub fn refuted(&self) -> Option<&HypothesisFit> {
        let correct = || self.fits.iter().filter(|fit| fit.is_correct());
        // The true values refute a search of any depth.
        let truth = correct().find(|fit| fit.hypothesis.is_to_the_end());
        truth.or_else(|| correct().next()).filter(|_| correct().all(HypothesisFit::is_refuted))
    }

    /// For a bot with mistakes: the mistake that explains the most moves, and more moves than
    /// correct play does.
    pub fn nearest(&self) -> Option<&HypothesisFit> {
        self.refuted()?;
        let part = |fit: &HypothesisFit| fit.moves.0 as f64 / fit.moves.1.max(1) as f64;
        let told = || self.fits.iter().filter(|fit| fit.is_told());
        let correct = told().filter(|fit| fit.is_correct()).map(part).fold(0.0, f64::max);
        let wrong = |fit: &HypothesisFit| fit.hypothesis.bug().is_some() && !fit.hypothesis.is_estimate();
        let mistakes = told().filter(|fit| wrong(fit) && part(fit) > correct);
        // Of equals, the first explains more of the scores and counts.
        mistakes.reduce(|best, fit| if part(fit) > part(best) { fit } else { best })
    }

    /// The greatest depth that was tried and is not contradicted, for a bot that does not report
    /// its depth.
    pub fn guess(&self) -> Option<u32> {
        let stands = |fit: &&HypothesisFit| fit.is_correct() && fit.is_told() && !fit.is_refuted();
        let depth = |fit: &HypothesisFit| match fit.hypothesis.depth {
            Depth::Fixed(depth) => Some(depth),
            _ => None,
        };
        self.fits.iter().filter(stands).filter_map(depth).max()
    }
}

/// Compares the answers with every hypothesis. `depth` is the depth of a bot that does not report
/// its depth. A search that needs more than `nodes` nodes is not used.
pub fn diagnose(asked: &[Asked], depth: Option<u32>, nodes: u64) -> Diagnosis {
    let claimed = asked.iter().filter_map(|asked| asked.answer.depth).max().or(depth);
    let hypotheses = Hypothesis::all(claimed, Reports::of(asked));
    let questions: Vec<ExaminedAnswer> =
        asked.iter().map(|asked| ExaminedAnswer::new(asked, depth, nodes)).collect();
    let mut fits: Vec<HypothesisFit> =
        hypotheses.iter().map(|&hypothesis| fit(&questions, hypothesis)).collect();
    let view = View::of(&fits);
    for fit in &mut fits {
        fit.scores.0 = fit.views[view as usize];
        fit.estimates.0 = fit.estimate_views[view as usize];
    }
    take_scores_for_estimates(&mut fits);
    share_contradictions(&mut fits);
    let useful = UsefulReports::by(&fits);
    for fit in &mut fits {
        fit.useful = useful;
    }
    fits.sort_by(|a, b| b.is_told().cmp(&a.is_told()).then(b.share().total_cmp(&a.share())));
    let sound = fits.iter().any(|fit| fit.is_correct() && fit.explains_decided());
    let first = |Asked { sample, answer, .. }: &Asked| {
        answer.score.is_none() && answer.nodes.is_none() && sample.study.legal().first() == Some(&answer.mv)
    };
    let always_first = !sound && asked.iter().all(first);
    let verdict = if always_first { Vec::new() } else { verdict(&fits) };
    let others = (0..fits.len()).filter(|at| !verdict.contains(at));
    let fits: Vec<HypothesisFit> = verdict.iter().copied().chain(others).map(|at| fits[at].clone()).collect();
    let remarks = remark::all(&fits, view);
    Diagnosis { fits, found: verdict.len(), always_first, remarks }
}

/// Where the arena's estimate is always 0, every score is used instead of the estimates.
fn take_scores_for_estimates(fits: &mut [HypothesisFit]) {
    let estimates = |fit: &HypothesisFit| fit.is_correct() && fit.estimates.1 >= ENOUGH_IF_ALL_AGREE;
    if !fits.iter().any(estimates) {
        for fit in fits {
            fit.estimates = fit.scores;
        }
    }
}

/// A correct search makes the same moves with and without cuts. So an answer that contradicts the
/// search in one form contradicts the other form too, even if that form is too large to be tried.
fn share_contradictions(fits: &mut [HypothesisFit]) {
    for at in 0..fits.len() {
        let alike =
            |fit: &&HypothesisFit| fit.is_correct() && fit.hypothesis.depth == fits[at].hypothesis.depth;
        if fits[at].is_correct() {
            let against: BTreeSet<usize> =
                fits.iter().filter(alike).flat_map(|fit| fit.against.iter().copied()).collect();
            fits[at].against = against.into_iter().collect();
        }
    }
}

/// An answer, and the truth about its position. The truth is computed once, and only if it matters.
struct ExaminedAnswer<'a> {
    asked: &'a Asked,
    claimed: Option<u32>,
    nodes: u64,
    truth: OnceCell<Truth>,
}

impl<'a> ExaminedAnswer<'a> {
    fn new(asked: &'a Asked, claimed: Option<u32>, nodes: u64) -> ExaminedAnswer<'a> {
        ExaminedAnswer { asked, claimed: asked.answer.depth.or(claimed), nodes, truth: OnceCell::new() }
    }

    fn truth(&self) -> &Truth {
        self.truth.get_or_init(|| Truth::of(&self.asked.sample.study, self.nodes))
    }

    /// Whether the answer is an immediate win, or the first move where there is no such win.
    fn is_blind(&self) -> bool {
        let Asked { sample, answer, .. } = self.asked;
        let one_ply = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Fixed(1) };
        let wins = one_ply.predict(&sample.study, None, self.nodes).filter(|expected| expected.value >= WIN);
        wins.map_or_else(
            || sample.study.legal().first() == Some(&answer.mv),
            |wins| wins.moves.contains(&answer.mv),
        )
    }

    fn predict(&self, hypothesis: Hypothesis) -> Option<Prediction> {
        if hypothesis.is_to_the_end() {
            return self.truth().prediction();
        }
        hypothesis.predict(&self.asked.sample.study, self.claimed, self.nodes)
    }
}
