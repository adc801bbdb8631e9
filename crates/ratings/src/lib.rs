//! Which bot is stronger, by how much, and how certain that is. Pure mathematics: no files, no
//! clock.
//!
//! ```
//! use ratings::{Fit, FirstSeat, Game, Games};
//!
//! let mut games = Games::default();
//! let results = [("1", [0, 1], [1, 2]), ("1", [1, 0], [1, 2]), ("2", [0, 1], [1, 2])];
//! for (block, players, places) in results {
//!     games.add(&Game { pool: 0, block, players: &players, places: &places, teams: &[0, 1] });
//! }
//! let fit = Fit::of(&games, 2, FirstSeat::Fitted);
//! assert!(fit.ratings[0].unwrap().elo > fit.ratings[1].unwrap().elo);
//! ```

mod after_sprt;
mod bayes_elo;
mod draws;
mod errors;
mod fit;
mod games;
mod groups;
mod ladder;
mod lineups;
mod plackett_luce;
mod score;
mod solitaire;
mod sprt;
mod tie_breaks;
mod window;

pub use after_sprt::Unbiased;
pub use bayes_elo::{BayesElo, BayesEloModel};
pub use draws::{Chances, RaoKupper, davidson, draw_rate_of_equals};
pub use fit::{FirstSeat, Fit, PoolFit, Rating};
pub use games::{Game, Games, Meeting};
pub use ladder::Ladder;
pub use score::{ELO_PER_NAT, Estimate, Outcomes, Z95, elo, expected_score, normal_cdf};
pub use solitaire::{Decks, Mean};
pub use sprt::{Scale, Sprt, Verdict};
pub use tie_breaks::{Crosstable, TieBreak, places};
