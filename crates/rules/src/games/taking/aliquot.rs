//! The proper divisor game, for two.
//!
//! Some heaps of stones, by default 10, 12 and 15.
//!
//! - A move takes stones from one heap: a number that divides the size of the heap and is smaller than it. It is
//!   written `heap:count`: `2:4` takes four from heap 2. Heaps are numbered from 1 and keep their numbers.
//! - A heap of one stone is dead, since it has no smaller divisor. Whoever can't move, because only such heaps
//!   are left, loses.
//!
//! Source: exercise 2.11. The divisor is one of the heap as it is before the move. The heaps are our choice.
//!
//! Theory: the nim value of a heap is how often its size can be halved evenly: 0 for odd sizes, 2 for 12. The
//! player to move wins exactly if the exclusive or of these numbers is not zero.

use super::heaps::{Heaps, Take};
use super::prelude::*;
use super::row::set_bits;
use super::theory::for_first;

params! {
    /// How many stones each heap has; at least one has two or more.
    heaps: Vec<u8> of 1..=10 in 1..=200 = [10, 12, 15],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Aliquot {
    heaps: Heaps,
    mover: Seat,
}

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

impl Aliquot {
    /// No heap ever becomes empty.
    fn only_dead_heaps(&self) -> bool {
        self.longest() == 0
    }
}

impl Position for Aliquot {
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

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let start = Aliquot { heaps: Heaps::new(&params.heaps), mover: Seat::FIRST };
        require(!start.only_dead_heaps(), "heaps", || "at least one heap needs two stones or more".into())?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.only_dead_heaps() { Turn::win(self.mover.other(), "no_moves") } else { Turn::One(self.mover) }
    }

    /// Heap by heap, smaller numbers first.
    fn moves(&self, _seat: Seat, out: &mut Vec<Take>) {
        for (heap, &size) in self.heaps.sizes().iter().enumerate() {
            let divisors = set_bits(PROPER_DIVISORS[size as usize]);
            out.extend(divisors.map(|count| Take { heap: heap as u8, count }));
        }
    }

    fn play(&mut self, seat: Seat, take: &Take) {
        self.heaps.take(*take);
        self.mover = seat.other();
    }

    fn view(&self, _eyes: Eyes) -> Json {
        view!({ "to_move": self.mover, "heaps": self.heaps.sizes() })
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let heaps = self.heaps.sizes().iter().enumerate();
        heaps.fold(Picture::default(), |picture, (heap, &size)| {
            picture.counters((heap + 1).to_string(), 'o', size as usize)
        })
    }
}

impl Finite for Aliquot {
    fn longest(&self) -> u32 {
        self.heaps.total() - self.heaps.sizes().len() as u32
    }
}

impl Duel for Aliquot {
    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let nim_sum = self.heaps.sizes().iter().fold(0, |sum, size| sum ^ size.trailing_zeros());
        for_first(self.mover, nim_sum != 0)
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Heaps in order; both sides have the same moves, so it does not matter who is to play.
    fn canonical(&self) -> Self {
        Aliquot { heaps: self.heaps.sorted(), mover: Seat::FIRST }
    }
}

impl Sum for Aliquot {
    fn parts(&self) -> Option<Vec<Self>> {
        Some(self.heaps.each().map(|heaps| Aliquot { heaps, mover: Seat::FIRST }).collect())
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
