//! Randomness of the operating system, for keys and for names that nobody else has.

use ring::rand::{SecureRandom as _, SystemRandom};
use std::io;

pub fn random_bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| io::Error::other("the system has no randomness"))?;
    Ok(bytes)
}

/// Sixteen letters and digits that nobody else has.
pub fn random_word() -> io::Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes: [u8; 16] = random_bytes()?;
    Ok(bytes.iter().map(|byte| LETTERS[usize::from(byte & 31)] as char).collect())
}
