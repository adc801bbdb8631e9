//! The list of results.

use super::aside;
use crate::frame::{self, MenuPlace, Sheet, segment};
use crate::refusal::Refusal;
use crate::results::{self, EntryFacts, ResultEntry, ResultKind, ResultListing, State};
use crate::site::Shared;
use axum::extract;
use maud::{Markup, html};
use std::path::Path;
use std::time::SystemTime;
use text::harmless;

pub async fn page(extract::State(shared): extract::State<Shared>) -> Result<Sheet, Refusal> {
    aside(move || {
        let root = &shared.site.results;
        let body = match results::list(root) {
            Ok(listing) => list(root, &listing),
            Err(error) => empty(root, &format!("The folder can't be read: {error}.")),
        };
        Ok(frame::page(&shared.site, MenuPlace::Results, "Results", &html! { h1 { "Results" } (body) }))
    })
    .await
}

fn empty(root: &Path, why: &str) -> Markup {
    html! {
        p { "There are no results in " code { (harmless::line(&root.to_string_lossy())) } ". " (why) }
        p { "A tournament makes a result, for example:" }
        pre tabindex="0" { "arena tournament --game nim --bots builtin:random,builtin:greedy,builtin:first --deals 10" }
        p { "Then load this page again." }
    }
}

fn list(root: &Path, listing: &ResultListing) -> Markup {
    if listing.entries.is_empty() {
        return empty(root, "");
    }
    html! {
        p.soft { "The newest first, from " code { (harmless::line(&root.to_string_lossy())) } "." }
        div.wide {
            table {
                thead { tr {
                    th scope="col" { "name" } th.more scope="col" { "what" } th scope="col" { "state" }
                    th.number scope="col" { "games" } th scope="col" { "of" } th scope="col" { "written" }
                } }
                tbody { @for entry in &listing.entries { (row(entry)) } }
            }
        }
        @if listing.left_out > 0 { p.soft { (listing.left_out) " older results are left out." } }
        @if listing.unnamed > 0 {
            p.soft { (listing.unnamed) " files or folders are left out, because their names are not UTF-8." }
        }
    }
}

fn row(entry: &ResultEntry) -> Markup {
    let facts = EntryFacts::of(entry);
    let address = segment(&entry.name);
    html! {
        tr {
            th scope="row" { a href=(format!("/r/{address}")) { (harmless::line(&entry.name)) } }
            td.more { (what(entry, &facts)) }
            td {
                @if facts.state == State::Complete { span.state { (facts.state.word()) } }
                @else {
                    a class=(format!("state {}", facts.state.word())) href=(format!("/live/{address}")) {
                        (facts.state.word()) @if facts.state == State::Running { ", watch" }
                    }
                }
            }
            td.number { (facts.count.map_or_else(|| "–".to_owned(), |count| count.to_string())) }
            td { (harmless::line(&shortened(&facts.about))) }
            td.when { (moment(entry.changed)) }
        }
    }
}

fn what(entry: &ResultEntry, facts: &EntryFacts) -> String {
    match (entry.kind, facts.bots) {
        (ResultKind::Tournament, Some(bots)) => format!("tournament of {bots} bots"),
        (ResultKind::Tournament, None) => "tournament".to_owned(),
        (ResultKind::Records, _) => "records".to_owned(),
        (ResultKind::Grades, _) => "grades".to_owned(),
    }
}

/// At most three names.
fn shortened(names: &[String]) -> String {
    let shown = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 3 { format!("{shown} and {} more", names.len() - 3) } else { shown }
}

/// `2026-11-18 19:42 UTC`
fn moment(time: SystemTime) -> String {
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.get(..16).map_or(text.clone(), |start| format!("{} UTC", start.replace('T', " ")))
}
