//! Which hypotheses are the diagnosis.

use super::fit::HypothesisFit;
use super::hypothesis::Depth;

/// The numbers of those fits, best first, that are the diagnosis; the correct ones before the
/// others. None if nothing can be said, or if no correct search and no known mistake plays so.
pub(super) fn verdict(fits: &[HypothesisFit]) -> Vec<usize> {
    let numbers = |wanted: &dyn Fn(&HypothesisFit) -> bool| -> Vec<usize> {
        (0..fits.len()).filter(|&at| wanted(&fits[at])).collect()
    };
    let best_of = |wanted: &dyn Fn(&HypothesisFit) -> bool| {
        fits.iter().filter(|fit| wanted(fit)).map(HypothesisFit::share).fold(0.0, f64::max)
    };
    let stands = |fit: &HypothesisFit| fit.is_correct() && !fit.is_refuted();
    // A mistake has a name only if it explains nearly everything, and more than correct play does:
    // moves above all, unless it is about nodes alone.
    let best_correct = best_of(&|fit| fit.is_correct() && fit.is_told());
    let plays_better = |fit: &HypothesisFit| {
        let mut correct = fits.iter().filter(|fit| fit.is_correct());
        fit.hypothesis.is_about_nodes() || correct.all(|it| fit.plays_better_than(it))
    };
    let named = |fit: &HypothesisFit| {
        let better = plays_better(fit) && fit.share() > best_correct + 1e-9;
        fit.may_be_named() && fit.shows_estimate() && fit.explains() && better
    };
    let best_named = best_of(&|fit| named(fit));
    let mistakes = numbers(&|fit| named(fit) && fit.share() > best_named - 1e-9);
    if !fits.iter().any(stands) {
        return mistakes;
    }
    let best = fits.first().map_or(0.0, HypothesisFit::share);
    let leads = |fit: &HypothesisFit| fit.explains() && fit.share() > best - 1e-9;
    let correct = numbers(&|fit| leads(fit) && stands(fit));
    if !correct.is_empty() {
        // What behaves like a correct search here is one.
        return [correct, numbers(&|fit| leads(fit) && !fit.is_correct())].concat();
    }
    let reported = |at: &usize| fits[*at].is_reported(fits);
    let told: Vec<usize> = mistakes.into_iter().filter(reported).collect();
    if !told.is_empty() {
        return told;
    }
    // It looks further than it says.
    let further: Vec<usize> = numbers(&|fit| leads(fit) && fit.hypothesis.bug().is_none());
    let further: Vec<usize> = further.into_iter().filter(reported).collect();
    if !further.is_empty() {
        return further;
    }
    let plays_so =
        |fit: &HypothesisFit| fit.may_be_named() && fit.moves.0 == fit.moves.1 && plays_better(fit);
    if fits.iter().any(|fit| leads(fit) && plays_so(fit)) {
        // It may be this mistake, or a correct search with an estimate that happens to play so.
        return Vec::new();
    }
    let explaining = numbers(&|fit| stands(fit) && fit.explains());
    // Some guessed depth is so small that hardly anything contradicts it. And who has the arena's
    // estimate, by the scores, can't play differently because of another one.
    let guessed = |fit: &HypothesisFit| matches!(fit.hypothesis.depth, Depth::Fixed(_));
    let sound = numbers(&|fit| stands(fit) && !guessed(fit) && !fit.told.scores && fit.explains_decided());
    if explaining.is_empty() { sound } else { explaining }
}
