//! The list of games, with a picture of each.

use super::aside;
use crate::catalogue::typical_position;
use crate::frame::{self, MenuPlace, Sheet};
use crate::refusal::Refusal;
use crate::site::Shared;
use axum::extract::State;
use draw::{Heading, Scene};
use maud::{Markup, PreEscaped, html};
use rules::{Eyes, Family, GAMES, Game, Seat, Table};
use std::sync::OnceLock;

const FAMILIES: [(Family, &str); 4] = [
    (Family::Taking, "Taking"),
    (Family::Placing, "Placing"),
    (Family::Moving, "Moving"),
    (Family::Cards, "Cards"),
];

pub async fn page(State(shared): State<Shared>) -> Result<Sheet, Refusal> {
    aside(move || Ok(frame::page(&shared.site, MenuPlace::Games, "Games", shelves()))).await
}

/// The pictures are the same in every answer.
fn shelves() -> &'static Markup {
    static SHELVES: OnceLock<Markup> = OnceLock::new();
    SHELVES.get_or_init(|| {
        html! {
            h1 { "Games" }
            p.soft { (GAMES.len()) " games. Every picture shows a position of a random game." }
            @for (family, heading) in FAMILIES {
                section {
                    h2 { (heading) }
                    ul.shelf {
                        @for game in GAMES.iter().filter(|game| game.about.family == family) {
                            li { a href=(format!("/rules/{}", game.about.id)) {
                                (typical_picture(game))
                                b { (game.about.name) }
                                small { (game.about.summary) }
                            } }
                        }
                    }
                }
            }
        }
    })
}

/// The middle of a random game, as seat 0 sees it.
fn typical_picture(game: &Game) -> Markup {
    match typical_position(game) {
        Ok(table) => picture(game.about.name, &*table, Eyes::Seat(Seat::FIRST)),
        Err(_) => html! {}, // every game can be played with its own parameters
    }
}

pub(super) fn picture(title: &str, table: &dyn Table, eyes: Eyes) -> Markup {
    let heading = Heading { title: title.to_owned(), lines: Vec::new() };
    PreEscaped(draw::bare(&Scene { heading, picture: table.picture(eyes) }))
}
