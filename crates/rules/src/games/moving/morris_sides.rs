//! The stones of both sides of nine men's morris in one word, so that what is asked of both is
//! worked out once.
//!
//! Each half is a set of points as in [`super::morris_points`], with the same shifts; whatever a
//! shift carries from one half into the other is masked away.

use super::morris_points::{ALL, CORNERS, MIDDLES, Points};
use crate::Seat;

/// White's points in the lower half, black's in the upper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sides(u64);

/// The same points in both halves.
const fn twice(points: Points) -> u64 {
    points as u64 | (points as u64) << 32
}

impl Sides {
    #[inline]
    pub(super) fn new([white, black]: [Points; 2]) -> Sides {
        Sides(u64::from(white) | u64::from(black) << 32)
    }

    #[inline]
    pub(super) fn of(self, seat: Seat) -> Points {
        (self.0 >> (seat.0 % 2 * 32)) as Points
    }

    /// Puts stones on points that are empty, and takes them from those that are not.
    #[inline]
    pub(super) fn change(&mut self, seat: Seat, points: Points) {
        self.0 ^= u64::from(points) << (seat.0 % 2 * 32);
    }

    #[inline]
    pub(super) fn empty(self) -> Points {
        ALL & !(self.0 | self.0 >> 32) as Points
    }

    /// How many more stones white has on the board.
    #[inline]
    pub(super) fn more_stones(self) -> i32 {
        surplus(self.0)
    }

    /// How many more mills white could close with one more stone: the empty points of `completed`.
    #[inline]
    pub(super) fn more_chances(self) -> i32 {
        let (after, before) = (clockwise(self.0), counter_clockwise(self.0));
        let at_corner = after & clockwise(after) | before & counter_clockwise(before);
        let on_ring = at_corner & twice(CORNERS) | after & before & twice(MIDDLES);
        surplus((on_ring | across(self.0)) & twice(self.empty()))
    }

    /// How many more slides white has.
    #[inline]
    pub(super) fn more_slides(self) -> i32 {
        let (empty, middles) = (twice(self.empty()), self.0 & twice(MIDDLES));
        // Middles are every second point, so that there is room for slides inwards and outwards.
        let across = middles & empty >> 8 | (middles & empty << 8) >> 1;
        // Counted where they end, because the same two shifts find the mills.
        surplus(clockwise(self.0) & empty) + surplus(counter_clockwise(self.0) & empty) + surplus(across)
    }
}

/// How many more points the lower half has: those, and the ones that are missing in the upper half,
/// counted together.
#[inline]
fn surplus(halves: u64) -> i32 {
    (halves ^ u64::MAX << 32).count_ones() as i32 - 32
}

#[inline]
fn clockwise(halves: u64) -> u64 {
    halves << 1 & twice(0x00fe_fefe) | halves >> 7 & twice(0x0001_0101)
}

#[inline]
fn counter_clockwise(halves: u64) -> u64 {
    halves >> 1 & twice(0x007f_7f7f) | halves << 7 & twice(0x0080_8080)
}

#[inline]
fn across(halves: u64) -> u64 {
    let (inner, outer) = (twice(0x00ff_0000), twice(0x0000_00ff));
    (halves << 8 | halves >> 16 & outer) & (halves << 16 & inner | halves >> 8) & twice(MIDDLES)
}

#[cfg(test)]
mod tests {
    use super::super::morris_points::{completed, slides};
    use super::*;

    #[test]
    fn both_sides_at_once_are_like_one_after_the_other() {
        let mut dice = 1_u64;
        for _ in 0..5_000 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let white = (dice >> 40) as Points & ALL;
            let black = (dice >> 16) as Points & ALL & !white;
            let sides = Sides::new([white, black]);
            let empty = sides.empty();
            assert_eq!(
                [sides.of(Seat::FIRST), sides.of(Seat::SECOND), empty],
                [white, black, ALL & !(white | black)]
            );
            let more =
                |count: fn(Points, Points) -> u32| count(white, empty) as i32 - count(black, empty) as i32;
            assert_eq!(sides.more_stones(), more(|stones, _| stones.count_ones()));
            assert_eq!(sides.more_chances(), more(|stones, empty| (completed(stones) & empty).count_ones()));
            assert_eq!(sides.more_slides(), more(|stones, empty| slides(stones, empty).count_ones()));
        }
    }
}
