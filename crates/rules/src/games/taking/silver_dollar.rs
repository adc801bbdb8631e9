//! The Silver Dollar Game, for two.
//!
//! A strip of compartments, numbered 1, 2, 3, ... from the left, with stones on it and one coin,
//! the dollar. The leftmost compartment is the bag, which holds any number of pieces; every other
//! holds one at most. The default is `..o..o.$..o.o`. The pieces belong to nobody.
//!
//! - A move takes one piece, stone or coin, from a compartment outside the bag further to the left,
//!   over empty compartments only, to an empty one or into the bag. It is written `from-to`: `8-6`.
//! - If the coin is in the bag, the move `take` takes it out. Whoever takes it wins, and the game
//!   is over.
//! - Putting the coin into the bag and taking it are two moves. Nobody has to take it. Pieces in
//!   the bag never move again; the stones there are out of the game, and no longer shown.
//!
//! `strip` gives another start: `.` for an empty compartment, `o` for a stone, `$` for the coin.
//!
//! Source: exercise 2.23, which leaves the start open; the default is our choice.
//!
//! Theory: whoever puts the coin into the bag loses. Pair the pieces from the right, and count the
//! empty compartments inside each pair. A piece left over at the left counts the compartments it
//! can still pass, for the coin without the bag. The player to move wins exactly if the exclusive
//! or of these numbers is not zero.

use super::prelude::*;
use super::row::{self, Slide, read_row, set_bits};
use super::theory::{mover_wins_nim, worth};

params! {
    /// The compartments from the left: `.` empty, `o` a stone, `$` the coin, which is there once and not first.
    strip: String of 2..=40 = "..o..o.$..o.o",
}

pub type SilverDollar = InTurn<CoinStrip>;

/// Bit 0 is the bag; stones in it are forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoinStrip {
    stones: u64,
    coin: Coin,
    length: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Coin {
    /// On the strip, counted from 0; never in the bag.
    At(u8),
    InTheBag,
    Taken,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move { Slide(Slide), "take" Take }
}

impl CoinStrip {
    /// Stones and coin outside the bag.
    fn pieces(&self) -> u64 {
        match self.coin {
            Coin::At(at) => self.stones | 1 << at,
            Coin::InTheBag | Coin::Taken => self.stones,
        }
    }

    fn row(&self) -> String {
        let glyph = |at| match self.coin {
            Coin::At(coin) if coin == at => '$',
            Coin::InTheBag if at == 0 => '$',
            _ if self.stones >> at & 1 == 1 => 'o',
            _ => '.',
        };
        (0..self.length).map(glyph).collect()
    }

    /// The heaps of Nim that the pieces on the strip amount to, as long as the coin is among them.
    fn heaps(&self) -> impl Iterator<Item = u32> {
        let pieces = self.pieces();
        let first_is_coin = self.coin == Coin::At(pieces.trailing_zeros() as u8);
        let unpaired = pieces.count_ones() % 2 == 1;
        // A piece left over pairs with a wall: left of the bag for a stone, the bag itself for the
        // coin.
        let wall = unpaired.then_some(if first_is_coin { 0 } else { -1 });
        let mut places = wall.into_iter().chain(set_bits(pieces.into()).map(i32::from));
        std::iter::from_fn(move || Some((places.next()?, places.next()?)))
            .map(|(left, right)| (right - left - 1) as u32)
    }
}

impl Impartial for CoinStrip {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "silver-dollar",
        name: "Silver Dollar",
        source: "2.23",
        summary: "Slide pieces to the left; win by taking the coin out of the bag.",
        notation: "from-to, or take",
        example: "8-6",
        file: include_str!("silver_dollar.rs"),
        ..TAKING
    };

    const REASON: &str = "coin_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let strip = read_row("strip", &params.strip, ".o$", 2..=40)?;
        let places = |glyph| (0..).zip(&strip).filter(move |&(_, &found)| found == glyph).map(|(at, _)| at);
        let coins = places('$').count();
        require(coins == 1, "strip", || format!("needs exactly one coin `$`, has {coins}"))?;
        let coin: u8 = places('$').sum();
        require(coin > 0, "strip", || "the coin must not start in the bag, which is compartment 1".into())?;
        let stones = places('o').filter(|&at| at > 0).fold(0, |stones, at| stones | 1 << at);
        Ok(CoinStrip { stones, coin: Coin::At(coin), length: strip.len() as u8 })
    }

    fn is_over(&self) -> bool {
        self.coin == Coin::Taken
    }

    /// `take`, then piece by piece from the left, each to the leftmost place first.
    fn moves(&self, out: &mut Vec<Move>) {
        if self.coin == Coin::InTheBag {
            out.push(Move::Take);
        }
        let mut free = 0;
        for from in set_bits(self.pieces().into()) {
            out.extend((free..from).map(|to| Move::Slide(Slide { from, to })));
            free = from + 1;
        }
    }

    fn play(&mut self, mv: &Move) {
        match *mv {
            Move::Take => self.coin = Coin::Taken,
            Move::Slide(Slide { from, to }) if self.coin == Coin::At(from) => {
                self.coin = if to == 0 { Coin::InTheBag } else { Coin::At(to) };
            }
            Move::Slide(Slide { from, to }) => {
                self.stones &= !(1 << from);
                self.stones |= (1 << to) & !1;
            }
        }
    }

    fn show(&self, view: &mut View) {
        let meaning =
            "The compartments from the bag on: `o` is a stone, `$` the coin, `.` an empty compartment.";
        view.row("strip", meaning, self.row());
    }

    fn picture(&self) -> Picture {
        row::draw(&self.row(), |glyph| match glyph {
            '$' => Piece::new(glyph, Tint::Yellow).as_a(Shape::Lettered),
            _ => Piece::neutral(glyph),
        })
    }

    /// Every piece goes to the bag in single steps, and the coin is taken.
    fn longest(&self) -> u32 {
        let steps = || set_bits(self.pieces().into()).map(u32::from).sum::<u32>();
        if self.coin == Coin::Taken { 0 } else { steps() + 1 }
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let wins = self.coin == Coin::InTheBag || mover_wins_nim(self.heaps(), false);
        worth(wins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (strip, moves, after, choices, won) in [
            // Over empty compartments only.
            (".o.$", "", ".o.$", "2-1 4-3", None),
            (".o$", "", ".o$", "2-1", None),
            // The bag holds any number, and what is in it does not come out.
            (".o$", "2-1", "..$", "3-1 3-2", None),
            ("o$.o", "", ".$.o", "2-1 4-3", None),
            (".o$", "2-1 3-1", "$..", "take", None),
            (".o$", "2-1 3-1 take", "...", "", Some(0)),
            // With the coin in the bag other moves are legal, though bad.
            (".$o", "2-1", "$.o", "take 3-1 3-2", None),
            (".$o", "2-1 3-1", "$..", "take", None),
            (".$o", "2-1 3-1 take", "...", "", Some(0)),
            (".$o", "2-1 take", "..o", "", Some(1)),
        ] {
            let params = json!({"strip": strip});
            assert_eq!(seen("silver-dollar", &params, moves, "strip"), after, "{strip} {moves}");
            assert_eq!(legal("silver-dollar", &params, moves), choices, "{strip} {moves}");
            assert_eq!(winner("silver-dollar", &params, moves), won, "{strip} {moves}");
        }
    }

    /// Every strip of nine compartments that can be reached from these.
    #[test]
    fn theory_agrees_with_a_solver() {
        let mut solver = Solver::<SilverDollar>::new();
        for strip in [
            "....o$ooo",
            "....$oooo",
            "....oo$oo",
            "....ooo$o",
            "....oooo$",
            ".....o$oo",
            ".....oo$o",
            ".....ooo$",
        ] {
            solver.nim_value(&start(&json!({"strip": strip})));
            solver.value(&start(&json!({"strip": strip})));
        }
        solver.assert_evaluation_is_exact();
        assert!(
            Solver::new().mover_wins(&start::<SilverDollar>(&json!({}))),
            "the default is won for the first player"
        );
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "silver-dollar",
            [
                (json!({"strip": "$.o"}), "strip"),
                (json!({"strip": "..o"}), "strip"),
                (json!({"strip": ".$$"}), "strip"),
                (json!({"strip": ".x$"}), "strip"),
                (json!({"strip": format!("{}$", ".".repeat(40))}), "strip"),
            ],
        );
    }
}
