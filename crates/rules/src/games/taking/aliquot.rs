//! The proper divisor game, for two.
//!
//! Some heaps of stones, by default 10, 12 and 15.
//!
//! - A move takes stones from one heap: a number that divides the size of the heap and is smaller
//!   than it. It is written `heap:count`: `2:4` takes four from heap 2. Heaps are numbered from 1
//!   and keep their numbers.
//! - A heap of one stone is dead, since it has no smaller divisor. Whoever can't move, because only
//!   such heaps are left, loses.
//!
//! Source: exercise 2.11. The divisor is one of the heap as it is before the move. The heaps are
//! our choice.
//!
//! Theory: the nim value of a heap is how often its size can be halved evenly: 0 for odd sizes, 2
//! for 12. The player to move wins exactly if the exclusive or of these numbers is not zero.

use super::heaps::{self, Heaps, Take};
use super::prelude::*;
use super::row::set_bits;
use super::theory::worth;

params! {
    /// How many stones each heap has; at least one has two or more.
    heaps: Vec<u8> of 1..=10 in 1..=200 = [10, 12, 15],
}

pub type Aliquot = InTurn<DividedHeaps>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DividedHeaps(Heaps);

const LARGEST: usize = 200;

/// For each size its proper divisors, as bits.
static PROPER_DIVISORS: [u128; LARGEST + 1] = {
    let mut divisors = [0; LARGEST + 1];
    let mut divisor = 1;
    while divisor <= LARGEST / 2 {
        let mut size = 2 * divisor;
        while size <= LARGEST {
            divisors[size] |= 1 << divisor;
            size += divisor;
        }
        divisor += 1;
    }
    divisors
};

impl Impartial for DividedHeaps {
    type Params = Params;
    type Move = Take;

    const ABOUT: About = About {
        id: "aliquot",
        name: "The proper divisor game",
        source: "2.11",
        summary: "Take a proper divisor of a heap from it; whoever can't move loses.",
        notation: "heap:count",
        example: "2:4",
        file: include_str!("aliquot.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let start = DividedHeaps(Heaps::new(&params.heaps));
        require(!start.is_over(), "heaps", || "at least one heap needs two stones or more".into())?;
        Ok(start)
    }

    fn is_over(&self) -> bool {
        self.longest() == 0
    }

    /// Heap by heap, smaller numbers first.
    fn moves(&self, out: &mut Vec<Take>) {
        for (heap, &size) in self.0.sizes().iter().enumerate() {
            let divisors = set_bits(PROPER_DIVISORS[size as usize]);
            out.extend(divisors.map(|count| Take { heap: heap as u8, count }));
        }
    }

    fn play(&mut self, take: &Take) {
        self.0.take(*take);
    }

    fn show(&self, view: &mut View) {
        view.put("heaps", "The size of each heap, from heap 1 on.", self.0.sizes());
    }

    fn picture(&self) -> Picture {
        heaps::picture(self.0.sizes().iter().copied())
    }

    /// No heap ever becomes empty.
    fn longest(&self) -> u32 {
        self.0.total() - self.0.sizes().len() as u32
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let nim_sum = self.0.sizes().iter().fold(0, |sum, size| sum ^ size.trailing_zeros());
        worth(nim_sum != 0)
    }

    /// Heaps in order.
    fn canonical(&self) -> Self {
        DividedHeaps(self.0.sorted())
    }
}

impl Divisible for DividedHeaps {
    fn parts(&self) -> Vec<Self> {
        self.0.each().map(DividedHeaps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, choices, won) in [
            (json!({"heaps": [12, 1, 7]}), "", "1:1 1:2 1:3 1:4 1:6 3:1", None),
            (json!({"heaps": [200]}), "1:100", "1:1 1:2 1:4 1:5 1:10 1:20 1:25 1:50", None),
            // The size before the move counts: 12 becomes 8, of which 3 is no divisor.
            (json!({"heaps": [12]}), "1:4", "1:1 1:2 1:4", None),
            (json!({"heaps": [2, 3]}), "1:1 2:1", "2:1", None),
            (json!({"heaps": [2, 3]}), "1:1 2:1 2:1", "", Some(0)),
            (json!({"heaps": [3, 1]}), "1:1 1:1", "", Some(1)),
        ] {
            assert_eq!(legal("aliquot", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("aliquot", &params, moves), won, "{params} {moves}");
        }
    }

    #[test]
    fn the_nim_value_counts_even_halvings() {
        let mut solver = Solver::<Aliquot>::new();
        for size in 2..=200_u8 {
            let value = solver.nim_value(&start(&json!({"heaps": [size]})));
            assert_eq!(u32::from(value), size.trailing_zeros(), "a heap of {size}");
        }
        let default: Aliquot = start(&json!({}));
        assert_eq!(solver.nim_value(&default), 1 ^ 2);
        solver.value(&default);
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused("aliquot", [(json!({"heaps": [1, 1]}), "heaps")]);
    }
}
