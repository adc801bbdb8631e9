//! Solves games that can go in circles, for tests: whoever can't force a win draws by going on for
//! ever.

use crate::Duel;
use std::collections::HashMap;

/// The value of every position that can be reached, for seat 0: 1 won, 0 drawn, -1 lost.
pub(super) fn solve<P: Duel>(start: P) -> HashMap<P, i32> {
    let mut positions = vec![start.clone()];
    let mut numbers = HashMap::from([(start, 0)]);
    let mut parents: Vec<Vec<usize>> = vec![Vec::new()];
    let mut open_moves = Vec::new();
    let mut values = Vec::new();
    let mut moves = Vec::new();
    while let Some(position) = positions.get(values.len()).cloned() {
        let number = values.len();
        values.push(position.turn().finish().map_or(0, |finish| finish.value(&position)));
        moves.clear();
        if let Some(seat) = position.turn().seats().lowest() {
            position.moves(seat, &mut moves);
            for mv in &moves {
                let mut next = position.clone();
                next.play(seat, mv);
                let child = *numbers.entry(next.clone()).or_insert(positions.len());
                if child == positions.len() {
                    positions.push(next);
                    parents.push(Vec::new());
                }
                parents[child].push(number);
            }
        }
        open_moves.push(moves.len());
    }
    let mut known: Vec<usize> = (0..values.len()).filter(|&number| values[number] != 0).collect();
    while let Some(child) = known.pop() {
        for &parent in &parents[child] {
            let side = if positions[parent].side(positions[parent].mover()) == 0 { 1 } else { -1 };
            open_moves[parent] -= 1;
            if values[parent] == 0 && (values[child] == side || open_moves[parent] == 0) {
                values[parent] = values[child];
                known.push(parent);
            }
        }
    }
    numbers.into_iter().map(|(position, number)| (position, values[number])).collect()
}
