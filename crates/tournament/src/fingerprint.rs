//! SHA-256 of a bot's files. A bot must not change in the middle of a tournament.

use super::series::Entrant;
use referee::spec::{BotKind, BotSpec};
use referee::submission;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// The fingerprint of what the config names: the files of a command, the files of a folder that
/// `arena pack` would pack, or an archive. A built-in bot has none.
pub fn fingerprint(spec: &BotSpec) -> Option<String> {
    match &spec.kind {
        BotKind::Submission(_) if Path::new(&spec.text).is_file() => {
            of_files([Path::new(&spec.text)].into_iter())
        }
        _ => of_running(spec),
    }
}

/// The fingerprint of what is started. An archive is started from the folder where it was unpacked.
fn of_running(spec: &BotSpec) -> Option<String> {
    match &spec.kind {
        BotKind::Builtin(..) => None,
        BotKind::Submission(submission) => Some(submission::fingerprint(&submission.folder)),
        BotKind::Command(words) => of_files(words.iter().map(Path::new)),
    }
}

fn of_files<'a>(words: impl Iterator<Item = &'a Path>) -> Option<String> {
    let mut hash = Sha256::new();
    let mut any = false;
    for file in words.filter(|word| word.is_file()) {
        hash.update(fs::read(file).unwrap_or_default());
        any = true;
    }
    any.then(|| rules::Seed(hash.finalize().into()).to_string())
}

/// The fingerprints of all bots at one moment.
pub struct Snapshot(Vec<Option<String>>);

impl Snapshot {
    pub fn of(bots: &[Entrant]) -> Snapshot {
        Snapshot(bots.iter().map(|bot| of_running(&bot.spec)).collect())
    }

    /// The names of the bots whose files have changed since the snapshot.
    pub fn changed(&self, bots: &[Entrant]) -> Vec<String> {
        let now = Snapshot::of(bots);
        let differs = |(_, (before, now)): &(&Entrant, (&Option<String>, &Option<String>))| before != now;
        let pairs = bots.iter().zip(self.0.iter().zip(&now.0));
        pairs.filter(differs).map(|(bot, _)| bot.name.clone()).collect()
    }
}
