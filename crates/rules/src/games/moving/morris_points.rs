//! The 24 points of nine men's morris as bits, with its mills and slides worked out for all points
//! at once.
//!
//! ```text
//! 0-----------1-----------2     three rings of eight points, the outer one first, each
//! |   8-------9------10   |     clockwise from its top left corner: a ring is one byte,
//! |   |  16--17--18   |   |     its corners are the even bits, its middles the odd ones;
//! 7--15--23      19--11---3     one step inwards is eight bits up
//! |   |  22--21--20   |   |
//! |  14------13------12   |
//! 6-----------5-----------4
//! ```

use crate::boards::Cell;

/// A set of points.
pub(super) type Points = u32;

/// The number of no point: "from the hand", "nothing taken".
pub(super) const NOWHERE: u8 = 24;

/// Where each point lies on the 7 by 7 grid.
pub(super) const CELLS: [Cell; 24] = cells();

/// The two ends of every slide. The board has 32 edges and each can be used both ways, so that all
/// slides of a position fit into one word; see [`pack`] for their order.
pub(super) const SLIDES: [(u8, u8); 64] = slide_ends();

pub(super) const ALL: Points = 0x00ff_ffff;
pub(super) const MIDDLES: Points = 0x00aa_aaaa;
pub(super) const CORNERS: Points = 0x0055_5555;

const fn cells() -> [Cell; 24] {
    const RIGHT: [i8; 8] = [-1, 0, 1, 1, 1, 0, -1, -1];
    const UP: [i8; 8] = [1, 1, 1, 0, -1, -1, -1, 0];
    let mut cells = [Cell::new(0, 0); 24];
    let mut point = 0;
    while point < 24 {
        let distance = 3 - point as i8 / 8;
        cells[point] =
            Cell::new((3 + RIGHT[point % 8] * distance) as u8, (3 + UP[point % 8] * distance) as u8);
        point += 1;
    }
    cells
}

const fn slide_ends() -> [(u8, u8); 64] {
    let mut slides = [(0, 0); 64];
    let mut point = 0;
    while point < 24 {
        let (ring, on_ring) = (point / 8 * 8, point % 8);
        slides[point] = (point as u8, (ring + (on_ring + 1) % 8) as u8);
        slides[24 + point] = (point as u8, (ring + (on_ring + 7) % 8) as u8);
        if on_ring % 2 == 1 && point < 16 {
            slides[48 + point] = (point as u8, point as u8 + 8);
            slides[48 + point - 1] = (point as u8 + 8, point as u8);
        }
        point += 1;
    }
    slides
}

/// The points in the order in which the board is read: row by row from the top, each from the left.
pub(super) fn reading_order() -> [u8; 24] {
    let mut order = std::array::from_fn(|point| point as u8);
    order.sort_by_key(|&point| {
        let Cell { row, col } = CELLS[point as usize];
        (6 - row, col)
    });
    order
}

pub(super) fn at_cell(cell: Cell) -> Option<u8> {
    CELLS.iter().position(|&other| other == cell).map(|point| point as u8)
}

/// No bit for [`NOWHERE`].
#[inline]
pub(super) fn bit(point: u8) -> Points {
    1 << point & ALL
}

/// The number of ways in which the board can be laid onto itself.
pub(super) const WAYS: u32 = 16;

/// Where these points come to lie: the board is turned inside out or not, mirrored or not, and
/// turned by quarters.
#[inline]
pub(super) fn image(mut points: Points, way: u32) -> Points {
    if way & 1 != 0 {
        points = points.swap_bytes() >> 8;
    }
    // This mirrors each ring up to one step, and exchanges the outer and the inner one once more.
    let mirrored = way >> 1 & 1;
    if mirrored != 0 {
        points = points.reverse_bits() >> 8;
    }
    let by = way / 4 * 2 + mirrored;
    let around = 0x0001_0101 * ((1 << by) - 1);
    points << by & ALL & !around | points >> (8 - by) & around
}

/// The places of the set bits, in ascending order. Their number is known at once, which makes
/// collecting fast.
#[inline]
pub(super) fn each(mut bits: u64) -> impl Iterator<Item = u8> + Clone {
    (0..bits.count_ones()).map(move |_| {
        let place = (bits | 1 << 63).trailing_zeros();
        bits &= bits.wrapping_sub(1);
        place as u8
    })
}

/// Each point's neighbour one step clockwise on its ring.
#[inline]
fn clockwise(points: Points) -> Points {
    points << 1 & 0x00fe_fefe | points >> 7 & 0x0001_0101
}

#[inline]
fn counter_clockwise(points: Points) -> Points {
    points >> 1 & 0x007f_7f7f | points << 7 & 0x0080_8080
}

/// Middles whose two mates on the line across the rings are both in the set.
#[inline]
fn across(points: Points) -> Points {
    (points << 8 | points >> 16) & (points << 16 | points >> 8) & MIDDLES
}

/// Points that stand in a full line if they are added to the set (or already in it).
#[inline]
pub(super) fn completed(points: Points) -> Points {
    let (after, before) = (clockwise(points), counter_clockwise(points));
    let at_corner = after & clockwise(after) | before & counter_clockwise(before);
    at_corner & CORNERS | after & before & MIDDLES | across(points)
}

/// One bit for each slide, in the order of [`SLIDES`]: by the point that is left, clockwise slides
/// in bits 0 to 23, counter-clockwise ones in 24 to 47; of the rest, inward ones are the odd bits,
/// outward ones the even.
#[inline]
fn pack(clockwise: Points, counter_clockwise: Points, inward: Points, outward: Points) -> u64 {
    u64::from(clockwise) | u64::from(counter_clockwise) << 24 | u64::from(inward | outward >> 9) << 48
}

/// The slides of these stones onto these empty points.
#[inline]
pub(super) fn slides(stones: Points, empty: Points) -> u64 {
    let middles = stones & MIDDLES;
    pack(
        stones & counter_clockwise(empty),
        stones & clockwise(empty),
        middles & empty >> 8,
        middles & empty << 8,
    )
}

/// Those slides of these stones that end in a full line. The line can't be the one along which the
/// stone came, which leaves exactly one for every slide.
#[inline]
pub(super) fn closing_slides(stones: Points, empty: Points) -> u64 {
    let (after, before) = (clockwise(stones), counter_clockwise(stones));
    let to_middle = across(stones);
    let corner_ahead = before & counter_clockwise(before) & CORNERS;
    let corner_behind = after & clockwise(after) & CORNERS;
    let on_ring = after & before & MIDDLES;
    pack(
        stones & counter_clockwise(empty & (to_middle | corner_ahead)),
        stones & clockwise(empty & (to_middle | corner_behind)),
        stones & (empty & on_ring) >> 8,
        stones & (empty & on_ring) << 8,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Written out as in the rules, to hold the bits against.
    const LINES: &str = "a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1 \
                         a7-a4-a1 b6-b4-b2 c5-c4-c3 d7-d6-d5 d3-d2-d1 e5-e4-e3 f6-f4-f2 g7-g4-g1";

    fn lines() -> Vec<Vec<u8>> {
        let point = |name: &str| at_cell(name.parse().unwrap()).unwrap();
        LINES.split_whitespace().map(|line| line.split('-').map(point).collect()).collect()
    }

    fn set(points: &[u8]) -> Points {
        points.iter().fold(0, |set, &point| set | bit(point))
    }

    #[test]
    fn the_points_are_read_row_by_row() {
        let names = reading_order().map(|point| CELLS[point as usize].to_string()).join(" ");
        assert_eq!(names, "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1");
    }

    #[test]
    fn every_way_lays_the_lines_onto_each_other() {
        let lines: BTreeSet<Points> = lines().iter().map(|line| set(line)).collect();
        for way in 0..WAYS {
            let images: BTreeSet<Points> = lines.iter().map(|&line| image(line, way)).collect();
            assert_eq!(images, lines, "way {way}");
        }
        let ways: BTreeSet<Vec<Points>> =
            (0..WAYS).map(|way| (0..24).map(|point| image(bit(point), way)).collect()).collect();
        assert_eq!(ways.len(), WAYS as usize);
    }

    #[test]
    fn slides_are_the_steps_along_the_lines() {
        let steps = lines().into_iter().flat_map(|line| {
            [(line[0], line[1]), (line[1], line[2]), (line[1], line[0]), (line[2], line[1])]
        });
        let steps: BTreeSet<(u8, u8)> = steps.collect();
        assert_eq!(SLIDES.into_iter().collect::<BTreeSet<_>>(), steps);
        for (from, to) in steps {
            let at = slides(bit(from), bit(to)).trailing_zeros();
            assert_eq!(SLIDES[at as usize], (from, to));
        }
    }

    #[test]
    fn full_lines_are_found_wherever_they_are() {
        let mut dice = 1_u64;
        for _ in 0..2_000 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (stones, others) = ((dice >> 20) as Points & ALL, (dice >> 40) as Points & ALL);
            let full = |stones: Points, through: u8| {
                lines().iter().any(|line| line.contains(&through) && set(line) & !stones == 0)
            };
            for point in 0..24 {
                assert_eq!(completed(stones) & bit(point) != 0, full(stones | bit(point), point));
            }
            let empty = ALL & !stones & !others;
            for (at, (from, to)) in SLIDES.into_iter().enumerate() {
                let possible = stones & bit(from) != 0 && empty & bit(to) != 0;
                assert_eq!(slides(stones, empty) >> at & 1 == 1, possible);
                let closes = possible && full(stones ^ bit(from) ^ bit(to), to);
                assert_eq!(closing_slides(stones, empty) >> at & 1 == 1, closes);
            }
        }
    }
}
