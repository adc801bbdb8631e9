//! The report of a result, and the replay of one of its games.

use super::aside;
use crate::frame::{self, MenuPlace, Sheet, segment};
use crate::refusal::Refusal;
use crate::results::{self, EntryFacts, ResultEntry, ResultKind, State, unreadable};
use crate::site::Shared;
use ::report::class::Naming;
use ::report::games::Replays;
use ::report::page::{Extras, grades_page, tournament_page};
use axum::extract::{self, Path};
use axum::http::StatusCode;
use maud::{Markup, html};
use referee::transcript;
use serde_json::json;
use text::harmless;
use tournament::config::transcripts_beside;
use tournament::journal::known_bots;
use web::{Block, Page, ViewerGame, ViewerSource};

pub async fn page(
    extract::State(shared): extract::State<Shared>,
    Path(name): Path<String>,
) -> Result<Sheet, Refusal> {
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        let facts = EntryFacts::of(&entry);
        let page = report(&entry, &facts)?;
        Ok(Sheet(frame::dressed(&shared.site, MenuPlace::Results, &state_words(&entry, &facts), page)))
    })
    .await
}

fn report(entry: &ResultEntry, facts: &EntryFacts) -> Result<Page, Refusal> {
    if entry.kind == ResultKind::Grades {
        return Ok(grades_page(&entry.name, &results::grades(entry)?, Naming::Names));
    }
    if facts.count == Some(0) {
        let body = html! { main #app {
            h1 { (harmless::line(&entry.name)) }
            p { "No game has ended yet. Load this page again later." }
        } };
        return Ok(Page { title: entry.name.clone(), body, ..Page::default() });
    }
    let is_sealed = is_sealed(facts);
    let wish = is_sealed.then_some(Replays::None);
    let mut page =
        tournament_page(&entry.name, &entry.files, wish, Extras::default()).map_err(unreadable)?.page;
    if !is_sealed {
        // Games that the report has no replay of have a page of their own.
        page.blocks.push(Block::json("site", &json!({ "games": format!("/r/{}/", segment(&entry.name)) })));
    }
    Ok(page)
}

/// Do some of the games hide cards while the tournament is not over?
fn is_sealed(facts: &EntryFacts) -> bool {
    let is_open = facts.state != State::Complete;
    facts.about.iter().any(|game| results::is_sealed(is_open, game))
}

/// What stands below the menu while a tournament is not over.
fn state_words(entry: &ResultEntry, facts: &EntryFacts) -> Markup {
    let live = format!("/live/{}", segment(&entry.name));
    html! {
        @match facts.state {
            State::Complete => {}
            State::Running => p {
                "The tournament is being played. This page shows the games so far. "
                a href=(live) { "Watch it live" } "."
            },
            State::Stopped => p {
                "The tournament has stopped before its end. The same command goes on with it. "
                a href=(live) { "Live page" } "."
            },
        }
        @if is_sealed(facts) {
            p { "Its games hide cards, so replays wait for the end of the tournament." }
        }
    }
}

pub async fn game(
    extract::State(shared): extract::State<Shared>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Sheet, Refusal> {
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        let record = open_game(&entry, &id)?;
        let source = ViewerSource {
            file: entry.files.first().map(|file| file.display().to_string()).unwrap_or_default(),
            bots: serde_json::to_value(known_bots(&entry.files)).unwrap_or_default(),
        };
        let transcripts = entry.files.first().and_then(|file| transcripts_beside(file));
        let stderr = transcripts.and_then(|folder| transcript::read(&folder, &record).ok());
        let game = ViewerGame { record, values: None, stderr };
        let page = web::viewer(&source, &[game])
            .map_err(|(id, error)| unreadable(format!("game {id} can't be replayed: {error}")))?;
        let back =
            html! { p { a href=(format!("/r/{}", segment(&entry.name))) { (harmless::line(&entry.name)) } } };
        Ok(Sheet(frame::dressed(&shared.site, MenuPlace::Results, &back, page)))
    })
    .await
}

/// A game whose secrets may be shown.
pub(crate) fn open_game(entry: &ResultEntry, id: &str) -> Result<referee::record::Record, Refusal> {
    let record = results::find_game(entry, id)?;
    let is_open = EntryFacts::of(entry).state != State::Complete;
    if results::is_sealed(is_open, &record.game) {
        let what = format!(
            "{} hides cards, and the tournament is not over; its games can be seen when the tournament has ended",
            record.game
        );
        return Err(Refusal::new(StatusCode::FORBIDDEN, what));
    }
    Ok(record)
}
