//! Failure files: one small file for each game with a fault, with all that is known about the
//! fault. Beside it lies the input of the bot, so that its author can repeat the turn by hand.

use super::journal::readable_games;
use super::series::Series;
use referee::record::Record;
use referee::transcript;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file for each game with a fault, unless the record already names a file. Notes the name
/// in the record.
pub fn write_all(results: &Path, records: &mut [Record], series: &Series) {
    let unwritten = |record: &&mut Record| !record.faults.is_empty() && record.failure.is_none();
    for record in records.iter_mut().filter(unwritten) {
        let (id, name) = (record.match_id.clone(), name_of(&record.match_id));
        let folder = results.join(FOLDER);
        if let Err(error) = transcript::write_inputs(&folder, &id, record, |bot| series.bot_named(bot)) {
            tracing::warn!(%error, "no file with the input");
        }
        match write(&results.join(&name), record) {
            Ok(()) => record.failure = Some(name),
            Err(error) => tracing::warn!(%error, name, "no failure file"),
        }
    }
}

/// Removes the failure files of an earlier run: all files, or only the files of the games in these
/// journals.
pub fn remove_all(results: &Path, only: Option<[&Path; 2]>) -> io::Result<()> {
    let folder = results.join(FOLDER);
    let files: Vec<PathBuf> = match only {
        Some(journals) => {
            journals.iter().flat_map(|journal| names_in(journal)).map(|name| results.join(name)).collect()
        }
        None => {
            let files = fs::read_dir(&folder).into_iter().flatten().flatten().map(|file| file.path());
            files.filter(|file| is_of_arena(file)).collect()
        }
    };
    for file in files {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let _ = fs::remove_dir(folder); // the folder may be missing, or have other files
    Ok(())
}

/// The failure files that the games of a journal name.
fn names_in(journal: &Path) -> Vec<String> {
    let own = |record: &Record| record.failure.as_ref() == Some(&name_of(&record.match_id));
    let inputs = |record: &Record| {
        let name = |seat| format!("{FOLDER}/{}", transcript::input_name(&record.match_id, record, seat));
        record.faults.iter().map(|fault| name(fault.seat)).collect::<Vec<String>>()
    };
    let names = |record: Record| [vec![name_of(&record.match_id)], inputs(&record)].concat();
    readable_games(journal).filter(own).flat_map(names).collect()
}

fn is_of_arena(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "json" || extension == "input")
}

/// The folder of failure files, beside the journal.
const FOLDER: &str = "failures";

fn name_of(match_id: &str) -> String {
    format!("{FOLDER}/{match_id}.json")
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
                "bot": record.bots.get(fault.seat as usize), "fault": fault, "repeat": fault.fault.repeat, "evidence": evidence,
            })
        })
        .collect();
    json!({
        "match": record.match_id, "game": record.game, "params": record.params, "seed": record.seed,
        "block": record.block, "round": record.round, "bots": record.bots, "failures": failures,
    })
}
