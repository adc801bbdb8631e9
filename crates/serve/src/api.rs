//! The JSON for programs. `arena schema api` describes it.

use crate::catalogue::{self, GameFacts, GameRules};
use crate::pages::{aside, open_game};
use crate::refusal::{JsonAnswer, Refusal};
use crate::results::{self, EntryFacts, GameRow, ResultEntry, ResultKind, State, unreadable};
use crate::site::Shared;
use axum::body::Body;
use axum::extract::{self, Path, RawQuery};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::UNIX_EPOCH;
use tournament::standings::{self, Collector, Filter, Standings, TableOptions};

/// The games of one answer, without a wish and at most.
const USUAL_GAMES: usize = 100;
const MOST_GAMES: usize = 1_000;

pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/api/results", get(all_results))
        .route("/api/results/{name}", get(one_result))
        .route("/api/results/{name}/standings", get(standings_of))
        .route("/api/results/{name}/games", get(games_of))
        .route("/api/results/{name}/games/{id}", get(game_of))
        .route("/api/games", get(all_games))
        .route("/api/games/{id}", get(rules_of))
        .with_state(shared)
}

/// The JSON Schema of the answers. A test makes the schema from the types and compares it with the
/// file.
pub fn schema() -> Value {
    serde_json::from_str(include_str!("api.json")).unwrap_or_default()
}

/// All answers, by route.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Api {
    /// What was wrong with a request. The status of the answer is 400 or higher.
    error: ErrorAnswer,
    #[serde(rename = "/api/results")]
    results: ResultList,
    #[serde(rename = "/api/results/NAME")]
    result: ResultFacts,
    /// As `arena schema standings` describes it.
    #[serde(rename = "/api/results/NAME/standings")]
    standings: Value,
    /// With `?from=N&limit=N`: from this number on, and at most so many, up to 1000.
    #[serde(rename = "/api/results/NAME/games")]
    games: GameList,
    /// The record of the game, as a line of the journal has it. While a tournament is not over, the
    /// seed is left out, and games that hide cards are refused.
    #[serde(rename = "/api/results/NAME/games/ID")]
    game: Value,
    /// With `arena serve --engine`: what `arena status --json` prints.
    #[serde(rename = "/api/engine")]
    engine: Value,
    #[serde(rename = "/api/games")]
    all_games: Vec<GameFacts>,
    #[serde(rename = "/api/games/ID")]
    rules: GameRules,
}

#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct ErrorAnswer {
    error: String,
}

/// The results of the folder, the newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ResultList {
    results: Vec<ResultFacts>,
    /// Older results that are not in the list.
    left_out: usize,
}

/// What is known of a result without reading all of its games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ResultFacts {
    /// The name for other routes, not encoded.
    name: String,
    kind: ResultKind,
    state: State,
    /// Games or submissions. Null where nobody has counted them.
    count: Option<u64>,
    /// The ids of the games, or the assignments.
    about: Vec<String>,
    /// The number of bots of a tournament.
    bots: Option<usize>,
    /// Milliseconds since 1970 when the newest file was written.
    written_ms: u64,
}

impl ResultFacts {
    fn of(entry: ResultEntry) -> ResultFacts {
        let EntryFacts { state, count, about, bots } = EntryFacts::of(&entry);
        let written = entry.changed.duration_since(UNIX_EPOCH).unwrap_or_default();
        let written_ms = written.as_millis() as u64;
        ResultFacts { name: entry.name, kind: entry.kind, state, count, about, bots, written_ms }
    }
}

/// Some games of a result, in the order of its journal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GameList {
    games: Vec<GameRow>,
    /// The number of all games.
    total: usize,
    /// What `from` must be for the next games. Null after the last game.
    next: Option<usize>,
}

async fn all_results(extract::State(shared): extract::State<Shared>) -> JsonAnswer<ResultList> {
    aside(move || {
        let root = &shared.site.results;
        let listing = results::list(root).map_err(|error| {
            let what = format!("the folder of results {} can't be read: {error}", root.display());
            Refusal::new(StatusCode::NOT_FOUND, what)
        })?;
        let results = listing.entries.into_iter().map(ResultFacts::of).collect();
        Ok(Json(ResultList { results, left_out: listing.left_out }))
    })
    .await
}

async fn one_result(
    extract::State(shared): extract::State<Shared>,
    Path(name): Path<String>,
) -> JsonAnswer<ResultFacts> {
    aside(move || Ok(Json(ResultFacts::of(results::find(&shared.site.results, &name)?)))).await
}

async fn standings_of(
    extract::State(shared): extract::State<Shared>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        if entry.kind == ResultKind::Grades {
            let what = format!("{name} has grades and no standings");
            return Err(Refusal::new(StatusCode::NOT_FOUND, what));
        }
        let mut text = Vec::new();
        table(&entry)?.write_json(&mut text).map_err(unreadable)?;
        Ok(([(CONTENT_TYPE, "application/json")], Body::from(text)).into_response())
    })
    .await
}

/// The table that `arena standings` computes without flags.
fn table(entry: &ResultEntry) -> Result<Standings, Refusal> {
    let mut collector = Collector::default();
    let summary = standings::gather(&entry.files, &Filter::default(), &mut collector).map_err(unreadable)?;
    let options = TableOptions {
        ties: summary.ties.clone(),
        anchor: summary.anchor.clone(),
        equal_games: summary.is_one_tournament(),
        ..TableOptions::default()
    };
    Ok(Standings { sprt: summary.sprt, ..collector.standings(&options) })
}

async fn games_of(
    extract::State(shared): extract::State<Shared>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> JsonAnswer<GameList> {
    let (from, limit) = read_range(query.as_deref().unwrap_or_default())?;
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        let (games, total) = results::read_games(&entry, from, limit)?;
        let next = games.last().map(|game| game.number + 1).filter(|&next| next <= total);
        Ok(Json(GameList { games, total, next }))
    })
    .await
}

/// `from=101&limit=50`
fn read_range(query: &str) -> Result<(usize, usize), Refusal> {
    let wrong = |what: String| Refusal::new(StatusCode::BAD_REQUEST, what);
    let (mut from, mut limit) = (1, USUAL_GAMES);
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let (place, most) = match key {
            "from" => (&mut from, usize::MAX),
            "limit" => (&mut limit, MOST_GAMES),
            _ => return Err(wrong(format!("there is no {key}; expected from=N or limit=N"))),
        };
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        let range = if most == usize::MAX { "from 1 on".to_owned() } else { format!("from 1 to {most}") };
        *place = number.ok_or_else(|| wrong(format!("{key}={value}: expected a whole number {range}")))?;
    }
    Ok((from, limit))
}

async fn game_of(
    extract::State(shared): extract::State<Shared>,
    Path((name, id)): Path<(String, String)>,
) -> JsonAnswer<Value> {
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        let mut game = json!(open_game(&entry, &id)?);
        // The same deal may still be played by others.
        if EntryFacts::of(&entry).state != State::Complete
            && let Some(fields) = game.as_object_mut()
        {
            fields.remove("seed");
        }
        Ok(Json(game))
    })
    .await
}

async fn all_games() -> JsonAnswer<Vec<GameFacts>> {
    aside(|| Ok(Json(catalogue::games(|_| true)))).await
}

async fn rules_of(Path(id): Path<String>) -> JsonAnswer<GameRules> {
    let game = crate::pages::find_game(&id)?;
    aside(move || {
        let setting = game.prepare(&json!({})).map_err(unreadable)?;
        catalogue::rules_of(game, &*setting).map(Json).map_err(unreadable)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `UPDATE_SCHEMA=1 cargo test -p serve schema` writes the file again.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let text = format!("{:#}\n", schemars::schema_for!(Api).to_value());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/api.json"), &text).unwrap();
        } else {
            assert_eq!(include_str!("api.json"), text, "run this test with UPDATE_SCHEMA=1");
        }
    }

    #[test]
    fn a_range_of_games_is_read() {
        for (query, expected) in [
            ("", Some((1, 100))),
            ("from=101&limit=50", Some((101, 50))),
            ("limit=1000", Some((1, 1_000))),
            ("limit=1001", None),
            ("from=0", None),
            ("from=-1", None),
            ("from=a", None),
            ("page=2", None),
        ] {
            assert_eq!(read_range(query).ok(), expected, "{query}");
        }
        let told = read_range("limit=5000").unwrap_err().to_string();
        assert_eq!(told, "limit=5000: expected a whole number from 1 to 1000");
    }
}
