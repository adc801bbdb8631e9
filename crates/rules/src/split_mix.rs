//! Quick dice.

/// `SplitMix64`: good enough to play random games, and several times as fast as the generator that
/// deals cards.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`, a hair from uniform, which random games do not mind.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        (((self.number() >> 32) * count as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    #[test]
    fn the_published_numbers_come_out() {
        let mut dice = SplitMix::new(1_234_567);
        assert_eq!(dice.number(), 6_457_827_717_110_365_317);
        assert_eq!(dice.number(), 3_203_168_211_198_807_973);
    }
}
