//! What is odd about a bot's reports, though its search may be right.

use super::{Fit, nearly_all};
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

    /// The view by which the scores fit best. Another one than the bot's own must fit a correct
    /// search nearly everywhere, and no mistake may explain the scores as well.
    pub(super) fn of(fits: &[Fit]) -> View {
        let most = |view: View, wanted: fn(&Fit) -> bool| {
            let agreeing =
                fits.iter().filter(|fit| wanted(fit) && nearly_all((fit.views[view as usize], fit.scores.1)));
            agreeing.map(|fit| fit.views[view as usize]).max()
        };
        let own = fits.iter().map(|fit| fit.views[View::Own as usize]).max();
        let others = [View::OfA, View::OfTheOther].map(|view| (most(view, Fit::is_correct), view));
        let other = others.into_iter().max_by_key(|(agreeing, _)| *agreeing);
        other.filter(|(agreeing, _)| *agreeing > own).map_or(View::Own, |(_, view)| view)
    }
}

/// What is to be said of the best of these fits.
pub(super) fn all(fits: &[Fit], view: View) -> Vec<Remark> {
    let Some(best) = fits.first() else { return Vec::new() };
    let reports = |tally: fn(&Fit) -> (usize, usize)| fits.iter().any(|fit| tally(fit).1 > 0);
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
