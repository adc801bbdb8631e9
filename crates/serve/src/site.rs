//! What all routes know.

use crate::live::Feeds;
use crate::pages::EngineView;
use crate::tables::Tables;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::watch;

/// What the server shows, and what visitors may do.
#[derive(Clone, Debug)]
pub struct Site {
    /// The folder of tournaments, grades and records.
    pub results: PathBuf,
    /// The tables at which visitors may play, if they may.
    pub play: Option<Tables>,
    /// The engine that the server shows, if there is one.
    pub engine: Option<Arc<EngineView>>,
}

/// Becomes true when the server should end. Streams must end then too, because the server waits for
/// them.
pub type Closing = watch::Receiver<bool>;

/// The state of the routes.
#[derive(Clone)]
pub(crate) struct Shared {
    pub site: Arc<Site>,
    pub closing: Closing,
    pub feeds: Arc<Feeds>,
}

impl Shared {
    pub fn new(site: Site, closing: Closing) -> Shared {
        Shared { site: Arc::new(site), closing, feeds: Arc::default() }
    }
}
