//! Is an engine good enough for a tournament, and may each ticket do what it must and no more?

use crate::free_bytes;
use crate::login::Session;
use crate::rights::{Attempt, Role};
use crate::server::version;
use nats::{Headers, JetStream, RequestError, random_word};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// How good something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Health {
    Fine,
    /// A tournament can be played, and somebody should know this.
    Doubtful,
    /// No tournament should be played.
    Broken,
}

/// What was looked at, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineFinding {
    pub what: String,
    pub health: Health,
    pub words: String,
}

impl EngineFinding {
    fn new(what: &str, health: Health, words: impl Into<String>) -> EngineFinding {
        EngineFinding { what: what.to_owned(), health, words: words.into() }
    }
}

/// The requests of which the median is taken.
const ROUND_TRIPS: usize = 21;
/// A batch takes three round trips and plays for two seconds.
const SLOW: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(5);
/// What is written to find out how quick the disk is.
const PARTS: usize = 16;
const PART: usize = 256 << 10;
/// Results of quick games come at about this rate, in bytes per second.
const SLOW_DISK: f64 = 10e6;
/// With less than this, a server soon refuses results.
const LITTLE_DISK: u64 = 1 << 30;

/// Looks at the server behind a connection.
pub fn server(session: &Session) -> Vec<EngineFinding> {
    let info = session.connection.info();
    let mut found = Vec::new();
    found.push(match version::refusal(&info.version) {
        Some(refusal) => EngineFinding::new("version", Health::Broken, refusal),
        None => EngineFinding::new("version", Health::Fine, format!("nats-server {}", info.version)),
    });
    found.push(match (info.auth_required, session.connection.address().tls) {
        (true, true) => EngineFinding::new("access", Health::Fine, "encrypted, and nobody gets in without a key"),
        (true, false) => EngineFinding::new(
            "access",
            Health::Doubtful,
            "not encrypted: whoever sees the network sees the bots and the results",
        ),
        (false, _) => EngineFinding::new(
            "access",
            Health::Doubtful,
            "anybody who reaches the port may read the bots, invent results and delete everything; `arena engine up` \
             makes a server with keys",
        ),
    });
    found.push(latency(session));
    if !info.jetstream {
        let words = "the server keeps no streams: JetStream is not enabled, or its disk was full; it stays off until \
                     the server is restarted";
        found.push(EngineFinding::new("disk", Health::Broken, words));
    }
    found
}

fn latency(session: &Session) -> EngineFinding {
    let mut times = Vec::new();
    for _ in 0..ROUND_TRIPS {
        let begun = Instant::now();
        // A refusal is an answer too, and takes as long.
        match session.connection.request("$JS.API.INFO", &[], PATIENCE) {
            Err(error @ (RequestError::Lost | RequestError::Late(_))) => {
                return EngineFinding::new("latency", Health::Broken, error.to_string());
            }
            _ => times.push(begun.elapsed()),
        }
    }
    times.sort_unstable();
    let (median, worst) = (times[ROUND_TRIPS / 2], times[ROUND_TRIPS - 1]);
    let words = format!("{:.1} ms there and back, at most {:.1} ms", millis(median), millis(worst));
    let health = if median > SLOW { Health::Doubtful } else { Health::Fine };
    EngineFinding::new("latency", health, words)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Writes some megabytes to the disk of the server, and removes them again. Needs the rights of a
/// coordinator.
pub fn disk(session: &Session) -> EngineFinding {
    match written(session) {
        Err(problem) => EngineFinding::new("disk", Health::Broken, problem),
        Ok((rate, left)) => {
            let room = left.map_or("no limit".to_owned(), |left| {
                format!("{:.1} GB are left of what the store may have", left as f64 / 1e9)
            });
            let words = format!("{:.0} MB/s written; {room}", rate / 1e6);
            let is_poor = rate < SLOW_DISK || left.is_some_and(|left| left < LITTLE_DISK);
            EngineFinding::new("disk", if is_poor { Health::Doubtful } else { Health::Fine }, words)
        }
    }
}

/// What is free where the store is. The server takes no results when nothing is.
pub fn room(store: &Path) -> EngineFinding {
    match free_bytes(store) {
        Err(error) => EngineFinding::new("room", Health::Doubtful, format!("{}: {error}", store.display())),
        Ok(bytes) => {
            let health = if bytes < LITTLE_DISK { Health::Doubtful } else { Health::Fine };
            EngineFinding::new("room", health, format!("{:.1} GB are free on its disk", bytes as f64 / 1e9))
        }
    }
}

/// Bytes per second, and the bytes that the store may still take.
fn written(session: &Session) -> Result<(f64, Option<u64>), String> {
    let streams = JetStream::new(session.connection.clone());
    let words = |error: nats::JetStreamError| error.to_string();
    let name = format!("check-{}", random_word().map_err(|error| error.to_string())?);
    let account = streams.api("INFO", &Value::Null).map_err(words)?;
    let most = account["limits"]["max_storage"].as_u64();
    let left = most.map(|most| most.saturating_sub(account["storage"].as_u64().unwrap_or(0)));
    let config = json!({
        "name": name, "subjects": [name], "storage": "file", "retention": "limits",
        "max_bytes": 2 * PARTS * PART,
    });
    streams.ensure_stream(&config).map_err(words)?;
    let part = vec![7; PART];
    let begun = Instant::now();
    let stored = (0..PARTS).try_for_each(|_| streams.store(&name, &Headers::default(), &part).map(drop));
    let seconds = begun.elapsed().as_secs_f64();
    let removed = streams.api(&format!("STREAM.DELETE.{name}"), &Value::Null);
    stored.and(removed.map(drop)).map_err(words)?;
    Ok(((PARTS * PART) as f64 / seconds, left))
}

/// Tries what a role must be able to do, and what only a coordinator may do.
pub fn rights(session: &Session, role: &Role) -> Vec<EngineFinding> {
    let mut found = Vec::new();
    let (mut tried, mut health) = ([0, 0], Health::Fine);
    for (must, attempts) in [(true, Attempt::allowed(role, &session.user)), (false, Attempt::denied(role))] {
        for attempt in attempts {
            tried[usize::from(!must)] += 1;
            let words = match (must, is_refused(session, &attempt)) {
                (true, Ok(false)) | (false, Ok(true)) => continue,
                (true, Ok(true)) => format!("the engine refuses {}, which is needed", shown(&attempt)),
                (false, Ok(false)) => format!("the engine allows {}", shown(&attempt)),
                (_, Err(error)) => format!("{}: {error}", shown(&attempt)),
            };
            health = Health::Broken;
            found.push(EngineFinding::new("rights", Health::Broken, words));
        }
    }
    if health == Health::Fine {
        let [used, refused] = tried;
        let words = match refused {
            0 => format!("all {used} that a coordinator needs"),
            _ => format!("{used} used, and {refused} others refused"),
        };
        found.push(EngineFinding::new("rights", Health::Fine, words));
    }
    found
}

fn shown(attempt: &Attempt) -> String {
    match attempt {
        Attempt::Ask(subject) => format!("asking {subject}"),
        Attempt::Publish(subject) => format!("publishing to {subject}"),
        Attempt::Subscribe(subject) => format!("listening to {subject}"),
    }
}

/// A server that stays silent for so long has refused nothing.
const SILENCE: Duration = Duration::from_millis(500);

fn is_refused(session: &Session, attempt: &Attempt) -> Result<bool, RequestError> {
    let answer = match attempt {
        Attempt::Ask(subject) => session.connection.request(subject, &[], PATIENCE).map(drop),
        Attempt::Publish(subject) => session.connection.request(subject, b"check", SILENCE).map(drop),
        Attempt::Subscribe(subject) => {
            let subscription = session.connection.subscribe(subject)?;
            // The server answers in order, so after this answer its refusal is here.
            let _ = session.connection.request("$JS.API.INFO", &[], PATIENCE);
            subscription.next_blocking(Duration::ZERO).map(drop)
        }
    };
    match answer {
        Ok(()) | Err(RequestError::Nobody(_)) => Ok(false),
        Err(RequestError::Late(_)) if matches!(attempt, Attempt::Publish(_)) => Ok(false),
        Err(RequestError::Refused(_)) => Ok(true),
        Err(error) => Err(error),
    }
}
