//! Sums of games in which both sides have the same moves and the player who cannot move loses.
//!
//! Such a game is worth as much as a heap of Nim. Its nim value, the size of that heap, is the
//! least number that is not the value of any position after one move. The nim value of a sum is the
//! exclusive or of the values of its parts. The player to move wins unless the value is 0 (Sprague
//! 1935, Grundy 1939). The parts are small even where the sum is huge. The theory does not say how
//! long a win takes.

use crate::answer::{Method, Solution, Value, ValueAlone, Verdict};
use rules::Sum;
use std::collections::{HashMap, HashSet};

/// Parts between two calls of `go_on`.
const REPORT_EVERY: usize = 1 << 12;

/// What the values of the parts say of a whole position; `None` where they say nothing.
pub(crate) trait PartValues {
    fn verdict(&mut self) -> Option<Verdict>;
    fn value_alone(&mut self) -> Option<ValueAlone>;
    fn keeping_move(&mut self) -> Option<(Value, String)>;
    /// Who wins and with which moves; the distance is not known, so that all of them are best.
    fn solution(&mut self) -> Option<Solution>;
}

/// The nim values of the parts seen so far.
pub(crate) struct NimValues<'a, P> {
    /// The position that is asked about.
    position: &'a P,
    known: HashMap<P, u32>,
    /// The largest number of parts to remember.
    most: usize,
    /// Receives the number of known parts. Returns whether to continue.
    go_on: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a, P: Sum> NimValues<'a, P> {
    pub(crate) fn new(position: &'a P, bytes: u64, go_on: &'a mut dyn FnMut(u64) -> bool) -> Self {
        let most = bytes / (2 * size_of::<P>() as u64 + 32);
        NimValues { position, known: HashMap::new(), most: most as usize, go_on }
    }

    /// The nim value of a position. `None` if the position has too many parts to remember, or takes
    /// too long.
    fn of(&mut self, position: &P) -> Option<u32> {
        position.parts().iter().try_fold(0, |sum, part| Some(sum ^ self.of_part(part)?))
    }

    /// Whether a position is lost for the player to move. In misère play the answer is reversed
    /// when no part is worth more than 1, as with heaps of single things (Bouton 1901).
    fn is_lost(&mut self, position: &P) -> Option<bool> {
        let mut values = Vec::new();
        for part in position.parts() {
            values.push(self.of_part(&part)?);
        }
        let reversed = position.misere() && values.iter().all(|&value| value <= 1);
        Some((values.iter().fold(0, |sum, value| sum ^ value) == 0) != reversed)
    }

    fn of_part(&mut self, part: &P) -> Option<u32> {
        if let Some(&value) = self.known.get(part) {
            return Some(value);
        }
        let reached = after_each_move(part).into_iter().map(|(_, next)| self.of(&next));
        let reached: HashSet<u32> = reached.collect::<Option<_>>()?;
        let value = (0..=reached.len() as u32).find(|value| !reached.contains(value))?;
        let count = self.known.len();
        if count >= self.most || (count + 1).is_multiple_of(REPORT_EVERY) && !(self.go_on)(count as u64) {
            return None;
        }
        self.known.insert(part.clone(), value);
        Some(value)
    }

    fn value(&mut self, position: &P) -> Option<Value> {
        Some(if self.is_lost(position)? { Value::Loss } else { Value::Win })
    }

    /// A line of play: the winner plays their first winning move, the loser their first move.
    fn line(&mut self, position: &P) -> Option<Vec<String>> {
        let (mut position, mut line) = (position.clone(), Vec::new());
        loop {
            let mut choice = None;
            let lost = self.is_lost(&position)?;
            for (mv, next) in after_each_move(&position) {
                if lost || self.is_lost(&next)? {
                    choice = Some((mv, next));
                    break;
                }
            }
            let Some((mv, next)) = choice else { return Some(line) };
            line.push(mv.to_string());
            position = next;
        }
    }
}

impl<P: Sum> PartValues for NimValues<'_, P> {
    fn verdict(&mut self) -> Option<Verdict> {
        Some(Verdict { value: self.value(self.position)?, margin: None, plies: None })
    }

    fn value_alone(&mut self) -> Option<ValueAlone> {
        let value = self.value(self.position)?;
        Some(ValueAlone { value, states: self.known.len() as u64, method: Method::NimValues })
    }

    fn keeping_move(&mut self) -> Option<(Value, String)> {
        let value = self.value(self.position)?;
        for (mv, next) in after_each_move(self.position) {
            if value == Value::Loss || self.is_lost(&next)? {
                return Some((value, mv.to_string()));
            }
        }
        None
    }

    fn solution(&mut self) -> Option<Solution> {
        let verdict = self.verdict()?;
        let mut keeping = Vec::new();
        for (mv, next) in after_each_move(self.position) {
            if verdict.value == Value::Loss || self.is_lost(&next)? {
                keeping.push(mv.to_string());
            }
        }
        let line = self.line(self.position)?;
        let states = self.known.len() as u64;
        Some(Solution { verdict, best: keeping.clone(), keeping, line, states, method: Method::NimValues })
    }
}

fn after_each_move<P: Sum>(position: &P) -> Vec<(P::Move, P)> {
    let mut moves = Vec::new();
    if position.turn().is_over() {
        return Vec::new();
    }
    let seat = position.mover();
    position.moves(seat, &mut moves);
    let play = |mv: P::Move| {
        let mut next = position.clone();
        next.play(seat, &mv);
        (mv, next)
    };
    moves.into_iter().map(play).collect()
}
