//! The list of all games: one line each. Tables in the docs, commands and law tests walk it.

use crate::chance::Seed;
use crate::class::{GameClass, TypedQuestions, class_of};
#[allow(clippy::wildcard_imports, reason = "the list below names every game")]
use crate::games::*;
use crate::params::{self, Field, ParamError};
use crate::perft::{self, Playouts};
use crate::position::{About, Finite, GameLength, Hidden, Position, Sum, Theory};
use crate::table::{Draws, Prepared, Setting, Table};
use serde_json::{Map, Value};
use std::sync::Arc;

/// An entry of the list.
pub struct Game {
    pub about: &'static About,
    pub kind: Kind,
    prepare: Prepare,
    fields: fn() -> Vec<(&'static Field, Value)>,
    perft: CountSequences,
    playouts: fn(&Value, u64, u64) -> Result<Playouts, ParamError>,
    asked: TypedQuestions,
}

type Prepare = fn(&Value, Draws) -> Result<Arc<dyn Setting>, ParamError>;
type CountSequences = fn(&Value, Seed, usize, Draws) -> Result<Vec<u64>, ParamError>;

/// Which of the two typed faces a game has besides [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Duel,
    Hidden,
}

/// Something to do with a duel, whichever it is. A visitor that does the same with all duels says
/// so in `visit`; a solver has one way for each kind, and is compiled only for the games of that
/// kind.
pub trait DuelVisitor: Sized {
    type Output;

    fn visit<P: Theory>(self) -> Self::Output;

    /// Every game ends.
    fn finite<P: Theory + Finite>(self) -> Self::Output {
        self.visit::<P>()
    }

    /// A position can come back.
    fn looping<P: Theory>(self) -> Self::Output {
        self.visit::<P>()
    }

    /// Ends, and falls apart into independent games.
    fn sum<P: Sum>(self) -> Self::Output {
        self.visit::<P>()
    }
}

/// Something to do with a game of hidden information or chance, whichever it is.
pub trait HiddenVisitor {
    type Output;
    fn visit<P: Hidden>(self) -> Self::Output;
}

/// The larger type of a game; most have only one.
macro_rules! larger {
    ($only:path) => {
        $only
    };
    ($small:path | $large:path) => {
        $large
    };
}

/// A game that says nothing of its theory has none.
macro_rules! without_theory {
    ($duel:ident $(| $large:ident)?) => {
        impl Theory for $duel {}
        $(impl Theory for $large {})?
    };
    ($duel:ident $(| $large:ident)? with theory) => {};
}

/// Only a looping game has no bound on its length.
macro_rules! length {
    (looping $duel:ident) => {
        impl GameLength for $duel {}
    };
    ($kind:ident $duel:ident) => {};
}

macro_rules! games {
    (
        duels: [$($kind:ident $duel:ident $(| $large:ident)? $(with $theory:ident)?),* $(,)?]
        hidden: [$($hidden:ident),* $(,)?]
    ) => {
        /// Every game, in the order of its source: the exercise sheet, Quixo, the thesis, the card
        /// games.
        pub static GAMES: &[Game] = &[
            $(Game::of::<$duel, larger!($duel $(| $large)?)>(Kind::Duel),)*
            $(Game::of::<$hidden, $hidden>(Kind::Hidden),)*
        ];

        $(length! { $kind $duel })*

        $(without_theory! { $duel $(| $large)? $(with $theory)? })*

        /// Hands the type behind a duel's id to a visitor, the one that holds a game with these
        /// parameters; `None` if no duel has this id.
        pub fn visit_duel<V: DuelVisitor>(id: &str, params: &Value, visitor: V) -> Option<V::Output> {
            $(if id == <$duel as Position>::ABOUT.id {
                $(if !fits::<$duel>(params) {
                    return Some(visitor.$kind::<$large>());
                })?
                return Some(visitor.$kind::<$duel>());
            })*
            None
        }

        /// Hands the type behind the id of a game with hidden cards to a visitor.
        pub fn visit_hidden<V: HiddenVisitor>(id: &str, visitor: V) -> Option<V::Output> {
            $(if id == <$hidden as Position>::ABOUT.id {
                return Some(visitor.visit::<$hidden>());
            })*
            None
        }
    };
}

games! {
    duels: [
        sum Nim,
        finite TicTacToe | LargeTicTacToe,
        finite Othello | LargeOthello with theory,
        looping NineMensMorris,
        finite BridgIt with theory,
        finite Wythoff,
        finite KnightsDuel,
        finite BreakthroughLockout,
        finite CornerTheQueen,
        finite Tactix,
        finite NoTouch,
        finite DigitalDeletions,
        sum DawsonsChess,
        finite ThreeMusketeers,
        sum Aliquot,
        sum Kayles,
        finite FoxAndHounds,
        finite SnortRing,
        looping Northcott,
        finite DiscTrail,
        sum MockTurtles,
        finite Domineering with theory,
        looping DynamicConnect3,
        finite DotsAndBoxes with theory,
        sum Rugs,
        sum Nimble,
        finite SilverDollar,
        looping Tandems,
        finite Stoplight,
        finite Isola,
        finite FourColours,
        finite Campaign,
        looping Ithaka,
        finite VectorPowers with theory,
        looping FiveFieldKono,
        sum Obstruction,
        looping Ataxx with theory,
        sum Plainim,
        looping Dao,
        finite Trianon,
        looping MuTorere,
        finite Pentanim,
        finite OddLines,
        finite CoinRing with theory,
        looping RollToFour,
        finite DiagonalDots with theory,
        looping Quixo,
        looping QuixoTeams,
        sum Grundy,
        finite Amoba,
    ]
    hidden: [
        ShlifShluf,
        Metzudotayim,
        Meidale,
        KravMaga,
        SuperStam,
        Majnun,
        Solo,
        Trishape,
        KarovMeod,
        Asirim,
        Basa,
    ]
}

/// The game with this id.
pub fn find(id: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.about.id == id)
}

/// Has this type room for a game with these parameters? Not if they are wrong; the larger type then
/// says why.
fn fits<P: Position>(params: &Value) -> bool {
    params::read(params).is_ok_and(|params| P::holds(&params))
}

impl Game {
    /// A game whose positions have one type where that has room, and another one elsewhere.
    const fn of<P: Position, Large: Position<Params = P::Params>>(kind: Kind) -> Game {
        Game {
            about: const { &P::ABOUT },
            kind,
            prepare: |params, draws| {
                let params = params::read(params)?;
                Ok(if P::holds(&params) {
                    Arc::new(Prepared::<P>::of(params, draws))
                } else {
                    Arc::new(Prepared::<Large>::of(params, draws))
                })
            },
            fields: params::fields::<P::Params>,
            perft: |params, seed, depth, draws| {
                let params = params::read(params)?;
                let count = if P::holds(&params) { perft::perft::<P> } else { perft::perft::<Large> };
                count(params, seed, depth, draws)
            },
            playouts: |params, games, ply_limit| {
                let params = params::read(params)?;
                let play = if P::holds(&params) { perft::playouts::<P> } else { perft::playouts::<Large> };
                play(&params, games, ply_limit)
            },
            asked: TypedQuestions::of::<P>(),
        }
    }

    /// Reads and checks parameters, for a game with all the draws of a real one.
    pub fn prepare(&self, params: &Value) -> Result<Arc<dyn Setting>, ParamError> {
        (self.prepare)(params, Draws::Applied)
    }

    /// A game about to begin.
    pub fn start(&self, params: &Value, seed: Seed) -> Result<Box<dyn Table>, ParamError> {
        self.prepare(params)?.start(seed)
    }

    /// A game about to begin, without draws by repetition, quiet plies and ply caps: as a solver
    /// wants it.
    pub fn start_without_draws(&self, params: &Value) -> Result<Box<dyn Table>, ParamError> {
        (self.prepare)(params, Draws::Off)?.start(Seed::from_number(0))
    }

    /// Each parameter with its default.
    pub fn params(&self) -> Vec<(&'static Field, Value)> {
        (self.fields)()
    }

    /// The JSON Schema of its parameters.
    pub fn schema(&self) -> Value {
        params::schema(self.params())
    }

    /// What kind of game it is: players, chance, information and the like.
    pub fn class(&self) -> GameClass {
        let setting = (self.prepare)(&Value::Null, Draws::Off).expect("every game has defaults");
        class_of(self.kind, self.about, &*setting, &self.asked)
    }

    /// See [`perft::perft`].
    pub fn perft(
        &self,
        params: &Value,
        seed: Seed,
        depth: usize,
        draws: Draws,
    ) -> Result<Vec<u64>, ParamError> {
        (self.perft)(params, seed, depth, draws)
    }

    /// See [`perft::playouts`].
    pub fn playouts(&self, params: &Value, games: u64, ply_limit: u64) -> Result<Playouts, ParamError> {
        (self.playouts)(params, games, ply_limit)
    }
}

/// Why one line such as `quixo?size=4` names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("there is no game `{got}`;{} `arena games` lists them all", .near.map_or(String::new(), |near| format!(" did you mean `{near}`?")))]
    NoSuchGame { got: String, near: Option<&'static str> },
    #[error("in `{got}`: expected `name=value` after `?`, joined by `&`")]
    NoValue { got: String },
    #[error("`{name}` is given twice")]
    Twice { name: String },
}

/// Reads a game with its parameters from one line: `nim`, `quixo?size=4`,
/// `nim?heaps=[1,2]&misere=true`.
///
/// A value is JSON, or else taken as a text; digits are a text where the game asks for one.
pub fn parse_name(line: &str) -> Result<(&'static Game, Value), NameError> {
    let NamedGame { game, params, wrong } = split_name(line)?;
    wrong.into_iter().next().map_or(Ok((game, Value::Object(params))), Err)
}

/// A game as one line names it.
pub struct NamedGame {
    pub game: &'static Game,
    pub params: Map<String, Value>,
    /// What could not be read of the parameters.
    pub wrong: Vec<NameError>,
}

/// Like [`parse_name`], with all that is wrong with the parameters.
pub fn split_name(line: &str) -> Result<NamedGame, NameError> {
    let (id, query) = line.split_once('?').unwrap_or((line, ""));
    let game = find(id).ok_or_else(|| NameError::NoSuchGame { got: id.to_owned(), near: near_game(id) })?;
    let fields = if query.is_empty() { Vec::new() } else { game.params() };
    let (mut params, mut wrong) = (Map::new(), Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let Some((name, text)) = pair.split_once('=') else {
            wrong.push(NameError::NoValue { got: pair.to_owned() });
            continue;
        };
        let field = fields.iter().find(|(field, _)| field.name == name);
        let value = params::typed(field.map(|(field, _)| *field), text);
        if params.insert(name.to_owned(), value).is_some() {
            wrong.push(NameError::Twice { name: name.to_owned() });
        }
    }
    Ok(NamedGame { game, params, wrong })
}

/// The game that somebody may have meant: its id has the word in it, or looks like the word.
fn near_game(word: &str) -> Option<&'static str> {
    let ids: Vec<&str> = GAMES.iter().map(|game| game.about.id).collect();
    let has_word = |id: &&&str| id.split('-').any(|part| part == word);
    let near = ids.iter().find(has_word).copied().or_else(|| crate::meant(word, &ids))?;
    find(near).map(|game| game.about.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn every_game_is_fit_to_list() {
        let mut seen = BTreeSet::new();
        for Game { about, .. } in GAMES {
            assert!(seen.insert(about.id), "{}: listed twice", about.id);
            let texts = [about.name, about.source, about.notation, about.example];
            assert!(!texts.contains(&""), "{}: a text is missing", about.id);
            assert!(about.summary.ends_with('.'), "{}: the summary is a sentence", about.id);
            assert!(about.summary.len() <= 75, "{}: the summary is too long for a table", about.id);
            assert!(
                about.rules().lines().count() >= 5,
                "{}: the file does not open with its rules",
                about.id
            );
            assert!(about.seats.0 >= 1 && about.seats.1 as usize <= crate::MAX_SEATS, "{}", about.id);
        }
    }

    #[test]
    fn one_line_names_a_game_with_its_parameters() {
        let read = |line| parse_name(line).map(|(game, params)| (game.about.id, params));
        assert_eq!(read("nim"), Ok(("nim", json!({}))));
        assert_eq!(
            read("nim?heaps=[1,2]&misere=true"),
            Ok(("nim", json!({"heaps": [1, 2], "misere": true})))
        );
        assert_eq!(read("trishape?deck=2H 3H"), Ok(("trishape", json!({"deck": "2H 3H"}))));
        for digits in ["1024", "007", "\"1024\"", "1e5"] {
            let (_, params) = parse_name(&format!("digital-deletions?number={digits}")).unwrap();
            assert_eq!(params, json!({"number": digits.trim_matches('"')}));
        }
        let error = read("tictactoe").unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no game `tictactoe`; did you mean `tic-tac-toe`? `arena games` lists them all"
        );
        assert!(read("nim?heaps").is_err());
        assert_eq!(read("nim?heaps=[1]&heaps=[2]").unwrap_err().to_string(), "`heaps` is given twice");
    }
}
