//! How many dominoes a side can lay at most, and what it has for certain, without a search.
//!
//! All of it is for upright dominoes; those that lie flat are upright on a board with rows and
//! columns exchanged. The areas are those of Bullock, *Domineering: Solving Large Combinatorial
//! Search Spaces* (2002).
//!
//! A cell is *open* if the other side can still cover it, else *safe*. A domino that our side lays
//! is worth 2, each open cell that it covers or cuts off 1 more. If `m` dominoes use up or cut off
//! `c` open cells, the other side has at most half of the remaining ones for its own, so that `2m +
//! c` against the number of open cells says who runs out first.

use crate::games::placing::rows::Rows;

const HEIGHT: usize = 12;

/// What nothing can prevent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand {
    /// Dominoes.
    pub(super) moves: u32,
    /// Twice the dominoes and the open cells that the other side can't use any more. Not always
    /// with the same plan that gets the most dominoes.
    pub(super) worth: u32,
    /// Open cells.
    pub(super) open: u32,
}

/// The most dominoes that fit on the empty cells.
pub(super) fn most(empty: &Rows) -> u32 {
    let (mut count, mut free) = (0, 0);
    for row in empty.0 {
        let covered = free & row;
        count += covered.count_ones();
        free = row & !covered;
    }
    count
}

/// The cells out of reach for the other side.
pub(super) fn safe(empty: &Rows) -> Rows {
    empty.blend(|_, row, _| row & !beside(row))
}

/// What a side has for certain, if it moves next or if it does not.
pub(super) fn hand(empty: &Rows, moves_next: bool) -> Hand {
    let plan = Plan::of(empty);
    let pairs = plan.pairs.count();
    let open = plan.open.count();
    let wasted: u32 = (0..HEIGHT).map(|at| odd_runs(plan.open.0[at], plan.exposed.0[at])).sum();
    Hand {
        moves: pairs + plan.places().certain(moves_next) / PLACE,
        worth: 2 * pairs + plan.areas().certain(moves_next) + wasted,
        open,
    }
}

/// Where a side means to lay its dominoes. Places are given by their lower cells.
struct Plan {
    empty: Rows,
    open: Rows,
    /// Squares of four open cells with a blocked side: one domino in the column that is not blocked
    /// makes the other column safe. No two of them are side by side.
    squares: u32,
    /// Places on two open cells.
    full: Rows,
    /// Places on an open and a safe cell.
    mixed: Rows,
    /// Places on two safe cells.
    pairs: Rows,
    /// Open cells above or below a pair, which can be shifted to cover one instead of a safe cell.
    options: Rows,
    /// The open cells of all of these, where the other side could do harm.
    exposed: Rows,
}

impl Plan {
    fn of(empty: &Rows) -> Plan {
        let safe = safe(empty);
        let open = empty.without(&safe);
        let none = Rows::default();
        let (full, mixed, pairs, options) = (none, none, none, none);
        let mut plan = Plan { empty: *empty, open, squares: 0, full, mixed, pairs, options, exposed: none };
        plan.choose_squares();
        let rest = plan.choose_places(&safe);
        plan.choose_options(&rest);
        plan
    }

    fn choose_squares(&mut self) {
        for at in 0..HEIGHT - 1 {
            loop {
                let (lower, upper) = (at, at + 1);
                let taken = self.exposed.0[lower] | self.exposed.0[upper];
                let both = self.open.0[lower] & self.open.0[upper] & !(taken | beside(taken));
                let blocked = !(self.empty.0[lower] | self.empty.0[upper]);
                // The column on the left is blocked on its left, or the one on the right on its
                // right.
                let left_ends = both & both >> 1 & (blocked << 1 | 1 | blocked >> 2);
                if left_ends == 0 {
                    break;
                }
                let square = 0b11 << left_ends.trailing_zeros();
                self.exposed.0[lower] |= square;
                self.exposed.0[upper] |= square;
                self.squares += 1;
            }
        }
    }

    /// Goes up the columns and joins what is free; gives the open cells that stay single.
    fn choose_places(&mut self, safe: &Rows) -> Rows {
        let open = self.open.without(&self.exposed);
        // The safe cells with an even number of safe cells right above them.
        let mut odd = Rows::default();
        let mut above = 0;
        for at in (0..HEIGHT).rev() {
            above = safe.0[at] & !above;
            odd.0[at] = above;
        }
        let mut rest = open;
        let (mut single_safe, mut single_open) = (safe.0[0], open.0[0]);
        for at in 1..HEIGHT {
            let (safe, open) = (safe.0[at], open.0[at]);
            let pair = single_safe & safe;
            // Of an odd number of safe cells one can be spared.
            let below_safe = single_open & safe & odd.0[at];
            let above_safe = single_safe & open;
            let full = single_open & open;
            self.pairs.0[at - 1] = pair;
            self.mixed.0[at - 1] = below_safe | above_safe;
            self.full.0[at - 1] = full;
            self.exposed.0[at - 1] |= below_safe | full;
            self.exposed.0[at] |= above_safe | full;
            rest.0[at - 1] &= !(below_safe | full);
            rest.0[at] &= !(above_safe | full);
            single_safe = safe & !(pair | below_safe);
            single_open = rest.0[at];
        }
        rest
    }

    /// For each pair at most one option, and for each cell one pair.
    fn choose_options(&mut self, rest: &Rows) {
        let mut unshifted = self.pairs;
        for at in 0..HEIGHT {
            let mut options = 0;
            for lower in [Some(at + 1), at.checked_sub(2)].into_iter().flatten().filter(|&row| row < HEIGHT) {
                let option = rest.0[at] & !options & unshifted.0[lower];
                unshifted.0[lower] &= !option;
                options |= option;
            }
            self.options.0[at] = options;
            self.exposed.0[at] |= options;
        }
    }

    /// All that a side can play for, by what it is worth.
    fn areas(&self) -> Areas {
        let mut areas = Areas { squares: self.squares, ..Areas::default() };
        let (mut touching, mut lone) = ([0; HEIGHT + 1], [0; HEIGHT + 1]);
        for at in 0..HEIGHT {
            let (empty, exposed) = (self.empty.0[at], self.exposed.0[at]);
            touching[at] = exposed & beside(exposed);
            // Open cells that can be covered only together with an exposed one.
            let idle = self.open.0[at] & !exposed;
            let on_the_right = (idle & !(empty >> 1)) >> 1 & exposed;
            let on_the_left = (idle & !(empty << 1)) << 1 & exposed;
            lone[at] = on_the_right | on_the_left;
            let options = self.options.0[at];
            let both = on_the_right & on_the_left;
            areas.add(1, options & !lone[at], touching[at]);
            areas.add(2, options & lone[at] & !both, touching[at]);
            areas.add(3, options & both, touching[at]);
        }
        for at in 0..HEIGHT {
            let (touching, lone) = (touching[at] | touching[at + 1], lone[at] | lone[at + 1]);
            let (full, mixed) = (self.full.0[at], self.mixed.0[at]);
            areas.add(PLACE - 1, mixed & !lone, touching);
            areas.add(PLACE, full | mixed & lone, touching);
        }
        areas
    }

    /// The same for dominoes alone, each as much as [`PLACE`].
    fn places(&self) -> Areas {
        let mut areas = Areas { squares: self.squares, ..Areas::default() };
        for at in 0..HEIGHT {
            let row = |at: usize| self.exposed.0.get(at).map_or(0, |row| row & beside(*row));
            areas.add(PLACE, self.full.0[at] | self.mixed.0[at], row(at) | row(at + 1));
        }
        areas
    }
}

/// A domino on two open cells. Nothing but a square counts for more, so that one that is damaged
/// together with another area is still worth as much as the other one.
const PLACE: u32 = 4;

/// Areas without a common cell, of which a side uses one with each move, and the other side spoils some.
///
/// One of the other side's dominoes spoils
/// - two areas that are side by side,
/// - one that is alone,
/// - or a square: either all of it, or one cell of it and an area beside it. Then the square's other column is left, as
///   an area that is alone.
#[derive(Clone, Copy, Default)]
struct Areas {
    squares: u32,
    side_by_side: Counts,
    alone: Counts,
}

impl Areas {
    fn add(&mut self, worth: u32, cells: u16, touching: u16) {
        self.side_by_side.0[worth as usize] += (cells & touching).count_ones();
        self.alone.0[worth as usize] += (cells & !touching).count_ones();
    }

    /// What a side gets at least.
    ///
    /// It answers a spoilt square by using another one; what the spoiler gains beside the first is
    /// made up for by the column that is left. A square without another one is two columns side by
    /// side.
    fn certain(&self, moves_next: bool) -> u32 {
        let Areas { squares, side_by_side, alone } = *self;
        let paired = PLACE * (squares & !1);
        let columns = side_by_side.and_places(2);
        paired
            + match (squares % 2 == 1, moves_next) {
                (true, true) => 2 * PLACE + in_turn(side_by_side, alone),
                (true, false) => in_turn(columns, alone),
                (false, false) => in_turn(side_by_side, alone),
                (false, true) => {
                    let first = [
                        (side_by_side.top(), in_turn(side_by_side.without_top(), alone)),
                        (alone.top(), in_turn(side_by_side, alone.without_top())),
                        (0, if squares > 0 { in_turn(columns, alone) } else { 0 }),
                    ];
                    first.iter().map(|(now, later)| now + later).max().unwrap_or(0)
                }
            }
    }
}

/// What a side gets at least if the other one begins to spoil: it answers by the best area of the
/// kind that was spoilt, or of the other kind if nothing is left of the first.
fn in_turn(side_by_side: Counts, alone: Counts) -> u32 {
    let (of_three, left_of_three) = side_by_side.last_of_every(3);
    let (of_two, left_of_two) = alone.last_of_every(2);
    of_three + of_two + left_of_three.min(left_of_two)
}

/// How many areas there are of each worth.
#[derive(Clone, Copy, Default)]
struct Counts([u32; PLACE as usize + 1]);

impl Counts {
    fn and_places(mut self, more: u32) -> Counts {
        self.0[PLACE as usize] += more;
        self
    }

    fn top(&self) -> u32 {
        (1..=PLACE).rev().find(|&worth| self.0[worth as usize] > 0).unwrap_or(0)
    }

    fn without_top(mut self) -> Counts {
        let top = self.top() as usize;
        self.0[top] = self.0[top].saturating_sub(1);
        self
    }

    /// The worth of the last of every so many areas, the best ones first, and of the best that is
    /// left in the end.
    fn last_of_every(&self, group: u32) -> (u32, u32) {
        let grouped = self.0[1..].iter().sum::<u32>() / group * group;
        let (mut total, mut left, mut begin) = (0, 0, 0);
        for worth in (1..=PLACE).rev() {
            let end = begin + self.0[worth as usize];
            total += worth * (end / group - begin / group);
            if (begin..end).contains(&grouped) {
                left = worth;
            }
            begin = end;
        }
        (total, left)
    }
}

/// Counts the runs of an odd number of cells without a marked one. One cell of such a run stays
/// empty for good.
fn odd_runs(mut row: u16, marked: u16) -> u32 {
    let mut count = 0;
    while row != 0 {
        let begin = row & row.wrapping_neg();
        // Adding its first cell carries through a run.
        let run = row & !row.wrapping_add(begin);
        row &= !run;
        if run & marked == 0 && run.count_ones() % 2 == 1 {
            count += 1;
        }
    }
    count
}

/// The cells to the left and right of these.
fn beside(row: u16) -> u16 {
    row << 1 | row >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::Layout;

    fn rows(board: &str) -> Rows {
        let layout = Layout::read("board", board, ".x", 1..=12, 1..=12).unwrap();
        let mut rows = Rows::default();
        layout.cells().filter(|&(_, glyph)| glyph == '.').for_each(|(cell, _)| rows.insert(cell));
        rows
    }

    #[test]
    fn what_is_in_hand() {
        for (board, at_most, next, not_next) in [
            (".x./.x.", 2, (2, 4), (2, 4)),
            ("./.", 1, (1, 2), (1, 2)),
            // A single column is safe, two the other side can cross.
            ("../..", 2, (2, 8), (0, 0)),
            ("x../x..", 2, (2, 8), (0, 0)),
            // Two squares, one for each.
            ("..x../..x..", 4, (2, 8), (2, 8)),
            // Beside a square there is a column. If one cell of both is covered, half of the square
            // is left.
            (".../...", 3, (2, 8), (1, 4)),
            ("./x/./.", 1, (1, 2), (1, 2)),
            // A place that is safe at one end; the cell beside the other end is cut off.
            ("x.x/x..", 1, (1, 4), (0, 0)),
            ("x.xx/x...", 1, (1, 3), (0, 0)),
            // A pair that can be shifted up by one, where it covers one open cell and cuts off two.
            (".../x.x/x.x", 1, (1, 5), (1, 2)),
            // Three cells side by side have room for one domino of the other side, wherever it is.
            ("...", 0, (0, 1), (0, 1)),
        ] {
            let rows = rows(board);
            assert_eq!(most(&rows), at_most, "{board}");
            let hand = |moves_next| {
                let Hand { moves, worth, .. } = hand(&rows, moves_next);
                (moves, worth)
            };
            assert_eq!(hand(true), next, "{board}, moving next");
            assert_eq!(hand(false), not_next, "{board}, not moving next");
        }
    }
}
