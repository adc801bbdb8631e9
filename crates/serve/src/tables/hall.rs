//! All tables of a server.

use super::host::host_blocking;
use super::order::{Order, Sitting};
use super::room::{Room, Wish};
use super::token::Token;
use referee::process::Sandbox;
use referee::record::Record;
use referee::seeds::SeedChoice;
use referee::spec::BotSpec;
use rules::{Eyes, Seat};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use web::GameValues;

/// More tables are never played at the same time.
pub(super) const MOST_TABLES: usize = 24;
/// More finished games are not kept.
const MOST_KEPT: usize = 100;
/// A table at which nobody has looked for so long is closed.
const PATIENCE: Duration = Duration::from_hours(1);
/// So long a server that ends waits for its tables.
const GRACE: Duration = Duration::from_secs(3);

/// Says what is proven about the moves of a game.
type Judge = dyn Fn(&Record) -> Option<GameValues> + Send + Sync;

/// What tables need from the command that starts them.
#[derive(Clone)]
pub struct TablesSetup {
    /// The sandbox of all bots.
    pub sandbox: Arc<Sandbox>,
    /// Bots that may play besides the built-in ones.
    pub bots: Vec<BotSpec>,
    pub judge: Arc<Judge>,
    /// Where records are kept.
    pub record: Option<PathBuf>,
    /// A table at which nobody has looked for so long is closed.
    pub patience: Duration,
}

impl TablesSetup {
    pub fn new(sandbox: Arc<Sandbox>) -> TablesSetup {
        let judge: Arc<Judge> = Arc::new(|_: &Record| None);
        TablesSetup { sandbox, bots: Vec::new(), judge, record: None, patience: PATIENCE }
    }
}

/// The tables at which people play. A copy is the same tables.
#[derive(Clone)]
pub struct Tables(Arc<Hall>);

struct Hall {
    setup: TablesSetup,
    inner: Mutex<HallState>,
}

#[derive(Default)]
struct HallState {
    doors: HashMap<Token, Door>,
    rooms: Vec<Lodging>,
    /// The number of the last game.
    last: usize,
}

struct Lodging {
    room: Arc<Room>,
    thread: JoinHandle<()>,
    tokens: Vec<Token>,
}

/// A table as a link shows it.
#[derive(Clone)]
pub(super) struct Door {
    pub room: Arc<Room>,
    pub eyes: Eyes,
}

/// The addresses of a table.
#[derive(Clone, Debug)]
pub struct Links {
    /// By seat; `None` for a bot.
    pub seats: Vec<Option<String>>,
    pub spectator: String,
}

/// Why a table can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("{0} tables are being played already; end one of them first, or wait until one is over")]
    Full(usize),
    #[error("no table could be set up: {0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Game(#[from] rules::ParamError),
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tables")
    }
}

impl Tables {
    pub fn new(setup: TablesSetup) -> Tables {
        let kept = setup.record.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        let last = kept.map_or(0, |lines| lines.lines().count());
        Tables(Arc::new(Hall { setup, inner: Mutex::new(HallState { last, ..HallState::default() }) }))
    }

    pub(super) fn setup(&self) -> &TablesSetup {
        &self.0.setup
    }

    fn lock(&self) -> MutexGuard<'_, HallState> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a table up, and starts its thread. The game begins when all people have come.
    pub fn set(&self, order: Order) -> Result<Links, SetError> {
        let seed = order.seed.settle()?;
        let mut inner = self.lock();
        inner.sweep(self.0.setup.patience);
        if inner.rooms.iter().filter(|lodging| lodging.room.is_running()).count() >= MOST_TABLES {
            return Err(SetError::Full(MOST_TABLES));
        }
        let eyes = (0..order.seats.len()).filter(|&seat| order.seats[seat].is_person());
        let eyes = eyes.map(|seat| Eyes::Seat(Seat(seat as u8))).chain([Eyes::Spectator]);
        let tokens = eyes.map(|eyes| Ok((Token::draw()?, eyes))).collect::<io::Result<Vec<_>>>()?;
        inner.last += 1;
        let room = Arc::new(Room::new(order, format!("{:04}", inner.last), seed)?);
        let (at_work, setup) = (Arc::clone(&room), self.0.setup.clone());
        let name = format!("table {}", room.id);
        let thread = std::thread::Builder::new().name(name).spawn(move || host_blocking(&at_work, &setup))?;
        let path_of =
            |wanted: Eyes| tokens.iter().find(|(_, eyes)| *eyes == wanted).map(|(token, _)| token.path());
        let seats = (0..room.order.seats.len()).map(|seat| path_of(Eyes::Seat(Seat(seat as u8)))).collect();
        let spectator = path_of(Eyes::Spectator).unwrap_or_default();
        for (token, eyes) in &tokens {
            inner.doors.insert(token.clone(), Door { room: Arc::clone(&room), eyes: *eyes });
        }
        let tokens = tokens.into_iter().map(|(token, _)| token).collect();
        inner.rooms.push(Lodging { room, thread, tokens });
        Ok(Links { seats, spectator })
    }

    /// Sets the next table up for the same players with a new deal, or names the one that is there.
    pub(super) fn again(&self, room: &Room) -> Result<(), SetError> {
        if room.lock().next.is_some() {
            return Ok(());
        }
        let order = Order { seed: SeedChoice::Random, ..room.order.clone() };
        let links = self.set(order)?;
        room.lock().next = Some((links.seats, links.spectator));
        room.tell();
        Ok(())
    }

    pub(super) fn find(&self, token: &str) -> Option<Door> {
        self.lock().doors.get(&Token::written(token)).cloned()
    }

    /// Closes all tables, and waits a moment until their bots have gone.
    pub fn close_blocking(&self) {
        let lodgings = std::mem::take(&mut self.lock().rooms);
        for Lodging { room, .. } in &lodgings {
            room.lock().wish = Some(Wish::Close("the server was ended"));
            room.news.notify_waiters();
        }
        let deadline = Instant::now() + GRACE;
        for Lodging { room, thread, .. } in lodgings {
            // A game that is being judged has no bots any more.
            while room.is_running() && !thread.is_finished() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

impl HallState {
    /// Forgets closed tables and old games.
    fn sweep(&mut self, patience: Duration) {
        let is_old = |room: &Room| {
            let inner = room.lock();
            inner.lookers == 0 && inner.last_look.elapsed() > patience
        };
        let over = self.rooms.iter().filter(|lodging| !lodging.room.is_running()).count();
        let mut surplus = over.saturating_sub(MOST_KEPT);
        let mut kept = Vec::new();
        for lodging in std::mem::take(&mut self.rooms) {
            let is_over = !lodging.room.is_running();
            if is_over && (surplus > 0 || is_old(&lodging.room)) {
                surplus = surplus.saturating_sub(1);
                for token in &lodging.tokens {
                    self.doors.remove(token);
                }
            } else {
                kept.push(lodging);
            }
        }
        self.rooms = kept;
    }
}

/// A bot or a person in each seat, for the command that knows only one rival.
pub fn against(rival: &BotSpec, seats: usize, me: usize) -> Vec<Sitting> {
    let sitting =
        |seat| if seat == me { Sitting::Person("person".to_owned()) } else { Sitting::Bot(rival.clone()) };
    (0..seats).map(sitting).collect()
}
