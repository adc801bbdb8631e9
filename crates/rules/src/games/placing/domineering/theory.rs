//! What is known of Domineering beyond its rules: who has more moves in hand.

use super::Domineering;
use super::dominoes::{hand, most};
use crate::Theory;

impl Theory for Domineering {
    /// Who has more moves in hand than the other side can ever make wins.
    fn foregone(&self) -> Option<bool> {
        let [own, other] = self.sights();
        let hands = [hand(&own, true), hand(&other, false)];
        if hands[0].worth > hands[0].open || hands[0].moves > most(&other) {
            Some(true)
        } else {
            // The other side needs only as many, since the player to move is the first to run out.
            let holds_out = hands[1].worth + 1 >= hands[1].open || hands[1].moves >= most(&own);
            holds_out.then_some(false)
        }
    }

    /// A side has lost when it has made all the moves in its hand.
    fn soonest(&self) -> [u32; 2] {
        let [own, other] = self.sights();
        [2 * hand(&other, false).moves + 1, 2 * hand(&own, true).moves.max(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::Domineering;
    use crate::boards::Cell;
    use crate::games::placing::rows::Rows;
    use crate::{Position, Seat, SplitMix, Theory};
    use std::collections::HashMap;

    /// Does the player to move win, and after how many plies, if the winner hurries and the loser
    /// delays?
    fn plain(position: &Domineering, known: &mut HashMap<Domineering, (bool, u32)>) -> (bool, u32) {
        if position.turn().is_over() {
            return (false, 0);
        }
        if let Some(&found) = known.get(position) {
            return found;
        }
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        let (mut quickest, mut slowest) = (None, 0);
        for mv in &moves {
            let mut next = *position;
            next.play(position.mover, mv);
            let (loses, plies) = plain(&next, known);
            if loses {
                slowest = slowest.max(plies + 1);
            } else {
                quickest = Some(quickest.map_or(plies + 1, |quickest: u32| quickest.min(plies + 1)));
            }
        }
        let found = quickest.map_or((false, slowest), |plies| (true, plies));
        known.insert(*position, found);
        found
    }

    /// Boards with blocked cells at random, every position that follows from them, and both sides
    /// to move.
    #[test]
    fn what_is_foregone_is_true() {
        let mut dice = SplitMix::new(8);
        let mut said = [0; 3];
        for (width, height) in
            [(3, 3), (4, 4), (5, 3), (3, 6), (7, 2), (5, 4), (4, 5), (8, 3), (3, 8), (5, 5), (6, 5)]
        {
            let mut known = HashMap::new();
            for _ in 0..20 {
                let blocked = 2 + dice.below(6) + usize::from(width * height) / 4;
                let mut empty = Rows::full(width, height);
                for _ in 0..blocked {
                    let col = dice.below(width.into()) as u8;
                    empty.remove(Cell::new(col, dice.below(height.into()) as u8));
                }
                for mover in [Seat::FIRST, Seat::SECOND] {
                    plain(&Domineering { empty, width, height, mover }, &mut known);
                }
            }
            for (position, &(wins, plies)) in &known {
                let foregone = position.foregone();
                assert!(foregone.is_none_or(|foregone| foregone == wins), "{position:?}: {foregone:?}");
                said[foregone.map_or(2, usize::from)] += 1;
                let soonest = position.soonest()[usize::from(!wins)];
                assert!(soonest <= plies, "{position:?}: {plies} plies, not {soonest}");
            }
        }
        // Most positions are foregone, for either side.
        let [lost, won, open] = said;
        assert!(lost > open && won > open, "{said:?}");
    }
}
