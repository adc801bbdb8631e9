//! What kind of game a game is, as the theory of games sorts them. Nothing is written down twice:
//! all of it is found out from the rules, with the usual parameters.

use crate::chance::Seed;
use crate::position::{About, DrawRules, Position};
use crate::registry::Kind;
use crate::seat::{Eyes, Seat, Turn};
use crate::table::{Setting, Table, position_of, teams};

/// The five questions by which the theory of games sorts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClass {
    /// Fewest and most.
    pub players: (u8, u8),
    /// How many teams they form, unless all play for themselves.
    pub teams: Option<u8>,
    /// Does chance decide something?
    pub chance: bool,
    /// Do the rules alone end every game? If not, draws by repetition or by a cap do.
    pub finite: bool,
    pub information: Information,
    /// Does a player win only what others lose?
    pub zero_sum: bool,
}

/// How much the players know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    /// All of them know the same. What nobody knows, such as the order of a deck, is chance.
    Perfect,
    /// Some know what others do not, or several decide at the same time.
    Imperfect,
}

impl Information {
    pub fn word(self) -> &'static str {
        match self {
            Information::Perfect => "perfect",
            Information::Imperfect => "imperfect",
        }
    }
}

/// So many deals are looked at.
const DEALS: u64 = 4;

/// So many moves of each are played.
const PLIES: usize = 60;

/// What can be asked only where the type of the positions is known.
pub(crate) struct TypedQuestions {
    differ: fn(&dyn Table, &dyn Table) -> bool,
    draw_rules: fn(&dyn Table) -> DrawRules,
}

impl TypedQuestions {
    pub(crate) const fn of<P: Position>() -> TypedQuestions {
        TypedQuestions {
            differ: |one, other| position_of::<P>(one) != position_of::<P>(other),
            draw_rules: |table| position_of::<P>(table).draw_rules(),
        }
    }
}

/// The class of a game with its usual parameters.
pub(crate) fn class_of(
    kind: Kind,
    about: &About,
    setting: &dyn Setting,
    asked: &TypedQuestions,
) -> GameClass {
    let starts = (0..DEALS).filter_map(|deal| setting.start(Seed::from_number(deal)).ok());
    let starts: Vec<Box<dyn Table>> = starts.collect();
    let together = starts.iter().find(|start| teams(&***start).len() < usize::from(start.seats()));
    GameClass {
        players: about.seats,
        teams: together.map(|start| teams(&**start).len() as u8),
        chance: starts.windows(2).any(|pair| (asked.differ)(&*pair[0], &*pair[1])),
        finite: starts.iter().all(|start| (asked.draw_rules)(&**start) == DrawRules::NONE),
        information: if kind == Kind::Hidden && starts.into_iter().any(has_secrets) {
            Information::Imperfect
        } else {
            Information::Perfect
        },
        // A result is a place for every seat: whoever gains one takes it from another. Alone there
        // is nobody to take it from.
        zero_sum: about.seats.0 > 1,
    }
}

/// Does some player know what a spectator does not, or do several decide at the same time?
fn has_secrets(mut table: Box<dyn Table>) -> bool {
    for ply in 0..PLIES {
        let public = table.view(Eyes::Spectator).value();
        let secret = |seat: u8| table.view(Eyes::Seat(Seat(seat))).value() != public;
        if (0..table.seats()).any(secret) {
            return true;
        }
        let seat = match table.turn() {
            Turn::One(seat) => seat,
            Turn::Together(seats) if seats.len() > 1 => return true,
            Turn::Together(seats) => seats.lowest().unwrap_or(Seat::FIRST),
            Turn::Over(_) => return false,
        };
        let moves = table.legal(seat);
        table.play(seat, &moves[ply % moves.len()]).expect("a legal move");
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theory;
    use crate::registry::{DuelVisitor, GAMES, find, visit_duel};
    use serde_json::Value;

    fn words(id: &str) -> String {
        let class = find(id).unwrap().class();
        let yes = |fact: bool, word: &'static str| fact.then_some(word);
        let words = [
            yes(class.chance, "chance"),
            yes(class.finite, "finite"),
            Some(class.information.word()),
            yes(class.zero_sum, "zero-sum"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn games_of_every_kind() {
        for (id, expected) in [
            ("tic-tac-toe", "finite perfect zero-sum"),
            ("amoba", "finite perfect zero-sum"),
            ("grundy", "finite perfect zero-sum"),
            // Pieces can go to and fro.
            ("quixo", "perfect zero-sum"),
            ("mu-torere", "perfect zero-sum"),
            // Nobody knows the deck, and nothing else is hidden.
            ("shlif-shluf", "chance finite perfect zero-sum"),
            ("trishape", "chance finite perfect"),
            ("solo", "chance finite perfect"),
            ("asirim", "chance finite imperfect zero-sum"),
            ("meidale", "chance finite imperfect zero-sum"),
            ("basa", "chance finite imperfect zero-sum"),
        ] {
            assert_eq!(words(id), expected, "{id}");
        }
        let teams: Vec<_> =
            GAMES.iter().filter_map(|game| Some((game.about.id, game.class().teams?))).collect();
        assert_eq!(teams, [("quixo-teams", 2)]);
    }

    struct IsLooping;

    impl DuelVisitor for IsLooping {
        type Output = bool;

        fn visit<P: Theory>(self) -> bool {
            false
        }

        fn looping<P: Theory>(self) -> bool {
            true
        }
    }

    /// What is said of the end of a game in two places is said alike; and what minimax needs is so.
    #[test]
    fn duels_have_no_chance_and_end_in_one_way() {
        for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
            let (id, class) = (game.about.id, game.class());
            assert_eq!(class.finite, !visit_duel(id, &Value::Null, IsLooping).unwrap(), "{id}");
            assert!(!class.chance && class.information == Information::Perfect, "{id}");
        }
    }
}
