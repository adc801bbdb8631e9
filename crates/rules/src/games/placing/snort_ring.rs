//! Boys and girls on a ring of chairs, for two: the game Snort on a circle.
//!
//! 14 chairs stand in a ring, numbered 1 to 14; the last and the first are neighbours. All are
//! empty. Seat 0 has seven boys and begins, seat 1 has seven girls.
//!
//! - A move seats one of your children on an empty chair, written as its number: `8`. No child of
//!   the other side may sit on a chair next to it.
//! - Whoever must move and cannot loses, whether no chair is left or no child.
//!
//! `per_side` is the number of children of each side; without it half the chairs, rounded up, which
//! with players who take turns is never felt.
//!
//! Source: exercise 2.14.
//!
//! Theory: the first player wins if the number of chairs is odd. If the number is even, the second
//! player wins by taking the chair straight across. Computed here up to 14 chairs.

use super::prelude::*;
use std::f32::consts::TAU;

params! {
    /// Chairs in the ring.
    chairs: u8 in 3..=40 = 14,
    /// Children of each side; `null` stands for half the chairs, rounded up.
    per_side: Option<u8> in 1..=40 = None,
}

/// A chair, counted from 0 inside and from 1 in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chair(u8);

impl fmt::Display for Chair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl FromStr for Chair {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Chair, NotAMove> {
        let number: u8 = text.parse().map_err(|_| NotAMove)?;
        let chair = Chair(number.checked_sub(1).filter(|&chair| chair < 64).ok_or(NotAMove)?);
        if chair.to_string() == text { Ok(chair) } else { Err(NotAMove) }
    }
}

/// Chairs are bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnortRing {
    seated: [u64; 2],
    chairs: u8,
    per_side: u8,
    mover: Seat,
}

impl SnortRing {
    /// The chairs that a seat may use, if it has a child left.
    fn chairs_for(&self, seat: Seat) -> u64 {
        let own = self.seated[seat.index()];
        let other = self.seated[seat.other().index()];
        if own.count_ones() >= u32::from(self.per_side) {
            return 0;
        }
        let all = (1 << self.chairs) - 1;
        let last = self.chairs - 1;
        let beside_other = other << 1 | other >> last | other >> 1 | other << last;
        all & !(own | other | beside_other)
    }

    fn glyph(&self, chair: u8) -> char {
        if self.seated[0] >> chair & 1 == 1 {
            'B'
        } else if self.seated[1] >> chair & 1 == 1 {
            'G'
        } else {
            '.'
        }
    }
}

impl Position for SnortRing {
    type Params = Params;
    type Move = Chair;

    const ABOUT: About = About {
        id: "snort-ring",
        name: "Snort on a ring",
        source: "2.14",
        summary: "Seat boys and girls on a ring, never a boy beside a girl.",
        notation: "the number of the chair",
        example: "8",
        file: include_str!("snort_ring.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let chairs = params.chairs;
        let per_side = params.per_side.unwrap_or(chairs.div_ceil(2));
        Ok(SnortRing { seated: [0; 2], chairs, per_side, mover: Seat::FIRST })
    }

    fn turn(&self) -> Turn {
        if self.chairs_for(self.mover) == 0 {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// From the first chair to the last.
    fn moves(&self, seat: Seat, out: &mut Vec<Chair>) {
        let mut rest = self.chairs_for(seat);
        while rest != 0 {
            out.push(Chair(rest.trailing_zeros() as u8));
            rest &= rest - 1;
        }
    }

    fn play(&mut self, seat: Seat, chair: &Chair) {
        self.seated[seat.index()] |= 1 << chair.0;
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        let child = if self.mover == Seat::FIRST { "B" } else { "G" };
        view.to_move(self.mover);
        view.word("child", "The children of the seat to move: `B` or `G`.", child);
        let chairs = (0..self.chairs).map(|chair| self.glyph(chair)).collect();
        let meaning =
            "The chairs from chair 1 on: `B` has a boy of seat 0, `G` a girl of seat 1, `.` nobody.";
        view.row("chairs", meaning, chairs);
        let left = self.seated.map(|seated| u32::from(self.per_side) - seated.count_ones());
        view.put("children_left", "How many children of each seat still stand.", left);
    }

    /// Clockwise from the top, on an ellipse with room for the marks around a chair.
    fn picture(&self, _eyes: Eyes) -> Picture {
        let count = f32::from(self.chairs);
        let (wide, high) = (0.9 * count, 0.25 * count + 1.0);
        let site = |chair: u8| {
            let angle = TAU * f32::from(chair) / count;
            let piece = match self.glyph(chair) {
                'B' => Piece::first('B').as_a(Shape::Lettered),
                'G' => Piece::second('G').as_a(Shape::Lettered),
                _ => Piece::EMPTY,
            };
            Site::new(Chair(chair).to_string(), wide * (1.0 + angle.sin()), high * (1.0 + angle.cos()), piece)
        };
        let sites = (0..self.chairs).map(site).collect();
        let picture = Picture { scale: (1, 1), names: true, sites, ..Picture::default() };
        picture.text_caption("chair 1 is at the top, the others follow clockwise")
    }
}

impl Finite for SnortRing {
    fn longest(&self) -> u32 {
        u32::from(self.chairs) - (self.seated[0] | self.seated[1]).count_ones()
    }
}

impl Duel for SnortRing {
    /// The chairs that each side may use.
    fn evaluate(&self) -> i32 {
        let choice = |seat| self.chairs_for(seat).count_ones() as i32;
        choice(Seat::FIRST) - choice(Seat::SECOND)
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let chairs = u32::from(self.chairs);
        let all = (1 << chairs) - 1;
        let turned = |seated: u64, by: u32| (seated << by | seated >> (chairs - by)) & all;
        let mirrored = self.seated.map(|seated: u64| seated.reverse_bits() >> (64 - chairs));
        let images = [self.seated, mirrored]
            .into_iter()
            .flat_map(|ring| (0..chairs).map(move |by| ring.map(|seated| turned(seated, by))));
        SnortRing { seated: images.min().unwrap_or(self.seated), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chair, SnortRing};
    use crate::games::trial::{legal, solve, standing};
    use serde_json::json;

    #[test]
    fn neighbours_around_the_ring_and_the_end() {
        for (params, moves, choice) in [
            (json!({"chairs": 6}), "1", "3 4 5"),
            (json!({"chairs": 6}), "6", "2 3 4"),
            (json!({"chairs": 6}), "1 4", "2 6"),
            // A boy may sit beside a boy.
            (json!({"chairs": 6}), "1 4 2", "5"),
            (json!({"chairs": 8, "per_side": 1}), "1 5", ""),
        ] {
            assert_eq!(legal("snort-ring", &params, moves), choice, "{params} {moves}");
        }
        for (params, moves, end) in [
            (json!({"chairs": 3}), "2", "0 wins: no_moves"),
            (json!({"chairs": 6}), "1 4 2 5", "1 wins: no_moves"),
            (json!({"chairs": 8, "per_side": 1}), "1 5", "1 wins: no_moves"),
        ] {
            assert_eq!(standing("snort-ring", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_and_texts_are_refused() {
        for text in ["0", "01", "+1", "a", "", "65"] {
            assert!(text.parse::<Chair>().is_err(), "{text}");
        }
    }

    #[test]
    fn odd_rings_are_won_and_even_ones_lost() {
        for chairs in 3..=14 {
            let value = solve::<SnortRing>(&json!({"chairs": chairs}));
            assert_eq!(value, if chairs % 2 == 1 { 1 } else { -1 }, "{chairs} chairs");
        }
    }
}
