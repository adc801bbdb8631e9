//! What the theory of impartial games says, for evaluations.

/// Bouton's rule for Nim: does the player to move win with heaps of these sizes?
pub(super) fn mover_wins_nim(sizes: impl Iterator<Item = u32>, misere: bool) -> bool {
    let (nim_sum, largest) = sizes.fold((0, 0), |(sum, largest), size| (sum ^ size, size.max(largest)));
    (nim_sum != 0) != (misere && largest <= 1)
}

/// A position that is won for the player to move is worth 1 to them.
pub(super) fn worth(mover_wins: bool) -> i32 {
    if mover_wins { 1 } else { -1 }
}

/// The least number whose bit is not set: the nim value of a position whose moves lead to the
/// values set.
pub(super) const fn mex(values: u128) -> u8 {
    (!values).trailing_zeros() as u8
}

/// The nim values of rows of 0 to `N - 1` things in an octal game.
///
/// Digit `k - 1` of the code says what may be left of a row when `k` neighbours are taken from it:
/// 1 for nothing, 2 for one row, 4 for two rows, added up. Kayles is 77, Dawson's chess 137.
pub(super) const fn octal_nim_values<const N: usize>(code: &[u8]) -> [u8; N] {
    let mut values = [0; N];
    let mut length = 1;
    while length < N {
        let mut reached = 0_u128;
        let mut taken = 1;
        while taken <= code.len() && taken <= length {
            let (digit, rest) = (code[taken - 1], length - taken);
            let mut left = 0;
            while left <= rest / 2 {
                let rows = if rest == 0 {
                    0
                } else if left == 0 {
                    1
                } else {
                    2
                };
                if digit >> rows & 1 == 1 {
                    reached |= 1 << (values[left] ^ values[rest - left]);
                }
                left += 1;
            }
            taken += 1;
        }
        values[length] = mex(reached);
        length += 1;
    }
    values
}

/// The lengths of the unbroken runs of set bits.
pub(super) fn runs(mut bits: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            bits >>= bits.trailing_zeros();
            let length = bits.trailing_ones();
            bits = bits.checked_shr(length).unwrap_or(0);
            length as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A002186 and A002187.
    #[test]
    fn published_nim_values() {
        let kayles: [u8; 25] = octal_nim_values(&[7, 7]);
        assert_eq!(kayles, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4]);
        let dawson: [u8; 34] = octal_nim_values(&[1, 3, 7]);
        let published = [
            0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2,
            7, 4,
        ];
        assert_eq!(dawson, published);
    }

    #[test]
    fn nim_values_repeat_after_some_exceptions() {
        let kayles: [u8; 400] = octal_nim_values(&[7, 7]);
        assert_eq!((0..388).rposition(|n| kayles[n] != kayles[n + 12]), Some(70));
        assert!((1..400).all(|n| kayles[n] != 0), "only the empty row is lost");
        let dawson: [u8; 400] = octal_nim_values(&[1, 3, 7]);
        let exceptions: Vec<usize> = (0..400).filter(|&n| dawson[n] != dawson[340 + n % 34]).collect();
        assert_eq!(exceptions, [0, 14, 16, 17, 31, 34, 51]);
    }

    #[test]
    fn runs_of_bits() {
        for (bits, lengths) in
            [(0, vec![]), (0b1011, vec![2, 1]), (u128::MAX, vec![128]), (0b11_0000, vec![2])]
        {
            assert_eq!(runs(bits).collect::<Vec<_>>(), lengths, "{bits:b}");
        }
    }
}
