//! What a table is to be: game, seats, clock and seed, as somebody asked for it, and then checked.

use referee::clock::ClockRules;
use referee::process::Sandbox;
use referee::seeds::{RootSeed, SeedChoice};
use referee::spec::{BotSpec, GameLine, GameSpec};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use text::harmless;

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 40;
/// The longest time for a move, and the largest bank.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// People without a clock have more time than any table stands.
const NO_LIMIT: Duration = Duration::from_hours(30 * 24);
/// Bots at a table without a clock.
const BOT_MOVE: Duration = Duration::from_secs(30);

/// The body of `POST /api/tables`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// `othello`, or with parameters `quixo?size=4`.
    pub game: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Who sits where.
    pub seats: Vec<AskedSeat>,
    #[serde(default)]
    pub clock: Option<AskedClock>,
    #[serde(default)]
    pub seed: Option<AskedSeed>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected \"person\", a bot such as \"builtin:greedy\", or {\"person\": NAME}")]
pub(super) enum AskedSeat {
    /// `person`, or a bot.
    Word(String),
    Named {
        person: String,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the names of the protocol")]
pub(super) struct AskedClock {
    pub move_ms: u64,
    #[serde(default)]
    pub bank_ms: u64,
    #[serde(default)]
    pub increment_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number, or 64 hexadecimal digits")]
pub(super) enum AskedSeed {
    Number(u64),
    Text(String),
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitting {
    /// A person with a name.
    Person(String),
    Bot(BotSpec),
}

impl Sitting {
    pub fn is_person(&self) -> bool {
        matches!(self, Sitting::Person(_))
    }

    pub fn name(&self) -> &str {
        match self {
            Sitting::Person(name) => name,
            Sitting::Bot(spec) => &spec.text,
        }
    }
}

/// A table that can be set up.
#[derive(Clone)]
pub struct Order {
    pub game: GameSpec,
    /// Who sits where, by seat.
    pub seats: Vec<Sitting>,
    /// The limits for everybody. Without them only bots have a limit.
    pub clock: Option<ClockRules>,
    pub seed: SeedChoice,
}

/// A table that nobody can set up, in words for the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OrderError(String);

impl Order {
    /// Checks that these can sit down together.
    pub fn new(
        game: GameSpec,
        seats: Vec<Sitting>,
        clock: Option<ClockRules>,
        seed: SeedChoice,
    ) -> Result<Order, OrderError> {
        let needed = game.teams.len();
        if seats.len() != needed {
            let many = if needed == 1 { "1 seat".to_owned() } else { format!("{needed} seats") };
            return Err(OrderError(format!("{} has {many}, and `seats` names {}", game.id(), seats.len())));
        }
        if !seats.iter().any(Sitting::is_person) {
            return Err(OrderError(
                "nobody plays: give at least one seat to \"person\", or let bots play with `arena match`"
                    .to_owned(),
            ));
        }
        for (seat, sitting) in seats.iter().enumerate() {
            if let Sitting::Bot(spec) = sitting {
                game.check(spec).map_err(|error| OrderError(format!("seats[{seat}]: {error}")))?;
            }
        }
        Ok(Order { game, seats, clock, seed })
    }

    /// The number of people.
    pub fn people(&self) -> usize {
        self.seats.iter().filter(|sitting| sitting.is_person()).count()
    }

    pub fn names(&self) -> Vec<String> {
        self.seats.iter().map(|sitting| sitting.name().to_owned()).collect()
    }

    /// The limits for a seat.
    pub fn clock_of(&self, seat: usize) -> ClockRules {
        let per_move = if self.seats[seat].is_person() { NO_LIMIT } else { BOT_MOVE };
        self.clock.unwrap_or(ClockRules { per_move, ..ClockRules::default() })
    }
}

impl Asked {
    /// Checks all that was asked for. Bots are built-in, or among `bots`: what runs on this machine is
    /// chosen by whoever started the server, and not by a page.
    pub fn check(self, bots: &[BotSpec], sandbox: &Arc<Sandbox>) -> Result<Order, OrderError> {
        let wrong = |error: &dyn std::fmt::Display| OrderError(error.to_string());
        let line = GameLine::read(&self.game, self.params, "`params`").map_err(|error| wrong(&error))?;
        let game = line.for_bots(self.seats.len().max(1)).map_err(|error| wrong(&error))?;
        let mut seats = Vec::new();
        for (seat, asked) in self.seats.into_iter().enumerate() {
            let sitting = asked.check(seat, bots, sandbox);
            seats.push(sitting.map_err(|problem| OrderError(format!("seats[{seat}]: {problem}")))?);
        }
        let clock = self.clock.map(AskedClock::check).transpose().map_err(OrderError)?;
        let seed = self.seed.map(AskedSeed::check).transpose();
        let seed = seed.map_err(|problem| OrderError(format!("seed: {problem}")))?;
        Order::new(game, seats, clock, seed.map_or(SeedChoice::Random, SeedChoice::Given))
    }
}

impl AskedSeat {
    fn check(self, seat: usize, bots: &[BotSpec], sandbox: &Arc<Sandbox>) -> Result<Sitting, String> {
        match self {
            AskedSeat::Named { person } => named(seat, &person),
            AskedSeat::Word(word) if word == "person" => named(seat, ""),
            AskedSeat::Word(word) if word.starts_with("builtin:") => {
                let spec: BotSpec = word.parse().map_err(|error| format!("{error}"))?;
                Ok(Sitting::Bot(spec.within(sandbox)))
            }
            AskedSeat::Word(word) => match bots.iter().find(|spec| spec.text == word) {
                Some(spec) => Ok(Sitting::Bot(spec.clone())),
                None => Err(format!(
                    "`{}` may not play here; a bot of your own is named where the server is started, with `--bot`",
                    harmless::line(&word)
                )),
            },
        }
    }
}

/// A person with this name, or with a name for the seat.
fn named(seat: usize, name: &str) -> Result<Sitting, String> {
    let name = name.trim();
    if name.is_empty() {
        return Ok(Sitting::Person(format!("person {seat}")));
    }
    if name.chars().count() > LONGEST_NAME {
        return Err(format!("a name has at most {LONGEST_NAME} characters"));
    }
    Ok(Sitting::Person(harmless::line(name)))
}

impl AskedClock {
    fn check(self) -> Result<ClockRules, String> {
        for (name, ms, least) in [
            ("move_ms", self.move_ms, 1),
            ("bank_ms", self.bank_ms, 0),
            ("increment_ms", self.increment_ms, 0),
        ] {
            if !(least..=DAY_MS).contains(&ms) {
                return Err(format!("clock: {name}: expected a number from {least} to {DAY_MS}, not {ms}"));
            }
        }
        let ms = Duration::from_millis;
        Ok(ClockRules {
            per_move: ms(self.move_ms),
            bank: ms(self.bank_ms),
            increment: ms(self.increment_ms),
            ..ClockRules::default()
        })
    }
}

impl AskedSeed {
    fn check(self) -> Result<RootSeed, String> {
        match self {
            AskedSeed::Number(number) => Ok(number.into()),
            AskedSeed::Text(text) => text.parse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(body: Value) -> Result<Order, String> {
        let asked: Asked = serde_json::from_value(body).map_err(|error| error.to_string())?;
        let own: BotSpec = "sh my_bot.sh".parse().unwrap();
        asked.check(&[own], &Arc::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn orders_in_a_table() {
        for (body, names) in [
            (json!({"game": "nim", "seats": ["person", "builtin:greedy"]}), "person 0, builtin:greedy"),
            (json!({"game": "nim", "seats": [{"person": " Ada\n"}, "sh my_bot.sh"]}), "Ada, sh my_bot.sh"),
            (
                json!({"game": "quixo-teams", "seats": ["person", "person", "person", "person"], "seed": 7}),
                "person 0, person 1, person 2, person 3",
            ),
            (
                json!({"game": "majnun", "seats": ["person", "builtin:random", "builtin:random"]}),
                "person 0, builtin:random, builtin:random",
            ),
        ] {
            assert_eq!(checked(body).map(|order| order.names().join(", ")), Ok(names.to_owned()));
        }
        let order = checked(
            json!({"game": "nim?heaps=[1,2]", "params": {"misere": true}, "seats": ["person", "person"],
            "clock": {"move_ms": 500, "bank_ms": 60_000}, "seed": "ab".repeat(32)}),
        );
        let order = order.unwrap();
        assert_eq!(order.game.to_string(), "nim?heaps=[1,2]&misere=true");
        assert_eq!((order.people(), order.clock_of(1).bank), (2, Duration::from_mins(1)));
    }

    #[test]
    fn wrong_orders_say_what_would_be_right() {
        let two = json!(["person", "person"]);
        for (body, problem) in [
            (json!({"game": "nmi", "seats": two}), "did you mean `nim`"),
            (json!({"seats": two}), "missing field `game`"),
            (json!({"game": "nim"}), "missing field `seats`"),
            (json!({"game": "nim", "seats": two, "sede": 1}), "unknown field `sede`"),
            (json!({"game": "nim", "seats": ["person"]}), "nim has 2 seats, and `seats` names 1"),
            (json!({"game": "majnun", "seats": two}), "majnun needs 3 to"),
            (json!({"game": "nim", "seats": ["builtin:greedy", "builtin:greedy"]}), "nobody plays"),
            (json!({"game": "nim", "seats": ["person", "builtin:gready"]}), "seats[1]: "),
            (
                json!({"game": "basa", "seats": ["person", "builtin:minimax", "builtin:minimax"]}),
                "hides cards",
            ),
            (json!({"game": "nim", "seats": ["person", "sh -c reboot"]}), "may not play here"),
            (json!({"game": "nim", "seats": ["person", 5]}), "expected \"person\", a bot"),
            (json!({"game": "nim", "seats": [{"person": "x".repeat(41)}, "person"]}), "at most 40"),
            (json!({"game": "nim", "seats": two, "params": {"heaps": [-1]}}), "heaps"),
            (
                json!({"game": "nim", "seats": two, "clock": {"move_ms": 0}}),
                "move_ms: expected a number from 1",
            ),
            (json!({"game": "nim", "seats": two, "clock": {}}), "missing field `move_ms`"),
            (json!({"game": "nim", "seats": two, "seed": "xyz"}), "seed: expected"),
            (json!({"game": "nim", "seats": two, "seed": -1}), "expected a whole number"),
        ] {
            let error = checked(body.clone()).err().unwrap_or_else(|| panic!("{body}"));
            assert!(error.contains(problem), "{body}: {error}");
        }
    }
}
