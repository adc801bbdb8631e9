//! What a config says, word by word, and where it says so. Nothing is checked here but names and types.

use crate::seeds::{RootSeed, SeedChoice};
use rules::nearest;
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake in a config, with its place: `league.toml:7`, or the flag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ConfigError {
    pub place: String,
    pub problem: String,
}

/// A value, and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct At<T> {
    pub value: T,
    pub place: String,
}

impl<T> At<T> {
    pub fn new(value: T, place: impl Into<String>) -> At<T> {
        At { value, place: place.into() }
    }

    pub fn wrong(&self, problem: impl Into<String>) -> ConfigError {
        ConfigError { place: self.place.clone(), problem: problem.into() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct GameDraft {
    /// `othello`, or `quixo?size=4`.
    pub line: At<String>,
    pub params: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BotDraft {
    pub name: Option<String>,
    pub run: At<String>,
}

/// Everything that can be said. What is missing has a default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The config itself, for what is missing in it.
    pub place: String,
    pub name: Option<At<String>>,
    pub games: Vec<GameDraft>,
    pub bots: Vec<BotDraft>,
    pub format: Option<At<String>>,
    pub rounds: Option<At<u64>>,
    pub deals: Option<At<u64>>,
    pub seed: Option<At<SeedChoice>>,
    pub heroes: Vec<At<String>>,
    pub tables: Option<At<u64>>,
    pub arrangements: Option<At<String>>,
    pub seating: Option<At<String>>,
    pub openings: Option<At<u64>>,
    pub rated: Option<At<bool>>,
    pub restart: Option<At<bool>>,
    pub pondering: Option<At<bool>>,
    pub on_fault: Option<At<String>>,
    pub memory_mib: Option<At<u64>>,
    pub concurrency: Option<At<u64>>,
    pub pin: Option<At<bool>>,
    pub tie_breaks: Vec<At<String>>,
    pub move_ms: Option<At<u64>>,
    pub bank_ms: Option<At<u64>>,
    pub increment_ms: Option<At<u64>>,
    pub startup_ms: Option<At<u64>>,
    pub measured: Option<At<String>>,
    /// The table `[sprt]`.
    pub sprt: Option<At<()>>,
    pub model: Option<At<String>>,
    pub elo0: Option<At<f64>>,
    pub elo1: Option<At<f64>>,
    pub alpha: Option<At<f64>>,
    pub beta: Option<At<f64>>,
    pub folder: Option<At<String>>,
    pub failures: Option<At<bool>>,
}

const TOP: &[&str] = &[
    "name",
    "game",
    "games",
    "bots",
    "format",
    "rounds",
    "deals",
    "seed",
    "heroes",
    "tables",
    "arrangements",
    "seating",
    "openings",
    "rated",
    "restart",
    "pondering",
    "on_fault",
    "memory_mib",
    "concurrency",
    "pin",
    "tie_breaks",
    "clock",
    "sprt",
    "output",
];
const CLOCK: &[&str] = &["move_ms", "bank_ms", "increment_ms", "startup_ms", "measured"];
const SPRT: &[&str] = &["elo0", "elo1", "alpha", "beta", "model"];
const OUTPUT: &[&str] = &["folder", "failures"];
const GAME: &[&str] = &["game", "params"];
const BOT: &[&str] = &["name", "run"];

/// Where each key belongs.
const PLACES: &[(&str, &[&str])] = &[
    ("the top of the file, before any [table]", TOP),
    ("[clock]", CLOCK),
    ("[sprt]", SPRT),
    ("[output]", OUTPUT),
    ("a game: games = [{ game = \"nim\", params = { … } }]", GAME),
    ("a bot: bots = [{ name = \"…\", run = \"…\" }]", BOT),
];

/// Reads a config file.
pub fn read(file: &str, text: &str) -> Result<Draft, ConfigError> {
    let reader = Reader { file, text };
    let document = DeTable::parse(text).map_err(|error| {
        reader.wrong(&error.span().unwrap_or(0..0), format!("not TOML: {}", error.message()))
    })?;
    let mut draft = Draft { place: file.to_owned(), ..Draft::default() };
    reader.top(document.get_ref(), &mut draft)?;
    Ok(draft)
}

type Item<'i> = Spanned<DeValue<'i>>;

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        let before = &self.text[..span.start.min(self.text.len())];
        format!("{}:{}", self.file, 1 + before.matches('\n').count())
    }

    fn wrong(&self, span: &Range<usize>, problem: impl Into<String>) -> ConfigError {
        ConfigError { place: self.place(span), problem: problem.into() }
    }

    fn at<T>(&self, item: &Item, value: T) -> At<T> {
        At::new(value, self.place(&item.span()))
    }

    fn top(&self, table: &DeTable, draft: &mut Draft) -> Result<(), ConfigError> {
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "name" => draft.name = Some(self.text(key, item)?),
                "game" => draft.games.push(self.game(key, item)?),
                "games" => draft.games.extend(self.list(key, item, |item| self.game(key, item))?),
                "bots" => draft.bots = self.list(key, item, |item| self.bot(key, item))?,
                "format" => draft.format = Some(self.text(key, item)?),
                "rounds" => draft.rounds = Some(self.count(key, item)?),
                "deals" => draft.deals = Some(self.count(key, item)?),
                "seed" => draft.seed = Some(self.seed(key, item)?),
                "heroes" => draft.heroes = self.list(key, item, |item| self.text(key, item))?,
                "tables" => draft.tables = Some(self.count(key, item)?),
                "arrangements" => draft.arrangements = Some(self.text(key, item)?),
                "seating" => draft.seating = Some(self.text(key, item)?),
                "openings" => draft.openings = Some(self.count(key, item)?),
                "rated" => draft.rated = Some(self.flag(key, item)?),
                "restart" => draft.restart = Some(self.flag(key, item)?),
                "pondering" => draft.pondering = Some(self.flag(key, item)?),
                "on_fault" => draft.on_fault = Some(self.text(key, item)?),
                "memory_mib" => draft.memory_mib = Some(self.count(key, item)?),
                "concurrency" => draft.concurrency = Some(self.count(key, item)?),
                "pin" => draft.pin = Some(self.flag(key, item)?),
                "tie_breaks" => draft.tie_breaks = self.list(key, item, |item| self.text(key, item))?,
                "clock" => self.clock(self.table(key, item)?, draft)?,
                "sprt" => {
                    self.sprt(self.table(key, item)?, draft)?;
                    draft.sprt = Some(self.at(item, ()));
                }
                "output" => self.output(self.table(key, item)?, draft)?,
                _ => return Err(self.unknown(key, TOP)),
            }
        }
        Ok(())
    }

    fn clock(&self, table: &DeTable, draft: &mut Draft) -> Result<(), ConfigError> {
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "move_ms" => draft.move_ms = Some(self.count(key, item)?),
                "bank_ms" => draft.bank_ms = Some(self.count(key, item)?),
                "increment_ms" => draft.increment_ms = Some(self.count(key, item)?),
                "startup_ms" => draft.startup_ms = Some(self.count(key, item)?),
                "measured" => draft.measured = Some(self.text(key, item)?),
                _ => return Err(self.unknown(key, CLOCK)),
            }
        }
        Ok(())
    }

    fn sprt(&self, table: &DeTable, draft: &mut Draft) -> Result<(), ConfigError> {
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "elo0" => draft.elo0 = Some(self.number(key, item)?),
                "elo1" => draft.elo1 = Some(self.number(key, item)?),
                "alpha" => draft.alpha = Some(self.number(key, item)?),
                "beta" => draft.beta = Some(self.number(key, item)?),
                "model" => draft.model = Some(self.text(key, item)?),
                _ => return Err(self.unknown(key, SPRT)),
            }
        }
        Ok(())
    }

    fn output(&self, table: &DeTable, draft: &mut Draft) -> Result<(), ConfigError> {
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "folder" => draft.folder = Some(self.text(key, item)?),
                "failures" => draft.failures = Some(self.flag(key, item)?),
                _ => return Err(self.unknown(key, OUTPUT)),
            }
        }
        Ok(())
    }

    /// `"othello"`, or `{ game = "othello", params = { size = 6 } }`.
    fn game(&self, key: &Key, item: &Item) -> Result<GameDraft, ConfigError> {
        let Some(table) = item.get_ref().as_table() else {
            if key.get_ref() == "game" && item.get_ref().is_array() {
                return self.expected(key, item, "one game (several are listed by the key `games`)");
            }
            return Ok(GameDraft { line: self.text(key, item)?, params: Map::new() });
        };
        let (mut line, mut params) = (None, Map::new());
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "game" => line = Some(self.text(key, item)?),
                "params" => {
                    for (name, value) in self.table(key, item)? {
                        params.insert(name.get_ref().to_string(), self.json(value)?);
                    }
                }
                _ => return Err(self.unknown(key, GAME)),
            }
        }
        let line = line.ok_or_else(|| self.wrong(&item.span(), "a game needs a key `game` with its name"))?;
        Ok(GameDraft { line, params })
    }

    /// `"builtin:greedy"`, or `{ name = "anna", run = "python3 anna.py" }`.
    fn bot(&self, key: &Key, item: &Item) -> Result<BotDraft, ConfigError> {
        let Some(table) = item.get_ref().as_table() else {
            return Ok(BotDraft { name: None, run: self.text(key, item)? });
        };
        let (mut name, mut run) = (None, None);
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "name" => name = Some(self.text(key, item)?.value),
                "run" => run = Some(self.text(key, item)?),
                _ => return Err(self.unknown(key, BOT)),
            }
        }
        let run = run.ok_or_else(|| self.wrong(&item.span(), "a bot needs a key `run` with its command"))?;
        Ok(BotDraft { name, run })
    }

    fn unknown(&self, key: &Key, known: &[&str]) -> ConfigError {
        let name = key.get_ref().as_ref();
        let advice = match PLACES.iter().find(|(_, keys)| keys.contains(&name)) {
            Some((place, _)) => format!("there is no key `{name}` here; it belongs into {place};"),
            None => {
                let near = nearest(name, known).unwrap_or_default();
                format!("there is no key `{name}`; did you mean `{near}`?")
            }
        };
        self.wrong(&key.span(), format!("{advice} known: {}", known.join(", ")))
    }

    fn expected<T>(&self, key: &Key, item: &Item, what: &str) -> Result<T, ConfigError> {
        let found = match item.get_ref() {
            DeValue::String(text) => format!("\"{text}\""),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(flag) => flag.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        Err(self.wrong(&item.span(), format!("`{}` is {what}, not {found}", key.get_ref())))
    }

    fn text(&self, key: &Key, item: &Item) -> Result<At<String>, ConfigError> {
        match item.get_ref().as_str() {
            Some(text) => Ok(self.at(item, text.to_owned())),
            None => self.expected(key, item, "a text in quotes"),
        }
    }

    fn count(&self, key: &Key, item: &Item) -> Result<At<u64>, ConfigError> {
        match item.get_ref().as_integer().and_then(|number| number.as_str().parse().ok()) {
            Some(number) => Ok(self.at(item, number)),
            None => self.expected(key, item, "a whole number, 0 or more"),
        }
    }

    fn number(&self, key: &Key, item: &Item) -> Result<At<f64>, ConfigError> {
        let number = match item.get_ref() {
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            _ => None,
        };
        match number.filter(|number| number.is_finite()) {
            Some(number) => Ok(self.at(item, number)),
            None => self.expected(key, item, "a number"),
        }
    }

    fn flag(&self, key: &Key, item: &Item) -> Result<At<bool>, ConfigError> {
        match item.get_ref().as_bool() {
            Some(flag) => Ok(self.at(item, flag)),
            None => self.expected(key, item, "true or false"),
        }
    }

    fn seed(&self, key: &Key, item: &Item) -> Result<At<SeedChoice>, ConfigError> {
        let number = || item.get_ref().as_integer()?.as_str().parse().ok().map(RootSeed::Number);
        let text = || item.get_ref().as_str()?.parse().ok();
        match number().map(SeedChoice::Given).or_else(text) {
            Some(choice) => Ok(self.at(item, choice)),
            None => self.expected(key, item, "a whole number, 64 hexadecimal digits or \"random\""),
        }
    }

    fn table<'t, 'i>(&self, key: &Key, item: &'t Item<'i>) -> Result<&'t DeTable<'i>, ConfigError> {
        match item.get_ref().as_table() {
            Some(table) => Ok(table),
            None => self.expected(key, item, "a table"),
        }
    }

    fn list<T>(
        &self,
        key: &Key,
        item: &Item,
        read: impl Fn(&Item) -> Result<T, ConfigError>,
    ) -> Result<Vec<T>, ConfigError> {
        match item.get_ref().as_array() {
            Some(items) => items.iter().map(read).collect(),
            None => self.expected(key, item, "a list in [ ]"),
        }
    }

    fn json(&self, item: &Item) -> Result<Value, ConfigError> {
        Ok(match item.get_ref() {
            DeValue::String(text) => Value::from(text.as_ref()),
            DeValue::Boolean(flag) => Value::from(*flag),
            DeValue::Integer(number) => {
                let number: Result<i64, _> = number.as_str().parse();
                number.map(Value::from).map_err(|_| self.wrong(&item.span(), "this number is too big"))?
            }
            DeValue::Float(number) => Value::from(number.as_str().parse::<f64>().unwrap_or_default()),
            DeValue::Array(items) => {
                Value::Array(items.iter().map(|item| self.json(item)).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => {
                let field = |(key, item): (&Key, &Item)| Ok((key.get_ref().to_string(), self.json(item)?));
                Value::Object(table.iter().map(field).collect::<Result<_, ConfigError>>()?)
            }
            DeValue::Datetime(_) => return Err(self.wrong(&item.span(), "no parameter is a date")),
        })
    }
}

type Key<'i> = Spanned<toml::de::DeString<'i>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, error) in [
            ("seed = 1\nfromat = 'swiss'", "c.toml:2: there is no key `fromat`; did you mean `format`?"),
            ("[clock]\n\nmove = 3", "c.toml:3: there is no key `move`; did you mean `move_ms`?"),
            ("move_ms = 3", "c.toml:1: there is no key `move_ms` here; it belongs into [clock]"),
            ("game = 'nim'\nparams = {}", "c.toml:2: there is no key `params` here; it belongs into a game"),
            (
                "[clock]\nseed = 3",
                "c.toml:2: there is no key `seed` here; it belongs into the top of the file",
            ),
            ("deals = 'ten'", "c.toml:1: `deals` is a whole number, 0 or more, not \"ten\""),
            ("seed = []", "c.toml:1: `seed` is a whole number, 0 or more, or \"random\", not a list"),
            ("game = ['nim']", "`game` is one game (several are listed by the key `games`), not a list"),
            ("deals = -1", "`deals` is a whole number, 0 or more, not -1"),
            ("bots = 'a'", "c.toml:1: `bots` is a list in [ ], not \"a\""),
            ("restart = 1", "`restart` is true or false, not 1"),
            ("bots = [\n 'a',\n { nam = 'b' } ]", "c.toml:3: there is no key `nam`; did you mean `name`?"),
            ("[[bots]]\nname = 'b'", "c.toml:1: a bot needs a key `run`"),
            ("seed = 'x'", "or \"random\", not \"x\""),
            ("a = ", "c.toml:1: not TOML"),
            ("seed = 1\nseed = 2", "c.toml:2: not TOML: duplicate key"),
        ] {
            let found = read("c.toml", text).unwrap_err().to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
    }

    #[test]
    fn every_known_key_is_read() {
        let keys = [("", TOP), ("clock", CLOCK), ("sprt", SPRT), ("output", OUTPUT)];
        for (section, key) in keys.iter().flat_map(|(name, keys)| keys.iter().map(move |key| (*name, key))) {
            let text = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
            let error = read("c.toml", &format!("{text}{key} = 1979-05-27\n")).unwrap_err();
            assert!(!error.problem.contains("no key"), "{key}: {error}");
        }
    }
}
