//! Naming a game: `nim`, `quixo?size=4`, or a name and parameters from elsewhere.

use super::{BotSpec, SpecError};
use rules::{Game, NamedGame, ParamError, Seat, Seed, Setting, Table};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A game as a user names it, checked: it can be set up.
#[derive(Clone)]
pub struct GameSpec {
    pub game: &'static Game,
    /// Only the parameters that were given.
    given: Map<String, Value>,
    pub setting: Arc<dyn Setting>,
    /// By seat: the team.
    pub teams: Vec<usize>,
}

/// All that is wrong with a game that somebody named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError {
    problems: Vec<(Option<String>, String)>,
}

impl GameError {
    fn new(problem: impl Into<String>) -> GameError {
        GameError { problems: vec![(None, problem.into())] }
    }

    fn add(&mut self, field: &str, problem: impl Into<String>) {
        let name = field.split('[').next().unwrap_or(field);
        self.problems.push((Some(name.to_owned()), problem.into()));
    }

    /// Each mistake by itself, with the parameter that it is about.
    pub fn each(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        self.problems.iter().map(|(name, problem)| (name.as_deref(), problem.as_str()))
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<&str> = self.each().map(|(_, problem)| problem).collect();
        f.write_str(&problems.join("; "))
    }
}

impl std::error::Error for GameError {}

/// A game as a user names it, not checked yet.
pub struct GameLine {
    game: &'static Game,
    given: Map<String, Value>,
    error: GameError,
}

impl GameLine {
    /// The game of a line, with more parameters from `place`: `--params`.
    pub fn read(line: &str, more: Map<String, Value>, place: &str) -> Result<GameLine, GameError> {
        let named = rules::split_name(line).map_err(|error| GameError::new(error.to_string()))?;
        let NamedGame { game, params: mut given, wrong } = named;
        let mut error = GameError { problems: wrong.iter().map(|wrong| (None, wrong.to_string())).collect() };
        for (name, value) in more {
            if given.contains_key(&name) {
                error.add(&name, format!("`{name}` is given twice, with the game and in {place}"));
            }
            given.insert(name, value);
        }
        Ok(GameLine { game, given, error })
    }

    /// The game as it is written.
    pub fn check(self) -> Result<GameSpec, GameError> {
        let setting = self.prepare()?;
        // Some parameters are found to be wrong only when the pieces are set up.
        let table = setting.start(Seed::from_number(0)).map_err(|error| self.refused(&error))?;
        let GameLine { game, given, error } = self;
        if error.problems.is_empty() {
            Ok(GameSpec { game, given, teams: teams(&*table), setting })
        } else {
            Err(error)
        }
    }

    /// The game for one table of all these bots. Where the number of seats is open, each bot has a
    /// seat.
    pub fn for_bots(mut self, bots: usize) -> Result<GameSpec, GameError> {
        let (least, most) = self.game.about.seats;
        if least == most || self.given.contains_key("seats") {
            return self.check();
        }
        if !(least as usize..=most as usize).contains(&bots) {
            let problem = format!("{} needs {least} to {most} bots, not {bots}", self.game.about.id);
            return Err(GameError::new(problem));
        }
        self.given.insert("seats".to_owned(), json!(bots));
        self.check()
    }

    /// The game for tables of some of these bots. Where the number of seats is open, it is the
    /// usual one, or as many as there are bots.
    pub fn for_some_of(mut self, bots: usize) -> Result<GameSpec, GameError> {
        let usual = self.prepare()?.params()["seats"].as_u64();
        if !self.given.contains_key("seats") && usual.is_some_and(|seats| seats > bots as u64) {
            self.given.insert("seats".to_owned(), json!(bots.max(self.game.about.seats.0 as usize)));
        }
        self.check()
    }

    fn prepare(&self) -> Result<Arc<dyn Setting>, GameError> {
        self.game.prepare(&Value::Object(self.given.clone())).map_err(|error| self.refused(&error))
    }

    /// What is wrong with parameters, after what is wrong with the line.
    fn refused(&self, refused: &ParamError) -> GameError {
        let mut error = self.error.clone();
        for (field, problem) in refused.each() {
            error.add(field, format!("{}: {problem}", self.game.about.id));
        }
        error
    }
}

impl FromStr for GameSpec {
    type Err = GameError;

    fn from_str(line: &str) -> Result<GameSpec, GameError> {
        GameLine::read(line, Map::new(), "")?.check()
    }
}

impl GameSpec {
    pub fn id(&self) -> &'static str {
        self.game.about.id
    }

    /// The parameters that were given, without those that have their default.
    pub fn given(&self) -> Value {
        Value::Object(self.given.clone())
    }

    /// How many sides there are.
    pub fn sides(&self) -> usize {
        self.teams.iter().max().map_or(1, |most| most + 1)
    }

    /// Refuses a bot that can't play this game.
    pub fn check(&self, bot: &BotSpec) -> Result<(), SpecError> {
        bot.check(self.game, self.setting.params())
    }
}

/// As commands take it, with the parameters that were given: `quixo?size=4`.
impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())?;
        for (at, (name, value)) in self.given.iter().enumerate() {
            write!(f, "{}{name}={value}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

/// By seat: the number of its team.
fn teams(table: &dyn Table) -> Vec<usize> {
    let teams = rules::teams(table);
    let team_of = |seat: u8| teams.iter().position(|team| team.contains(Seat(seat))).unwrap_or(0);
    (0..table.seats()).map(team_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, more: &Value) -> Result<GameLine, GameError> {
        GameLine::read(text, more.as_object().cloned().unwrap_or_default(), "`params`")
    }

    #[test]
    fn a_name_and_parameters_become_one_game() {
        let spec = line("nim?heaps=[1,2]", &json!({"misere": true})).unwrap().check().unwrap();
        assert_eq!(spec.to_string(), "nim?heaps=[1,2]&misere=true");
        assert_eq!((spec.given(), spec.sides()), (json!({"heaps": [1, 2], "misere": true}), 2));
        assert_eq!("quixo-teams".parse::<GameSpec>().unwrap().teams, [0, 1, 0, 1]);
    }

    #[test]
    fn every_mistake_is_named_with_its_parameter() {
        let about = |text: &str, more: Value| {
            let error = line(text, &more).and_then(GameLine::check).err().unwrap();
            error.each().map(|(name, _)| name.map(str::to_owned)).collect::<Vec<_>>()
        };
        let names = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>();
        assert_eq!(about("nmi", json!({"heaps": 3})), [None]);
        assert_eq!(about("tic-tac-toe?size=33&lin=2&line=0", json!({})), names(&["size", "lin", "line"]));
        assert_eq!(
            about("nim?heaps=[1]", json!({"heaps": [-1], "foo": 1})),
            names(&["heaps", "heaps", "foo"])
        );
        assert_eq!(about("nim?heaps&foo=1", json!({}))[0], None);
        let error = "nim?heaps&foo=1".parse::<GameSpec>().err().unwrap().to_string();
        assert!(
            error.contains("expected `name=value`") && error.contains("; nim: parameter `foo`"),
            "{error}"
        );
    }

    #[test]
    fn seats_fit_the_bots() {
        let seats = |spec: Result<GameSpec, GameError>| spec.map(|spec| spec.teams.len());
        let open = || line("majnun", &Value::Null).unwrap();
        assert_eq!(seats(open().for_bots(5)), Ok(5));
        let error = seats(open().for_bots(2)).unwrap_err();
        assert!(error.to_string().starts_with("majnun needs 3 to "), "{error}");
        let usual = seats(open().check()).unwrap();
        for (bots, expected) in [(1, 3), (3, 3), (usual, usual), (100, usual)] {
            assert_eq!(seats(open().for_some_of(bots)), Ok(expected), "{bots} bots");
        }
        let given = || line("majnun?seats=4", &Value::Null).unwrap();
        assert_eq!((seats(given().for_bots(6)), seats(given().for_some_of(3))), (Ok(4), Ok(4)));
        assert_eq!(seats(line("nim", &Value::Null).unwrap().for_bots(7)), Ok(2));
    }

    #[test]
    fn bots_that_can_not_play_are_refused() {
        for (game, bot, error) in [
            (
                "basa",
                "builtin:minimax",
                "builtin:minimax needs to see the whole position, and basa hides cards",
            ),
            ("nim", "builtin:thesis-amoba", "so not this nim"),
        ] {
            let found = game.parse::<GameSpec>().unwrap().check(&bot.parse().unwrap()).unwrap_err();
            assert!(found.to_string().contains(error), "{found}");
        }
        assert!("basa".parse::<GameSpec>().unwrap().check(&BotSpec::random()).is_ok());
    }
}
