//! What clients and servers say to each other: lines of text, some of them with a payload.

use crate::message::{Headers, Message};
use serde::Deserialize;

/// A server that announces more is no server.
const MOST_LINE: usize = 64 << 10;
const MOST_PAYLOAD: usize = 64 << 20;

/// What a server says.
#[derive(Debug, PartialEq)]
pub(crate) enum Said {
    Info(Box<ServerInfo>),
    /// A message for the subscription of this number.
    Message(u64, Message),
    Ping,
    Pong,
    Ok,
    Error(String),
}

/// What a server tells about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ServerInfo {
    pub server_id: String,
    pub server_name: String,
    pub version: String,
    pub max_payload: u64,
    pub tls_required: bool,
    pub tls_available: bool,
    pub auth_required: bool,
    pub jetstream: bool,
    pub headers: bool,
    pub nonce: String,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server speaks no NATS: `{0}`")]
pub(crate) struct NotNats(String);

impl NotNats {
    fn of(line: &[u8]) -> NotNats {
        NotNats(String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned())
    }
}

/// Reads what a server says, from bytes that come in pieces.
#[derive(Default)]
pub(crate) struct WireReader {
    bytes: Vec<u8>,
    /// How many bytes have been read already.
    done: usize,
}

impl WireReader {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.done);
        self.done = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next thing that is complete.
    pub(crate) fn next(&mut self) -> Result<Option<Said>, NotNats> {
        let rest = &self.bytes[self.done..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            return if rest.len() > MOST_LINE { Err(NotNats::of(rest)) } else { Ok(None) };
        };
        let line = rest[..end].trim_ascii_end();
        let wrong = || NotNats::of(line);
        let text = std::str::from_utf8(line).map_err(|_| wrong())?;
        let (word, words) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let said = match word.to_ascii_uppercase().as_str() {
            "MSG" | "HMSG" => {
                let head = Head::read(word.len() == 4, words).ok_or_else(wrong)?;
                let body = &rest[end + 1..];
                if body.len() < head.size + 2 {
                    return Ok(None);
                }
                let (headers, payload) = body[..head.size].split_at(head.header_size);
                let said = head.with(headers, payload);
                self.done += end + 1 + head.size + 2;
                return Ok(Some(said));
            }
            "INFO" => Said::Info(Box::new(serde_json::from_str(words).map_err(|_| wrong())?)),
            "PING" => Said::Ping,
            "PONG" => Said::Pong,
            "+OK" => Said::Ok,
            "-ERR" => Said::Error(words.trim().trim_matches('\'').to_owned()),
            _ => return Err(wrong()),
        };
        self.done += end + 1;
        Ok(Some(said))
    }
}

/// The line before a payload.
struct Head<'a> {
    subject: &'a str,
    subscription: u64,
    reply: Option<&'a str>,
    header_size: usize,
    size: usize,
}

impl<'a> Head<'a> {
    fn read(headers: bool, words: &'a str) -> Option<Head<'a>> {
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let numbers = if headers { 2 } else { 1 };
        let (names, numbers) = words.split_at_checked(words.len().checked_sub(numbers)?)?;
        let size: usize = numbers.last()?.parse().ok()?;
        let header_size = if headers { numbers[0].parse().ok()? } else { 0 };
        let (subject, subscription, reply) = match names {
            [subject, number] => (subject, number, None),
            [subject, number, reply] => (subject, number, Some(*reply)),
            _ => return None,
        };
        let subscription = subscription.parse().ok()?;
        (size <= MOST_PAYLOAD && header_size <= size).then_some(Head {
            subject,
            subscription,
            reply,
            header_size,
            size,
        })
    }

    fn with(&self, headers: &[u8], payload: &[u8]) -> Said {
        let message = Message {
            subject: self.subject.to_owned(),
            reply: self.reply.map(ToOwned::to_owned),
            headers: if headers.is_empty() { Headers::default() } else { Headers::read(headers) },
            payload: payload.to_vec(),
        };
        Said::Message(self.subscription, message)
    }
}

/// Writes a message.
pub(crate) fn publish(
    out: &mut Vec<u8>,
    subject: &str,
    reply: Option<&str>,
    headers: &Headers,
    payload: &[u8],
) {
    let reply = reply.map_or(String::new(), |reply| format!("{reply} "));
    if headers.is_empty() {
        out.extend_from_slice(format!("PUB {subject} {reply}{}\r\n", payload.len()).as_bytes());
    } else {
        let block = headers.to_wire();
        let size = block.len() + payload.len();
        out.extend_from_slice(format!("HPUB {subject} {reply}{} {size}\r\n", block.len()).as_bytes());
        out.extend_from_slice(&block);
    }
    out.extend_from_slice(payload);
    out.extend_from_slice(b"\r\n");
}

/// Could this be published to or subscribed to? Anything else would become another command.
pub(crate) fn is_subject(text: &str) -> bool {
    let parts = text.split('.').all(|part| !part.is_empty());
    parts && text.bytes().all(|byte| byte > b' ' && byte != 127)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_in_any_pieces() {
        let mut bytes = b"INFO {\"version\":\"2.15.1\",\"max_payload\":1048576,\"unknown\":[1]}\r\n".to_vec();
        bytes.extend_from_slice(b"PING\r\n+OK\r\n-ERR 'Authorization Violation'\r\nMSG a.b 7 3\r\nx\r\n\r\n");
        let headers = Headers::of(&[("A", "1")]);
        let block = headers.to_wire();
        bytes.extend_from_slice(
            format!("HMSG c 8 reply.to {} {}\r\n", block.len(), block.len() + 2).as_bytes(),
        );
        bytes.extend_from_slice(&block);
        bytes.extend_from_slice(b"hi\r\nPONG\r\n");
        let message = |subject: &str, reply: Option<&str>, headers, payload: &[u8]| Message {
            subject: subject.to_owned(),
            reply: reply.map(ToOwned::to_owned),
            headers,
            payload: payload.to_vec(),
        };
        for size in 1..bytes.len() {
            let (mut reader, mut said) = (WireReader::default(), Vec::new());
            for piece in bytes.chunks(size) {
                reader.add(piece);
                while let Some(next) = reader.next().unwrap() {
                    said.push(next);
                }
            }
            let Said::Info(info) = said.remove(0) else { panic!("no info") };
            assert_eq!((info.version.as_str(), info.max_payload), ("2.15.1", 1 << 20));
            assert_eq!(
                said,
                [
                    Said::Ping,
                    Said::Ok,
                    Said::Error("Authorization Violation".to_owned()),
                    Said::Message(7, message("a.b", None, Headers::default(), b"x\r\n")),
                    Said::Message(8, message("c", Some("reply.to"), headers.clone(), b"hi")),
                    Said::Pong,
                ],
                "pieces of {size}"
            );
        }
    }

    #[test]
    fn other_servers_are_found_out() {
        for bytes in
            [&b"HTTP/1.1 400 Bad Request\r\n"[..], b"MSG a 1\r\n", b"MSG a 1 99999999999\r\n", b"INFO x\r\n"]
        {
            let mut reader = WireReader::default();
            reader.add(bytes);
            assert!(reader.next().is_err(), "{}", String::from_utf8_lossy(bytes));
        }
        let mut reader = WireReader::default();
        reader.add(&vec![b'x'; MOST_LINE + 1]);
        assert!(reader.next().is_err());
    }

    #[test]
    fn subjects_are_words_with_dots() {
        for (subject, fine) in [
            ("a.b", true),
            ("a.*", true),
            ("a..b", false),
            ("a b", false),
            ("", false),
            ("a\r\nPUB x 0", false),
        ] {
            assert_eq!(is_subject(subject), fine, "{subject}");
        }
    }
}
