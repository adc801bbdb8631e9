//! What callers see of a connection.

use crate::address::Address;
use crate::message::{Headers, Message};
use crate::nkey::Nkey;
use crate::owner;
use crate::random::random_word;
pub use crate::wire::ServerInfo;
use crate::wire::{is_subject, publish};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A caller waits while more bytes than this are on their way to the server.
const MOST_OUT: usize = 8 << 20;

/// Who connects.
#[derive(Debug, Default)]
pub struct Credentials {
    /// How the server lists the connection.
    pub name: String,
    pub key: Option<Nkey>,
    /// Certificates of the authorities to trust, as text. `None` means those of the system.
    pub certificates: Option<Vec<u8>>,
    /// The first word of the subjects for answers: `_INBOX`, or a word that only this user may
    /// subscribe to.
    pub inbox: Option<String>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("{0}: {1}")]
    Io(Address, io::Error),
    #[error("{0} refuses: {1}")]
    Refused(Address, String),
    #[error("{0}: {1}")]
    Strange(Address, String),
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error("the connection to the engine is lost")]
    Lost,
    #[error("the engine has not answered in {0:?}")]
    Late(Duration),
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("nobody answers at `{0}`")]
    Nobody(String),
    #[error("`{0}` is not a subject")]
    BadSubject(String),
    #[error("the message has {0} bytes, and the engine takes {1}")]
    TooLarge(usize, u64),
}

/// What the rights of this user do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine refuses: {0}")]
pub struct Refused(pub String);

type Answer = Result<Message, RequestError>;

/// A connection that lives until the last copy of this handle is dropped. The connection is opened
/// again whenever it is lost.
#[derive(Clone)]
pub struct Connection(Arc<Handle>);

struct Handle {
    shared: Arc<SharedWire>,
}

/// What the callers and the owner share.
pub(crate) struct SharedWire {
    pub(crate) address: Address,
    pub(crate) credentials: Credentials,
    pub(crate) inbox: String,
    pub(crate) closed: AtomicBool,
    state: Mutex<WireState>,
    /// Rings when the state changes.
    changed: Condvar,
    next: AtomicU64,
    bell: UnixStream,
}

/// What changes while a connection lives.
#[derive(Default)]
pub(crate) struct WireState {
    pub(crate) connected: bool,
    /// How often the connection has been opened.
    pub(crate) generation: u64,
    pub(crate) info: ServerInfo,
    /// Bytes on their way to the server.
    pub(crate) out: Vec<u8>,
    pub(crate) subscriptions: HashMap<u64, Subscribed>,
    pub(crate) inboxes: HashMap<u64, PendingInbox>,
}

pub(crate) struct Subscribed {
    pub(crate) subject: String,
    /// What was asked, if this is a mailbox.
    pub(crate) asked: Option<String>,
    pub(crate) sender: mpsc::Sender<Answer>,
}

pub(crate) struct PendingInbox {
    /// What was asked last. The server names the subject if the user may not ask.
    pub(crate) subject: String,
    pub(crate) sender: mpsc::Sender<Answer>,
}

impl Connection {
    /// Connects, and returns when the server has accepted the credentials.
    pub fn open(address: Address, credentials: Credentials) -> Result<Connection, ConnectError> {
        let place = address.clone();
        let io = |error| ConnectError::Io(place.clone(), error);
        let prefix = credentials.inbox.clone().unwrap_or_else(|| "_INBOX".to_owned());
        let inbox = format!("{prefix}.{}", random_word().map_err(io)?);
        let (bell, ear) = UnixStream::pair().map_err(io)?;
        bell.set_nonblocking(true).map_err(io)?;
        ear.set_nonblocking(true).map_err(io)?;
        let shared = Arc::new(SharedWire {
            address,
            credentials,
            inbox,
            closed: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
            next: AtomicU64::new(owner::FIRST_FREE),
            bell,
        });
        owner::start(&shared, ear)?;
        Ok(Connection(Arc::new(Handle { shared })))
    }

    pub fn address(&self) -> &Address {
        &self.0.shared.address
    }

    /// What the server has told about itself.
    pub fn info(&self) -> ServerInfo {
        self.0.shared.lock().info.clone()
    }

    pub fn is_connected(&self) -> bool {
        self.0.shared.lock().connected
    }

    /// How often the connection has been opened. If the number has grown, the server may have
    /// forgotten everything.
    pub fn generation(&self) -> u64 {
        self.0.shared.lock().generation
    }

    /// Waits until there is a connection. False if there is none in this time.
    pub fn wait_blocking(&self, most: Duration) -> bool {
        let shared = &self.0.shared;
        let waited = shared.changed.wait_timeout_while(shared.lock(), most, |state| !state.connected);
        waited.unwrap_or_else(PoisonError::into_inner).0.connected
    }

    /// Sends a message. Nobody says whether it has arrived.
    pub fn publish(&self, subject: &str, payload: &[u8]) -> Result<(), RequestError> {
        self.0.shared.send(subject, None, &Headers::default(), payload)
    }

    /// Sends a message, and waits for one answer.
    pub fn request(&self, subject: &str, payload: &[u8], most: Duration) -> Answer {
        self.request_with(subject, &Headers::default(), payload, most)
    }

    pub fn request_with(&self, subject: &str, headers: &Headers, payload: &[u8], most: Duration) -> Answer {
        let inbox = self.inbox();
        inbox.ask(subject, headers, payload)?;
        match inbox.next_blocking(most)? {
            Some(message) if message.headers.status == Some(503) => {
                Err(RequestError::Nobody(subject.to_owned()))
            }
            Some(message) => Ok(message),
            None => Err(RequestError::Late(most)),
        }
    }

    /// A place for several answers.
    pub fn inbox(&self) -> Inbox {
        let shared = Arc::clone(&self.0.shared);
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = mpsc::channel();
        shared.lock().inboxes.insert(number, PendingInbox { subject: String::new(), sender });
        Inbox { shared, number, receiver }
    }

    /// Listens to a subject. The subscription lives on when the connection is lost and opened
    /// again.
    pub fn subscribe(&self, subject: &str) -> Result<Subscription, RequestError> {
        self.listen(subject, None)
    }

    /// A place for messages that come under their own subjects, as messages of a stream do. The
    /// server tells them apart from others only by a subscription of their own.
    pub fn mailbox(&self) -> Result<Mailbox, RequestError> {
        let number = self.0.shared.next.fetch_add(1, Ordering::Relaxed);
        let subject = format!("{}.{number}.m", self.0.shared.inbox);
        Ok(Mailbox { subscription: self.listen(&subject, Some(String::new()))?, subject })
    }

    fn listen(&self, subject: &str, asked: Option<String>) -> Result<Subscription, RequestError> {
        if !is_subject(subject) {
            return Err(RequestError::BadSubject(subject.to_owned()));
        }
        let shared = Arc::clone(&self.0.shared);
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = mpsc::channel();
        let mut state = shared.lock();
        state.subscriptions.insert(number, Subscribed { subject: subject.to_owned(), asked, sender });
        if state.connected {
            state.out.extend_from_slice(format!("SUB {subject} {number}\r\n").as_bytes());
        }
        drop(state);
        shared.ring();
        Ok(Subscription { shared, number, receiver })
    }

    /// Waits until everything that was sent has reached the server.
    pub fn flush_blocking(&self, most: Duration) -> bool {
        let shared = &self.0.shared;
        let waited = shared.changed.wait_timeout_while(shared.lock(), most, |state| !state.out.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.out.is_empty()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection({})", self.0.shared.address)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        self.shared.ring();
    }
}

impl SharedWire {
    pub(crate) fn lock(&self) -> MutexGuard<'_, WireState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all who wait that the state has changed.
    pub(crate) fn tell(&self) {
        self.changed.notify_all();
    }

    /// Wakes the owner.
    fn ring(&self) {
        let _ = (&self.bell).write(&[1]); // a bell that is full rings already
    }

    fn send(
        &self,
        subject: &str,
        reply: Option<&str>,
        headers: &Headers,
        payload: &[u8],
    ) -> Result<(), RequestError> {
        if !is_subject(subject) {
            return Err(RequestError::BadSubject(subject.to_owned()));
        }
        let full = |state: &mut WireState| state.connected && state.out.len() > MOST_OUT;
        let mut state = self.changed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        if !state.connected {
            return Err(RequestError::Lost);
        }
        if payload.len() as u64 > state.info.max_payload {
            return Err(RequestError::TooLarge(payload.len(), state.info.max_payload));
        }
        let was_empty = state.out.is_empty();
        publish(&mut state.out, subject, reply, headers, payload);
        drop(state);
        if was_empty {
            self.ring();
        }
        Ok(())
    }
}

/// A place for answers.
pub struct Inbox {
    shared: Arc<SharedWire>,
    number: u64,
    receiver: mpsc::Receiver<Answer>,
}

impl Inbox {
    /// Sends a message whose answers come here.
    pub fn ask(&self, subject: &str, headers: &Headers, payload: &[u8]) -> Result<(), RequestError> {
        if let Some(pending) = self.shared.lock().inboxes.get_mut(&self.number) {
            subject.clone_into(&mut pending.subject);
        }
        let reply = format!("{}.{}", self.shared.inbox, self.number);
        self.shared.send(subject, Some(&reply), headers, payload)
    }

    /// The next answer, or `None` if there is none in this time.
    pub fn next_blocking(&self, most: Duration) -> Result<Option<Message>, RequestError> {
        next(&self.receiver, most)
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.shared.lock().inboxes.remove(&self.number);
    }
}

/// What arrives at a subject.
pub struct Subscription {
    shared: Arc<SharedWire>,
    number: u64,
    receiver: mpsc::Receiver<Answer>,
}

impl Subscription {
    /// The next message, or `None` if there is none in this time.
    pub fn next_blocking(&self, most: Duration) -> Result<Option<Message>, RequestError> {
        next(&self.receiver, most)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.subscriptions.remove(&self.number);
        if state.connected {
            let text = format!("UNSUB {}\r\n", self.number);
            state.out.extend_from_slice(text.as_bytes());
        }
        drop(state);
        self.shared.ring();
    }
}

/// A place for messages of a stream.
pub struct Mailbox {
    subscription: Subscription,
    subject: String,
}

impl Mailbox {
    /// Sends a message whose answers come here.
    pub fn ask(&self, subject: &str, payload: &[u8]) -> Result<(), RequestError> {
        let Subscription { shared, number, .. } = &self.subscription;
        if let Some(subscribed) = shared.lock().subscriptions.get_mut(number) {
            subscribed.asked = Some(subject.to_owned());
        }
        shared.send(subject, Some(&self.subject), &Headers::default(), payload)
    }

    /// The next answer, or `None` if there is none in this time.
    pub fn next_blocking(&self, most: Duration) -> Result<Option<Message>, RequestError> {
        self.subscription.next_blocking(most)
    }
}

fn next(receiver: &mpsc::Receiver<Answer>, most: Duration) -> Result<Option<Message>, RequestError> {
    // A wait of centuries would overflow the clock.
    let most = most.min(Duration::from_secs(1 << 30));
    let begin = Instant::now();
    match receiver.recv_timeout(most) {
        Ok(answer) => answer.map(Some),
        Err(RecvTimeoutError::Timeout) => {
            tracing::trace!(waited = ?begin.elapsed(), "no message");
            Ok(None)
        }
        Err(RecvTimeoutError::Disconnected) => Err(RequestError::Lost),
    }
}
