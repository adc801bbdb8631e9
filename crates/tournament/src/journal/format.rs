//! The lines of a journal.

use crate::roster::RosterChange;
use crate::schedule::Shard;
use protocol::Clock;
use referee::process::SandboxReport;
use referee::record::Record;
use referee::seeds::RootSeed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that this program writes.
pub const FORMAT: u32 = 1;

/// The first line. A reader that only counts games needs nothing but the version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The version of the format.
    pub journal: u32,
    #[serde(default)]
    pub name: String,
    /// SHA-256 of `ludus 1 seed SEED`.
    #[serde(default)]
    pub seed_commitment: String,
    /// Everything that decides which games are played.
    #[serde(default)]
    pub config: Value,
    #[serde(default)]
    pub bots: Vec<BotEntry>,
    /// What held the bots on the host that began the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxReport>,
    /// The number of this part of the schedule, from 1, and the number of parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotEntry {
    pub name: String,
    #[serde(default)]
    pub run: String,
    /// The SHA-256 of the bot's files that its command names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The bot's own clock, if the config gives it one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
}

/// The last line, when all games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEnd {
    /// The number of games.
    #[serde(rename = "end")]
    pub games: u64,
    /// The seed behind the commitment.
    pub seed: RootSeed,
    /// For a sequential test: `H0`, `H1`, `open`, or `none` if the games prove nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// For a sequential test: the logarithm of the likelihood ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// A line of a journal. A file of records has only games.
#[derive(Debug)]
pub enum JournalLine {
    Header(Box<JournalHeader>),
    Game(Box<Record>),
    Change(RosterChange),
    End(JournalEnd),
}

/// Why a line can't be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("not a header: {0}")]
    Header(serde_json::Error),
    #[error("not a record: {0}")]
    Record(serde_json::Error),
    #[error("the journal has format {0}, but this program knows only format {FORMAT}; use a newer program")]
    Newer(u32),
}

impl LineError {
    /// What is wrong, without the kind of line that was expected.
    pub fn problem(&self) -> String {
        match self {
            LineError::Header(error) | LineError::Record(error) => error.to_string(),
            LineError::Newer(_) => self.to_string(),
        }
    }
}

impl JournalLine {
    /// Reads a line, with or without its newline.
    pub fn read(text: &[u8]) -> Result<JournalLine, LineError> {
        let text = text.trim_ascii();
        let line = if text.starts_with(b"{\"journal\"") {
            return JournalHeader::read(text).map(|header| JournalLine::Header(Box::new(header)));
        } else if text.starts_with(b"{\"change\"") {
            serde_json::from_slice(text).map(JournalLine::Change)
        } else if text.starts_with(b"{\"end\"") {
            serde_json::from_slice(text).map(JournalLine::End)
        } else {
            serde_json::from_slice(text).map(|record| JournalLine::Game(Box::new(record)))
        };
        line.map_err(LineError::Record)
    }
}

/// The only field that every version of the format has.
#[derive(Deserialize)]
struct HeaderVersion {
    journal: u32,
}

impl JournalHeader {
    pub fn read(text: &[u8]) -> Result<JournalHeader, LineError> {
        let HeaderVersion { journal } = serde_json::from_slice(text).map_err(LineError::Header)?;
        if journal > FORMAT {
            return Err(LineError::Newer(journal));
        }
        serde_json::from_slice(text).map_err(LineError::Header)
    }
}

/// A value as a line of JSON with its newline.
pub(super) fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

pub(super) fn game_lines(records: &[Record]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(1_024 * records.len());
    for record in records {
        lines.extend_from_slice(record.to_line().as_bytes());
        lines.push(b'\n');
    }
    lines
}

/// The name of a journal's file.
pub fn file_name(shard: Shard) -> String {
    match shard.parts {
        1 => "journal.jsonl".to_owned(),
        parts => format!("journal-{}-of-{parts}.jsonl", shard.part + 1),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    pub(crate) fn header(deals: u32) -> JournalHeader {
        JournalHeader {
            journal: FORMAT,
            name: "test".to_owned(),
            seed_commitment: "c".to_owned(),
            config: json!({ "deals": deals }),
            bots: Vec::new(),
            sandbox: None,
            shard: None,
        }
    }

    pub(crate) fn record(id: &str) -> Record {
        let text = format!(
            "{{\"ludus\":1,\"match\":\"{id}\",\"game\":\"nim\",\"rules\":1,\"params\":{{}},\"seed\":\"\",\"bots\":[],\
             \"moves\":[],\"result\":{{\"places\":[],\"scores\":[],\"reason\":\"\"}},\
             \"times\":{{\"started_ms\":0,\"moves_us\":[]}}}}"
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_first_word_of_a_line_says_its_kind() {
        let game = record("0001").to_line();
        for (text, kind) in [
            ("{\"journal\":1}\n", "header"),
            ("{\"change\":2,\"withdraw\":[\"a\"]}", "change"),
            ("{\"end\":12,\"seed\":7}\n", "end"),
            (&game, "game"),
            (
                "{\"journal\":2}",
                "the journal has format 2, but this program knows only format 1; use a newer program",
            ),
        ] {
            let found = match JournalLine::read(text.as_bytes()) {
                Ok(JournalLine::Header(_)) => "header".to_owned(),
                Ok(JournalLine::Change(_)) => "change".to_owned(),
                Ok(JournalLine::End(_)) => "end".to_owned(),
                Ok(JournalLine::Game(_)) => "game".to_owned(),
                Err(error) => error.to_string(),
            };
            assert_eq!(found, kind, "{text}");
        }
    }
}
