//! A table in a file: one line of JSON that describes the table, the number of positions in 8
//! bytes, then 18 bytes for each position.

use crate::answer::Refusal;
use crate::table::SolverTable;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The description of a table. A table can be used only where all fields are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The version of this format.
    pub(crate) ludus_table: u32,
    pub(crate) game: String,
    /// The version of the game's rules.
    pub(crate) rules: u32,
    pub(crate) params: Json,
    pub(crate) symmetry: bool,
    /// The scale of the scores, see [`crate::score`].
    pub(crate) per_point: i32,
    /// The fingerprint of the start. It changes when positions are stored in another way.
    pub(crate) start: u64,
}

pub(crate) const FORMAT: u32 = 1;

fn problem(path: &Path, error: impl std::fmt::Display) -> Refusal {
    Refusal::Saved(format!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, header: &Header, table: &SolverTable) -> Result<(), Refusal> {
    let save = || -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut line = serde_json::to_vec(header)?;
        line.push(b'\n');
        file.write_all(&line)?;
        file.write_all(&table.states().to_le_bytes())?;
        let mut written = Ok(());
        table.each(|part, [check, bounds]| {
            let mut bytes = [0; 18];
            bytes[..2].copy_from_slice(&part.to_le_bytes());
            bytes[2..10].copy_from_slice(&check.to_le_bytes());
            bytes[10..].copy_from_slice(&bounds.to_le_bytes());
            if written.is_ok() {
                written = file.write_all(&bytes);
            }
        });
        written.and_then(|()| file.flush())
    };
    save().map_err(|error| problem(path, error))
}

pub(crate) fn read(path: &Path, expected: &Header, bytes: u64) -> Result<SolverTable, Refusal> {
    let mut file = BufReader::new(File::open(path).map_err(|error| problem(path, error))?);
    let mut line = Vec::new();
    let read_line =
        |reader: &mut BufReader<File>, line: &mut Vec<u8>| reader.take(1 << 20).read_until(b'\n', line);
    read_line(&mut file, &mut line).map_err(|error| problem(path, error))?;
    let header: Header =
        serde_json::from_slice(&line).map_err(|_| problem(path, "not a table that `--save` has written"))?;
    if let Some(difference) = difference(&header, expected) {
        return Err(problem(path, difference));
    }
    let cut_off = |_| problem(path, "the file is cut off");
    let mut count = [0; 8];
    file.read_exact(&mut count).map_err(cut_off)?;
    let table = SolverTable::new(bytes);
    let mut entry = [0; 18];
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    for _ in 0..u64::from_le_bytes(count) {
        file.read_exact(&mut entry).map_err(cut_off)?;
        let part = u16::from_le_bytes([entry[0], entry[1]]);
        if part >= 1 << 10 || entry[2..10] == [0; 8] {
            return Err(problem(path, "the file is damaged"));
        }
        let slot = [number(&entry[2..10]), number(&entry[10..])];
        table.restore(part, slot).map_err(|_| problem(path, "the table needs more memory; see --memory"))?;
    }
    Ok(table)
}

/// Names the first field that is not as expected.
fn difference(found: &Header, expected: &Header) -> Option<String> {
    let differs = |what: &str, found: &dyn std::fmt::Display, expected: &dyn std::fmt::Display| {
        Some(format!("a table for {what} {found}, not {expected}"))
    };
    if found.ludus_table != expected.ludus_table {
        differs("version", &found.ludus_table, &expected.ludus_table)
    } else if found.game != expected.game {
        differs("the game", &found.game, &expected.game)
    } else if found.params != expected.params {
        differs("the parameters", &found.params, &expected.params)
    } else if found.rules != expected.rules {
        differs("version", &found.rules, &expected.rules).map(|text| text + " of the rules")
    } else if found != expected {
        Some("a table that stores positions in another way; solve again".to_owned())
    } else {
        None
    }
}
