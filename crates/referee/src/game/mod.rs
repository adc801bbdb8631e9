//! One game: asks, applies the rules, and decides what a failure costs.
//!
//! ```text
//! play ──▶ chair ──▶ seat_state     (what a seat is told)
//!   │        └─────▶ Player         (who answers: a process, a script in a test)
//!   ▼
//! result, unplayed                  (who wins, also where nobody has played)
//! ```

mod chair;
mod play;
mod result;
mod seat_state;
mod unplayed;

pub use seat_state::SeatState;
pub use unplayed::{disqualified, void};

use crate::clock::ClockRules;
use crate::explorer::ExploreRules;
use crate::fault::Fault;
use crate::player::Player;
use crate::record::Record;
use crate::runner::BotId;
use crate::seeds::RootSeed;
use play::Play;
use rules::{Seat, Seed, Setting};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game to be played.
#[derive(Clone)]
pub struct Job {
    pub match_id: String,
    pub setting: Arc<dyn Setting>,
    /// The seed of the deal.
    pub seed: Seed,
    /// The seed that bots' own seeds are derived from.
    pub match_seed: RootSeed,
    /// The bots, by seat.
    pub seating: Vec<BotId>,
    /// The names of the bots, by seat.
    pub names: Vec<String>,
    /// The limits of the bots, by seat.
    pub clocks: Vec<ClockRules>,
    pub policy: FaultPolicy,
    /// May bots think while others are to move?
    pub pondering: bool,
    /// May bots explore?
    pub explore: ExploreRules,
    /// Which block and round of a tournament it belongs to.
    pub block: Option<String>,
    pub round: Option<u32>,
    /// Moves that are made before any bot is asked.
    pub opening: Vec<(Seat, String)>,
}

/// What happens to a game of more than two sides when a bot fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FaultPolicy {
    /// The bot is last, and a random player takes its chair so that the others' game goes on.
    #[default]
    Forfeit,
    /// The game does not count.
    Void,
}

/// Plays a game. The players that are still fit for another one come back, by seat.
pub async fn play<P: Player>(
    job: &Job,
    players: Vec<Result<Box<P>, Fault>>,
) -> (Record, Vec<Option<Box<P>>>) {
    let table = match job.setting.start(job.seed) {
        Ok(table) => table,
        // Parameters are checked before a match starts, so this is a fault of ours.
        Err(error) => return (void(job, &error.to_string()), players.into_iter().map(Result::ok).collect()),
    };
    let mut play = Play::new(job, table, players);
    if let Err(error) = play.open() {
        let players = play.chairs.into_iter().map(|chair| chair.player).collect();
        return (void(job, &error.to_string()), players);
    }
    let result = play.play_out().await;
    play.farewell(&result);
    play.into_record(result)
}

#[cfg(test)]
mod tests;
