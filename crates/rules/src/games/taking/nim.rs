//! Nim, for two.
//!
//! Some heaps of objects lie on the table, by default 3, 4 and 5 of them.
//!
//! - A move takes one or more objects from one heap, written `heap:count`: `2:3` takes three from
//!   heap 2. Heaps are numbered from 1; an emptied heap keeps its number.
//! - The game ends when all heaps are empty. Whoever took the last object wins; with `misere`,
//!   loses.
//!
//! Source: exercise 1.1, which gives the title only. Normal play and the heaps 3, 4, 5 are our
//! choice, the best-known textbook start.
//!
//! Theory: the player to move wins exactly if the exclusive or of the heap sizes is not zero. In
//! misère play the same holds as long as some heap has two or more objects; with only single
//! objects left the player to move wins if their number is even.

use super::heaps::{self, Take};
use super::prelude::*;
use super::small_heaps::SmallHeaps;
use super::theory::{mover_wins_nim, worth};

params! {
    /// How many objects each heap has.
    heaps: Vec<u8> of 1..=10 in 0..=60 = [3, 4, 5],
    /// Whoever takes the last object loses.
    misere: bool = false,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    heaps: SmallHeaps,
    /// The seat to move, and 2 more in misère play: as wide as the heaps, so that a copy has no gap
    /// to fill.
    turn: u64,
}

impl Nim {
    /// The first seat to move.
    fn of(heaps: SmallHeaps, misere: bool) -> Nim {
        Nim { heaps, turn: u64::from(misere) << 1 }
    }

    /// Nobody is to move at the end, so `mover` is the one who did not take the last object.
    #[inline]
    fn winner(&self) -> Seat {
        if self.misere() { self.mover() } else { self.mover().other() }
    }
}

/// Apart from the position, which a search keeps in registers as long as nobody needs its address.
#[inline(never)]
fn mover_wins(heaps: SmallHeaps, misere: bool) -> bool {
    mover_wins_nim(heaps.sizes().map(u32::from), misere)
}

impl Position for Nim {
    type Params = Params;
    type Move = Take;

    const ABOUT: About = About {
        id: "nim",
        name: "Nim",
        source: "1.1",
        summary: "Take any number from one heap; the last object wins.",
        notation: "heap:count",
        example: "2:3",
        file: include_str!("nim.rs"),
        ..TAKING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let heaps = SmallHeaps::new(&params.heaps);
        require(!heaps.are_empty(), "heaps", || {
            "at least one object is needed, or the game is over at once".into()
        })?;
        Ok(Nim::of(heaps, params.misere))
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.heaps.are_empty() { Turn::win(self.winner(), "last_taken") } else { Turn::One(self.mover()) }
    }

    /// Heap by heap, smaller numbers first.
    #[inline]
    fn moves(&self, _seat: Seat, out: &mut Vec<Take>) {
        self.heaps.all_takes(out);
    }

    #[inline]
    fn play(&mut self, _seat: Seat, take: &Take) {
        self.heaps.take(*take);
        self.turn ^= 1;
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover());
        view.put("heaps", "The size of each heap, from heap 1 on.", self.heaps.sizes().collect::<Vec<_>>());
        view.put("misere", "Does whoever takes the last object lose?", self.misere());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        heaps::picture(self.heaps.sizes())
    }
}

impl Finite for Nim {
    fn longest(&self) -> u32 {
        self.heaps.total()
    }
}

impl Duel for Nim {
    /// Theory says who wins.
    #[inline]
    fn evaluate(&self) -> i32 {
        let value = worth(mover_wins(self.heaps, self.misere()));
        if self.mover() == Seat::FIRST { value } else { -value }
    }

    #[inline]
    fn mover(&self) -> Seat {
        Seat(self.turn as u8 & 1)
    }

    const STEPWISE: bool = true;

    #[inline]
    fn next_move(&self, last: Option<&Take>) -> Option<Take> {
        self.heaps.next_take(last)
    }

    /// Heaps in order; both sides have the same moves, so it does not matter who is to play.
    fn canonical(&self) -> Self {
        Nim::of(self.heaps.sorted(), self.misere())
    }
}

impl Sum for Nim {
    fn parts(&self) -> Vec<Self> {
        let part = |heaps| Nim::of(heaps, self.misere());
        self.heaps.each().map(part).collect()
    }

    #[inline]
    fn misere(&self) -> bool {
        self.turn & 2 != 0
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
            (json!({"heaps": [1, 0, 2]}), "", "1:1 3:1 3:2", None),
            // An emptied heap keeps its number.
            (json!({"heaps": [1, 0, 2]}), "1:1", "3:1 3:2", None),
            (json!({"heaps": [1, 0, 2]}), "1:1 3:2", "", Some(1)),
            (json!({"heaps": [1, 0, 2], "misere": true}), "1:1 3:2", "", Some(0)),
            (json!({}), "1:3 2:4 3:5", "", Some(0)),
            (json!({"misere": true}), "1:3 2:4 3:5", "", Some(1)),
        ] {
            assert_eq!(legal("nim", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("nim", &params, moves), won, "{params} {moves}");
        }
    }

    /// The exclusive or of the heaps, against a solver.
    #[test]
    fn bouton_is_right_in_normal_and_misere_play() {
        for misere in [false, true] {
            let mut solver = Solver::<Nim>::new();
            for heaps in (1..=4).flat_map(|a| (0..=5).flat_map(move |b| (0..=6).map(move |c| [a, b, c]))) {
                let position: Nim = start(&json!({"heaps": heaps, "misere": misere}));
                let nim_sum = heaps[0] ^ heaps[1] ^ heaps[2];
                let wins =
                    if misere && heaps.iter().all(|&size| size <= 1) { nim_sum == 0 } else { nim_sum != 0 };
                assert_eq!(solver.mover_wins(&position), wins, "{heaps:?} misere {misere}");
                if !misere {
                    assert_eq!(solver.nim_value(&position), nim_sum, "{heaps:?}");
                }
            }
            solver.assert_evaluation_is_exact();
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused("nim", [(json!({"heaps": [0, 0]}), "heaps")]);
    }
}
