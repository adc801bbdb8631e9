//! The thread that owns the socket: connects, reads, writes, and connects again.

use crate::connection::{ConnectError, Refused, RequestError, SharedWire, Subscribed};
use crate::message::Message;
use crate::random::random_bytes;
use crate::socket::{PATIENCE, Socket, tls_config};
use crate::wire::{Said, ServerInfo, WireReader};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustls::ClientConfig;
use serde_json::json;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The number of the subscription for all answers.
const ANSWERS: u64 = 1;
/// Other subscriptions have numbers from here on.
pub(crate) const FIRST_FREE: u64 = 2;

/// How often the server is asked whether it is still there. After the second question without an
/// answer the connection is given up.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The waits between attempts to connect grow from the first to the second.
const WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];

struct Owner {
    shared: Arc<SharedWire>,
    ear: UnixStream,
    tls: Option<Arc<ClientConfig>>,
}

/// Connects for the first time, then leaves the socket to a thread.
pub(crate) fn start(shared: &Arc<SharedWire>, ear: UnixStream) -> Result<(), ConnectError> {
    let mut owner = Owner { shared: Arc::clone(shared), ear, tls: None };
    let live = owner.connect()?;
    let named = |error| ConnectError::Io(shared.address.clone(), error);
    std::thread::Builder::new().name("engine".to_owned()).spawn(move || owner.run(live)).map_err(named)?;
    Ok(())
}

/// A socket with a server at its other end.
struct OpenSocket {
    socket: Socket,
    reader: WireReader,
    /// Bytes that were taken from the callers and that the socket has not taken yet.
    out: Vec<u8>,
    sent: usize,
    heard: Instant,
    asked: Instant,
    unanswered: u32,
}

impl Owner {
    fn run(mut self, first: OpenSocket) {
        let mut next = Some(first);
        let mut wait = WAITS[0];
        while !self.is_closed() {
            match next.take() {
                Some(live) => {
                    let end = self.serve(live);
                    tracing::info!(address = %self.shared.address, ?end, "the connection has ended");
                    self.lose();
                    wait = WAITS[0];
                }
                None => {
                    self.rest(wait);
                    wait = (2 * wait).min(WAITS[1]);
                }
            }
            if !self.is_closed() {
                match self.connect() {
                    Ok(live) => next = Some(live),
                    Err(error) => tracing::info!(%error, "no connection"),
                }
            }
        }
        self.lose();
    }

    fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Relaxed)
    }

    /// Waits before the next attempt, each client for another time.
    fn rest(&self, wait: Duration) {
        let [byte] = random_bytes::<1>().unwrap_or([128]);
        let until = Instant::now() + wait.mul_f64(0.5 + f64::from(byte) / 255.0);
        while !self.is_closed() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Nothing is kept over a lost connection, except the subscriptions.
    fn lose(&self) {
        let mut state = self.shared.lock();
        state.connected = false;
        state.out.clear();
        for pending in state.inboxes.values() {
            let _ = pending.sender.send(Err(RequestError::Lost)); // the caller may have given up
        }
        for mailbox in state.subscriptions.values().filter(|subscribed| subscribed.asked.is_some()) {
            let _ = mailbox.sender.send(Err(RequestError::Lost));
        }
        drop(state);
        self.shared.tell();
    }

    /// Connects, and introduces itself.
    fn connect(&mut self) -> Result<OpenSocket, ConnectError> {
        let shared = Arc::clone(&self.shared);
        let address = &shared.address;
        let io = |error| ConnectError::Io(address.clone(), error);
        let strange = |problem: String| ConnectError::Strange(address.clone(), problem);
        let mut socket = Socket::open(address).map_err(io)?;
        let mut reader = WireReader::default();
        let info = match hear_blocking(&mut socket, &mut reader).map_err(io)? {
            Said::Info(info) => *info,
            other => return Err(strange(format!("the server begins with {other:?}"))),
        };
        if address.tls || info.tls_required {
            if !info.tls_required && !info.tls_available {
                return Err(strange(
                    "the server does not encrypt; give the server a certificate, or write nats://".to_owned(),
                ));
            }
            let config = match &self.tls {
                Some(config) => Arc::clone(config),
                None => tls_config(shared.credentials.certificates.as_deref()).map_err(io)?,
            };
            socket.encrypt(&address.host, Arc::clone(&config)).map_err(io)?;
            self.tls = Some(config);
        }
        socket.write_all_blocking(self.introduction(&info).as_bytes()).map_err(io)?;
        loop {
            match hear_blocking(&mut socket, &mut reader).map_err(io)? {
                Said::Pong => break,
                Said::Error(problem) => return Err(ConnectError::Refused(address.clone(), problem)),
                _ => {}
            }
        }
        socket.stop_waiting().map_err(io)?;
        let out = self.begin(info);
        let now = Instant::now();
        Ok(OpenSocket { socket, reader, out, sent: 0, heard: now, asked: now, unanswered: 0 })
    }

    fn introduction(&self, info: &ServerInfo) -> String {
        let credentials = &self.shared.credentials;
        let mut connect = json!({
            "verbose": false, "pedantic": false, "lang": "rust", "version": env!("CARGO_PKG_VERSION"),
            "protocol": 1, "headers": true, "no_responders": true, "name": credentials.name,
        });
        if let Some(key) = &credentials.key {
            connect["nkey"] = key.public().into();
            connect["sig"] = key.sign(info.nonce.as_bytes()).into();
        }
        format!("CONNECT {connect}\r\nPING\r\n")
    }

    /// Marks the connection as open, and subscribes to everything again.
    fn begin(&self, info: ServerInfo) -> Vec<u8> {
        let mut state = self.shared.lock();
        let mut text = format!("SUB {}.* {ANSWERS}\r\n", self.shared.inbox);
        for (number, subscribed) in &state.subscriptions {
            text.push_str(&format!("SUB {} {number}\r\n", subscribed.subject));
        }
        state.info = info;
        state.out.clear();
        state.connected = true;
        state.generation += 1;
        drop(state);
        self.shared.tell();
        text.into_bytes()
    }

    /// Reads and writes until the connection ends. Returns why.
    fn serve(&mut self, mut live: OpenSocket) -> io::Result<()> {
        let mut buffer = vec![0; 128 << 10];
        loop {
            if self.is_closed() {
                return Ok(());
            }
            self.write(&mut live)?;
            let waits = live.sent < live.out.len() || !live.socket.flush()?;
            let wanted = if waits { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
            let mut waited = [PollFd::new(&live.socket, wanted), PollFd::new(&self.ear, PollFlags::IN)];
            let moment = Timespec { tv_sec: 1, tv_nsec: 0 };
            match poll(&mut waited, Some(&moment)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let rang = !waited[1].revents().is_empty();
            if rang {
                let mut rings = [0; 256];
                while matches!((&self.ear).read(&mut rings), Ok(256)) {}
            }
            self.read(&mut live, &mut buffer)?;
            ask(&mut live)?;
        }
    }

    /// Takes what the callers want to send, and writes as much as the socket takes.
    fn write(&self, live: &mut OpenSocket) -> io::Result<()> {
        loop {
            if live.sent == live.out.len() {
                live.out.clear();
                live.sent = 0;
                std::mem::swap(&mut live.out, &mut self.shared.lock().out);
                self.shared.tell();
                if live.out.is_empty() {
                    return Ok(());
                }
            }
            match live.socket.write(&live.out[live.sent..]) {
                Ok(taken) => live.sent += taken,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn read(&self, live: &mut OpenSocket, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            match live.socket.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(size) => live.reader.add(&buffer[..size]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            live.heard = Instant::now();
            live.unanswered = 0;
            while let Some(said) = live.reader.next().map_err(io::Error::other)? {
                match said {
                    Said::Message(number, message) => self.hand_over(number, message),
                    Said::Ping => live.out.extend_from_slice(b"PONG\r\n"),
                    Said::Info(info) => self.shared.lock().info = *info,
                    Said::Error(problem) => self.refuse(problem)?,
                    Said::Pong | Said::Ok => {}
                }
            }
        }
    }

    fn hand_over(&self, number: u64, message: Message) {
        let state = self.shared.lock();
        let sender = if number == ANSWERS {
            let token = message.subject.rsplit('.').next().and_then(|token| token.parse().ok());
            token.and_then(|token: u64| state.inboxes.get(&token)).map(|pending| &pending.sender)
        } else {
            state.subscriptions.get(&number).map(|subscribed| &subscribed.sender)
        };
        if let Some(sender) = sender {
            let _ = sender.send(Ok(message)); // whoever waited may have given up
        }
    }

    /// Tells a refusal to whoever has asked for what was refused. Any other error ends the
    /// connection.
    fn refuse(&self, problem: String) -> io::Result<()> {
        if !problem.to_ascii_lowercase().starts_with("permissions violation") {
            return Err(io::Error::other(problem));
        }
        // The server quotes the subject: `Permissions Violation for Publish to "a.b"`.
        let subject = problem.split('"').nth(1).unwrap_or_default().to_owned();
        let refused = || Err(RequestError::Refused(Refused(problem.clone())));
        let state = self.shared.lock();
        let asked: Vec<_> = if problem.to_ascii_lowercase().contains("subscription") {
            let known = state.subscriptions.values().filter(|known| known.subject == subject);
            known.map(|subscribed| &subscribed.sender).collect()
        } else {
            let known = state.inboxes.values().filter(|pending| pending.subject == subject);
            let asks = |known: &&Subscribed| known.asked.as_ref() == Some(&subject);
            let mailboxes = state.subscriptions.values().filter(asks).map(|mailbox| &mailbox.sender);
            known.map(|pending| &pending.sender).chain(mailboxes).collect()
        };
        if asked.is_empty() {
            tracing::warn!(problem, "refused"); // nobody waits for an answer to this
        }
        for sender in asked {
            let _ = sender.send(refused());
        }
        Ok(())
    }
}

/// Asks a silent server whether it is still there.
fn ask(live: &mut OpenSocket) -> io::Result<()> {
    let now = Instant::now();
    if now - live.heard < HEARTBEAT || now - live.asked < HEARTBEAT {
        return Ok(());
    }
    if live.unanswered == 2 {
        return Err(io::ErrorKind::TimedOut.into());
    }
    live.asked = now;
    live.unanswered += 1;
    live.out.extend_from_slice(b"PING\r\n");
    Ok(())
}

/// Waits for the next thing that the server says, while nothing else happens.
fn hear_blocking(socket: &mut Socket, reader: &mut WireReader) -> io::Result<Said> {
    let until = Instant::now() + PATIENCE;
    let mut buffer = [0; 4_096];
    loop {
        if let Some(said) = reader.next().map_err(io::Error::other)? {
            return Ok(said);
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match socket.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            size => reader.add(&buffer[..size]),
        }
    }
}
