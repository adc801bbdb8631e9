//! Wythoff's game, for two.
//!
//! Two heaps of stones, by default 8 and 11.
//!
//! - A move takes one or more stones from one heap, or the same number from both. It is written
//!   `1:k` for `k` stones from heap 1, `2:k` for heap 2, and `b:k` for `k` from each.
//! - Whoever takes the last stone wins.
//!
//! Source: exercise 2.2, which leaves the sizes of the heaps open; 8 and 11 are our choice.
//!
//! Theory: the player to move loses exactly with the pairs 1 and 2, 3 and 5, 4 and 7, 6 and 10, 8
//! and 13, ... The smaller heap of pair number n is n times the golden ratio, rounded down, and the
//! larger has n more.

use super::heaps;
use super::prelude::*;
use super::theory::worth;

params! {
    /// How many stones each heap has.
    heaps: TwoNumbers in 0..=100 = [8, 11],
}

pub type Wythoff = InTurn<TwoHeaps>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TwoHeaps([u8; 2]);

/// So many stones from each of the heaps named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    from: From,
    count: u8,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum From { "1" First, "2" Second, "b" Both }
}

pair!(Take { from ":" count as Amount });

/// Does the player to move lose with these two heaps?
pub(super) fn is_cold(a: u8, b: u8) -> bool {
    // n times the golden ratio is (n + sqrt(5 n n)) / 2.
    let n = u32::from(a.abs_diff(b));
    u32::from(a.min(b)) == n.midpoint((5 * n * n).isqrt())
}

impl Impartial for TwoHeaps {
    type Params = Params;
    type Move = Take;

    const ABOUT: About = About {
        id: "wythoff",
        name: "Wythoff's game",
        source: "2.2",
        summary: "Take from one heap, or equally from both; the last stone wins.",
        notation: "1:count, 2:count, or b:count for both heaps",
        example: "b:3",
        touches,
        file: include_str!("wythoff.rs"),
        ..TAKING
    };

    const REASON: &str = "last_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let heaps = params.heaps;
        require(heaps != [0, 0], "heaps", || {
            "at least one stone is needed, or the game is over at once".into()
        })?;
        Ok(TwoHeaps(heaps))
    }

    fn is_over(&self) -> bool {
        self.0 == [0, 0]
    }

    /// From heap 1, from heap 2, from both; smaller numbers first.
    fn moves(&self, out: &mut Vec<Take>) {
        let [first, second] = self.0;
        for (from, most) in [(From::First, first), (From::Second, second), (From::Both, first.min(second))] {
            out.extend((1..=most).map(|count| Take { from, count }));
        }
    }

    fn play(&mut self, take: &Take) {
        if take.from != From::Second {
            self.0[0] -= take.count;
        }
        if take.from != From::First {
            self.0[1] -= take.count;
        }
    }

    fn show(&self, view: &mut View) {
        view.put("heaps", "The size of each heap.", self.0);
    }

    fn picture(&self) -> Picture {
        heaps::picture(self.0.into_iter())
    }

    fn longest(&self) -> u32 {
        self.0.iter().map(|&size| u32::from(size)).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        worth(!is_cold(self.0[0], self.0[1]))
    }

    /// Heaps in order.
    fn canonical(&self) -> Self {
        let [a, b] = self.0;
        TwoHeaps([a.min(b), a.max(b)])
    }
}

/// Both heaps are touched before the amount that both lose.
fn touches(picture: &Picture, mv: &str) -> Vec<Touch> {
    match mv.strip_prefix("b:").and_then(|count| count.parse().ok()) {
        Some(count) => vec![Touch::Pile("1".into()), Touch::Pile("2".into()), Touch::Amount(count)],
        None => picture.touches(mv),
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
            (json!({"heaps": [1, 2]}), "", "1:1 2:1 2:2 b:1", None),
            (json!({"heaps": [0, 2]}), "", "2:1 2:2", None),
            (json!({"heaps": [1, 2]}), "b:1", "2:1", None),
            (json!({"heaps": [1, 2]}), "b:1 2:1", "", Some(1)),
            (json!({"heaps": [7, 7]}), "b:7", "", Some(0)),
        ] {
            assert_eq!(legal("wythoff", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("wythoff", &params, moves), won, "{params} {moves}");
        }
    }

    #[test]
    fn the_player_to_move_loses_with_wythoffs_pairs() {
        let published = [(1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20)];
        let cold = |most| {
            (1..=most).flat_map(move |a| (a..=most).map(move |b| (a, b)).filter(|&(a, b)| is_cold(a, b)))
        };
        assert_eq!(cold(20).collect::<Vec<_>>(), published);
        // The pairs hold every number exactly once.
        let mut numbers: Vec<u8> =
            cold(162).flat_map(|(a, b)| [a, b]).filter(|&number| number <= 100).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=100).collect::<Vec<u8>>());
        let mut solver = Solver::<Wythoff>::new();
        for (a, b) in (1..=26).flat_map(|a| (0..=26).map(move |b| (a, b))) {
            let wins = solver.mover_wins(&start(&json!({"heaps": [a, b]})));
            assert_eq!(wins, !is_cold(a, b), "{a} and {b}");
        }
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused("wythoff", [(json!({"heaps": [0, 0]}), "heaps")]);
    }
}
