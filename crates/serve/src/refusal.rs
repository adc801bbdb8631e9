//! Answers to requests that can't be fulfilled.

use crate::frame::{self, MenuPlace};
use crate::site::Shared;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::json;
use text::harmless;

/// What was wrong with a request. [`crate::guard`] turns the refusal into a page, or into JSON below
/// `/api/`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(crate) struct Refusal {
    status: StatusCode,
    what: String,
}

/// JSON, or why there is none.
pub(crate) type JsonAnswer<T> = Result<Json<T>, Refusal>;

impl Refusal {
    /// `what` is a sentence without its full stop. It may contain words of strangers.
    pub fn new(status: StatusCode, what: impl Into<String>) -> Refusal {
        Refusal { status, what: what.into() }
    }

    /// The words for an answer of somebody else that has only a status.
    pub fn of_status(status: StatusCode) -> Refusal {
        let what = match status {
            StatusCode::PAYLOAD_TOO_LARGE => "the body of the request is longer than 64 KiB",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                "expected a body of JSON, with the header `Content-Type: application/json`"
            }
            StatusCode::BAD_REQUEST => "the request can't be read",
            StatusCode::UNPROCESSABLE_ENTITY => "the body of the request is JSON, but says something else",
            _ => status.canonical_reason().unwrap_or("the request failed"),
        };
        Refusal::new(status, what)
    }

    pub fn render(&self, shared: &Shared, path: &str) -> Response {
        let what = harmless::line(&self.what);
        if is_for_scripts(path) {
            return (self.status, axum::Json(json!({ "error": what }))).into_response();
        }
        let title = self.status.canonical_reason().unwrap_or("Error");
        let body = html! {
            h1 { (self.status.as_u16()) " " (title) }
            p { (frame::sentence(&what)) }
            p { a href="/" { "All results" } }
        };
        (self.status, frame::page(&shared.site, MenuPlace::Elsewhere, title, &body).into_response())
            .into_response()
    }
}

/// Does a script read the answer? Below a table all but the replay is for scripts.
fn is_for_scripts(path: &str) -> bool {
    let below_table = path.strip_prefix("/t/").and_then(|path| path.split_once('/'));
    path.starts_with("/api/") || below_table.is_some_and(|(_, what)| what != "replay")
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Response {
        let mut response = (refusal.status, refusal.what.clone()).into_response();
        response.extensions_mut().insert(refusal);
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        self.into()
    }
}
