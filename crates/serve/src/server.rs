//! The listener and the runtime.

use crate::guard;
use crate::refusal::Refusal;
use crate::site::{Closing, Shared, Site};
use crate::{api, pages, tables};
use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

/// The port of a server without a wish.
pub const DEFAULT_PORT: u16 = 7777;

/// So long a server that should end waits for answers that have begun.
const GRACE: Duration = Duration::from_secs(2);

/// More pages are never made at the same time.
const MOST_WORKERS: usize = 4;

/// Why a server can't listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    #[error(
        "port {0} is in use, perhaps by another `arena serve`; choose another port with `--port {next}`, or any \
        free port with `--port 0`",
        next = .0.checked_add(1).unwrap_or(7777)
    )]
    Used(u16),
    #[error(
        "this account may not use port {0}; choose a port from 1024 on, such as `--port {port}`",
        port = DEFAULT_PORT
    )]
    Forbidden(u16),
    #[error("127.0.0.1:{0}: {1}")]
    Io(u16, io::Error),
}

/// A server that listens, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Listens on this machine alone. Port 0 is any free port.
    pub fn bind(port: u16) -> Result<Server, BindError> {
        let wrong = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => BindError::Used(port),
            io::ErrorKind::PermissionDenied => BindError::Forbidden(port),
            _ => BindError::Io(port, error),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        let address = listener.local_addr().map_err(wrong)?;
        Ok(Server { listener, address })
    }

    /// What to type into a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until `closing` is true. Uses a runtime of its own.
    pub fn run_blocking(self, site: Site, closing: Closing) -> io::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(MOST_WORKERS).build()?;
        let ended = runtime.block_on(self.run(site, closing));
        // A page that is being made is not waited for.
        runtime.shutdown_background();
        ended
    }

    async fn run(self, site: Site, mut closing: Closing) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let app = router(Shared::new(site, closing.clone()));
        let mut close = closing.clone();
        let serving =
            axum::serve(listener, app).with_graceful_shutdown(async move { closed(&mut close).await });
        let late = async {
            closed(&mut closing).await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            ended = async { serving.await } => ended,
            () = late => Ok(()),
        }
    }
}

/// Ends when the server should end, or when nobody is left who could say so.
async fn closed(closing: &mut Closing) {
    let _ = closing.wait_for(|&is_closing| is_closing).await;
}

/// All routes, behind the guard.
fn router(shared: Shared) -> Router {
    let mut router = pages::router(shared.clone()).merge(api::router(shared.clone()));
    if let Some(tables) = &shared.site.play {
        router = router.merge(tables::router(shared.clone(), tables.clone()));
    }
    guard::protect(router.fallback(no_page).method_not_allowed_fallback(no_method), shared)
}

async fn no_page(uri: Uri) -> Response {
    Refusal::new(StatusCode::NOT_FOUND, format!("there is no page at {}", uri.path())).into()
}

async fn no_method(uri: Uri) -> Response {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} can only be read", uri.path())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_port_is_named_with_another() {
        let first = Server::bind(0).unwrap();
        let error = Server::bind(first.address.port()).unwrap_err().to_string();
        assert!(error.contains("is in use") && error.contains("--port 0"), "{error}");
        assert_eq!(first.address.ip().to_string(), "127.0.0.1");
    }
}
