//! The files of bots on their way through an engine: in parts, named by their hash, and kept by
//! workers for the next time.

use crate::parcel::sha256;
use crate::subjects::{self, BUNDLES, PART};
use nats::{ApiError, JetStream, JetStreamError};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most bytes that a worker keeps.
const MOST_KEPT: u64 = 2 << 30;
/// The most parts of a bundle, somewhat more than a submission may have.
const MOST_PARTS: usize = 512;

#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error(transparent)]
    Engine(#[from] JetStreamError),
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("the files of a bot (bundle {0}) are not in the engine; the coordinator brings them again")]
    Missing(String),
    #[error("the files of a bot (bundle {0}) have arrived with another content")]
    Damaged(String),
}

/// The number of parts of so many bytes.
pub fn part_count(bytes: usize) -> usize {
    bytes.div_ceil(PART)
}

/// Stores a bundle, unless all of it is there already.
pub fn upload(engine: &JetStream, hash: &str, bytes: &[u8]) -> Result<(), JetStreamError> {
    let parts: Vec<&[u8]> = bytes.chunks(PART).collect();
    let messages = parts.iter().enumerate().map(|(part, bytes)| (subjects::bundle(hash, part), *bytes));
    for stored in engine.store_all(messages) {
        match stored {
            Err(error) if !error.is(ApiError::TAKEN) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The bundles that a worker has.
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub fn open(folder: &Path) -> io::Result<Shelf> {
        fs::create_dir_all(folder)?;
        Ok(Shelf { folder: folder.to_owned() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a bundle. Fetched if it is not here, and checked in any case.
    pub fn fetch(&self, engine: &JetStream, hash: &str, parts: usize) -> Result<PathBuf, BundleError> {
        let path = self.folder.join(format!("{hash}.tar.gz"));
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash || parts > MOST_PARTS {
            return Err(BundleError::Damaged(hash.chars().take(64).collect()));
        }
        if fs::read(&path).is_ok_and(|bytes| sha256(&bytes) == hash) {
            let now = SystemTime::now();
            let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(now));
            return Ok(path);
        }
        let mut bytes = Vec::new();
        for part in 0..parts {
            let found = engine.last(BUNDLES, &subjects::bundle(hash, part))?;
            bytes.extend(found.ok_or_else(|| BundleError::Missing(hash.to_owned()))?.payload);
        }
        if sha256(&bytes) != hash {
            return Err(BundleError::Damaged(hash.to_owned()));
        }
        let io = |error| BundleError::Io(path.clone(), error);
        self.make_room(bytes.len() as u64).map_err(io)?;
        // Several workers may share this folder, so the file gets its name when it is whole.
        let half = self.folder.join(format!("{hash}.{}.new", std::process::id()));
        fs::write(&half, &bytes).map_err(io)?;
        fs::rename(&half, &path).map_err(io)?;
        Ok(path)
    }

    /// Removes what was not used for the longest time.
    fn make_room(&self, wanted: u64) -> io::Result<()> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let (path, about) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
            if path.extension().is_some_and(|ending| ending == "gz") {
                kept.push((about.modified()?, about.len(), path));
            }
        }
        kept.sort();
        let mut total: u64 = kept.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in kept {
            if total + wanted <= MOST_KEPT {
                break;
            }
            fs::remove_file(path)?;
            total -= size;
        }
        Ok(())
    }
}
