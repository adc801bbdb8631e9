//! The pages for readers.

pub(crate) mod engine;
mod games;
mod live;
pub(crate) mod prose;
mod report;
mod results;
mod rules;

pub use engine::EngineView;
pub(crate) use report::open_game;
pub(crate) use rules::find as find_game;

use crate::refusal::Refusal;
use crate::results::unreadable;
use crate::site::Shared;
use axum::Router;
use axum::routing::get;

pub(crate) fn router(shared: Shared) -> Router {
    let mut router = Router::new();
    if shared.site.engine.is_some() {
        router = router.merge(engine::router(shared.clone()));
    }
    router.merge(results_router(shared))
}

fn results_router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(results::page))
        .route("/r/{name}", get(report::page))
        .route("/r/{name}/{game}", get(report::game))
        .route("/live/{name}", get(live::page))
        .route("/live/{name}/events", get(crate::live::events))
        .route("/games", get(games::page))
        .route("/rules/{id}", get(rules::page))
        .with_state(shared)
}

/// Reads files and computes, away from the thread that answers others.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(unreadable("this is a bug of the arena, please report it")))
}
