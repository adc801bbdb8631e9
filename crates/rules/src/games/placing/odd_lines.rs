//! Odd lines, for two.
//!
//! An empty board of 3 by 3 squares; columns are a, b, c from the left, rows 1, 2, 3 from the
//! bottom. Seat 0 always writes the digit 0 and begins, seat 1 always writes 1.
//!
//! - A move writes your digit into an empty square, written as the square: `b2`.
//! - As soon as a row or a column is full and the sum of its digits is odd, that is 1 or 3, the
//!   player who has just moved wins. Diagonals do not count.
//! - A full board without such a line is a draw.
//!
//! `first_digit` is the digit of seat 0; seat 1 has the other. `winning_sums` lists the sums that
//! win; with another `size` it must be given.
//!
//! Source: exercise 2.39, which says "odd (that is 0, 1 or 3)" and so contradicts itself. We take
//! the word odd; the other reading is `winning_sums` [0, 1, 3]. The draw, and that the zeros begin,
//! are our readings too.
//!
//! Theory: if seat 0 writes ones there is no draw on 3 by 3, because the five ones make some row
//! odd. Computed here: with odd sums the player of the zeros wins, whether they begin or not; with
//! 0 among the winning sums the first player, who writes zeros, wins too.

use super::mark_game::{MarkGame, MarkRule};
use super::marks::Marks;
use super::prelude::*;
use crate::params::{Domain, Parameter};
use serde_json::Value;

params! {
    /// The digit that seat 0 writes.
    first_digit: u8 in 0..=1 = 0,
    /// The sums of a full row or column that win. Must be given if `size` is not 3.
    winning_sums: GivenSums = GivenSums(None),
    /// Columns and rows of the board.
    size: u8 in 2..=5 = 3,
}

/// The sums that win on the board of three by three.
const ODD_SUMS: [u8; 2] = [1, 3];

/// The sums that win, if somebody says so. A list that is there must be one: `null` is not the same
/// as nothing.
#[derive(Clone, Debug)]
struct GivenSums(Option<Vec<u8>>);

impl Parameter for GivenSums {
    fn domain() -> Domain {
        Vec::<u8>::domain()
    }

    fn read(value: &Value) -> Result<GivenSums, String> {
        Vec::read(value).map(|sums| GivenSums(Some(sums)))
    }

    fn write(&self) -> Value {
        self.0.as_deref().unwrap_or(&ODD_SUMS).into()
    }
}

pub type OddLines = MarkGame<WinningSums>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WinningSums {
    /// Bit `n` is set if the sum `n` wins.
    sums: u8,
    first_digit: u8,
}

impl WinningSums {
    fn digits(&self) -> [u8; 2] {
        [self.first_digit, 1 - self.first_digit]
    }

    /// The sum of some squares and how many of them are empty.
    fn sum(&self, marks: &Marks, squares: impl Iterator<Item = Cell>) -> (u8, u8) {
        let [first, second] = self.digits();
        squares.fold((0, 0), |(sum, empty), cell| {
            if marks.is_empty(cell) {
                (sum, empty + 1)
            } else {
                (sum + if marks.has(Seat::FIRST, cell) { first } else { second }, empty)
            }
        })
    }

    fn lines(&self, marks: &Marks) -> impl Iterator<Item = (u8, u8)> {
        let (size, _) = marks.size();
        (0..size).flat_map(move |at| {
            let row = self.sum(marks, (0..size).map(|col| Cell::new(col, at)));
            let column = self.sum(marks, (0..size).map(|row| Cell::new(at, row)));
            [row, column]
        })
    }

    fn wins(&self, sum: u8) -> bool {
        self.sums >> sum & 1 == 1
    }
}

impl MarkRule for WinningSums {
    type Params = Params;

    const ABOUT: About = About {
        id: "odd-lines",
        name: "Odd lines",
        source: "2.39",
        summary: "Write your digit; whoever fills a line with an odd sum wins.",
        notation: "the square",
        example: "b2",
        file: include_str!("odd_lines.rs"),
        ..PLACING
    };

    const REASON: &str = "line";
    const DECIDER_WINS: bool = true;

    fn size(params: &Params) -> [u8; 2] {
        [params.size, params.size]
    }

    fn start(params: &Params) -> Result<Self, ParamError> {
        let Params { first_digit, size, .. } = *params;
        let GivenSums(sums) = &params.winning_sums;
        let must_be_given = || format!("must be given when `size` is {size}, not 3");
        require(sums.is_some() || size == 3, "winning_sums", must_be_given)?;
        let sums = sums.as_deref().unwrap_or(&ODD_SUMS);
        let sums = sums.iter().filter(|&&sum| sum <= size).fold(0, |set, sum| set | 1 << sum);
        Ok(WinningSums { sums, first_digit })
    }

    fn decides(&self, marks: &Marks, _put: Cell) -> bool {
        self.lines(marks).any(|(sum, empty)| empty == 0 && self.wins(sum))
    }

    /// Lines that the mover can complete with their digit at once.
    fn evaluate(&self, marks: &Marks) -> i32 {
        let digit = self.digits()[marks.mover().index()];
        let is_ready = |&(sum, empty): &(u8, u8)| empty == 1 && self.wins(sum + digit);
        let ready = self.lines(marks).filter(is_ready).count() as i32;
        if marks.mover() == Seat::FIRST { 100 * ready } else { -100 * ready }
    }

    fn show(&self, marks: &Marks, view: &mut View) {
        let sums = (0..=marks.size().0).filter(|&sum| self.wins(sum)).collect::<Vec<_>>();
        view.put("digits", "The digit that each seat writes.", self.digits());
        view.put("winning_sums", "The sums of a full line that win.", sums);
        let meaning = "`0` and `1` are the digits, `.` is an empty square.";
        view.board(meaning, marks.rows(self.glyphs()));
    }

    fn glyphs(&self) -> [char; 2] {
        self.digits().map(|digit| (b'0' + digit) as char)
    }
}

#[cfg(test)]
mod tests {
    use super::OddLines;
    use crate::games::trial::{after, assert_refused, solve, standing};
    use serde_json::json;

    #[test]
    fn sums_and_the_end() {
        for (params, moves, end) in [
            // 0 1 0 in the bottom row: seat 0 completes it and wins though the one is not theirs.
            (json!({}), "a1 b1 c1", "0 wins: line"),
            // 0 1 1 is even.
            (json!({}), "a1 b1 c3 c1", "0 to move"),
            // Diagonals do not count.
            (json!({}), "a1 b2 c3", "1 to move"),
            // 0 0 0 is no win, or one.
            (json!({}), "a1 b2 b1 c3 c1", "1 to move"),
            (json!({"winning_sums": [0, 1, 3]}), "a1 b2 b1 c3 c1", "0 wins: line"),
            (json!({"first_digit": 1}), "a1 b2 b1 c3 c1", "0 wins: line"),
            (json!({"size": 2, "winning_sums": [2]}), "a1 b2 b1 a2", "1 wins: line"),
            (json!({"size": 2, "winning_sums": []}), "a1 b2 b1 a2", "draw: full"),
        ] {
            assert_eq!(standing("odd-lines", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn another_size_needs_its_winning_sums() {
        assert_refused(
            "odd-lines",
            [(json!({"size": 4}), "winning_sums"), (json!({"size": 6, "winning_sums": [1]}), "size")],
        );
        assert_eq!(after("odd-lines", &json!({}), "").params()["winning_sums"], json!([1, 3]));
        assert_eq!(
            crate::find("odd-lines").unwrap().schema()["properties"]["winning_sums"]["default"],
            json!([1, 3])
        );
    }

    #[test]
    fn both_readings_solved() {
        for (params, value) in
            [(json!({}), 1), (json!({"first_digit": 1}), -1), (json!({"winning_sums": [0, 1, 3]}), 1)]
        {
            assert_eq!(solve::<OddLines>(&params), value, "{params}");
        }
    }
}
