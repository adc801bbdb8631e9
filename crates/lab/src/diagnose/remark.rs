//! What is odd about a bot's reports, though its search may be right.

use super::fit::{HypothesisFit, nearly_all};
use crate::diagram::Side;
use serde::Serialize;

/// Something about the reports that whoever wrote the bot should know.
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
                "Its scores are those of side A. `score` must be the bot's own: positive if the bot is ahead."
            }
            Remark::ScoresOfTheOther => {
                "Its scores have the wrong sign. `score` must be the bot's own: positive if the bot is ahead."
            }
            Remark::ScoresOfNobody => {
                "Its scores are those of no search that was tried: its evaluation is another one."
            }
            Remark::SomeScoresDiffer => {
                "Some of its scores are not those of this search: it looks further there, or errs in the value."
            }
            Remark::RootNotCounted => {
                "Its node counts leave out the root: each is one less than the number of nodes."
            }
            Remark::CountsOfNobody => {
                "Its node counts are those of no search that was tried, so that they say nothing about its cuts."
            }
        }
    }
}

/// Whose scores a bot reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Own,
    OfA,
    OfTheOther,
}

impl View {
    pub(super) const ALL: [View; 3] = [View::Own, View::OfA, View::OfTheOther];

    /// A score of this kind as the side to move sees it.
    pub(super) fn own(self, score: f64, to_move: Side) -> f64 {
        match self {
            View::OfA if to_move != Side::A => -score,
            View::OfTheOther => -score,
            _ => score,
        }
    }

    /// Whose the scores are: the bot's own, unless the values or the signs say something else.
    pub(super) fn of(fits: &[HypothesisFit]) -> View {
        View::by_values(fits).unwrap_or_else(|| View::by_signs(fits))
    }

    /// The scores must fit a correct search nearly everywhere, and no mistake may explain them as
    /// well.
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

    /// Where somebody has won or lost in sight, the sign does not depend on the estimate. It tells
    /// if the moves there are those of a correct search, and if one view alone fits.
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

/// What is to be said of the best of these fits.
pub(super) fn all(fits: &[HypothesisFit], view: View) -> Vec<Remark> {
    let Some(best) = fits.first() else { return Vec::new() };
    let reports = |tally: fn(&HypothesisFit) -> (usize, usize)| fits.iter().any(|fit| tally(fit).1 > 0);
    let mut remarks = Vec::new();
    remarks.extend(match view {
        View::OfA => Some(Remark::ScoresOfA),
        View::OfTheOther => Some(Remark::ScoresOfTheOther),
        View::Own if reports(|fit| fit.scores) && !best.told.scores => Some(Remark::ScoresOfNobody),
        View::Own => (best.scores.0 < best.scores.1).then_some(Remark::SomeScoresDiffer),
    });
    if nearly_all(best.counts) && best.rootless * 10 >= best.counts.1 * 9 {
        remarks.push(Remark::RootNotCounted);
    } else if reports(|fit| fit.counts) && !best.told.counts {
        remarks.push(Remark::CountsOfNobody);
    }
    remarks
}
