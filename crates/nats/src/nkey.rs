//! Keys of NATS: Ed25519, written in base 32 with a letter that says what the key is for.

use crate::random::random_bytes;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use std::fmt;
use std::io;
use std::str::FromStr;

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NkeyKind {
    /// Of whoever connects. The public key begins with `U`.
    User,
    /// Of a group of users. The public key begins with `A`.
    Account,
}

impl NkeyKind {
    fn prefix(self) -> u8 {
        match self {
            NkeyKind::User => 20 << 3,
            NkeyKind::Account => 0,
        }
    }
}

/// A secret key.
pub struct Nkey {
    kind: NkeyKind,
    seed: [u8; 32],
    pair: Ed25519KeyPair,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an nkey seed; expected 58 letters and digits that begin with SU, as `nk -gen user` prints them")]
pub struct NkeyError;

/// The mark of a secret key.
const SEED: u8 = 18 << 3;

impl Nkey {
    pub fn generate(kind: NkeyKind) -> io::Result<Nkey> {
        Nkey::of(kind, random_bytes()?).map_err(io::Error::other)
    }

    fn of(kind: NkeyKind, seed: [u8; 32]) -> Result<Nkey, NkeyError> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| NkeyError)?;
        Ok(Nkey { kind, seed, pair })
    }

    /// The secret, as a key file has it.
    pub fn seed(&self) -> String {
        let prefix = self.kind.prefix();
        let mut raw = vec![SEED | (prefix >> 5), (prefix & 31) << 3];
        raw.extend_from_slice(&self.seed);
        encode(raw)
    }

    /// The public key, as the config of a server has it.
    pub fn public(&self) -> String {
        let mut raw = vec![self.kind.prefix()];
        raw.extend_from_slice(self.pair.public_key().as_ref());
        encode(raw)
    }

    /// Signs what a server has sent. The signature is written in base 64, as servers expect.
    pub fn sign(&self, nonce: &[u8]) -> String {
        base64_url(self.pair.sign(nonce).as_ref())
    }
}

impl FromStr for Nkey {
    type Err = NkeyError;

    fn from_str(text: &str) -> Result<Nkey, NkeyError> {
        let raw = decode(text.trim()).ok_or(NkeyError)?;
        let [first, second, seed @ ..] = raw.as_slice() else { return Err(NkeyError) };
        let prefix = (first & 0b111) << 5 | second >> 3;
        let kind = [NkeyKind::User, NkeyKind::Account].into_iter().find(|kind| kind.prefix() == prefix);
        if first & 0b1111_1000 != SEED {
            return Err(NkeyError);
        }
        let key = Nkey::of(kind.ok_or(NkeyError)?, seed.try_into().map_err(|_| NkeyError)?)?;
        // A letter too many would change nothing else.
        if key.seed() == text.trim() { Ok(key) } else { Err(NkeyError) }
    }
}

impl fmt::Debug for Nkey {
    /// The secret stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nkey({})", self.public())
    }
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Base 32 without padding, with a checksum at the end.
fn encode(mut raw: Vec<u8>) -> String {
    raw.extend_from_slice(&crc16(&raw).to_le_bytes());
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    for byte in raw {
        bits = bits << 8 | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(BASE32[(bits >> count & 31) as usize] as char);
        }
    }
    if count > 0 {
        text.push(BASE32[(bits << (5 - count) & 31) as usize] as char);
    }
    text
}

/// Reads base 32, checks the checksum, and removes it.
fn decode(text: &str) -> Option<Vec<u8>> {
    let (mut raw, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let value = BASE32.iter().position(|&known| known == letter)?;
        bits = bits << 5 | value as u32;
        count += 5;
        if count >= 8 {
            count -= 8;
            raw.push((bits >> count) as u8);
        }
    }
    let body = raw.len().checked_sub(2)?;
    let sum = u16::from_le_bytes([raw[body], raw[body + 1]]);
    raw.truncate(body);
    (crc16(&raw) == sum).then_some(raw)
}

/// The checksum of XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, &byte| {
        (0..8).fold(
            sum ^ u16::from(byte) << 8,
            |sum, _| {
                if sum & 0x8000 != 0 { sum << 1 ^ 0x1021 } else { sum << 1 }
            },
        )
    })
}

/// Base 64 for addresses, without padding.
fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        (0..=three.len()).for_each(|at| text.push(LETTERS[(bits >> (18 - 6 * at) & 63) as usize] as char));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_published_tool() {
        // The pair of keys in the documentation of NATS about nkeys.
        let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
        let key: Nkey = seed.parse().unwrap();
        assert_eq!(key.public(), "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4");
        assert_eq!(key.seed(), seed);
        assert!(!format!("{key:?}").contains("SUACS"));
    }

    #[test]
    fn keys_come_back_as_they_were_written() {
        for (kind, letter) in [(NkeyKind::User, 'U'), (NkeyKind::Account, 'A')] {
            let key = Nkey::generate(kind).unwrap();
            let again: Nkey = key.seed().parse().unwrap();
            assert_eq!((again.public(), again.sign(b"x")), (key.public(), key.sign(b"x")));
            assert!(key.public().starts_with(letter) && key.seed().starts_with(&format!("S{letter}")));
        }
        let seed = Nkey::generate(NkeyKind::User).unwrap().seed();
        for wrong in [&seed[1..], "", "SU", &seed.replace('S', "T"), &format!("{seed}A")] {
            assert!(wrong.parse::<Nkey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn base_64_is_the_usual_one() {
        for (bytes, text) in
            [(&b"f"[..], "Zg"), (b"fo", "Zm8"), (b"foo", "Zm9v"), (b"foob", "Zm9vYg"), (&[251, 255], "-_8")]
        {
            assert_eq!(base64_url(bytes), text);
        }
    }
}
