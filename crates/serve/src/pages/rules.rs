//! The rules of a game.

use super::games::{picture, typical_picture};
use super::{aside, prose};
use crate::catalogue::rules_of;
use crate::frame::{self, MenuPlace, Sheet};
use crate::refusal::Refusal;
use crate::site::Shared;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use maud::{Markup, html};
use rules::{Eyes, Game, Seat, Seed};
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
    let rules = rules_of(game, &*setting)?;
    let seat = rules.example.seat;
    Ok(html! {
        h1 { (about.name) }
        p.soft { (about.summary) }
        div.pair {
            div {
                div.prose { (prose::markup(&rules.rules)) }
                (parameters(game))
                section {
                    h2 { "Moves" }
                    p { "A move is written as " (prose::inline(about.notation)) ", for example " code { (about.example) } "." }
                }
                section {
                    h2 { "What a bot sees" }
                    p { "At the start, the bot in seat " (seat) " gets this " code { "view" } ":" }
                    pre tabindex="0" { (view_text(&rules.example.view)) }
                    p { "and these " code { "legal" } " moves:" }
                    ul.words {
                        @for mv in rules.example.legal.iter().take(MOST_MOVES) { li { code { (mv) } } }
                        @if rules.example.legal.len() > MOST_MOVES {
                            li.soft { (rules.example.legal.len() - MOST_MOVES) " more" }
                        }
                    }
                }
            }
            div {
                figure {
                    figcaption { "The start" @if rules::Kind::Hidden == game.kind { ", as seat " (seat) " sees it" } }
                    (picture(&format!("{}: the start", about.name), &*start, Eyes::Seat(Seat(seat))))
                }
                figure {
                    figcaption { "A random game" @if rules::Kind::Hidden == game.kind { ", as seat 0 sees it" } }
                    (typical_picture(game))
                }
                p { "Bots play this game with " code { "arena match " (about.id) } ". The same rules as JSON: "
                    a href=(format!("/api/games/{}", about.id)) { "/api/games/" (about.id) } }
            }
        }
    })
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
