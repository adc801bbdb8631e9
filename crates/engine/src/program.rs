//! Which program this is. Only workers with the coordinator's own program play its games, because
//! another program may have other rules or other built-in bots.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read as _};
use std::path::Path;

/// The version of this program, and a fingerprint of its file.
pub fn build(program: &Path) -> io::Result<String> {
    let mut file = File::open(program)?;
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            size => hasher.write(&buffer[..size]),
        }
    }
    Ok(format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish()))
}
