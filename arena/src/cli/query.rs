//! `arena query`: answers questions about positions, one JSON object per line.

use super::Failure;
use crate::console;
use rules::{Eyes, Seat, Seed, Table};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead};

/// Answer questions about positions: JSON lines in, JSON lines out
#[derive(clap::Args)]
#[command(
    after_help = "A question is {\"game\":\"nim\",\"params\":{},\"seed\":0,\"moves\":[\"1:2\"],\"views\":true}. Only `game` is \
    needed. A move may name its seat, \"0:play 7H\". It must name the seat if several seats decide together. \
    `views` is true, or a list of seats, \"spectator\" and \"referee\". `evaluate` is true or false. The answer is \
    {\"turn\":[1],\"legal\":{\"1\":[...]},\"outcome\":null}, with \"views\" and \"evaluation\" if the question asks, or \
    {\"error\":{\"at\":0,\"message\":\"...\"}}. `at` is the index of the wrong move, from 0, or null if no move is wrong.\n\n\
    Example:\n  echo '{\"game\":\"nim\",\"moves\":[\"1:3\"]}' | arena query"
)]
pub struct QueryArgs {}

struct MoveQuery {
    game: String,
    params: Map<String, Value>,
    seed: SeedText,
    moves: Vec<String>,
    views: Views,
    evaluate: bool,
    /// Short for the same key in `params`.
    deck: Option<Value>,
    /// Short for the same key in `params`.
    chance: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SeedText {
    Number(u64),
    Digits(String),
}

impl Default for SeedText {
    fn default() -> Self {
        SeedText::Number(0)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Views {
    All(bool),
    Some(Vec<Value>),
}

impl Default for Views {
    fn default() -> Self {
        Views::All(false)
    }
}

impl MoveQuery {
    const FIELDS: [&str; 8] = ["game", "params", "seed", "moves", "views", "evaluate", "deck", "chance"];

    fn read(line: &str) -> Result<MoveQuery, QueryRefusal> {
        let value = serde_json::from_str(line);
        let value =
            value.map_err(|error| refusal(format!("not JSON: {}", protocol::why_not_json(&error))))?;
        let Value::Object(fields) = value else {
            return Err(refusal(r#"a question is an object, such as {"game":"nim"}"#));
        };
        if let Some(unknown) = fields.keys().find(|name| !MoveQuery::FIELDS.contains(&name.as_str())) {
            let near = rules::nearest(unknown, &MoveQuery::FIELDS).unwrap_or_default();
            let known = MoveQuery::FIELDS.join(", ");
            return Err(refusal(format!(
                "there is no field `{unknown}`; did you mean `{near}`? known: {known}"
            )));
        }
        let (some, field) =
            (|name: &str| fields.get(name).filter(|value| !value.is_null()), QueryField(&fields));
        Ok(MoveQuery {
            game: some("game")
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| refusal(r#"`game` must be the id of a game, such as "nim""#))?,
            params: field.read("params", r#"an object, such as {"heaps":[1,2]}"#)?,
            seed: field.read("seed", "a whole number, or 64 hexadecimal digits")?,
            moves: field.read("moves", r#"a list of moves, such as ["1:2"]"#)?,
            views: field.read("views", r#"true, or a list of seats, "spectator" and "referee""#)?,
            evaluate: field.read("evaluate", "true or false")?,
            deck: some("deck").cloned(),
            chance: some("chance").cloned(),
        })
    }
}

/// Reads the fields of a question.
struct QueryField<'a>(&'a Map<String, Value>);

impl QueryField<'_> {
    fn read<T: DeserializeOwned + Default>(&self, name: &str, expected: &str) -> Result<T, QueryRefusal> {
        let Some(value) = self.0.get(name).filter(|value| !value.is_null()) else { return Ok(T::default()) };
        T::deserialize(value).map_err(|_| refusal(format!("`{name}` must be {expected}, not {value}")))
    }
}

/// Why a question can't be answered.
struct QueryRefusal {
    /// The index of the wrong move.
    at: Option<usize>,
    message: String,
}

#[expect(clippy::needless_pass_by_value, reason = "made for `map_err`")]
fn refusal(error: impl ToString) -> QueryRefusal {
    QueryRefusal { at: None, message: error.to_string() }
}

pub fn run(_args: &QueryArgs) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut line = String::new();
    loop {
        line.clear();
        let answer = match input.read_line(&mut line) {
            Ok(0) => return Ok(()),
            Ok(_) if line.trim().is_empty() => continue,
            Ok(_) => answer(&line),
            Err(error) => to_json(&refusal(error)),
        };
        // The other program may wait for this answer before it asks the next question.
        console::prompt(&format!("{answer}\n")).map_err(|error| super::about("standard output", &error))?;
    }
}

fn answer(line: &str) -> Value {
    MoveQuery::read(line.trim())
        .and_then(|question| look(&question))
        .unwrap_or_else(|refusal| to_json(&refusal))
}

fn to_json(refusal: &QueryRefusal) -> Value {
    json!({ "error": { "at": refusal.at, "message": refusal.message } })
}

fn look(question: &MoveQuery) -> Result<Value, QueryRefusal> {
    let (game, params) = rules::parse_name(&question.game).map_err(refusal)?;
    let mut params = params.as_object().cloned().unwrap_or_default();
    params.extend(question.params.clone());
    for (name, value) in [("deck", &question.deck), ("chance", &question.chance)] {
        if let Some(value) = value {
            params.insert(name.to_owned(), value.clone());
        }
    }
    let seed = match &question.seed {
        SeedText::Number(number) => Seed::from_number(*number),
        SeedText::Digits(digits) => digits.parse().map_err(refusal)?,
    };
    let mut table = game.start(&Value::Object(params), seed).map_err(refusal)?;
    for (at, step) in question.moves.iter().enumerate() {
        for mv in step.split(" | ") {
            play(&mut *table, mv).map_err(|message| QueryRefusal { at: Some(at), message })?;
        }
    }
    let mut answer = describe(&*table, &question.views)?;
    if question.evaluate {
        answer["evaluation"] = evaluation(&*table);
    }
    Ok(answer)
}

/// Plays `a1`, or `0:a1` with its seat. If only one seat is to move and the whole text is a legal
/// move, that move is played.
fn play(table: &mut dyn Table, text: &str) -> Result<(), String> {
    let owed = table.turn().seats();
    let only = owed.lowest().filter(|_| owed.len() == 1);
    let plain = only.map(|seat| table.play(seat, text));
    if let Some(Ok(_)) = plain {
        return Ok(());
    }
    let named = text.split_once(':').and_then(|(seat, mv)| Some((Seat(seat.parse().ok()?), mv)));
    match (named, plain) {
        (Some((seat, mv)), _) if seat.0 < table.seats() => {
            table.play(seat, mv).map(drop).map_err(|error| error.to_string())
        }
        (_, Some(Err(error))) => Err(error.to_string()),
        _ if table.turn().is_over() => Err("the game is over".to_owned()),
        _ => Err(format!("several seats decide together, so name the seat: `SEAT:{text}`")),
    }
}

fn describe(table: &dyn Table, views: &Views) -> Result<Value, QueryRefusal> {
    let owed = table.turn().seats();
    let legal: Map<String, Value> =
        owed.iter().map(|seat| (seat.to_string(), json!(table.legal(seat)))).collect();
    let mut answer = json!({ "turn": owed.iter().collect::<Vec<_>>(), "legal": legal });
    let wanted = match views {
        Views::All(false) => None,
        Views::All(true) => {
            let seats = (0..table.seats()).map(|seat| json!(seat));
            Some(seats.chain([json!("spectator"), json!("referee")]).collect())
        }
        Views::Some(list) => Some(list.clone()),
    };
    if let Some(wanted) = wanted {
        let views = wanted.iter().map(|name| view(table, name)).collect::<Result<Map<_, _>, _>>()?;
        answer["views"] = Value::Object(views);
    }
    answer["outcome"] = json!(table.outcome());
    let teams = rules::teams(table);
    if teams.len() < usize::from(table.seats()) {
        answer["teams"] = teams.iter().map(|team| json!(team.iter().collect::<Vec<_>>())).collect();
    }
    Ok(answer)
}

/// The arena's estimate for each seat; null where it has none.
fn evaluation(table: &dyn Table) -> Value {
    let estimate = rules::evaluator(table.about().id, table.params()).filter(|_| !table.turn().is_over());
    let Some(estimate) = estimate else { return Value::Null };
    let first = estimate(table.position());
    let side = |seat| if table.team_of(seat) == table.team_of(Seat::FIRST) { first } else { -first };
    (0..table.seats()).map(|seat| (seat.to_string(), json!(side(Seat(seat))))).collect::<Map<_, _>>().into()
}

fn view(table: &dyn Table, name: &Value) -> Result<(String, Value), QueryRefusal> {
    let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    let eyes = match text.as_str() {
        "spectator" => Eyes::Spectator,
        "referee" => Eyes::Referee,
        seat => match seat.parse().ok().filter(|&seat| seat < table.seats()) {
            Some(seat) => Eyes::Seat(Seat(seat)),
            None => {
                return Err(refusal(format!(
                    "there is no view `{seat}`; expected a seat, \"spectator\" or \"referee\""
                )));
            }
        },
    };
    Ok((text, table.view(eyes).value()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers() {
        for (line, expected) in [
            (
                r#"{"game":"nim","params":{"heaps":[1,1]}}"#,
                r#"{"turn":[0],"legal":{"0":["1:1","2:1"]},"outcome":null}"#,
            ),
            (
                "{",
                r#"{"error":{"at":null,"message":"not JSON: the line ends in the middle of an object (column 1)"}}"#,
            ),
            (
                "[]",
                r#"{"error":{"at":null,"message":"a question is an object, such as {\"game\":\"nim\"}"}}"#,
            ),
            ("{}", r#"{"error":{"at":null,"message":"`game` must be the id of a game, such as \"nim\""}}"#),
            (
                r#"{"game":"nim","moves":[1]}"#,
                r#"{"error":{"at":null,"message":"`moves` must be a list of moves, such as [\"1:2\"], not [1]"}}"#,
            ),
            (
                r#"{"game":"nim","seed":-1}"#,
                r#"{"error":{"at":null,"message":"`seed` must be a whole number, or 64 hexadecimal digits, not -1"}}"#,
            ),
            (
                r#"{"game":"nim","move":[]}"#,
                r#"{"error":{"at":null,"message":"there is no field `move`; did you mean `moves`? known: game, params, seed, moves, views, evaluate, deck, chance"}}"#,
            ),
            (
                r#"{"game":"nim?heaps=[1,1]","moves":["1:1","9"]}"#,
                r#"{"error":{"at":1,"message":"`9` is no move of nim: a move is heap:count, such as `2:3`"}}"#,
            ),
            (
                r#"{"game":"nim","params":{"heaps":[1,1]},"moves":["0:1:1","1:2:1"],"views":["spectator"]}"#,
                r#"{"turn":[],"legal":{},"views":{"spectator":{"to_move":0,"heaps":[0,0],"misere":false}},"outcome":{"places":[2,1],"scores":[0,1],"reason":"last_taken"}}"#,
            ),
            (
                r#"{"game":"tic-tac-toe?size=3","moves":["b2"],"evaluate":true}"#,
                r#"{"turn":[1],"legal":{"1":["a1","b1","c1","a2","c2","a3","b3","c3"]},"outcome":null,"evaluation":{"0":4,"1":-4}}"#,
            ),
            (
                r#"{"game":"trishape","deck":"2H","evaluate":true}"#,
                r#"{"turn":[0],"legal":{"0":["lay H"]},"outcome":null,"evaluation":null}"#,
            ),
            (
                r#"{"game":"nim","params":{"heaps":[]}}"#,
                r#"{"error":{"at":null,"message":"parameter `heaps`: expected a list of 1 to 10 items, each a whole number 0 to 60, not []"}}"#,
            ),
            (
                r#"{"game":"nmi"}"#,
                r#"{"error":{"at":null,"message":"there is no game `nmi`; did you mean `nim`? `arena games` lists them all"}}"#,
            ),
            (
                r#"{"game":"trishape","deck":"2H","moves":["lay H"]}"#,
                r#"{"turn":[],"legal":{},"outcome":{"places":[1],"scores":[0],"reason":"no_cards"}}"#,
            ),
        ] {
            assert_eq!(answer(line).to_string(), expected, "{line}");
        }
        assert_eq!(answer(r#"{"game":"quixo-teams"}"#)["teams"], json!([[0, 2], [1, 3]]));
        assert!(answer("not json")["error"]["message"].is_string());
    }
}
