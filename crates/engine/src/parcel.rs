//! The records of a batch on their way from a worker to the coordinator: lines of JSON, compressed,
//! in parts that a server takes.

use crate::subjects::PART;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use nats::Headers;
use referee::process::FaultEvidence;
use referee::record::Record;
use referee::transcript::Transcript;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, BufReader, Read as _, Write as _};

/// The most bytes of a parcel when it is opened.
const MOST_OPEN: u64 = 512 << 20;
/// The most parts of a parcel.
const MOST_PARTS: usize = 1_024;
const PARTS: &str = "Ludus-Parts";
const SHA256: &str = "Ludus-Sha256";

/// What a worker says about a batch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParcelHead {
    pub build: String,
    pub host: String,
    /// Milliseconds of play.
    pub took_ms: f64,
    /// Why the batch was not played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poison: Option<String>,
}

/// What a record does not say about a game: what goes into other files of the tournament.
#[derive(Serialize, Deserialize)]
struct GameExtras {
    /// The last record before this line has these.
    extras: Vec<FaultEvidence>,
    inputs: Vec<String>,
    stacks: Vec<Vec<String>>,
    said: Vec<(u8, Transcript)>,
    failing: Vec<Option<Transcript>>,
}

impl GameExtras {
    fn of(record: &Record) -> Option<GameExtras> {
        if record.evidence.is_empty() && record.transcripts.is_empty() {
            return None;
        }
        Some(GameExtras {
            extras: record.evidence.clone(),
            inputs: record.evidence.iter().map(|evidence| evidence.input.clone()).collect(),
            stacks: record.faults.iter().map(|fault| fault.fault.stack.clone()).collect(),
            said: record.transcripts.clone(),
            failing: record.evidence.iter().map(|evidence| evidence.transcript.as_deref().cloned()).collect(),
        })
    }

    fn give_to(self, record: &mut Record) {
        record.evidence = self.extras;
        for (evidence, input) in record.evidence.iter_mut().zip(self.inputs) {
            evidence.input = input;
        }
        for (evidence, failing) in record.evidence.iter_mut().zip(self.failing) {
            evidence.transcript = failing.map(Box::new);
        }
        for (fault, stack) in record.faults.iter_mut().zip(self.stacks) {
            fault.fault.stack = stack;
        }
        record.transcripts = self.said;
    }
}

/// Packs the records of a batch.
pub fn pack(head: &ParcelHead, records: &[Record]) -> io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    writeln!(out, "{}", serde_json::to_string(head)?)?;
    for record in records {
        writeln!(out, "{}", record.to_line())?;
        if let Some(extras) = GameExtras::of(record) {
            writeln!(out, "{}", serde_json::to_string(&extras)?)?;
        }
    }
    out.finish()
}

/// Opens a parcel.
pub fn open(bytes: &[u8]) -> io::Result<(ParcelHead, Vec<Record>)> {
    let mut lines = BufReader::new(GzDecoder::new(bytes).take(MOST_OPEN));
    let mut line = Vec::new();
    lines.read_until(b'\n', &mut line)?;
    let head = serde_json::from_slice(&line)?;
    let mut records: Vec<Record> = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            return Ok((head, records));
        }
        if line.starts_with(b"{\"extras\"") {
            let extras: GameExtras = serde_json::from_slice(&line)?;
            let record = records.last_mut().ok_or(io::ErrorKind::InvalidData)?;
            extras.give_to(record);
        } else {
            records.push(serde_json::from_slice(&line)?);
        }
    }
}

/// The parts of a parcel, and the headers that all of them have.
pub fn split(bytes: &[u8]) -> (Headers, Vec<&[u8]>) {
    let parts: Vec<&[u8]> = bytes.chunks(PART).collect();
    (Headers::of(&[(PARTS, &parts.len().to_string()), (SHA256, &sha256(bytes))]), parts)
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A parcel of which some parts have come.
#[derive(Debug, Default)]
pub struct Parts {
    sha256: String,
    parts: Vec<Option<Vec<u8>>>,
}

impl Parts {
    /// Adds a part. Returns the whole parcel when the last part has come.
    pub fn add(&mut self, headers: &Headers, part: usize, bytes: Vec<u8>) -> Result<Option<Vec<u8>>, String> {
        let count = headers.get(PARTS).and_then(|text| text.parse().ok()).unwrap_or(0);
        let hash = headers.get(SHA256).unwrap_or_default();
        if part >= count || count > MOST_PARTS {
            return Err(format!("part {part} of {count}"));
        }
        if self.sha256 != hash || self.parts.len() != count {
            // The batch was played again, and these are other bytes.
            *self = Parts { sha256: hash.to_owned(), parts: vec![None; count] };
        }
        self.parts[part] = Some(bytes);
        if self.parts.iter().any(Option::is_none) {
            return Ok(None);
        }
        let whole = self.parts.iter_mut().filter_map(Option::take).collect::<Vec<_>>().concat();
        if sha256(&whole) == self.sha256 { Ok(Some(whole)) } else { Err("the hash does not fit".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parcel_arrives_in_any_order_of_its_parts() {
        let bytes: Vec<u8> = (0..2 * PART + 9).map(|number| (number % 251) as u8).collect();
        let (headers, parts) = split(&bytes);
        assert_eq!(parts.len(), 3);
        let mut came = Parts::default();
        assert_eq!(came.add(&headers, 2, parts[2].to_vec()), Ok(None));
        assert_eq!(came.add(&headers, 0, parts[0].to_vec()), Ok(None));
        assert_eq!(came.add(&headers, 0, parts[0].to_vec()), Ok(None), "the same part again");
        assert_eq!(came.add(&headers, 1, parts[1].to_vec()), Ok(Some(bytes.clone())));
        let mut damaged = Parts::default();
        let (headers, _) = split(b"abc");
        assert!(damaged.add(&headers, 0, b"abd".to_vec()).is_err());
        assert!(damaged.add(&headers, 1, b"abc".to_vec()).is_err());
        assert!(damaged.add(&Headers::default(), 0, Vec::new()).is_err());
    }

    #[test]
    fn nonsense_is_no_parcel() {
        assert!(open(b"nonsense").is_err());
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        out.write_all(b"{}\n").unwrap();
        assert!(open(&out.finish().unwrap()).is_err());
        let head = ParcelHead { build: "b".to_owned(), ..ParcelHead::default() };
        assert_eq!(open(&pack(&head, &[]).unwrap()).unwrap(), (head, Vec::new()));
    }
}
