//! The square of cubes that Quixo is played on: one is taken from the border and pushed in again
//! elsewhere.

use crate::boards::{BoardRows, Cell, Layout, Step, first_glyph, least_image};

/// Cubes that are blank or show one of so many faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cubes<const FACES: usize> {
    size: u8,
    /// Where each face is shown, by [`Cell::index`].
    shown: [u64; FACES],
}

impl<const FACES: usize> Cubes<FACES> {
    /// All blank.
    pub(super) fn blank(size: u8) -> Self {
        Cubes { size, shown: [0; FACES] }
    }

    /// The same for all squares that are alike when turned or mirrored.
    pub(super) fn canonical(&self) -> Self {
        Cubes { shown: least_image(self.shown, self.size, self.size), ..*self }
    }

    /// With the first two faces exchanged.
    pub(super) fn exchanged(mut self) -> Self {
        self.shown.swap(0, 1);
        self
    }

    /// The cells whose cubes show a face.
    pub(super) fn showing(&self, face: usize) -> u64 {
        self.shown[face]
    }

    /// The cubes with a character for each face.
    pub(super) fn rows(&self, faces: [char; FACES]) -> BoardRows {
        Layout::rows(self.size, self.size, |cell| {
            first_glyph(faces, self.shown.map(|shown| shown >> cell.index(self.size) & 1 == 1))
        })
    }

    /// Border cubes that are blank or show this face.
    #[inline]
    pub(super) fn takeable(&self, face: usize) -> u64 {
        let others = self.shown.iter().enumerate().filter(|&(other, _)| other != face);
        border(self.size) & !others.fold(0, |all, (_, shown)| all | shown)
    }

    /// Every way to take one of these border cubes and put it back at another end of its row or
    /// column.
    #[inline]
    pub(super) fn pushes(&self, mut takeable: u64, mut each: impl FnMut(Step)) {
        let last = self.size - 1;
        while takeable != 0 {
            let from = Cell::from_index(takeable.trailing_zeros() as usize, self.size);
            takeable &= takeable - 1;
            let Cell { row, col } = from;
            let ends = [Cell::new(0, row), Cell::new(last, row), Cell::new(col, 0), Cell::new(col, last)];
            ends.into_iter().filter(|&to| to != from).for_each(|to| each(Step { from, to }));
        }
    }

    /// Puts the cube back with this face up; the cubes between move one step towards the hole.
    #[inline]
    pub(super) fn push(&mut self, Step { from, to }: Step, face: usize) {
        let size = u32::from(self.size);
        let (hole, end) = (from.index(self.size), to.index(self.size));
        let between = (2 << hole.max(end)) - (1 << hole.min(end));
        let (moved, stride) = if from.row == to.row {
            (between, 1)
        } else {
            (between & FIRST_COLUMN[self.size as usize] << to.col, size)
        };
        for shown in &mut self.shown {
            let pushed = *shown & moved & !(1 << hole);
            *shown = *shown & !moved | if end > hole { pushed >> stride } else { pushed << stride };
        }
        self.shown[face] |= 1 << end;
    }

    /// Do these cells fill a row, a column or a long diagonal?
    #[inline]
    pub(super) fn fill_a_line(&self, cells: u64) -> bool {
        lines(self.size).any(|line| line & !cells == 0)
    }

    /// Long runs are worth more than their share: the squares of what each side has in every line.
    pub(super) fn balance(&self, first: u64, second: u64) -> i32 {
        let square = |cells: u64| cells.count_ones().pow(2) as i32;
        lines(self.size).map(|line| square(first & line) - square(second & line)).sum()
    }

    /// A board written as in a layout; the position of a letter in `letters` is its face.
    #[cfg(test)]
    pub(super) fn read(board: &str, letters: &str) -> Self {
        let layout =
            crate::boards::Layout::read("board", board, &format!(".{letters}"), 3..=7, 3..=7).unwrap();
        let mut cubes = Self::blank(layout.width);
        for (face, letter) in letters.chars().enumerate() {
            cubes.shown[face] = layout.indices_of(letter).map(|index| 1 << index).sum();
        }
        cubes
    }
}

/// The leftmost column, by the size of the board.
const FIRST_COLUMN: [u64; 8] = {
    let mut columns = [0; 8];
    let mut size = 1;
    while size < 8 {
        let mut row = 0;
        while row < size {
            columns[size] |= 1 << (row * size);
            row += 1;
        }
        size += 1;
    }
    columns
};

fn border(size: u8) -> u64 {
    let (columns, row) = (FIRST_COLUMN[size as usize], (1 << size) - 1);
    columns | columns << (size - 1) | row | row << (size * (size - 1))
}

/// Rows, columns and the two long diagonals.
fn lines(size: u8) -> impl Iterator<Item = u64> {
    let (column, row) = (FIRST_COLUMN[size as usize], (1 << size) - 1);
    let rising = (0..size).fold(0, |line, step| line | 1 << (step * (size + 1)));
    let falling = (1..=size).fold(0, |line, step| line | 1 << (step * (size - 1)));
    (0..size).flat_map(move |at| [row << (at * size), column << at]).chain([rising, falling])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_between_move_towards_the_hole() {
        for (before, push, after) in [
            ("..../OX../..../....", "a3-d3", "..../X..X/..../...."),
            ("..../..XO/..../....", "d3-a3", "..../X..X/..../...."),
            (".X../.O../..../.O..", "b4-b1", ".O../..../.O../.X.."),
            (".X../.O../..../.O..", "b1-b4", ".X../.X../.O../...."),
            ("XOXO/OXOX/XOXO/OXOX", "b1-d1", "XOXO/OXOX/XOXO/OOXX"),
            ("XOXO/OXOX/XOXO/OXOX", "b1-a1", "XOXO/OXOX/XOXO/XOOX"),
        ] {
            let mut cubes = Cubes::<2>::read(before, "XO");
            cubes.push(push.parse().unwrap(), 0);
            assert_eq!(cubes, Cubes::read(after, "XO"), "{before} {push}");
        }
    }

    #[test]
    fn corners_go_to_two_places_and_other_border_cubes_to_three() {
        let cubes = Cubes::<2>::blank(5);
        let ends = |from: &str| {
            let mut ends = Vec::new();
            let from: Cell = from.parse().unwrap();
            cubes.pushes(1 << from.index(5), |push| ends.push(push.to.to_string()));
            ends
        };
        assert_eq!(ends("a1"), ["e1", "a5"]);
        assert_eq!(ends("e5"), ["a5", "e1"]);
        assert_eq!(ends("c1"), ["a1", "e1", "c5"]);
        assert_eq!(ends("e2"), ["a2", "e1", "e5"]);
        assert_eq!(cubes.takeable(0).count_ones(), 16);
    }

    #[test]
    fn a_line_is_a_whole_row_column_or_long_diagonal() {
        for (board, line) in [
            ("XXX/.../...", true),
            (".X./.X./.X.", true),
            ("X../.X./..X", true),
            ("..X/.X./X..", true),
            ("XX./X../..X", false),
            (".X../..X./...X/....", false),
            ("..X/X../.X.", false),
        ] {
            let cubes = Cubes::<1>::read(board, "X");
            assert_eq!(cubes.fill_a_line(cubes.showing(0)), line, "{board}");
        }
    }
}
