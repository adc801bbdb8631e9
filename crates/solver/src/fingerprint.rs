//! 128 bits that stand for a position.
//!
//! A table keeps 64 of the bits and uses 10 more to choose one of its parts. Two different
//! positions with the same bits would be treated as one position. Among `n` positions, the chance
//! of such a pair is about `n * n / 2^75`: less than one in a million for 100 million positions.
//! The bits are the same on every machine, so a saved table can be used elsewhere.

use std::hash::{Hash, Hasher};

/// `place` says where a position is kept. `check` tells the positions at one place apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub(crate) place: u64,
    /// Never 0, because 0 marks a free slot.
    pub(crate) check: u64,
}

impl Fingerprint {
    #[inline]
    pub(crate) fn of(position: &impl Hash) -> Fingerprint {
        let mut mixer = Mixer { place: 0x243f_6a88_85a3_08d3, check: 0x1319_8a2e_0370_7344 };
        position.hash(&mut mixer);
        Fingerprint { place: scramble(mixer.place), check: scramble(mixer.check).max(1) }
    }
}

/// Two numbers. Every word of a position is mixed into both.
struct Mixer {
    place: u64,
    check: u64,
}

/// The exclusive or of both halves of a product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The last step of `SplitMix64`, a bijection.
#[inline]
fn scramble(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Mixer {
    #[inline]
    fn word(&mut self, word: u64) {
        self.place = fold(self.place ^ word, 0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_add(word);
        self.check = fold(self.check ^ word, 0xa076_1d64_78bd_642f).rotate_left(41).wrapping_sub(word);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.word(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.word(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.word(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.word(number as u64);
        self.word((number >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.word(number as u64);
    }

    fn finish(&self) -> u64 {
        self.place
    }
}
