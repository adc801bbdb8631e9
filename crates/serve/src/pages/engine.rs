//! The page of an engine: its queue, its tournaments and its workers.

use super::aside;
use crate::frame::{self, MenuPlace};
use crate::refusal::{JsonAnswer, Refusal};
use crate::results::unreadable;
use crate::site::Shared;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, REFRESH};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use engine::status::{EngineStatus, SeenTournament, SeenWorker, span};
use maud::{Markup, html};
use nats::JetStream;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use text::harmless;

/// An answer of the engine serves all readers for so long.
const FRESH: Duration = Duration::from_secs(1);
/// The page is loaded again after so many seconds.
const AGAIN: &str = "5";

/// The engine that the server shows.
#[derive(Debug)]
pub struct EngineView {
    streams: JetStream,
    last: Mutex<Option<(Instant, Arc<EngineStatus>)>>,
}

impl EngineView {
    pub fn new(streams: JetStream) -> EngineView {
        EngineView { streams, last: Mutex::default() }
    }

    fn status_blocking(&self) -> Result<Arc<EngineStatus>, Refusal> {
        // Whoever comes while the engine is being asked waits for the same answer.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.as_ref().filter(|(asked, _)| asked.elapsed() < FRESH) {
            return Ok(Arc::clone(known));
        }
        let asked = EngineStatus::ask(&self.streams);
        let status = asked.map_err(|error| Refusal::new(StatusCode::BAD_GATEWAY, error.to_string()))?;
        Ok(Arc::clone(&last.insert((Instant::now(), Arc::new(status))).1))
    }
}

pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/engine", get(page))
        .route("/api/engine", get(answer))
        .route("/metrics", get(metrics))
        .with_state(shared)
}

async fn status(shared: &Shared) -> Result<Arc<EngineStatus>, Refusal> {
    let view = shared.site.engine.clone();
    let view = view.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is no engine"))?;
    aside(move || view.status_blocking()).await
}

async fn answer(State(shared): State<Shared>) -> JsonAnswer<Value> {
    serde_json::to_value(&*status(&shared).await?).map(Json).map_err(unreadable)
}

async fn metrics(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(CONTENT_TYPE, kind)], status(&shared).await?.prometheus()).into_response())
}

async fn page(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let sheet = frame::page(&shared.site, MenuPlace::Engine, "Engine", &body(&*status(&shared).await?));
    Ok(([(REFRESH, HeaderValue::from_static(AGAIN))], sheet).into_response())
}

fn body(status: &EngineStatus) -> Markup {
    let (workers, slots) = status.fleet();
    html! {
        h1 { "Engine" }
        p { (status.waiting) " batches wait, " (status.playing) " are played; " (workers) " workers with " (slots)
            " slots." }
        p.soft { "The page is loaded again every " (AGAIN) " seconds. Programs read "
            a href="/api/engine" { "JSON" } " or " a href="/metrics" { "metrics for Prometheus" } "." }
        h2 { "Tournaments" }
        @if status.tournaments.is_empty() { p { "There is none." } }
        @for seen in &status.tournaments { (tournament(seen)) }
        h2 { "Workers" }
        @if status.workers.is_empty() {
            p { "There is none. " code { "arena engine up" } " prints the line to paste on each." }
        } @else {
            div.wide { table {
                thead { tr {
                    th scope="col" { "worker" } th scope="col" { "host" } th.more scope="col" { "class" }
                    th scope="col" { "state" } th.number scope="col" { "busy" } th.number scope="col" { "speed" }
                    th.number scope="col" { "games" } th.number scope="col" { "faults" }
                    th.number scope="col" { "last seen" }
                } }
                tbody { @for seen in &status.workers { (worker(seen)) } }
            } }
        }
    }
}

fn tournament(seen: &SeenTournament) -> Markup {
    let status = &seen.status;
    html! {
        section {
            p { strong { (harmless::line(&status.name)) } " " span.soft { (harmless::line(&status.format)) } }
            @if status.expected > 0 {
                progress aria-label="games" max=(status.expected) value=(status.games.min(status.expected)) {}
            }
            ul { @for line in seen.lines() { li { (harmless::line(&line)) } } }
        }
    }
}

fn worker(seen: &SeenWorker) -> Markup {
    let worker = &seen.presence;
    let state = match seen.note() {
        "" => "running",
        "leaves" => "",
        _ => "stopped",
    };
    let word = if seen.note().is_empty() { "plays" } else { seen.note() };
    html! {
        tr {
            th scope="row" { (harmless::line(&worker.worker)) }
            td { (harmless::line(&worker.host)) }
            td.more { (harmless::line(&worker.class)) }
            td { span class=(format!("state {state}")) title=[seen.suspect.as_deref().map(harmless::line)] { (word) } }
            td.number { (worker.busy) "/" (worker.slots) }
            td.number { (format!("{:.0}", worker.speed)) }
            td.number { (worker.games) }
            td.number { (worker.faults) }
            td.number { (span(seen.seen_s)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::messages::{TournamentStatus, WorkerPresence};

    #[test]
    fn names_of_strangers_are_text() {
        let evil = "<script>alert(1)</script>".to_owned();
        let presence =
            WorkerPresence { host: evil.clone(), worker: evil.clone(), ..WorkerPresence::default() };
        let tournament = TournamentStatus { name: evil.clone(), expected: 3, ..TournamentStatus::default() };
        let page = body(&EngineStatus {
            tournaments: vec![SeenTournament { seen_s: 1.0, here: true, status: tournament }],
            workers: vec![SeenWorker { seen_s: 90.0, here: false, suspect: Some(evil), presence }],
            ..EngineStatus::default()
        });
        let page = page.into_string();
        assert!(!page.contains("<script>"), "{page}");
        for words in ["suspect", "90 s", "0 of 3 games", "<progress"] {
            assert!(page.contains(words), "{words}\n{page}");
        }
    }
}
