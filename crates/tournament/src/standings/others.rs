//! Ratings by other methods than the joint fit, for comparison with other rating lists.

use super::collector::Collector;
use super::result::Standings;
use super::table::plain;
use ratings::{BayesElo, BayesEloModel};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The ratings that `BayesElo` prints after `mm 1 1`, from the games between two bots
    Bayeselo,
    /// An online ladder (Weng and Lin) from 25 ±16.7, which depends on the order of the games
    Ladder,
}

/// The ratings by one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherRatings {
    pub method: Method,
    /// In the order of the rows. Null if the method has no rating for a bot.
    pub ratings: Vec<Option<OtherRating>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherRating {
    pub rating: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

impl Method {
    fn word(self) -> &'static str {
        match self {
            Method::Bayeselo => "bayeselo",
            Method::Ladder => "ladder",
        }
    }
}

impl OtherRatings {
    /// The ratings of these bots, in this order.
    pub(super) fn of(method: Method, games: &Collector, bots: &[usize]) -> OtherRatings {
        let rating = |(rating, error)| OtherRating { rating, error };
        let ratings = match method {
            Method::Bayeselo => {
                let fit = BayesElo::of(&games.games, games.bots.len(), &BayesEloModel::default());
                bots.iter().map(|&bot| fit.as_ref()?.ratings[bot].map(rating)).collect()
            }
            Method::Ladder => {
                let with_error = |(rating, deviation)| (rating, ratings::Z95 * deviation);
                bots.iter()
                    .map(|&bot| games.ladder.as_ref()?.rating(bot).map(with_error).map(rating))
                    .collect()
            }
        };
        OtherRatings { method, ratings }
    }
}

/// A table with one column for each method. Empty without methods.
pub(super) fn table(standings: &Standings, width: usize) -> String {
    if standings.others.is_empty() || standings.rows.is_empty() {
        return String::new();
    }
    let words = standings.others.iter().map(|other| other.method.word());
    let mut lines = vec![["#", "bot"].into_iter().chain(words).map(str::to_owned).collect::<Vec<_>>()];
    for (at, row) in standings.rows.iter().enumerate() {
        let cell = |other: &OtherRatings| {
            other.ratings[at]
                .map_or_else(|| "-".to_owned(), |one| format!("{:.1} ±{:.1}", one.rating, one.error))
        };
        let cells = standings.others.iter().map(cell);
        lines.push([row.place.to_string(), row.bot.clone()].into_iter().chain(cells).collect());
    }
    format!("\nOther ratings, which ignore blocks:\n\n{}", plain(&lines, width, &[]))
}
