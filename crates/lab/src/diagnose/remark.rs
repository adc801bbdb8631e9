//! What is unusual about a bot's reports, although its search may be correct.

use super::fit::{HypothesisFit, nearly_all};
use crate::diagram::Side;
use serde::Serialize;

/// A fact about the reports that the author of the bot should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remark {
    ScoresOfA,
    ScoresOfTheOther,
    ScoresOfNobody,
    SomeScoresDiffer,
    RootNotCounted,
    CountsOfNobody,
}

impl Remark {
    pub fn words(self) -> &'static str {
        match self {
            Remark::ScoresOfA => {
                "Its scores are for side A. `score` must be for the bot: positive if the bot is ahead."
            }
            Remark::ScoresOfTheOther => {
                "Its scores have the wrong sign. `score` must be for the bot: positive if the bot is ahead."
            }
            Remark::ScoresOfNobody => {
                "Its scores match no search that was tried: the bot has another evaluation."
            }
            Remark::SomeScoresDiffer => {
                "Some of its scores do not match this search: the bot looks further there, or computes a wrong value."
            }
            Remark::RootNotCounted => {
                "Its node counts leave out the root: each is one less than the number of nodes."
            }
            Remark::CountsOfNobody => {
                "Its node counts match no search that was tried, so they say nothing about its cuts."
            }
        }
    }
}

/// The side for which a bot reports its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Own,
    OfA,
    OfTheOther,
}

impl View {
    pub(super) const ALL: [View; 3] = [View::Own, View::OfA, View::OfTheOther];

    /// Converts a score of this kind to a score for the side to move.
    pub(super) fn own(self, score: f64, to_move: Side) -> f64 {
        match self {
            View::OfA if to_move != Side::A => -score,
            View::OfTheOther => -score,
            _ => score,
        }
    }

    /// The side of the scores: the bot itself, unless the values or the signs say something else.
    pub(super) fn of(fits: &[HypothesisFit]) -> View {
        View::by_values(fits).unwrap_or_else(|| View::by_signs(fits))
    }

    /// Decides by the values. The scores must match a correct search nearly everywhere, and no
    /// mistake may explain the scores as well.
    fn by_values(fits: &[HypothesisFit]) -> Option<View> {
        let most = |view: View| {
            let agreeing = fits
                .iter()
                .filter(|fit| fit.is_correct() && nearly_all((fit.views[view as usize], fit.scores.1)));
            agreeing.map(|fit| fit.views[view as usize]).max()
        };
        let own = fits.iter().map(|fit| fit.views[View::Own as usize]).max();
        let others = [View::OfA, View::OfTheOther].map(|view| (most(view), view));
        let other = others.into_iter().max_by_key(|(agreeing, _)| *agreeing);
        other.filter(|(agreeing, _)| *agreeing > own).map(|(_, view)| view)
    }

    /// Decides by the signs. Where a win or a loss is in sight, the sign does not depend on the
    /// estimate. The signs decide only if the moves there are those of a correct search, and if
    /// exactly one view fits.
    fn by_signs(fits: &[HypothesisFit]) -> View {
        let standing = || fits.iter().filter(|fit| fit.is_correct() && !fit.is_refuted());
        let suits =
            |view: &View| standing().any(|fit| nearly_all((fit.sign_views[*view as usize], fit.signs)));
        match View::ALL.into_iter().filter(suits).collect::<Vec<View>>()[..] {
            [view] => view,
            _ => View::Own,
        }
    }
}

/// The remarks about the best of these fits.
pub(super) fn all(fits: &[HypothesisFit], view: View) -> Vec<Remark> {
    let Some(best) = fits.first() else { return Vec::new() };
    let reports = |tally: fn(&HypothesisFit) -> (usize, usize)| fits.iter().any(|fit| tally(fit).1 > 0);
    let fit_somebody = fits.iter().any(|fit| fit.scores.1 > 0 && nearly_all(fit.scores));
    let mut remarks = Vec::new();
    remarks.extend(match view {
        View::OfA => Some(Remark::ScoresOfA),
        View::OfTheOther => Some(Remark::ScoresOfTheOther),
        View::Own if reports(|fit| fit.scores) && !best.useful.scores => {
            (!fit_somebody).then_some(Remark::ScoresOfNobody)
        }
        View::Own => (best.scores.0 < best.scores.1).then_some(Remark::SomeScoresDiffer),
    });
    if nearly_all(best.counts) && best.rootless * 10 >= best.counts.1 * 9 {
        remarks.push(Remark::RootNotCounted);
    } else if reports(|fit| fit.counts) && !best.useful.counts {
        remarks.push(Remark::CountsOfNobody);
    }
    remarks
}
