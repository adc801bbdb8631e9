//! A ring of coins, for two.
//!
//! Coins of different values lie in a ring, numbered 1, 2, 3, ... clockwise. By default there are
//! twelve, worth 1, 5, 10, 25, 10, 10, 1, 5, 5, 25, 25 and 1.
//!
//! - The first move takes any coin. This opens the ring into a row, and every later move takes a
//!   coin from one of the two ends of the row. A move is written as the number of the coin: `7`.
//! - The game ends when no coin is left. The player whose coins are worth more in sum wins; equal
//!   sums draw.
//!
//! Source: exercise 2.40, whose figure is lost: twelve coins of different values. The values are
//! our choice.

use super::prelude::*;
use serde::Serialize;
use std::f32::consts::TAU;
use std::sync::Arc;

params! {
    /// The values of the coins, clockwise.
    coins: Vec<u32> of 2..=60 in 1..=4_294_967_295 = [1, 5, 10, 25, 10, 10, 1, 5, 5, 25, 25, 1],
}

shown! {
    #[derive(Serialize)]
    struct Coin {
        /// The number of the coin.
        coin: u8,
        /// What the coin is worth.
        value: u32,
    }
}

/// The coins left are `left` ones clockwise from `first`; all of them are still a ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoinRing {
    values: Arc<[u32]>,
    first: u8,
    left: u8,
    sums: [u64; 2],
    mover: Seat,
}

impl CoinRing {
    fn count(&self) -> u8 {
        self.values.len() as u8
    }

    fn is_ring(&self) -> bool {
        self.left == self.count()
    }

    /// The coin some steps clockwise from another.
    fn clockwise(&self, coin: u8, steps: u8) -> u8 {
        (coin + steps) % self.count()
    }

    /// In clockwise order.
    fn coins_left(&self) -> impl Iterator<Item = u8> {
        (0..self.left).map(|steps| self.clockwise(self.first, steps))
    }
}

impl Position for CoinRing {
    type Params = Params;
    type Move = Nth;

    const ABOUT: About = About {
        id: "coin-ring",
        name: "Ring of coins",
        source: "2.40",
        summary: "Open a ring of coins, then take from the ends; the higher sum wins.",
        notation: "the number of the coin",
        example: "7",
        file: include_str!("coin_ring.rs"),
        ..TAKING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let left = params.coins.len() as u8;
        Ok(CoinRing {
            values: params.coins.as_slice().into(),
            first: 0,
            left,
            sums: [0; 2],
            mover: Seat::FIRST,
        })
    }

    fn turn(&self) -> Turn {
        let [first, second] = self.sums;
        if self.left == 0 { Turn::compare(first, second, "sum") } else { Turn::One(self.mover) }
    }

    /// At first all coins in order; then the end from which the row runs clockwise, and the other
    /// end.
    fn moves(&self, _seat: Seat, out: &mut Vec<Nth>) {
        if self.is_ring() {
            out.extend((0..self.left).map(Nth));
            return;
        }
        out.push(Nth(self.first));
        if self.left > 1 {
            out.push(Nth(self.clockwise(self.first, self.left - 1)));
        }
    }

    fn play(&mut self, seat: Seat, &Nth(coin): &Nth) {
        self.sums[seat.index()] += u64::from(self.values[coin as usize]);
        if self.is_ring() || coin == self.first {
            self.first = self.clockwise(coin, 1);
        }
        self.left -= 1;
        if self.left == 0 {
            self.first = 0; // where the last coin lay makes no difference
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        let coin = |coin: u8| Coin { coin: coin + 1, value: self.values[coin as usize] };
        view.to_move(self.mover);
        view.put("open", "Is the ring open, so that only the two ends can be taken?", !self.is_ring());
        let coins: Vec<Coin> = self.coins_left().map(coin).collect();
        view.put(
            "coins",
            "The coins that are left, clockwise; in an open ring from one end to the other.",
            coins,
        );
        view.put("sums", "What the coins of each seat are worth.", self.sums);
    }

    /// Coin 1 is at the top.
    fn picture(&self, _eyes: Eyes) -> Picture {
        let count = f32::from(self.count());
        // Wide and high enough that no two of sixty coins share a place.
        let (radius_x, radius_y) = ((count * 0.6).max(4.0), (count * 0.175).max(1.0));
        let site = |coin: u8| {
            let angle = TAU * f32::from(coin) / count;
            let (x, y) = (radius_x * (1.0 + angle.sin()), radius_y * (1.0 + angle.cos()));
            let there = self.coins_left().any(|left| left == coin);
            let piece = if there { Piece::new('o', Tint::Yellow) } else { Piece::EMPTY };
            let label = there.then(|| self.values[coin as usize].to_string());
            Site { label, ..Site::new((coin + 1).to_string(), x, y, piece) }
        };
        let sites = (0..self.count()).map(site).collect();
        let mut picture = Picture { scale: (1, 1), names: true, sites, ..Picture::default() };
        let kind = if self.is_ring() { "ring" } else { "row" };
        let coins: Vec<String> =
            self.coins_left().map(|coin| format!("{}:{}", coin + 1, self.values[coin as usize])).collect();
        let widest = coins.iter().map(String::len).max().unwrap_or(0);
        for few in coins.chunks(75 / (widest + 2)) {
            picture = picture.text_caption(format!("{kind} {}", few.join("  ")));
        }
        let [first, second] = self.sums;
        picture.caption(format!("seat 0 has {first}, seat 1 has {second}"))
    }
}

impl Finite for CoinRing {
    fn longest(&self) -> u32 {
        self.left.into()
    }
}

impl Duel for CoinRing {
    /// The lead in value so far.
    fn evaluate(&self) -> i32 {
        let [first, second] = self.sums.map(|sum| sum as i64);
        (first - second).clamp(-1_000_000, 1_000_000) as i32
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Both sides take from the same row, so only the sums belong to somebody.
    fn canonical(&self) -> Self {
        CoinRing { sums: self.mover.own_first(self.sums), mover: Seat::FIRST, ..self.clone() }
    }
}

impl Theory for CoinRing {
    /// Not for fortunes that a small number can't hold.
    fn margin(&self) -> Option<i32> {
        let total: u64 = self.values.iter().map(|&value| u64::from(value)).sum();
        (total < 1 << 29).then(|| self.sums[0] as i32 - self.sums[1] as i32)
    }

    fn without_points(&self) -> Option<Self> {
        self.margin().map(|_| CoinRing { sums: [0; 2], ..self.clone() })
    }

    fn points_left(&self) -> Option<u32> {
        self.margin().map(|_| self.coins_left().map(|coin| self.values[coin as usize]).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, after, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (coins, moves, choices, sums) in [
            (vec![1, 2, 3, 4], "", "1 2 3 4", [0, 0]),
            (vec![1, 2, 3, 4], "2", "3 1", [2, 0]),
            (vec![1, 2, 3, 4], "2 1", "3 4", [2, 1]),
            (vec![1, 2, 3, 4], "2 3", "4 1", [2, 3]),
            (vec![1, 2, 3, 4], "2 3 4", "1", [6, 3]),
            (vec![1, 2, 3, 4], "1", "2 4", [1, 0]),
            (vec![1, 2, 3, 4], "4", "1 3", [4, 0]),
            (vec![7, 9], "1", "2", [7, 0]),
            (vec![7, 9], "1 2", "", [7, 9]),
        ] {
            let params = json!({"coins": coins});
            assert_eq!(legal("coin-ring", &params, moves), choices, "{params} {moves}");
            assert_eq!(seen("coin-ring", &params, moves, "sums"), json!(sums), "{params} {moves}");
        }
        assert_eq!(winner("coin-ring", &json!({"coins": [7, 9]}), "1 2"), Some(1));
        // Sums count, not numbers of coins.
        assert_eq!(winner("coin-ring", &json!({"coins": [1, 9, 1]}), "1 2 3"), Some(1));
        let draw = after("coin-ring", &json!({"coins": [4, 4]}), "2 1").outcome().unwrap();
        assert_eq!((draw.winner(), draw.places(), draw.reason), (None, [1, 1].as_slice(), "sum"));
    }

    #[test]
    fn an_empty_ring_is_the_same_whichever_coin_was_the_last() {
        let ends = [[0, 1], [1, 0]].map(|coins| {
            let mut position = start::<CoinRing>(&json!({"coins": [1, 1]}));
            for coin in coins {
                position.play(position.mover, &Nth(coin));
            }
            position
        });
        assert_eq!(ends[0], ends[1]);
    }

    #[test]
    fn small_rings() {
        for (coins, value) in [
            (vec![1, 1], 0),
            (vec![1, 2], 1),
            (vec![1, 1, 1], 1),
            (vec![1, 9, 1, 9], 1),
            (vec![3, 3, 3, 3], 0),
            // With an even number the first player can take all odd or all even numbers.
            (vec![1, 5, 10, 25, 10, 10, 1, 5], 1),
        ] {
            assert_eq!(Solver::new().value(&start::<CoinRing>(&json!({"coins": coins}))), value, "{coins:?}");
        }
        assert_eq!(
            Solver::new().value(&start::<CoinRing>(&json!({}))),
            1,
            "the default is won for the first player"
        );
    }
}
