//! What is known about a game that ended abnormally, in a small file of its own. Good games leave none.

use crate::record::Record;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;

/// Writes a file for each game with a fault, and notes its name in the record, unless that was done before.
pub fn write_all(results: &Path, records: &mut [Record]) {
    let unwritten = |record: &&mut Record| !record.faults.is_empty() && record.failure.is_none();
    for record in records.iter_mut().filter(unwritten) {
        let name = format!("failures/{}.json", record.match_id);
        match write(&results.join(&name), record) {
            Ok(()) => record.failure = Some(name),
            Err(error) => tracing::warn!(%error, name, "no failure file"),
        }
    }
}

fn write(path: &Path, record: &Record) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, format!("{:#}\n", report(record)))
}

fn report(record: &Record) -> Value {
    let failures: Vec<Value> = record
        .faults
        .iter()
        .map(|fault| {
            let evidence = record.evidence.iter().find(|evidence| evidence.seat == fault.seat);
            json!({
                "bot": record.bots.get(fault.seat as usize), "fault": fault, "evidence": evidence,
            })
        })
        .collect();
    json!({
        "match": record.match_id, "game": record.game, "params": record.params, "seed": record.seed,
        "block": record.block, "round": record.round, "bots": record.bots, "failures": failures,
    })
}
