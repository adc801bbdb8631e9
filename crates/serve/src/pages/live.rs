//! The page of a tournament that is being played.

use super::aside;
use crate::frame::{self, MenuPlace, Sheet, segment};
use crate::refusal::Refusal;
use crate::results;
use crate::site::Shared;
use axum::extract::{Path, State};
use maud::html;
use serde_json::json;
use text::harmless;
use web::{Block, Page, script};

pub async fn page(State(shared): State<Shared>, Path(name): Path<String>) -> Result<Sheet, Refusal> {
    aside(move || {
        let entry = results::find(&shared.site.results, &name)?;
        crate::live::journal(&entry)?;
        let address = segment(&entry.name);
        let report = format!("/r/{address}");
        let body = html! {
            main #app {
                h1 { (harmless::line(&entry.name)) }
                p #told role="status" { "Waiting for the first games." }
                noscript { p { "Scripts are off, so this page can't follow the games. "
                    a href=(report) { "The report" } " has the games so far." } }
                div #live {}
            }
        };
        let meta = json!({ "events": format!("/live/{address}/events"), "report": report });
        let page = Page {
            title: format!("{}, live", entry.name),
            body,
            blocks: vec![Block::json("meta", &meta)],
            script: script::joined(script::LIVE, "startLive();"),
            connects: true,
            ..Page::default()
        };
        Ok(Sheet(frame::dressed(&shared.site, MenuPlace::Results, &html! {}, page)))
    })
    .await
}
