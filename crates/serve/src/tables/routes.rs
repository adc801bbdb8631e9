//! The addresses of tables.

use super::hall::{Door, SetError, Tables};
use super::order::Asked;
use super::pages;
use super::room::{Hint, Looker, RoomStage};
use crate::frame::Sheet;
use crate::refusal::{JsonAnswer, Refusal};
use crate::site::Shared;
use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{Form, Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::Stream;
use referee::company;
use rules::{Eyes, Seat};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use text::harmless;
use web::{ViewerGame, ViewerSource};

/// What happens within so short a time is one message.
const TOGETHER: Duration = Duration::from_millis(8);
/// How soon a page looks again after a stream was cut.
const RETRY: Duration = Duration::from_millis(800);

/// The state of these routes.
#[derive(Clone)]
struct Desk {
    shared: Shared,
    tables: Tables,
}

/// The routes of tables.
pub(crate) fn router(shared: Shared, tables: Tables) -> Router {
    Router::new()
        .route("/play", get(start).post(set_from_form))
        .route("/play/{game}", get(form))
        .route("/api/tables", post(set))
        .route("/t/{token}", get(table))
        .route("/t/{token}/events", get(events))
        .route("/t/{token}/move", post(make_move))
        .route("/t/{token}/undo", post(undo))
        .route("/t/{token}/hint", post(hint))
        .route("/t/{token}/resign", post(resign))
        .route("/t/{token}/again", post(again))
        .route("/t/{token}/record", get(record))
        .route("/t/{token}/replay", get(replay))
        .with_state(Desk { shared, tables })
}

impl Desk {
    fn door(&self, token: &str) -> Result<Door, Refusal> {
        let what =
            "there is no such table; it may have been closed because nobody looked at it for a long time";
        self.tables.find(token).ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, what))
    }

    /// The table of a link, and the seat whose link it is.
    fn seat(&self, token: &str) -> Result<(Door, Seat), Refusal> {
        let door = self.door(token)?;
        match door.eyes {
            Eyes::Seat(seat) => Ok((door, seat)),
            _ => Err(Refusal::new(StatusCode::FORBIDDEN, "with this link you can only watch")),
        }
    }
}

/// The body of a wish, with the ply that the page shows. So a double click is harmless.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AtPly {
    ply: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveAtPly {
    ply: u32,
    #[serde(rename = "move")]
    mv: String,
}

/// A body that could not be read, in words.
fn body<T>(read: Result<Json<T>, JsonRejection>) -> Result<T, Refusal> {
    read.map(|Json(body)| body).map_err(|error| match &error {
        JsonRejection::JsonDataError(_) | JsonRejection::JsonSyntaxError(_) => {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, harmless::sentence(&error.body_text()))
        }
        _ => Refusal::of_status(error.status()),
    })
}

impl From<SetError> for Refusal {
    fn from(error: SetError) -> Refusal {
        let status = match error {
            SetError::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            SetError::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
            SetError::Game(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Refusal::new(status, error.to_string())
    }
}

fn wrong(error: &impl std::fmt::Display) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

async fn start(State(desk): State<Desk>) -> Sheet {
    pages::start(&desk.shared.site)
}

async fn form(State(desk): State<Desk>, Path(game): Path<String>) -> Result<Sheet, Refusal> {
    let game = crate::pages::find_game(&game)?;
    Ok(pages::form(&desk.shared.site, game, &desk.tables.setup().bots, &[], None))
}

async fn set(
    State(desk): State<Desk>,
    read: Result<Json<Asked>, JsonRejection>,
) -> Result<Response, Refusal> {
    let setup = desk.tables.setup();
    let order = body(read)?.check(&setup.bots, &setup.sandbox).map_err(|error| wrong(&error))?;
    let links = desk.tables.set(order)?;
    let made = json!({ "seats": links.seats, "spectator": links.spectator });
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// The same from the form, for pages without scripts. Whoever sits alone with bots comes to the table
/// at once.
async fn set_from_form(
    State(desk): State<Desk>,
    fields: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(fields) = fields.map_err(|error| Refusal::of_status(error.status()))?;
    let setup = desk.tables.setup();
    let game = fields.iter().find(|(name, _)| name == "game").and_then(|(_, id)| rules::find(id));
    let game = game.ok_or_else(|| wrong(&"the form names no game; begin at /play"))?;
    let order = pages::asked(game, &fields)
        .and_then(|asked| asked.check(&setup.bots, &setup.sandbox).map_err(|error| error.to_string()));
    let order = match order {
        Ok(order) => order,
        Err(problem) => {
            let page = pages::form(&desk.shared.site, game, &setup.bots, &fields, Some(&problem));
            return Ok(page.into_response());
        }
    };
    let names = order.names();
    let links = desk.tables.set(order)?;
    let mut people = links.seats.iter().flatten();
    match (people.next(), people.next()) {
        (Some(only), None) => Ok(Redirect::to(only).into_response()),
        _ => Ok(pages::links(&desk.shared.site, game, &names, &links).into_response()),
    }
}

async fn table(State(desk): State<Desk>, Path(token): Path<String>) -> Result<Sheet, Refusal> {
    let door = desk.door(&token)?;
    Ok(pages::table(&door.room))
}

/// One message for each change: the whole scene, for the eyes of this link.
async fn events(
    State(desk): State<Desk>,
    Path(token): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let door = desk.door(&token)?;
    let changes = door.room.changes();
    let looker = door.room.open(door.eyes);
    let state = (door, changes, looker, desk.shared.closing.clone(), true);
    let stream = futures_util::stream::unfold(state, |state| async move {
        let (door, mut changes, looker, mut closing, is_first): (_, _, Looker, _, bool) = state;
        if !is_first {
            tokio::select! {
                changed = changes.changed() => changed.ok()?,
                _ = closing.wait_for(|&is_closing| is_closing) => return None,
            }
            tokio::time::sleep(TOGETHER).await;
        }
        changes.borrow_and_update();
        let scene = door.room.scene(door.eyes);
        let event = Event::default().event("table").retry(RETRY).data(scene.to_string());
        Some((Ok(event), (door, changes, looker, closing, false)))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

async fn make_move(
    State(desk): State<Desk>,
    Path(token): Path<String>,
    read: Result<Json<MoveAtPly>, JsonRejection>,
) -> JsonAnswer<Value> {
    let (door, seat) = desk.seat(&token)?;
    let MoveAtPly { ply, mv } = body(read)?;
    door.room.play(seat, ply, mv.trim())?;
    Ok(Json(json!({})))
}

async fn undo(
    State(desk): State<Desk>,
    Path(token): Path<String>,
    read: Result<Json<AtPly>, JsonRejection>,
) -> JsonAnswer<Value> {
    let (door, seat) = desk.seat(&token)?;
    door.room.undo(seat, body(read)?.ply)?;
    Ok(Json(json!({})))
}

async fn resign(
    State(desk): State<Desk>,
    Path(token): Path<String>,
    read: Result<Json<AtPly>, JsonRejection>,
) -> JsonAnswer<Value> {
    let (door, seat) = desk.seat(&token)?;
    door.room.resign(seat, body(read)?.ply)?;
    Ok(Json(json!({})))
}

/// The hint comes with the events, because a strong bot thinks for a while.
async fn hint(
    State(desk): State<Desk>,
    Path(token): Path<String>,
    read: Result<Json<AtPly>, JsonRejection>,
) -> JsonAnswer<Value> {
    let (door, seat) = desk.seat(&token)?;
    let ply = body(read)?.ply;
    door.room.check_alone("hint")?;
    let table = {
        let mut inner = door.room.lock();
        inner.check_ply(ply)?;
        if !inner.waits_for(seat) {
            return Err(Refusal::new(StatusCode::CONFLICT, "it is not your turn"));
        }
        if inner.hint.as_ref().is_some_and(|hint| hint.ply == ply) {
            return Ok(Json(json!({})));
        }
        inner.hint = Some(Hint { ply, answer: None });
        inner.table.boxed_clone()
    };
    door.room.tell();
    let (room, sandbox) = (Arc::clone(&door.room), Arc::clone(&desk.tables.setup().sandbox));
    let think = move || {
        let answer = match company::adviser(&room.order.game, &sandbox) {
            None => Err("No built-in bot can play this game.".to_owned()),
            Some(adviser) => {
                let clock = room.order.clock_of(seat.index());
                let clock = referee::clock::ClockRules { per_move: Duration::from_secs(20), ..clock };
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let asked = runtime.map(|runtime| {
                    runtime.block_on(company::hint(adviser, &*table, &clock, seat, room.seed))
                });
                match asked {
                    Ok(Ok(hint)) => Ok((hint.adviser.to_string(), harmless::line(&hint.mv))),
                    _ => Err("The adviser has no answer.".to_owned()),
                }
            }
        };
        let mut inner = room.lock();
        if let Some(hint) = inner.hint.as_mut().filter(|hint| hint.ply == ply) {
            hint.answer = Some(answer);
        }
        drop(inner);
        room.tell();
    };
    // The clock of a bot that answers blocks its thread, so the bot is asked on a thread of its own.
    let started = std::thread::Builder::new().name("hint".to_owned()).spawn(think);
    started.map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(Json(json!({})))
}

async fn again(State(desk): State<Desk>, Path(token): Path<String>) -> JsonAnswer<Value> {
    let (door, _) = desk.seat(&token)?;
    if door.room.is_running() {
        return Err(Refusal::new(StatusCode::CONFLICT, "the game is not over"));
    }
    desk.tables.again(&door.room)?;
    Ok(Json(json!({})))
}

/// The finished game of a link, with its values.
fn finished(desk: &Desk, token: &str) -> Result<ViewerGame, Refusal> {
    let door = desk.door(token)?;
    let inner = door.room.lock();
    let RoomStage::Over(finished) = &inner.stage else {
        return Err(Refusal::new(
            StatusCode::CONFLICT,
            "the game is not over; its record would show hidden cards",
        ));
    };
    let values = match &finished.judged {
        super::room::RoomJudgement::Done(Some(values)) => Some((**values).clone()),
        _ => None,
    };
    Ok(ViewerGame { record: (*finished.record).clone(), values, stderr: None })
}

async fn record(State(desk): State<Desk>, Path(token): Path<String>) -> Result<Response, Refusal> {
    let ViewerGame { record, .. } = finished(&desk, &token)?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
    let name = format!("attachment; filename=\"{}-{}.jsonl\"", record.game, record.match_id);
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    Ok((headers, record.to_line() + "\n").into_response())
}

async fn replay(State(desk): State<Desk>, Path(token): Path<String>) -> Result<Sheet, Refusal> {
    let game = finished(&desk, &token)?;
    let file = format!("{}-{}.jsonl", game.record.game, game.record.match_id);
    let source = ViewerSource { file, ..ViewerSource::default() };
    let page = web::viewer(&source, &[game]);
    page.map(Sheet).map_err(|(_, error)| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}
