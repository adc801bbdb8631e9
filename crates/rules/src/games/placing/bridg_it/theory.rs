//! What is known of Bridg-It beyond its rules: who wins, and how soon.

use super::BridgIt;
use super::switching::Forests;
use crate::boards::Cell;
use crate::{Seat, Theory};

impl Theory for BridgIt {
    /// Lehman's theorem. With room for one more link from edge to edge blue wins by moving first:
    /// that move is as good as that link.
    fn foregone(&self) -> Option<bool> {
        if !self.standard {
            return None;
        }
        let (names, mut forests) = self.blue_links();
        let link = (names[0], names[1]);
        let blue_wins = !forests.add(link) || self.mover == Seat::FIRST && !forests.add(link);
        Some(blue_wins == (self.mover == Seat::FIRST))
    }

    /// A path takes the cells that are still missing, and the moves between.
    fn soonest(&self) -> [u32; 2] {
        let [own, other] = [self.mover, self.mover.other()].map(|seat| self.distance(seat) as u32);
        [2 * own - 1, 2 * other]
    }
}

impl BridgIt {
    /// The board of size `n` as blue sees it: blue cells have made one point of two, white ones are
    /// links.
    fn blue_links(&self) -> (Vec<usize>, Forests) {
        let n = self.width as usize / 2;
        let mut names: Vec<usize> = (0..2 + n * (n - 1)).collect();
        let own = self.coloured[0].cells(self.width).filter(|cell| cell.col % 2 == cell.row % 2);
        for (from, to) in own.map(|cell| self.blue_ends(cell)) {
            let (kept, dropped) = (names[from], names[to]);
            names.iter_mut().filter(|name| **name == dropped).for_each(|name| *name = kept);
        }
        let links = self.white.cells(self.width).map(|cell| self.blue_ends(cell));
        let links = links.map(|(from, to)| (names[from], names[to])).collect();
        let forests = Forests::of(names.len(), links);
        (names, forests)
    }

    /// On a board of size `n`, the two blue points that a cell connects when it is coloured blue.
    /// Points are numbered; those of the bottom row are all 0 and those of the top row all 1.
    fn blue_ends(&self, cell: Cell) -> (usize, usize) {
        let n = self.width as usize / 2;
        let point = |col: u8, row: u8| match row as usize / 2 {
            0 => 0,
            row if row == n => 1,
            row => 2 + (row - 1) * n + col as usize / 2,
        };
        let Cell { col, row } = cell;
        if row % 2 == 1 {
            (point(col, row - 1), point(col, row + 1))
        } else {
            (point(col - 1, row), point(col + 1, row))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BridgIt;
    use crate::games::trial::start;
    use crate::{Position, Theory};
    use serde_json::json;
    use std::collections::HashMap;

    /// The winner by plain search, and that Lehman's theorem says the same, here and in all that
    /// follows.
    fn mover_wins(position: &BridgIt, known: &mut HashMap<BridgIt, bool>) -> bool {
        if let Some(&wins) = known.get(position) {
            return wins;
        }
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        let mut wins = false;
        for mv in moves {
            let mut next = *position;
            next.play(position.mover, &mv);
            wins |= next.connected || !mover_wins(&next, known);
        }
        assert_eq!(position.foregone(), Some(wins), "{position:?}");
        known.insert(*position, wins);
        wins
    }

    #[test]
    fn lehmans_theorem_tells_who_wins() {
        assert!(mover_wins(&start(&json!({"n": 2})), &mut HashMap::new()));
        let mut position: BridgIt = start(&json!({"n": 3}));
        for cell in ["d4", "b2", "c3", "f6"] {
            position.play(position.mover, &cell.parse().unwrap());
        }
        mover_wins(&position, &mut HashMap::new());
        for n in 4..=10 {
            assert_eq!(start::<BridgIt>(&json!({"n": n})).foregone(), Some(true), "n = {n}");
        }
        assert_eq!(start::<BridgIt>(&json!({"layout": "B./.B"})).foregone(), None);
    }
}
