//! Digital Deletions, for two, in a misère variant.
//!
//! A number, digit by digit: by default 5231205661024.
//!
//! - A move either lowers one digit that is not 0 by exactly one, or chooses a 0 and erases it
//!   together with all digits to its right. Digits are counted from 1 at the left: `-4` lowers the
//!   fourth digit, `x11` erases the eleventh, a 0, and everything after it.
//! - The game ends when no digit is left. Whoever made the last move loses; without `misere`, wins.
//!
//! `number` gives another start of up to 20 digits; leading zeros are kept.
//!
//! Source: exercise 2.8. The number is that of its figure, which shows the moves `x11`, `-4` and
//! `x4`. "The player who is last able to move loses" is read as misère play. In the published game
//! a digit may be lowered by any amount, here by one only.

use super::prelude::*;
use super::row::{self, read_row};
use super::theory::worth;

params! {
    /// The digits at the start.
    number: String of 1..=20 = "5231205661024",
    /// Whoever makes the last move loses.
    misere: bool = true,
}

const MOST_DIGITS: usize = 20;

pub type DigitalDeletions = InTurn<DigitRow>;

/// Erased digits are 0, so that equal numbers are equal positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DigitRow {
    digits: [u8; MOST_DIGITS],
    length: u8,
    misere: bool,
}

/// Digits are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    Lower(u8),
    EraseFrom(u8),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Lower(at) => write!(f, "-{}", at + 1),
            Change::EraseFrom(at) => write!(f, "x{}", at + 1),
        }
    }
}

impl FromStr for Change {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Change, NotAMove> {
        if let Some(number) = text.strip_prefix('-') {
            number.parse().map(|Nth(at)| Change::Lower(at))
        } else {
            text.strip_prefix('x').ok_or(NotAMove)?.parse().map(|Nth(at)| Change::EraseFrom(at))
        }
    }
}

impl DigitRow {
    fn digits(&self) -> &[u8] {
        &self.digits[..self.length as usize]
    }

    fn number(&self) -> String {
        self.digits().iter().map(|digit| (b'0' + digit) as char).collect()
    }
}

impl Impartial for DigitRow {
    type Params = Params;
    type Move = Change;

    const ABOUT: About = About {
        id: "digital-deletions",
        name: "Digital Deletions",
        source: "2.8",
        summary: "Lower a digit or erase from a 0 on; the last move loses.",
        notation: "-digit to lower it, xdigit to erase from there",
        example: "x11",
        file: include_str!("digital_deletions.rs"),
        ..TAKING
    };

    const REASON: &str = "no_digits";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let number = read_row("number", &params.number, "0123456789", 1..=MOST_DIGITS)?;
        let mut digits = [0; MOST_DIGITS];
        for (digit, glyph) in digits.iter_mut().zip(&number) {
            *digit = *glyph as u8 - b'0';
        }
        Ok(DigitRow { digits, length: number.len() as u8, misere: params.misere })
    }

    fn is_over(&self) -> bool {
        self.length == 0
    }

    fn misere(&self) -> bool {
        self.misere
    }

    /// Digit by digit from the left; there is one move for each.
    fn moves(&self, out: &mut Vec<Change>) {
        let changes = (0..).zip(self.digits()).map(|(at, &digit)| match digit {
            0 => Change::EraseFrom(at),
            _ => Change::Lower(at),
        });
        out.extend(changes);
    }

    fn play(&mut self, change: &Change) {
        match *change {
            Change::Lower(at) => self.digits[at as usize] -= 1,
            Change::EraseFrom(at) => {
                self.digits[at as usize..].fill(0);
                self.length = at;
            }
        }
    }

    fn show(&self, view: &mut View) {
        view.row("number", "The digits that are left, each one of `0-9`.", self.number());
        view.put("misere", "Does whoever makes the last move lose?", self.misere);
    }

    fn picture(&self) -> Picture {
        if self.length == 0 {
            return Picture::default().caption("no digit is left");
        }
        row::draw(&self.number(), |digit| Piece::neutral(digit).as_a(Shape::Mark))
    }

    fn longest(&self) -> u32 {
        self.digits().iter().map(|&digit| u32::from(digit) + 1).sum()
    }

    /// Who would win if every digit were lowered to 0 and erased alone.
    fn evaluate(&self) -> i32 {
        let odd = self.longest() % 2 == 1;
        worth(odd != self.misere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, after, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (params, moves, number, choices, won) in [
            // The game of the figure.
            (json!({}), "", "5231205661024", "-1 -2 -3 -4 -5 x6 -7 -8 -9 -10 x11 -12 -13", None),
            (json!({}), "x11", "5231205661", "-1 -2 -3 -4 -5 x6 -7 -8 -9 -10", None),
            (json!({}), "x11 -4", "5230205661", "-1 -2 -3 x4 -5 x6 -7 -8 -9 -10", None),
            (json!({}), "x11 -4 x4", "523", "-1 -2 -3", None),
            (json!({"number": "007"}), "", "007", "x1 x2 -3", None),
            (json!({"number": "007"}), "x1", "", "", Some(1)),
            (json!({"number": "007", "misere": false}), "x1", "", "", Some(0)),
            (json!({"number": "01"}), "-2 x2 x1", "", "", Some(1)),
        ] {
            assert_eq!(seen("digital-deletions", &params, moves, "number"), number, "{params} {moves}");
            assert_eq!(legal("digital-deletions", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("digital-deletions", &params, moves), won, "{params} {moves}");
        }
        assert!(after("digital-deletions", &json!({}), "x11").play(Seat::SECOND, "x4").is_err());
    }

    /// A 0 in front wins at once in normal play, so nobody makes one there before they must.
    #[test]
    fn small_numbers() {
        for (number, normal, misere) in
            [("0", true, false), ("1", false, true), ("2", true, false), ("00", true, true)]
        {
            for (is_misere, first_wins) in [(false, normal), (true, misere)] {
                let position: DigitalDeletions = start(&json!({"number": number, "misere": is_misere}));
                assert_eq!(Solver::new().mover_wins(&position), first_wins, "{number} misere {is_misere}");
            }
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "digital-deletions",
            [(json!({"number": "12a"}), "number"), (json!({"number": "-1"}), "number")],
        );
    }
}
