//! The streams of a server: messages that are kept until somebody has done what they ask for.

use crate::connection::{Connection, RequestError};
use crate::message::{Headers, Message};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// A server that answers later is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The streams of the account of a connection.
#[derive(Clone, Debug)]
pub struct JetStream {
    connection: Connection,
}

/// What a server says about a request that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, thiserror::Error)]
#[serde(default)]
#[error("{description} ({err_code})")]
pub struct ApiError {
    pub code: u32,
    pub err_code: u32,
    pub description: String,
}

impl ApiError {
    /// There is a message with this subject already.
    pub const TAKEN: u32 = 10_077;
    /// Another message was the last one.
    pub const WRONG_SEQUENCE: u32 = 10_071;
    pub const NO_STREAM: u32 = 10_059;
    pub const NO_CONSUMER: u32 = 10_014;
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JetStreamError {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error("the engine refuses: {0}")]
    Api(#[from] ApiError),
    #[error("the engine has answered strangely: {0}")]
    Strange(String),
}

impl JetStreamError {
    /// Does the server say this?
    pub fn is(&self, code: u32) -> bool {
        matches!(self, JetStreamError::Api(error) if error.err_code == code)
    }
}

/// Where a message was stored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PubAck {
    pub stream: String,
    pub seq: u64,
}

/// A message of a stream, read without taking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub sequence: u64,
    pub subject: String,
    pub payload: Vec<u8>,
    /// When the server stored the message, by the clock of the server: `2026-11-19T14:00:00.5Z`.
    pub time: String,
}

/// A message that was handed to this client, to be acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub message: Message,
    /// How often the message has been handed out, this time included.
    pub delivered: u64,
    /// The number of the message in its stream.
    pub sequence: u64,
}

impl JetStream {
    pub fn new(connection: Connection) -> JetStream {
        JetStream { connection }
    }

    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Asks the interface of the streams: `STREAM.INFO.WORK`.
    pub fn api(&self, what: &str, body: &Value) -> Result<Value, JetStreamError> {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let answer = self.connection.request(&format!("$JS.API.{what}"), &body, PATIENCE)?;
        read_answer(&answer)
    }

    /// Makes sure that there is a stream with this config.
    pub fn ensure_stream(&self, config: &Value) -> Result<(), JetStreamError> {
        let name = config["name"].as_str().unwrap_or_default();
        match self.api(&format!("STREAM.INFO.{name}"), &Value::Null) {
            Err(error) if error.is(ApiError::NO_STREAM) => {}
            Err(error) => return Err(error),
            Ok(info) if has_all(&info["config"], config) => return Ok(()),
            Ok(_) => return self.api(&format!("STREAM.UPDATE.{name}"), config).map(drop),
        }
        self.api(&format!("STREAM.CREATE.{name}"), config).map(drop)
    }

    /// Makes sure that a stream has a durable consumer with this config.
    pub fn ensure_consumer(&self, stream: &str, config: &Value) -> Result<(), JetStreamError> {
        let name = config["durable_name"].as_str().unwrap_or_default();
        let body = json!({ "stream_name": stream, "config": config });
        self.api(&format!("CONSUMER.DURABLE.CREATE.{stream}.{name}"), &body).map(drop)
    }

    /// Stores a message, and returns when the server has it.
    pub fn store(&self, subject: &str, headers: &Headers, payload: &[u8]) -> Result<PubAck, JetStreamError> {
        let answer = self.connection.request_with(subject, headers, payload, PATIENCE)?;
        let value = read_answer(&answer)?;
        serde_json::from_value(value).map_err(|error| JetStreamError::Strange(error.to_string()))
    }

    /// Stores many messages, without waiting for each. Returns what became of them, in their order.
    pub fn store_all<'a>(
        &self,
        messages: impl Iterator<Item = (String, &'a [u8])>,
    ) -> Vec<Result<PubAck, JetStreamError>> {
        let asked: Vec<_> = messages
            .map(|(subject, payload)| {
                let inbox = self.connection.inbox();
                inbox.ask(&subject, &Headers::default(), payload).map(|()| inbox)
            })
            .collect();
        let answer = |inbox: Result<crate::Inbox, RequestError>| {
            let answer = inbox?.next_blocking(PATIENCE)?.ok_or(RequestError::Late(PATIENCE))?;
            let value = read_answer(&answer)?;
            serde_json::from_value(value).map_err(|error| JetStreamError::Strange(error.to_string()))
        };
        asked.into_iter().map(answer).collect()
    }

    /// The last message with a subject, from a stream that allows direct reads.
    pub fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, JetStreamError> {
        let what = format!("$JS.API.DIRECT.GET.{stream}.{subject}");
        let answer = self.connection.request(&what, &[], PATIENCE)?;
        match answer.headers.status {
            Some(404) => Ok(None),
            Some(_) => Err(JetStreamError::Strange(answer.headers.description)),
            None => {
                let sequence = answer.headers.get("Nats-Sequence").and_then(|text| text.parse().ok());
                let subject = answer.headers.get("Nats-Subject").unwrap_or(subject).to_owned();
                let sequence = sequence.ok_or_else(|| JetStreamError::Strange("no sequence".to_owned()))?;
                let time = answer.headers.get("Nats-Time-Stamp").unwrap_or_default().to_owned();
                Ok(Some(Stored { sequence, subject, payload: answer.payload, time }))
            }
        }
    }

    /// The subjects of a stream that match a filter.
    pub fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, JetStreamError> {
        let mut found = Vec::new();
        loop {
            let body = json!({ "subjects_filter": filter, "offset": found.len() });
            let info = self.api(&format!("STREAM.INFO.{stream}"), &body)?;
            let subjects = info["state"]["subjects"].as_object();
            let more = subjects.map_or(0, serde_json::Map::len);
            found.extend(subjects.into_iter().flatten().map(|(subject, _)| subject.clone()));
            if more == 0 || found.len() as u64 >= info["total"].as_u64().unwrap_or(0) {
                found.sort();
                return Ok(found);
            }
        }
    }

    /// Takes up to `most` messages from a durable consumer, without waiting for more than are there.
    pub fn take(&self, stream: &str, consumer: &str, most: u64) -> Result<Vec<Delivery>, JetStreamError> {
        let mut all = Vec::new();
        let what = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        let mailbox = self.connection.mailbox()?;
        let ask = json!({ "batch": most, "no_wait": true }).to_string();
        mailbox.ask(&what, ask.as_bytes())?;
        while (all.len() as u64) < most {
            let Some(message) = mailbox.next_blocking(PATIENCE)? else {
                return if all.is_empty() { Err(RequestError::Late(PATIENCE).into()) } else { Ok(all) };
            };
            match message.headers.status {
                None => all.push(Delivery::read(message)?),
                Some(100) => {} // a sign of life
                Some(404 | 408 | 409) => break,
                Some(503) => return Err(RequestError::Nobody(what).into()),
                Some(code) => {
                    let description = message.headers.description;
                    return Err(ApiError { code: code.into(), err_code: 0, description }.into());
                }
            }
        }
        Ok(all)
    }

    /// Says that a message is done. Waits until the server knows.
    pub fn done_blocking(&self, delivery: &Delivery) -> Result<(), JetStreamError> {
        self.connection.request(delivery.reply(), b"+ACK", PATIENCE)?;
        Ok(())
    }

    /// Says that a message is done, without waiting.
    pub fn done(&self, delivery: &Delivery) -> Result<(), RequestError> {
        self.connection.publish(delivery.reply(), b"+ACK")
    }

    /// Says that somebody works on a message.
    pub fn in_progress(&self, delivery: &Delivery) -> Result<(), RequestError> {
        self.connection.publish(delivery.reply(), b"+WPI")
    }

    /// Gives a message back, so that somebody else gets the message.
    pub fn give_back(&self, delivery: &Delivery, delay: Duration) -> Result<(), RequestError> {
        let text = format!("-NAK {}", json!({ "delay": delay.as_nanos() as u64 }));
        self.connection.publish(delivery.reply(), text.as_bytes())
    }
}

impl Delivery {
    pub(crate) fn read(message: Message) -> Result<Delivery, JetStreamError> {
        // $JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.… or $JS.ACK.DOMAIN.ACCOUNT.STREAM.CONSUMER.…
        let reply = message.reply.as_deref().unwrap_or_default();
        let words: Vec<&str> = reply.split('.').collect();
        let at = if words.len() == 9 { 4 } else { 6 };
        let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
        match number(at).zip(number(at + 1)) {
            Some((delivered, sequence)) if reply.starts_with("$JS.ACK.") => {
                Ok(Delivery { message, delivered, sequence })
            }
            _ => Err(JetStreamError::Strange(format!("a message without a receipt: `{reply}`"))),
        }
    }

    fn reply(&self) -> &str {
        self.message.reply.as_deref().unwrap_or_default()
    }
}

fn read_answer(answer: &Message) -> Result<Value, JetStreamError> {
    if answer.headers.status == Some(503) {
        return Err(RequestError::Nobody("JetStream".to_owned()).into());
    }
    let value: Value = serde_json::from_slice(&answer.payload)
        .map_err(|error| JetStreamError::Strange(error.to_string()))?;
    if value["error"].is_object() {
        return Err(ApiError::deserialize(&value["error"]).unwrap_or_default().into());
    }
    Ok(value)
}

/// Does a config of the server have all settings that were wished for?
fn has_all(found: &Value, wished: &Value) -> bool {
    match (found, wished) {
        (Value::Object(found), Value::Object(wished)) => {
            wished.iter().all(|(key, wish)| found.get(key).is_some_and(|value| has_all(value, wish)))
        }
        _ => found == wished,
    }
}
