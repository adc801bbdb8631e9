//! The rules of a game.

use super::games::picture;
use super::{aside, prose};
use crate::catalogue::{middle_of, partly_heard};
use crate::frame::{self, MenuPlace, Sheet};
use crate::refusal::Refusal;
use crate::site::Shared;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use maud::{Markup, html};
use rules::{Eyes, Game, Kind, Seat, Seed, Table, ViewField, ViewSchema};
use serde_json::{Value, json};

/// The most legal moves of the example.
const MOST_MOVES: usize = 80;

pub async fn page(State(shared): State<Shared>, Path(id): Path<String>) -> Result<Sheet, Refusal> {
    let game = find(&id)?;
    aside(move || {
        let body = body(game).map_err(crate::results::unreadable)?;
        Ok(frame::page(&shared.site, MenuPlace::Games, game.about.name, &body))
    })
    .await
}

/// The game of this id. The error names the nearest one.
pub(crate) fn find(id: &str) -> Result<&'static Game, Refusal> {
    let missing = || {
        let known: Vec<&str> = rules::GAMES.iter().map(|game| game.about.id).collect();
        let near =
            rules::nearest(id, &known).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        Refusal::new(StatusCode::NOT_FOUND, format!("there is no game called {id}{near}"))
    };
    rules::find(id).ok_or_else(missing)
}

fn body(game: &Game) -> Result<Markup, rules::ParamError> {
    let about = game.about;
    let setting = game.prepare(&json!({}))?;
    let start = setting.start(Seed::from_number(1))?;
    let middle = middle_of(&*setting)?;
    let hides = game.kind == Kind::Hidden;
    let (first, mover) = (to_move(&*start), to_move(&*middle));
    let secrets = if hides { partly_heard(&*setting)? } else { Vec::new() };
    let figure = |caption: &str, table: &dyn Table, seat: Seat| {
        html! { figure {
            figcaption { (caption) @if hides { ", as seat " (seat) " sees it" } }
            (picture(&format!("{}: {}", about.name, caption.to_lowercase()), table, Eyes::Seat(seat)))
        } }
    };
    Ok(html! {
        h1 { (about.name) }
        p.soft { (about.summary) }
        div.pair {
            div {
                div.prose { (prose::markup(&about.rules())) }
                (parameters(game))
                section {
                    h2 { "Moves" }
                    p { "A move is written as " (prose::inline(about.notation)) ", for example " code { (about.example) } "." }
                }
                section {
                    h2 { "What a bot sees" }
                    (view_fields(&start.view_schema()))
                    h3 { "An example" }
                    p { "In the second position of this page, the bot in seat " (mover) " gets this " code { "view" } ":" }
                    pre tabindex="0" { (view_text(&middle.view(Eyes::Seat(mover)).value())) }
                    (legal_moves(&middle.legal(mover)))
                    (heard_in_part(&secrets))
                }
            }
            div {
                (figure("The start", &*start, first))
                (figure("The middle of a random game", &*middle, mover))
                p { "Bots play this game with " code { "arena match " (about.id) } ". The same rules as JSON: "
                    a href=(format!("/api/games/{}", about.id)) { "/api/games/" (about.id) } }
            }
        }
    })
}

/// The seat that decides. The first of several, and seat 0 at the end of a game.
fn to_move(table: &dyn Table) -> Seat {
    table.turn().seats().lowest().unwrap_or(Seat::FIRST)
}

/// What the fields of a view mean.
fn view_fields(schema: &ViewSchema) -> Markup {
    let row = |name: Markup, field: &ViewField| {
        html! { tr {
            th scope="row" { (name) }
            td { (field.type_in_words()) }
            td { (prose::inline(&field.meaning)) @if !field.always { " Not always there." } }
        } }
    };
    html! {
        p { "A bot gets a " code { "view" } " with these fields:" }
        div.wide { table {
            thead { tr { th scope="col" { "field" } th scope="col" { "type" } th scope="col" { "meaning" } } }
            tbody { @for field in &schema.fields {
                (row(html! { code { (field.name) } }, field))
                @for part in field.parts() { (row(html! { code.part { (part.name) } }, &part)) }
            } }
        } }
        @if let Some(place) = &schema.place { p { (prose::inline(place)) } }
    }
}

fn legal_moves(legal: &[String]) -> Markup {
    html! {
        @if legal.is_empty() { p { "The game is over, so there are no legal moves." } }
        @else {
            p { "and these " code { "legal" } " moves:" }
            ul.words {
                @for mv in legal.iter().take(MOST_MOVES) { li { code { (mv) } } }
                @if legal.len() > MOST_MOVES { li.soft { (legal.len() - MOST_MOVES) " more" } }
            }
        }
    }
}

/// Moves that others hear only in part.
fn heard_in_part(moves: &[(String, String)]) -> Markup {
    html! { @if !moves.is_empty() {
        h3 { "Moves with a secret part" }
        p { "Seats that may not know the part get another text in their " code { "events" } ":" }
        div.wide { table {
            thead { tr { th scope="col" { "the move" } th scope="col" { "what others hear" } } }
            tbody { @for (full, part) in moves { tr { td { code { (full) } } td { code { (part) } } } } }
        } }
    } }
}

fn parameters(game: &Game) -> Markup {
    let params = game.params();
    html! {
        section {
            h2 { "Parameters" }
            @if params.is_empty() { p { "None." } }
            @else {
                div.wide { table {
                    thead { tr { th scope="col" { "name" } th scope="col" { "meaning" } th scope="col" { "values" } th scope="col" { "default" } } }
                    tbody { @for (field, default) in &params {
                        tr {
                            th scope="row" { code { (field.name) } }
                            td { (prose::inline(field.meaning())) }
                            td { (field.domain()) }
                            td { code { (default) } }
                        }
                    } }
                } }
            }
        }
    }
}

/// One line for each field.
fn view_text(view: &Value) -> String {
    match view {
        Value::Object(fields) => {
            let lines: Vec<String> =
                fields.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
            format!("{{\n{}\n}}", lines.join(",\n"))
        }
        _ => view.to_string(),
    }
}
