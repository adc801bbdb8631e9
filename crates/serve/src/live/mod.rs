//! Tournaments while they are played.
//!
//! ```text
//! journal ──▶ feed (a thread) ──▶ watch ──▶ a stream for each reader
//! ```
//!
//! The tournament is another process and notices nothing: a feed only reads what the journal has
//! got. A feed lives while somebody listens. Readers get the newest state and never the states
//! between, at most four times a second.

mod boards;
mod feed;
mod table;

pub(crate) use feed::Feeds;

use crate::pages::aside;
use crate::refusal::Refusal;
use crate::results::{self, ResultEntry, ResultKind, unreadable};
use crate::site::{Closing, Shared};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use feed::NewsListener;
use futures_util::{Stream, stream};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A stream without news sends a comment so often, so that both ends notice a broken connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(crate) async fn events(
    State(shared): State<Shared>,
    Path(name): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let (site, feeds) = (Arc::clone(&shared.site), Arc::clone(&shared.feeds));
    let news = aside(move || {
        let journal = journal(&results::find(&site.results, &name)?)?;
        Feeds::listen(&feeds, &journal).map_err(unreadable)
    })
    .await?;
    Ok(Sse::new(stream_of(news, shared.closing)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// The journal of a result that can be watched.
pub(crate) fn journal(entry: &ResultEntry) -> Result<PathBuf, Refusal> {
    let nothing = |what: String| Err(Refusal::new(StatusCode::NOT_FOUND, what));
    match &entry.files[..] {
        _ if entry.kind == ResultKind::Grades => {
            nothing(format!("{} has grades, and nothing to watch", entry.name))
        }
        [journal] => Ok(journal.clone()),
        parts => nothing(format!(
            "{} is played in {} parts, which can't be watched together; the report shows the games of all parts",
            entry.name,
            parts.len()
        )),
    }
}

/// What one reader has heard.
struct Reader {
    news: NewsListener,
    closing: Closing,
    /// The parts of the newest state that are still to be sent.
    due: Vec<Event>,
    boards: u64,
}

/// Every event is a full replacement of the one before it, so a reader may miss any of them.
fn stream_of(mut news: NewsListener, closing: Closing) -> impl Stream<Item = Result<Event, Infallible>> {
    news.mark_changed();
    let reader = Reader { news, closing, due: Vec::new(), boards: 0 };
    stream::unfold(reader, |mut reader| async move {
        loop {
            if let Some(event) = reader.due.pop() {
                return Some((Ok(event), reader));
            }
            tokio::select! {
                changed = reader.news.changed() => changed.ok()?,
                _ = reader.closing.wait_for(|&is_closing| is_closing) => return None,
            }
            let newest = reader.news.borrow_and_update().clone();
            let Some(newest) = newest else { continue };
            if newest.boards_number != reader.boards {
                reader.boards = newest.boards_number;
                reader.due.push(Event::default().event("boards").data(&*newest.boards));
            }
            reader.due.push(Event::default().event("state").data(&*newest.state));
        }
    })
}
