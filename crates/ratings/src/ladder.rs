//! An online ladder: ratings that move with every game, for bots that come and go.
//!
//! The model is that of Weng and Lin (Bradley-Terry, full). The model takes any number of sides and
//! treats tied sides alike. The updates are those of `skillratings`. The order of the games
//! matters, so a ladder is not suitable for a final table.

use crate::games::{Game, sides_of};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// The ratings of all bots after the games so far.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// By bot. `None` for a bot without a game.
    ratings: Vec<Option<WengLinRating>>,
}

impl Ladder {
    /// Updates the ratings of the bots in a game. A game of one side, or of a bot against itself,
    /// changes nothing.
    pub fn add(&mut self, game: &Game) {
        let sides = sides_of(game);
        let mut teams: Vec<Vec<usize>> = sides.iter().map(|side| side.bots.clone()).collect();
        for team in &mut teams {
            team.dedup(); // a bot on two seats
        }
        let mut bots = teams.concat();
        bots.sort_unstable();
        if teams.len() < 2 || bots.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let last = bots.last().map_or(0, |&bot| bot + 1);
        self.ratings.resize(self.ratings.len().max(last), None);
        let before: Vec<Vec<WengLinRating>> = teams
            .iter()
            .map(|team| team.iter().map(|&bot| self.ratings[bot].unwrap_or_default()).collect())
            .collect();
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(&sides)
            .map(|(team, side)| (team.as_slice(), MultiTeamOutcome::new(side.place.into())))
            .collect();
        let after = weng_lin_multi_team(&ranked, &WengLinConfig::new());
        for (team, after) in teams.iter().zip(after) {
            for (&bot, rating) in team.iter().zip(after) {
                self.ratings[bot] = Some(rating);
            }
        }
    }

    /// A bot's rating and its uncertainty (one standard deviation). They start at 25 and 25/3.
    pub fn rating(&self, bot: usize) -> Option<(f64, f64)> {
        self.ratings.get(bot).copied().flatten().map(|rating| (rating.rating, rating.uncertainty))
    }
}
