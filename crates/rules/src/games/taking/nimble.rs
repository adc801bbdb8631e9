//! Nimble, for two.
//!
//! A row of compartments, numbered 1, 2, 3, ... from the left, each with any number of stones. The
//! default is six compartments with 0, 1, 0, 2, 1 and 2 stones.
//!
//! - A move takes one stone out of a compartment and puts it into any compartment further to the
//!   left, whatever lies there or between. It is written `from-to`: `5-2`. The stones belong to
//!   nobody.
//! - The game ends when all stones are in compartment 1. Whoever made the last move wins.
//!
//! Source: exercise 2.22, which leaves the start open; the default is our choice.
//!
//! Theory: a stone in compartment i is a heap of i - 1 in Nim. The player to move wins exactly if
//! the exclusive or of these numbers over all stones is not zero.

use super::heaps;
use super::prelude::*;
use super::row::Slide;
use super::theory::{mover_wins_nim, worth};

params! {
    /// How many stones each compartment has, leftmost first; 1 to 60 in all, and not all in the first.
    cells: Vec<u8> of 2..=30 in 0..=60 = [0, 1, 0, 2, 1, 2],
}

const MOST_CELLS: usize = 30;

pub type Nimble = InTurn<Compartments>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compartments {
    stones: [u8; MOST_CELLS],
    count: u8,
}

impl Compartments {
    fn cells(&self) -> &[u8] {
        &self.stones[..self.count as usize]
    }
}

impl Impartial for Compartments {
    type Params = Params;
    type Move = Slide;

    const ABOUT: About = About {
        id: "nimble",
        name: "Nimble",
        source: "2.22",
        summary: "Move a stone any distance to the left; the last move wins.",
        notation: "from-to",
        example: "5-2",
        file: include_str!("nimble.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let cells = &params.cells;
        let total: u32 = cells.iter().map(|&count| u32::from(count)).sum();
        require(total <= 60, "cells", || format!("at most 60 stones in all, not {total}"))?;
        let mut start = Compartments { stones: [0; MOST_CELLS], count: cells.len() as u8 };
        start.stones[..cells.len()].copy_from_slice(cells);
        require(!start.is_over(), "cells", || "at least one stone must be outside compartment 1".into())?;
        Ok(start)
    }

    /// All stones are in the first compartment.
    fn is_over(&self) -> bool {
        self.stones[1..] == [0; MOST_CELLS - 1]
    }

    /// Compartment by compartment from the left, to the leftmost first.
    fn moves(&self, out: &mut Vec<Slide>) {
        for from in (1..self.count).filter(|&from| self.stones[from as usize] > 0) {
            out.extend((0..from).map(|to| Slide { from, to }));
        }
    }

    fn play(&mut self, slide: &Slide) {
        self.stones[slide.from as usize] -= 1;
        self.stones[slide.to as usize] += 1;
    }

    fn show(&self, view: &mut View) {
        view.put("cells", "How many stones each compartment has, from compartment 1 on.", self.cells());
    }

    fn picture(&self) -> Picture {
        heaps::picture(self.cells().iter().copied())
    }

    /// Every stone goes home in single steps.
    fn longest(&self) -> u32 {
        (0..).zip(self.cells()).map(|(distance, &stones)| distance * u32::from(stones)).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        // Two stones in one compartment cancel out.
        let odd = (0..).zip(self.cells()).filter(|&(_, &stones)| stones % 2 == 1);
        worth(mover_wins_nim(odd.map(|(distance, _)| distance), false))
    }
}

impl Divisible for Compartments {
    /// Each stone alone; two in one compartment cancel out, and the first compartment is the end of
    /// the way.
    fn parts(&self) -> Vec<Self> {
        let odd = (1..self.count).filter(|&cell| self.stones[cell as usize] % 2 == 1);
        let part = |cell: u8| {
            let mut stones = [0; MOST_CELLS];
            stones[cell as usize] = 1;
            Compartments { stones, ..*self }
        };
        odd.map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, cells, choices, won) in [
            // Stones in one compartment are alike, and none is in the way.
            (json!({"cells": [0, 1, 2]}), "", json!([0, 1, 2]), "2-1 3-1 3-2", None),
            (json!({"cells": [0, 1, 2]}), "3-2", json!([0, 2, 1]), "2-1 3-1 3-2", None),
            (json!({"cells": [5, 0, 1]}), "3-2", json!([5, 1, 0]), "2-1", None),
            (json!({"cells": [5, 0, 1]}), "3-2 2-1", json!([6, 0, 0]), "", Some(1)),
            (json!({"cells": [5, 0, 1]}), "3-1", json!([6, 0, 0]), "", Some(0)),
        ] {
            assert_eq!(seen("nimble", &params, moves, "cells"), cells, "{params} {moves}");
            assert_eq!(legal("nimble", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("nimble", &params, moves), won, "{params} {moves}");
        }
    }

    #[test]
    fn stones_are_heaps_of_nim() {
        let mut solver = Solver::<Nimble>::new();
        for (cells, nim_sum) in [
            (vec![0, 1, 0, 2, 1, 2], 1 ^ 4),
            (vec![3, 0, 0, 0, 1], 4),
            (vec![0, 1, 1, 1], 0),
            (vec![0, 2, 2, 0, 2], 0),
            (vec![1, 0, 1, 0, 1, 1], 2 ^ 4 ^ 5),
        ] {
            let position: Nimble = start(&json!({"cells": cells}));
            assert_eq!(solver.nim_value(&position), nim_sum, "{cells:?}");
            assert_eq!(solver.mover_wins(&position), nim_sum != 0, "{cells:?}");
        }
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "nimble",
            [
                (json!({"cells": [5, 0]}), "cells"),
                (json!({"cells": [0, 0]}), "cells"),
                (json!({"cells": [30, 31]}), "cells"),
            ],
        );
    }
}
