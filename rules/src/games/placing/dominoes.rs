//! How many dominoes a side can lay at most, and how many for certain, without a search.
//!
//! All of it is for upright dominoes; those that lie flat are upright on a board with rows and columns exchanged. The
//! areas are those of Bullock, *Domineering: Solving Large Combinatorial Search Spaces* (2002).

use super::rows::Rows;

/// Dominoes that nothing can prevent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand {
    pub(super) moves: u32,
    /// Cells of theirs that the other side could have used.
    pub(super) contested: u32,
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

/// The dominoes that a side lays for certain, if it moves next or if it does not.
///
/// - *Safe* places are out of the other side's reach.
/// - A square of four cells with a blocked side is worth two dominoes: one in the open column makes the other safe.
/// - Any other place is worth one.
///
/// Areas are chosen so that one move of the other side can spoil only one of them; the sides take turns to use and to
/// spoil the best that is left.
pub(super) fn hand(empty: &Rows, moves_next: bool) -> Hand {
    let safe = empty.blend(|_, row, _| row & !beside(row));
    let mut open = empty.without(&safe);
    let squares = choose(&mut open, |lower, upper, at| {
        let both = lower & upper;
        let blocked = !(empty.0[at] | empty.0[at + 1]);
        // The column on the left is blocked on its left, or the one on the right on its right.
        let left = both & both >> 1 & (blocked << 1 | 1 | blocked >> 2);
        (left, 0b11)
    });
    let places = choose(&mut open, |lower, upper, _| (lower & upper, 0b1));
    let used = |areas: u32, first: bool| if first { areas.div_ceil(2) } else { areas / 2 };
    let used_squares = used(squares, moves_next);
    let used_places = used(places, moves_next == squares.is_multiple_of(2));
    let unsafe_moves = 2 * used_squares + used_places;
    Hand { moves: most(&safe) + unsafe_moves, contested: 2 * unsafe_moves }
}

/// Takes areas of two rows from the open cells, as many as there are, together with the cells beside them. `find` gives
/// the left ends of the areas in a pair of rows and their columns.
fn choose(open: &mut Rows, find: impl Fn(u16, u16, usize) -> (u16, u16)) -> u32 {
    let mut count = 0;
    for at in 0..open.0.len() - 1 {
        loop {
            let (left_ends, columns) = find(open.0[at], open.0[at + 1], at);
            if left_ends == 0 {
                break;
            }
            let area = columns << left_ends.trailing_zeros();
            let gone = area | beside(area);
            open.0[at] &= !gone;
            open.0[at + 1] &= !gone;
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
            (".x./.x.", 2, 2, 2),
            ("./.", 1, 1, 1),
            // A single column is safe, two the other side can cross.
            ("../..", 2, 2, 0),
            ("x../x..", 2, 2, 0),
            // Two squares, one for each.
            ("..x../..x..", 4, 2, 2),
            // A column beside a square is spoilt or used after the square is.
            (".../...", 3, 2, 0),
            ("..../....", 4, 2, 1),
            ("./x/./.", 1, 1, 1),
        ] {
            let rows = rows(board);
            assert_eq!(most(&rows), at_most, "{board}");
            assert_eq!(hand(&rows, true).moves, next, "{board}, moving next");
            assert_eq!(hand(&rows, false).moves, not_next, "{board}, not moving next");
        }
    }
}
