//! Games that do not begin at the beginning.
//!
//! Two bots without chance play the same game again and again. A few random moves at the start, the same for both
//! seatings of a pair, make the games different and keep them fair. The bots hear these moves as they hear any other.

use rules::{About, Chance, ParamError, Seed, Setting, Table};
use serde_json::Value;
use std::sync::Arc;

/// A game whose first moves are drawn from the seed of the deal.
pub struct Opened {
    inner: Arc<dyn Setting>,
    plies: u32,
}

impl Opened {
    pub fn new(inner: Arc<dyn Setting>, plies: u32) -> Opened {
        Opened { inner, plies }
    }
}

impl Setting for Opened {
    fn about(&self) -> &'static About {
        self.inner.about()
    }

    fn params(&self) -> &Value {
        self.inner.params()
    }

    /// A move after which the game would be over is not played, nor any after it.
    fn start(&self, seed: Seed) -> Result<Box<dyn Table>, ParamError> {
        let mut table = self.inner.start(seed)?;
        let mut chance = Chance::new(seed);
        for _ in 0..self.plies {
            let Some(seat) = table.turn().seats().lowest() else { break };
            let legal = table.legal(seat);
            let mut next = table.boxed_clone();
            if next.play(seat, &legal[chance.pick(legal.len())]).is_err() || next.turn().is_over() {
                break;
            }
            table = next;
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_the_seed_s_and_never_the_end() {
        let nim = rules::find("nim").unwrap().prepare(&serde_json::json!({})).unwrap();
        let opened = Opened::new(nim, 6);
        for seed in 0..50 {
            let start = || opened.start(Seed::from_number(seed)).unwrap();
            assert_eq!(start().news(rules::Eyes::Referee, 0), start().news(rules::Eyes::Referee, 0));
            assert!(!start().turn().is_over() && start().plies() <= 6);
        }
    }
}
