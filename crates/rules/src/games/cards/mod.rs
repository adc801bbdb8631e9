//! Home-made card games: hidden hands, chance, decisions made together.

mod asirim;
mod ballot;
mod basa;
mod card_game;
mod facts;
mod karov_meod;
mod krav_maga;
mod majnun;
mod meidale;
mod metzudotayim;
mod shlif_shluf;
mod solo;
mod spread;
mod super_stam;
mod trishape;

pub use asirim::Asirim;
pub use basa::Basa;
pub use karov_meod::KarovMeod;
pub use krav_maga::KravMaga;
pub use majnun::Majnun;
pub use meidale::Meidale;
pub use metzudotayim::Metzudotayim;
pub use shlif_shluf::ShlifShluf;
pub use solo::Solo;
pub use super_stam::SuperStam;
pub use trishape::Trishape;

/// What every card game uses.
mod prelude {
    pub(super) use super::ballot::Ballot;
    pub(super) use super::card_game::{CardGame, Faces, by_seat, listed};
    pub(super) use super::facts::Facts;
    pub(super) use super::spread::{Sight, Spread};
    pub(super) use crate::cards::{
        Card, CardPair, Deck, Hand, Held, Mixing, Pack, Several, Suit, Unseen, draw, everybody,
    };
    pub(super) use crate::json::Json;
    pub(super) use crate::notation::{Amount, verbs};
    pub(super) use crate::params::{params, words};
    pub(super) use crate::{
        About, Chance, Eyes, Family, Outcome, ParamError, Picture, Position, Score, Script, Seat, Seats,
        Seed, Turn, require,
    };
    pub(super) use serde::{Deserialize, Serialize};
}

#[cfg(test)]
mod tests {
    use super::card_game::CardGame;
    use super::*;
    use crate::{Seed, SplitMix};

    /// No card is lost or made in random games.
    fn conserves<G: CardGame>() {
        let params = G::Params::default();
        let mut moves = Vec::new();
        for seed in 0..20 {
            let mut game = G::start(&params, Seed::from_number(seed)).unwrap();
            let mut dice = SplitMix::new(seed);
            let cards = G::pack(&params).cards().len();
            for ply in 0..300 {
                assert_eq!(game.clone().spread().count(), cards, "{} seed {seed} ply {ply}", G::ABOUT.id);
                let Some(seat) = game.turn().seats().lowest() else { break };
                let mv = game.choose_move(seat, &mut moves, |count| dice.below(count));
                game.play(seat, &mv);
            }
        }
    }

    #[test]
    fn cards_are_conserved() {
        conserves::<Asirim>();
        conserves::<Basa>();
        conserves::<KarovMeod>();
        conserves::<KravMaga>();
        conserves::<Majnun>();
        conserves::<Meidale>();
        conserves::<Metzudotayim>();
        conserves::<ShlifShluf>();
        conserves::<Solo>();
        conserves::<SuperStam>();
        conserves::<Trishape>();
    }
}
