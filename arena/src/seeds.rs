//! Everything random in a match, from its one seed.
//!
//! A derived seed is the SHA-256 of a line of text, so that anybody can compute it with any tool:
//!
//! - `ludus 1 deal SEED DEAL` gives the 32 bytes from which deal number DEAL (from 0) is shuffled;
//! - `ludus 1 bot SEED MATCH SEAT` gives the bot's own seed: the first eight bytes as a big-endian number,
//!   without its lowest 11 bits (so that it fits into a JSON number);
//! - `ludus 1 opening SEED GAME DEAL TRY` gives, by its first eight bytes, the random moves of an opening: GAME is the
//!   number of the game in a tournament and TRY counts the openings thrown away because they ended the game (all
//!   from 0);
//! - `ludus 1 seed SEED` gives the commitment that is published before a tournament begins.

use rules::{Seat, Seed};
use sha2::{Digest, Sha256};

pub fn deal_seed(seed: u64, deal: u64) -> Seed {
    Seed(digest(&format!("ludus 1 deal {seed} {deal}")))
}

pub fn bot_seed(seed: u64, match_id: &str, seat: Seat) -> u64 {
    first_number(&format!("ludus 1 bot {seed} {match_id} {seat}")) >> 11
}

/// What the moves of an opening are drawn from.
pub fn opening_seed(seed: u64, game: usize, deal: u64, attempt: u32) -> u64 {
    first_number(&format!("ludus 1 opening {seed} {game} {deal} {attempt}"))
}

/// Published first, so that the seed that is shown later can be checked.
pub fn commitment(seed: u64) -> String {
    Seed(digest(&format!("ludus 1 seed {seed}"))).to_string()
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
}
