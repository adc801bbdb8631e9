//! Waiting for one message of a durable consumer, without blocking the caller.

use crate::connection::{Connection, Mailbox, RequestError};
use crate::jetstream::{Delivery, JetStreamError};
use serde_json::json;
use std::time::{Duration, Instant};

/// How long the server keeps a question.
const EXPIRES: Duration = Duration::from_secs(30);
/// How often the server says that it still keeps the question.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A question for the next message, asked again until there is one.
pub struct Pull {
    connection: Connection,
    what: String,
    asked: Option<(Mailbox, u64)>,
    heard: Instant,
}

impl Pull {
    pub fn new(connection: &Connection, stream: &str, consumer: &str) -> Pull {
        let what = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        Pull { connection: connection.clone(), what, asked: None, heard: Instant::now() }
    }

    /// The next message, or `None` if there is none in this time. A lost connection is waited for.
    pub fn next_blocking(&mut self, most: Duration) -> Result<Option<Delivery>, JetStreamError> {
        let until = Instant::now() + most;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.step(left) {
                Ok(None) if left.is_zero() => return Ok(None),
                Ok(None) => {}
                Err(JetStreamError::Request(RequestError::Lost | RequestError::Late(_))) => {
                    self.asked = None;
                    if left.is_zero() {
                        return Ok(None);
                    }
                    self.connection.wait_blocking(left);
                }
                found => return found,
            }
        }
    }

    fn step(&mut self, most: Duration) -> Result<Option<Delivery>, JetStreamError> {
        let generation = self.connection.generation();
        let is_lost = |asked: &(Mailbox, u64)| asked.1 != generation;
        // What has come already is taken first, however long nobody has looked.
        let come = match &self.asked {
            Some((mailbox, _)) => mailbox.next_blocking(Duration::ZERO)?,
            None => None,
        };
        let message = match come {
            Some(message) => message,
            None => {
                // A question without a sign of life is lost, whatever the connection seems to be.
                if self.heard.elapsed() > 2 * HEARTBEAT || self.asked.as_ref().is_none_or(is_lost) {
                    let mailbox = self.connection.mailbox()?;
                    let ask = json!({
                        "batch": 1, "expires": EXPIRES.as_nanos() as u64, "idle_heartbeat": HEARTBEAT.as_nanos() as u64,
                    });
                    mailbox.ask(&self.what, ask.to_string().as_bytes())?;
                    self.heard = Instant::now();
                    self.asked = Some((mailbox, generation));
                }
                let Some((mailbox, _)) = &self.asked else { return Ok(None) };
                let Some(message) = mailbox.next_blocking(most.min(HEARTBEAT))? else { return Ok(None) };
                message
            }
        };
        self.heard = Instant::now();
        match message.headers.status {
            None => {
                self.asked = None;
                Delivery::read(message).map(Some)
            }
            Some(100) => Ok(None),
            Some(503) => Err(RequestError::Nobody(self.what.clone()).into()),
            Some(_) => {
                // The question has expired, or too many are waiting.
                self.asked = None;
                std::thread::sleep(Duration::from_millis(20).min(most));
                Ok(None)
            }
        }
    }
}
