//! The seed of a tournament. The config gives the seed, or the seed is drawn once and kept in a
//! file beside the journal.

use super::config::Tournament;
use super::journal;
use super::run::RunError;
use super::schedule::Shard;
use referee::seeds::{RootSeed, SeedChoice};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Refuses shards that would draw seeds of their own.
pub fn check_seed(tournament: &Tournament, shard: Shard) -> Result<(), RunError> {
    let own_seed = matches!(tournament.seed, SeedChoice::Random) && shard != Shard::WHOLE;
    if own_seed { Err(RunError::Refused(no_common_seed())) } else { Ok(()) }
}

/// The seed of the config, or the random seed of this tournament.
pub fn seed_of(tournament: &Tournament, journal: &Path) -> Result<RootSeed, RunError> {
    let path = tournament.results.join("seed");
    match tournament.seed {
        SeedChoice::Given(seed) => Ok(seed),
        SeedChoice::Random if !path.exists() && journal::has_begun(journal) => {
            Err(RunError::Refused(format!(
                "{0} is missing\nthis file has the random seed of the tournament, and no other seed fits {1}\nput the \
                 file back, or begin again with --fresh, which keeps the old journal under another name",
                path.display(),
                journal.display()
            )))
        }
        SeedChoice::Random => kept_seed(&path).map_err(|error| RunError::Io(path, error)),
    }
}

fn no_common_seed() -> String {
    let drawn = RootSeed::draw().map_or(String::new(), |seed| format!(", for example `seed = \"{seed}\"`"));
    format!("all shards need the same seed: write the seed into the config{drawn}")
}

fn kept_seed(path: &Path) -> io::Result<RootSeed> {
    if let Ok(text) = fs::read_to_string(path)
        && let Ok(seed) = text.trim().parse()
    {
        return Ok(seed);
    }
    let seed = RootSeed::draw()?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    writeln!(file, "{seed}")?;
    file.sync_all()?;
    Ok(seed)
}
