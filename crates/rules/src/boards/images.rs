//! All images of a set of cells at once, for boards of up to 8 by 8.
//!
//! A solver asks for the least image of every position it meets, so this is looked up and not
//! computed.

const SIDE: usize = 8;

/// Where each cell of a board comes to lie, by width and height, in the order of
/// [`super::Symmetry::all`].
static PLACES: [[[[u8; 8]; SIDE * SIDE]; SIDE]; SIDE] = {
    let mut places = [[[[0; 8]; SIDE * SIDE]; SIDE]; SIDE];
    let mut board = 0;
    while board < SIDE * SIDE {
        let (width, height) = (board % SIDE + 1, board / SIDE + 1);
        let mut cell = 0;
        while cell < width * height {
            let mut way = 0;
            while way < 8 {
                let (col, row) = (cell % width, cell / width);
                let col = if way & 1 != 0 { width - 1 - col } else { col };
                let row = if way & 2 != 0 { height - 1 - row } else { row };
                let (col, row) = if way & 4 != 0 { (row, col) } else { (col, row) };
                // Only a square board can be turned by a quarter; nobody asks for the others.
                if width == height || way < 4 {
                    places[width - 1][height - 1][cell][way] = (row * width + col) as u8;
                }
                way += 1;
            }
            cell += 1;
        }
        board += 1;
    }
    places
};

/// The least of the images of some sets of cells, each with the bits of [`super::Cell::index`].
pub(crate) fn least_image<const SETS: usize>(sets: [u64; SETS], width: u8, height: u8) -> [u64; SETS] {
    let places = &PLACES[width as usize - 1][height as usize - 1];
    let ways = if width == height { 8 } else { 4 };
    let mut images = [[0; SETS]; 8];
    for (set, mut bits) in sets.into_iter().enumerate() {
        while bits != 0 {
            let cell = &places[bits.trailing_zeros() as usize];
            for (image, place) in images.iter_mut().zip(cell) {
                image[set] |= 1 << place;
            }
            bits &= bits - 1;
        }
    }
    images[..ways].iter().copied().min().unwrap_or(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::{Cell, Symmetry};

    #[test]
    fn the_least_image_is_one_of_all() {
        for (width, height) in [(3, 3), (4, 5), (5, 4), (8, 8), (1, 7), (8, 2)] {
            let cells = Cell::all(width, height).count();
            for seed in 1..50_u64 {
                let board = u64::MAX >> (64 - cells);
                let sets = [1, 2].map(|set| (seed * set).wrapping_mul(0x9e37_79b9_7f4a_7c15) & board);
                let image = |symmetry: Symmetry| sets.map(|set| symmetry.bits(set.into(), width) as u64);
                let least = Symmetry::all(width, height).map(image).min();
                assert_eq!(Some(least_image(sets, width, height)), least, "{width} by {height}: {sets:?}");
            }
        }
    }
}
