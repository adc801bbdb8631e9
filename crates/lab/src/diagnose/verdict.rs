//! Chooses the hypotheses that are the diagnosis.

use super::fit::HypothesisFit;
use super::hypothesis::Depth;

/// The indices of the fits that are the diagnosis. The fits are sorted, best first. Correct
/// searches come before the others. The list is empty if nothing can be said, or if no correct
/// search and no known mistake plays like the bot.
pub(super) fn verdict(fits: &[HypothesisFit]) -> Vec<usize> {
    let numbers = |wanted: &dyn Fn(&HypothesisFit) -> bool| -> Vec<usize> {
        (0..fits.len()).filter(|&at| wanted(&fits[at])).collect()
    };
    let best_of = |wanted: &dyn Fn(&HypothesisFit) -> bool| {
        fits.iter().filter(|fit| wanted(fit)).map(HypothesisFit::share).fold(0.0, f64::max)
    };
    let stands = |fit: &HypothesisFit| fit.is_correct() && !fit.is_refuted();
    // A mistake is named only if it explains nearly everything, and more than correct play does. It
    // must explain more of the moves, unless it is about nodes alone.
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
        // A mistake that behaves like a correct search here counts as correct.
        return [correct, numbers(&|fit| leads(fit) && !fit.is_correct())].concat();
    }
    let reported = |at: &usize| fits[*at].is_reported(fits);
    let told: Vec<usize> = mistakes.into_iter().filter(reported).collect();
    if !told.is_empty() {
        return told;
    }
    // The bot searches deeper than it reports.
    let further: Vec<usize> = numbers(&|fit| leads(fit) && fit.hypothesis.bug().is_none());
    let further: Vec<usize> = further.into_iter().filter(reported).collect();
    if !further.is_empty() {
        return further;
    }
    let plays_so =
        |fit: &HypothesisFit| fit.may_be_named() && fit.moves.0 == fit.moves.1 && plays_better(fit);
    if fits.iter().any(|fit| leads(fit) && plays_so(fit)) {
        // The bot may have this mistake, or may be a correct search with an estimate that plays
        // like it.
        return Vec::new();
    }
    let explaining = numbers(&|fit| stands(fit) && fit.explains());
    // A guessed depth may be so small that hardly anything contradicts it. And if the scores show
    // the arena's estimate, the bot cannot play differently because of another estimate.
    let guessed = |fit: &HypothesisFit| matches!(fit.hypothesis.depth, Depth::Fixed(_));
    let sound = numbers(&|fit| stands(fit) && !guessed(fit) && !fit.useful.scores && fit.explains_decided());
    if explaining.is_empty() { sound } else { explaining }
}
