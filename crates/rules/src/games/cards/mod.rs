//! Home-made card games: hidden hands, chance, decisions made together.

use crate::{About, Family};

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

/// What is said of a card game unless the game says more.
const CARDS: About = About::of(Family::Cards);

/// What every card game uses.
mod prelude {
    pub(super) use super::CARDS;
    pub(super) use super::ballot::Ballot;
    pub(super) use super::card_game::{CardGame, Faces, by_seat, listed};
    pub(super) use super::facts::{DECK_OF_REFEREE, Facts};
    pub(super) use super::spread::{Sight, Spread};
    pub(super) use crate::cards::{
        Card, CardPair, Deck, Hand, Held, Mixing, Pack, Several, Suit, Unseen, draw, everybody,
    };
    pub(super) use crate::games::prelude::*;
    pub(super) use crate::view::Typed;
    pub(super) use crate::{Chance, Outcome, Score, Script, Seats};
    pub(super) use serde::{Deserialize, Serialize};
}

#[cfg(test)]
mod tests {
    use super::card_game::CardGame;
    use super::*;
    use crate::table::Draws;
    use crate::{Position, Seat, Seated, Seed, SplitMix, Table};
    use serde_json::{Value, json};

    /// Plays `0:set KH 3C | 1:stuck / 0:v`, each move checked.
    pub(super) fn after<P: Position>(params: &Value, moves: &str) -> Seated<P> {
        let mut game = Seated::start(params, Seed::from_number(0), Draws::Applied).unwrap();
        for step in moves.split(['/', '|']).map(str::trim).filter(|step| !step.is_empty()) {
            let (seat, mv) = step.split_once(':').unwrap();
            game.play(Seat(seat.parse().unwrap()), mv).unwrap_or_else(|error| panic!("{step}: {error}"));
        }
        game
    }

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

    /// Parameters within their ranges that make no game, by the field at fault.
    #[test]
    fn what_makes_no_game_is_refused() {
        for (id, params, field) in [
            ("asirim", json!({"deck": "2C XB"}), "deck"),
            ("basa", json!({"deck": ""}), "deck"),
            ("basa", json!({"deck": "2Z"}), "deck"),
            ("karov-meod", json!({"ties": ["size"]}), "ties[0]"),
            ("karov-meod", json!({"ties": ["suit", "value"]}), "ties"),
            ("karov-meod", json!({"ties": ["suit", "suit"]}), "ties"),
            ("karov-meod", json!({"deck": ""}), "deck"),
            ("karov-meod", json!({"deck": "XB 2C 3C 4C 5C"}), "deck"),
            ("krav-maga", json!({"deck": "2C 3C 4C 5C 6C 7C"}), "deck"),
            ("krav-maga", json!({"hand": 1, "deck": "2C XB"}), "deck"),
            ("majnun", json!({"deck": "XR 2C"}), "deck"),
            ("meidale", json!({"deck": "KH KD"}), "deck"),
            ("meidale", json!({"deck": "KH KD XR"}), "deck"),
            ("metzudotayim", json!({"deck": "2C"}), "deck"),
            ("metzudotayim", json!({"deck": "2C XB"}), "deck"),
            ("shlif-shluf", json!({"first": 2}), "first"),
            ("shlif-shluf", json!({"first": "me"}), "first"),
            ("shlif-shluf", json!({"deck": "KS"}), "deck"),
            ("solo", json!({"deck": "2C"}), "deck"),
            ("solo", json!({"deck": "2C 4C 6C 8C TC"}), "deck"),
            ("solo", json!({"deck": "XR 2C 2D 2H 2S"}), "deck"),
            ("super-stam", json!({"deck": ""}), "deck"),
            ("super-stam", json!({"deck": "XB 2C"}), "deck"),
            ("trishape", json!({"deck": ""}), "deck"),
            ("trishape", json!({"deck": "XB 2C"}), "deck"),
        ] {
            let refused = crate::find(id).unwrap().start(&params, Seed::from_number(0)).err();
            assert_eq!(refused.map(|error| error.field).as_deref(), Some(field), "{id} {params}");
        }
    }
}
