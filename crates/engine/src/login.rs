//! Who connects to an engine, and with which secret.

use crate::ticket::{Ticket, TicketError};
use nats::{Address, AddressError, ConnectError, Connection, Credentials, Nkey, NkeyError};
use std::fs;
use std::io;
use std::path::PathBuf;

/// The word for a user without a key.
pub const ANYBODY: &str = "anybody";

/// Files with secrets, as flags or the environment name them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Login {
    /// The file with the seed of an nkey.
    pub key: Option<PathBuf>,
    /// The file with the certificates of the authorities to trust.
    pub ca: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(transparent)]
    Ticket(#[from] TicketError),
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: {1}")]
    Key(PathBuf, NkeyError),
    #[error("no connection to the engine: {0}")]
    Connect(#[from] ConnectError),
}

impl Login {
    /// What flags do not name, `LUDUS_ENGINE_KEY` and `LUDUS_ENGINE_CA` may name.
    #[must_use]
    pub fn or_environment(self) -> Login {
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Login {
            key: self.key.or_else(|| named("LUDUS_ENGINE_KEY")),
            ca: self.ca.or_else(|| named("LUDUS_ENGINE_CA")),
        }
    }
}

/// A connection, and the word of its user in subjects.
pub struct Session {
    pub connection: Connection,
    pub user: String,
}

/// Reads the secrets, closes their files, and connects. `place` is an address, or a ticket (see
/// [`Ticket::named`]). `role` is how the server lists the connection.
pub fn connect(place: &str, login: &Login, role: &str) -> Result<Session, LoginError> {
    if let Some(ticket) = Ticket::named(place)? {
        return connect_with(ticket, role);
    }
    let address: Address = place.parse()?;
    let read = |path: &PathBuf| fs::read(path).map_err(|error| LoginError::Io(path.clone(), error));
    let key = match &login.key {
        None => None,
        Some(path) => {
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            // A key file may have comments.
            let seed = text.lines().map(str::trim).find(|line| line.starts_with('S')).unwrap_or_default();
            Some(seed.parse::<Nkey>().map_err(|error| LoginError::Key(path.clone(), error))?)
        }
    };
    let certificates = login.ca.as_ref().map(read).transpose()?;
    open(address, key, certificates, role)
}

/// Connects with a ticket.
pub fn connect_with(ticket: Ticket, role: &str) -> Result<Session, LoginError> {
    let certificates = ticket.pem().map(String::into_bytes);
    open(ticket.address, Some(ticket.key), certificates, role)
}

fn open(
    address: Address,
    key: Option<Nkey>,
    certificates: Option<Vec<u8>>,
    role: &str,
) -> Result<Session, LoginError> {
    let user = key.as_ref().map_or_else(|| ANYBODY.to_owned(), |key| user_word(&key.public()));
    let inbox = Some(inbox(&user));
    let credentials = Credentials { name: role.to_owned(), key, certificates, inbox };
    Ok(Session { connection: Connection::open(address, credentials)?, user })
}

/// The word of a user in subjects, from the public key. Rights are written with this word.
pub fn user_word(public_key: &str) -> String {
    public_key.chars().skip(1).take(12).collect::<String>().to_ascii_lowercase()
}

/// The first word of the subjects for answers to a user. Nobody else may listen there.
pub fn inbox(user: &str) -> String {
    format!("_INBOX_{user}")
}
