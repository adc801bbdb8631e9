//! Everything random in a match, from its one seed.
//!
//! A derived seed is the SHA-256 of a line of text, so that anybody can compute it with any tool:
//!
//! - `ludus 1 deal SEED DEAL` gives the 32 bytes from which deal number DEAL (from 0) is shuffled;
//! - `ludus 1 bot SEED MATCH SEAT` gives the bot's own seed: the first eight bytes as a big-endian number,
//!   without its lowest 11 bits (so that it fits into a JSON number).

use rules::{Seat, Seed};
use sha2::{Digest, Sha256};

pub fn deal_seed(seed: u64, deal: u64) -> Seed {
    Seed(digest(&format!("ludus 1 deal {seed} {deal}")))
}

pub fn bot_seed(seed: u64, match_id: &str, seat: Seat) -> u64 {
    let digest = digest(&format!("ludus 1 bot {seed} {match_id} {seat}"));
    digest[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte)) >> 11
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
    }
}
