//! Everything random in a match, from its one root seed.
//!
//! A derived seed is the SHA-256 of a line of text, so that anybody can compute it with any tool.
//! SEED stands for the root seed as it is shown: a number in decimal digits, or 256 bits in 64
//! hexadecimal digits.
//!
//! - `ludus 1 deal SEED DEAL` gives the 32 bytes from which deal number DEAL (from 0) is shuffled;
//! - `ludus 1 bot SEED MATCH SEAT` gives the bot's own seed: the first eight bytes as a big-endian number,
//!   without its lowest 11 bits (so that it fits into a JSON number);
//! - `ludus 1 opening SEED GAME DEAL TRY` gives, by its first eight bytes, the random moves of an opening: GAME is the
//!   number of the game in a tournament and TRY counts the openings thrown away because they ended the game (all
//!   from 0);
//! - `ludus 1 seed SEED` gives the commitment that is published before a tournament begins.

use rules::{Kind, Seat, Seed};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

/// What all deals, openings and bots' own seeds of a match or a tournament are derived from.
///
/// A bot learns its own seed, its cards and the name of the match. With these the bot can try one
/// number after another until all of them fit, and then knows every card. Only a secret of 256 bits
/// is out of its reach.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RootSeed {
    /// Typed by somebody: good for repeating a match, and open to guessing.
    Number(u64),
    /// Drawn at random.
    Secret(Seed),
}

impl RootSeed {
    pub fn draw() -> io::Result<RootSeed> {
        let mut bytes = [0; 32];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(RootSeed::Secret(Seed(bytes)))
    }

    /// A warning, if bots could find out this seed and gain by that in games of this kind.
    pub fn warning(self, kind: Kind) -> Option<String> {
        let RootSeed::Number(number) = self else { return None };
        let text = format!(
            "note: a bot can guess the seed {number}, and then knows every card. Nobody can guess `random`, or 64 hexadecimal digits."
        );
        (kind == Kind::Hidden).then_some(text)
    }
}

/// The seed that somebody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedChoice {
    Given(RootSeed),
    /// To be drawn at random.
    Random,
}

impl SeedChoice {
    /// Where nothing was asked for: a secret if there are cards to hide, else 1, so that the same
    /// command plays the same games.
    pub fn usual(kinds: impl IntoIterator<Item = Kind>) -> SeedChoice {
        let hides = kinds.into_iter().any(|kind| kind == Kind::Hidden);
        if hides { SeedChoice::Random } else { SeedChoice::Given(RootSeed::Number(1)) }
    }

    /// Draws a seed unless a seed was given.
    pub fn settle(self) -> io::Result<RootSeed> {
        match self {
            SeedChoice::Given(seed) => Ok(seed),
            SeedChoice::Random => RootSeed::draw(),
        }
    }
}

impl FromStr for SeedChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedChoice, String> {
        match text {
            "random" => Ok(SeedChoice::Random),
            seed => seed.parse().map(SeedChoice::Given),
        }
    }
}

impl FromStr for RootSeed {
    type Err = String;

    fn from_str(text: &str) -> Result<RootSeed, String> {
        let number = || text.parse().ok().map(RootSeed::Number);
        let secret = || text.parse().ok().filter(|_| text.len() == 64).map(RootSeed::Secret);
        number().or_else(secret).ok_or_else(|| {
            format!("expected `random`, a whole number below 2^64 or 64 hexadecimal digits, not `{text}`")
        })
    }
}

impl fmt::Display for RootSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RootSeed::Number(number) => number.fmt(f),
            RootSeed::Secret(secret) => secret.fmt(f),
        }
    }
}

impl fmt::Debug for RootSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RootSeed({self})")
    }
}

impl From<u64> for RootSeed {
    fn from(number: u64) -> RootSeed {
        RootSeed::Number(number)
    }
}

/// A number, or a text of 64 digits.
impl Serialize for RootSeed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RootSeed::Number(number) => serializer.serialize_u64(*number),
            RootSeed::Secret(secret) => serializer.collect_str(secret),
        }
    }
}

impl<'de> Deserialize<'de> for RootSeed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RootSeed, D::Error> {
        match SeedChoice::deserialize(deserializer)? {
            SeedChoice::Given(seed) => Ok(seed),
            SeedChoice::Random => Err(D::Error::custom("a seed that was drawn is written as 64 digits")),
        }
    }
}

impl<'de> Deserialize<'de> for SeedChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeedChoice, D::Error> {
        deserializer.deserialize_any(SeedVisitor)
    }
}

struct SeedVisitor;

impl Visitor<'_> for SeedVisitor {
    type Value = SeedChoice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 64 hexadecimal digits or \"random\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SeedChoice, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_u64<E>(self, number: u64) -> Result<SeedChoice, E> {
        Ok(SeedChoice::Given(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<SeedChoice, E> {
        let number =
            u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))?;
        self.visit_u64(number)
    }
}

pub fn deal_seed(seed: impl Into<RootSeed>, deal: u64) -> Seed {
    Seed(digest(&format!("ludus 1 deal {} {deal}", seed.into())))
}

pub fn bot_seed(seed: impl Into<RootSeed>, match_id: &str, seat: Seat) -> u64 {
    first_number(&format!("ludus 1 bot {} {match_id} {seat}", seed.into())) >> 11
}

/// What the moves of an opening are drawn from.
pub fn opening_seed(seed: impl Into<RootSeed>, game: usize, deal: u64, attempt: u32) -> u64 {
    first_number(&format!("ludus 1 opening {} {game} {deal} {attempt}", seed.into()))
}

/// Published first, so that the seed that is shown later can be checked.
pub fn commitment(seed: impl Into<RootSeed>) -> String {
    Seed(digest(&format!("ludus 1 seed {}", seed.into()))).to_string()
}

fn first_number(line: &str) -> u64 {
    digest(line)[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn digest(line: &str) -> [u8; 32] {
    Sha256::digest(line).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_what_sha256sum_says() {
        // printf 'ludus 1 deal 7 0' | sha256sum
        let expected = "d0055f9fcad32afed307a97eb12fc2341e5778a6978ac0cd137bbed45ac1dc08";
        assert_eq!(deal_seed(7, 0).to_string(), expected);
        // printf 'ludus 1 bot 7 g1 0' | sha256sum
        assert_eq!(bot_seed(7, "g1", Seat(0)), 0xba4e_e74f_1e84_cec5 >> 11);
        assert_ne!(deal_seed(7, 0), deal_seed(7, 1));
        assert_ne!(bot_seed(7, "g1", Seat(0)), bot_seed(7, "g1", Seat(1)));
        assert!(bot_seed(7, "g1", Seat(0)) < 1 << 53);
        // printf 'ludus 1 seed 7' | sha256sum
        assert_eq!(commitment(7), "adbe4ee0a7e6e4a9322fb5a417a15937eafad34b72037ce79bf9deabb2432340");
        // printf 'ludus 1 opening 7 0 3 0' | sha256sum
        assert_eq!(opening_seed(7, 0, 3, 0), 0x1ddb_879a_92fa_9954);
    }

    #[test]
    fn seeds_are_read_as_they_are_shown() {
        let secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        for text in ["0", "7", "18446744073709551615", secret] {
            let seed: RootSeed = text.parse().unwrap();
            assert_eq!(seed.to_string(), text);
            let json = serde_json::to_string(&seed).unwrap();
            assert_eq!(serde_json::from_str::<RootSeed>(&json).unwrap(), seed, "{json}");
        }
        for text in ["", "-1", "18446744073709551616", "1.5", &secret[1..], "random"] {
            assert!(text.parse::<RootSeed>().is_err(), "{text}");
        }
        // printf 'ludus 1 deal 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff 0' | sha256sum
        let expected = "f5305971c4b8cada0cfddc680405576f7e24bd3b2ee5bcb157491aaceeada3e3";
        assert_eq!(deal_seed(secret.parse::<RootSeed>().unwrap(), 0).to_string(), expected);
        assert_ne!(RootSeed::draw().unwrap(), RootSeed::draw().unwrap());
    }

    #[test]
    fn cards_are_dealt_from_a_secret_unless_somebody_says_otherwise() {
        assert_eq!(SeedChoice::usual([Kind::Duel]), SeedChoice::Given(1.into()));
        assert_eq!(SeedChoice::usual([Kind::Duel, Kind::Hidden]), SeedChoice::Random);
        assert_eq!(RootSeed::Number(1).warning(Kind::Duel), None);
        assert!(RootSeed::Number(1).warning(Kind::Hidden).is_some());
        assert_eq!(RootSeed::draw().unwrap().warning(Kind::Hidden), None);
    }
}
