//! Finding a set bit by its rank, for choosing one of many moves without listing them.

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
const TOP_BITS: u64 = EACH_BYTE << 7;

/// The place of the set bit of a byte that has `rank` set bits below it, at `[rank][byte]`.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut places = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[rank][byte] = place;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

/// A word whose set bits are counted, byte by byte.
///
/// All bytes at once, without a loop over the bits: when ranks are drawn at random, the processor
/// would spend its time on guessing wrong where the loop ends.
#[derive(Clone, Copy)]
pub(crate) struct RankedBits {
    word: u64,
    /// In each byte, the number of set bits up to its end.
    up_to: u64,
}

impl RankedBits {
    #[inline]
    pub(crate) fn of(word: u64) -> RankedBits {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        RankedBits { word, up_to: bytes.wrapping_mul(EACH_BYTE) }
    }

    #[inline]
    pub(crate) fn count(self) -> usize {
        (self.up_to >> 56) as usize
    }

    /// The place of the bit that has exactly `rank` set bits below it.
    #[inline]
    pub(crate) fn nth(self, rank: usize) -> u32 {
        let too_few = ((rank as u64).wrapping_mul(EACH_BYTE) | TOP_BITS).wrapping_sub(self.up_to) & TOP_BITS;
        let first = (too_few >> 7).wrapping_mul(EACH_BYTE) >> 56 << 3;
        let before = (self.up_to << 8) >> first & 0xff;
        let byte = self.word >> first & 0xff;
        first as u32 + u32::from(IN_BYTE[(rank - before as usize) & 7][byte as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::RankedBits;

    #[test]
    fn every_bit_is_found_by_its_rank() {
        for word in [1, 1 << 63, 0b1011_0000_0001, 0xff00_0000_0000_00ff, 0x8421_1248_8421_1248, u64::MAX] {
            let places = (0..64).filter(|place| word >> place & 1 == 1);
            let ranked = RankedBits::of(word);
            assert_eq!(ranked.count(), places.clone().count(), "{word:x}");
            for (rank, place) in places.enumerate() {
                assert_eq!(ranked.nth(rank), place, "{word:x}, bit number {rank}");
            }
        }
    }
}
