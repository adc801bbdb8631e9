//! Mock Turtles, for two.
//!
//! A row of coins, numbered 1, 2, 3, ... from the left; by default ten, all showing heads. They
//! belong to nobody.
//!
//! - A move turns over one, two or three different coins. The rightmost of them must turn from
//!   heads to tails; the others may turn either way. It is written as the numbers of the coins in
//!   ascending order, joined by commas: `7`, `3,7`, `1,3,7`.
//! - The game ends when all coins show tails. Whoever made the last move wins.
//!
//! `coins` gives another row, `H` for heads and `T` for tails. Read from the right with heads as 1,
//! the row is a binary number that every move makes smaller, so the game ends; it can take long
//! (2,567 moves with 14 heads).
//!
//! Source: exercise 2.17. The ten heads are our choice.
//!
//! Theory: heads on coin 1, 2, 3, ... have the nim values 1, 2, 4, 7, 8, 11, 13, 14, ..., the
//! numbers with an odd count of ones in binary. The player to move wins exactly if the exclusive or
//! over all heads is not zero.

use super::prelude::*;
use super::row::{self, read_row, set_bits};
use super::theory::worth;

params! {
    /// The coins from the left, `H` for heads and `T` for tails; at least one shows heads.
    coins: String of 1..=14 = "HHHHHHHHHH",
}

const MOST_COINS: u8 = 14;

pub type MockTurtles = InTurn<TurnedCoins>;

/// Bit 0 is coin 1, set for heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TurnedCoins {
    heads: u16,
    count: u8,
}

/// One to three coins to turn over, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turned(u16);

impl fmt::Display for Turned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, coin) in set_bits(self.0.into()).enumerate() {
            write!(f, "{}{}", if at > 0 { "," } else { "" }, coin + 1)?;
        }
        Ok(())
    }
}

impl FromStr for Turned {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Turned, NotAMove> {
        let mut coins = 0_u16;
        for number in text.split(',') {
            let Nth(coin) = number.parse()?;
            // Ascending: all coins so far are to the left of this one.
            if coin >= MOST_COINS || coins >> coin != 0 {
                return Err(NotAMove);
            }
            coins |= 1 << coin;
        }
        if coins.count_ones() <= 3 { Ok(Turned(coins)) } else { Err(NotAMove) }
    }
}

/// The numbers with an odd count of ones: 1, 2, 4, 7, ...
fn nim_value(coin: u8) -> u32 {
    let doubled = 2 * u32::from(coin);
    doubled | ((doubled.count_ones() + 1) % 2)
}

impl TurnedCoins {
    fn row(&self) -> String {
        row::text(self.count, self.heads.into(), ['T', 'H'])
    }
}

impl Impartial for TurnedCoins {
    type Params = Params;
    type Move = Turned;

    const ABOUT: About = About {
        id: "mock-turtles",
        name: "Mock Turtles",
        source: "2.17",
        summary: "Turn up to three coins, the rightmost to tails; the last move wins.",
        notation: "the numbers of the coins, ascending, joined by commas",
        example: "1,3,7",
        file: include_str!("mock_turtles.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let coins = read_row("coins", &params.coins, "HT", 1..=MOST_COINS as usize)?;
        let heads = coins.iter().rev().fold(0, |heads, &glyph| heads << 1 | u16::from(glyph == 'H'));
        require(heads != 0, "coins", || {
            "at least one coin must show heads, or the game is over at once".into()
        })?;
        Ok(TurnedCoins { heads, count: coins.len() as u8 })
    }

    fn is_over(&self) -> bool {
        self.heads == 0
    }

    /// By the rightmost coin, from the left; then by the other two, where fewer come before more.
    fn moves(&self, out: &mut Vec<Turned>) {
        for last in set_bits(self.heads.into()) {
            let last_bit = 1 << last;
            out.push(Turned(last_bit));
            for second in 0..last {
                let two = last_bit | 1 << second;
                out.push(Turned(two));
                out.extend((0..second).map(|first| Turned(two | 1 << first)));
            }
        }
    }

    fn play(&mut self, turned: &Turned) {
        self.heads ^= turned.0;
    }

    fn show(&self, view: &mut View) {
        view.row("coins", "The coins from coin 1 on: `H` shows heads, `T` tails.", self.row());
    }

    fn picture(&self) -> Picture {
        let tint = |side| if side == 'H' { Tint::Yellow } else { Tint::Neutral };
        row::draw(&self.row(), |side| Piece::new(side, tint(side)).as_a(Shape::Lettered))
    }

    /// Heads on a coin last longest if turning them turns up the two coins before.
    fn longest(&self) -> u32 {
        let (mut before, mut two_before, mut total) = (0, 0, 0);
        for coin in 0..self.count {
            let plies = 1 + before + two_before;
            (before, two_before) = (plies, before);
            total += plies * u32::from(self.heads >> coin & 1);
        }
        total
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        let nim_sum = set_bits(self.heads.into()).fold(0, |sum, coin| sum ^ nim_value(coin));
        worth(nim_sum != 0)
    }
}

impl Divisible for TurnedCoins {
    /// Each head alone. A coin turned to heads where one was already is two of the same game, which
    /// is nothing.
    fn parts(&self) -> Vec<Self> {
        let part = |coin: u8| TurnedCoins { heads: 1 << coin, ..*self };
        set_bits(self.heads.into()).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (coins, moves, row, choices, won) in [
            ("TTH", "", "TTH", "3 1,3 2,3 1,2,3", None),
            ("HTH", "", "HTH", "1 3 1,3 2,3 1,2,3", None),
            // Others may turn either way.
            ("HTH", "1,2,3", "THT", "2 1,2", None),
            ("HTH", "1,3", "TTT", "", Some(0)),
            ("HTH", "1,2,3 1,2 1", "TTT", "", Some(0)),
            ("HTH", "1,2,3 2", "TTT", "", Some(1)),
        ] {
            let params = json!({"coins": coins});
            assert_eq!(seen("mock-turtles", &params, moves, "coins"), row, "{coins} {moves}");
            assert_eq!(legal("mock-turtles", &params, moves), choices, "{coins} {moves}");
            assert_eq!(winner("mock-turtles", &params, moves), won, "{coins} {moves}");
        }
        for wrong in ["7,3", "3,3", "1,2,3,4", "15", "0", "01", "1,", ",1", "1, 2"] {
            assert!(wrong.parse::<Turned>().is_err(), "`{wrong}`");
        }
    }

    #[test]
    fn nim_values_are_the_odious_numbers() {
        let odious = [1, 2, 4, 7, 8, 11, 13, 14, 16, 19, 21, 22, 25, 26];
        assert_eq!((0..14).map(nim_value).collect::<Vec<_>>(), odious);
        let mut solver = Solver::<MockTurtles>::new();
        for (coin, &value) in odious.iter().enumerate().take(10) {
            let position: MockTurtles = start(&json!({"coins": format!("{}H", "T".repeat(coin))}));
            assert_eq!(u32::from(solver.nim_value(&position)), value, "coin {}", coin + 1);
        }
        let ten_heads: MockTurtles = start(&json!({}));
        assert_eq!(solver.nim_value(&ten_heads), 3);
        solver.value(&ten_heads);
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn the_longest_games() {
        for (coins, plies) in [(10, 364), (14, 2567)] {
            let position: MockTurtles = start(&json!({"coins": "H".repeat(coins)}));
            assert_eq!(position.longest(), plies, "{coins} heads");
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "mock-turtles",
            [
                (json!({"coins": "TTT"}), "coins"),
                (json!({"coins": "HXH"}), "coins"),
                (json!({"coins": "hh"}), "coins"),
            ],
        );
    }
}
