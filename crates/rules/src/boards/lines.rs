//! Unbroken lines of marks.

use super::{Cell, Direction};

/// Do at least `length` marked cells in a row run through `cell`, in one of these directions or its
/// opposite?
///
/// `cell` itself is taken as marked.
#[inline]
pub fn line_through(
    cell: Cell,
    length: u8,
    directions: &[Direction],
    (width, height): (u8, u8),
    marked: impl Fn(Cell) -> bool,
) -> bool {
    directions.iter().any(|&direction| {
        let run = |way| cell.ray(way, width, height).take_while(|&next| marked(next)).count();
        run(direction) + run(direction.opposite()) + 1 >= length as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::{EIGHT, Layout, ORTHOGONAL};

    #[test]
    fn lines_in_every_direction() {
        for (board, cell, length, any, straight) in [
            ("XXX/.../...", "b3", 3, true, true),
            ("X../.X./..X", "b2", 3, true, false),
            ("..X/.X./X..", "c3", 3, true, false),
            ("XX./..X/...", "b3", 3, false, false),
            (".X./.X./.X.", "b1", 3, true, true),
            ("XXXX", "b1", 3, true, true),
            ("XX.X", "b1", 3, false, false),
        ] {
            let layout = Layout::read("board", board, "X.", 1..=9, 1..=9).unwrap();
            let size = (layout.width, layout.height);
            let line = |directions: &[Direction]| {
                line_through(cell.parse().unwrap(), length, directions, size, |c| layout.glyph(c) == 'X')
            };
            assert_eq!((line(&EIGHT[..4]), line(&ORTHOGONAL[..2])), (any, straight), "{board} at {cell}");
        }
    }
}
