//! Knockout: whoever loses an encounter is out. The bots are seeded in the order of the config.

use super::formats::{Encounter, Pairing};
use std::cmp::Ordering;

/// How often a drawn encounter is played on before the better seed goes through.
const EXTENSIONS: u32 = 8;

pub struct Knockout {
    /// The bracket from top to bottom; none is a bye.
    bracket: Vec<Option<usize>>,
    round: u32,
    /// Encounters of this round that are still level, with their points so far.
    level: Vec<Encounter>,
    extensions: u32,
    /// Did the last encounter stay level?
    pub stayed_level: bool,
}

impl Knockout {
    pub fn new(bots: usize) -> Knockout {
        let bracket = seeded(bots.next_power_of_two());
        let bracket = bracket.into_iter().map(|seed| (seed < bots).then_some(seed)).collect();
        Knockout { bracket, round: 0, level: Vec::new(), extensions: 0, stayed_level: false }
    }

    pub fn next(&mut self, last: &[Encounter]) -> Option<Pairing> {
        self.count(last);
        if self.level.is_empty() {
            if self.bracket.len() == 1 {
                return None;
            }
            self.round += 1;
            self.extensions = 0;
            // Who has no rival goes through at once.
            let pairs = self.bracket.chunks_exact(2).filter_map(|pair| Some([pair[0]?, pair[1]?]));
            self.level = pairs.map(|bots| Encounter { bots, points: [0.0; 2] }).collect();
        } else {
            self.extensions += 1;
        }
        Some(Pairing { round: self.round, pairs: self.level.iter().map(|level| level.bots).collect() })
    }

    /// The one who is left.
    pub fn champion(&self) -> Option<usize> {
        if self.bracket.len() == 1 { self.bracket[0] } else { None }
    }

    /// Losers leave the bracket; when nobody is level any more the winners move up.
    fn count(&mut self, last: &[Encounter]) {
        let mut still_level = Vec::new();
        for (mut encounter, more) in std::mem::take(&mut self.level).into_iter().zip(last) {
            encounter.points = [0, 1].map(|side| encounter.points[side] + more.points[side]);
            let [first, second] = encounter.bots;
            self.stayed_level = encounter.points[0].total_cmp(&encounter.points[1]).is_eq();
            let out = match encounter.points[0].total_cmp(&encounter.points[1]) {
                Ordering::Greater => second,
                Ordering::Less => first,
                Ordering::Equal if self.extensions == EXTENSIONS => first.max(second),
                Ordering::Equal => {
                    still_level.push(encounter);
                    continue;
                }
            };
            for bot in self.bracket.iter_mut().filter(|bot| **bot == Some(out)) {
                *bot = None;
            }
        }
        self.level = still_level;
        if self.level.is_empty() && self.round > 0 {
            self.bracket = self.bracket.chunks_exact(2).map(|pair| pair[0].or(pair[1])).collect();
        }
    }
}

/// The usual order of seeds: the best two can meet in the final only.
fn seeded(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, next - 1 - seed]).collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(bots: usize, points: impl Fn(usize, usize, u32) -> [f64; 2]) -> (Option<usize>, Vec<usize>) {
        let mut knockout = Knockout::new(bots);
        let (mut stages, mut last) = (Vec::new(), Vec::new());
        while let Some(pairing) = knockout.next(&last) {
            stages.push(pairing.pairs.len());
            let result =
                |&[a, b]: &[usize; 2]| Encounter { bots: [a, b], points: points(a, b, stages.len() as u32) };
            last = pairing.pairs.iter().map(result).collect();
        }
        (knockout.champion(), stages)
    }

    #[test]
    fn the_winner_of_all_is_left() {
        let high = |a: usize, b: usize, _| if a > b { [2.0, 0.0] } else { [0.5, 1.5] };
        assert_eq!(play(8, high), (Some(7), vec![4, 2, 1]));
        assert_eq!(play(6, high), (Some(5), vec![2, 2, 1]));
        assert_eq!(play(2, high), (Some(1), vec![1]));
        assert_eq!(seeded(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn level_encounters_are_played_on() {
        let second_time = |_, _, stage| if stage == 2 { [0.0, 2.0] } else { [1.0, 1.0] };
        assert_eq!(play(2, second_time), (Some(1), vec![1, 1]));
        let (champion, stages) = play(4, |_, _, _| [1.0, 1.0]);
        assert_eq!(champion, Some(0), "the better seed goes through");
        assert_eq!(stages.len() as u32, 2 * (1 + EXTENSIONS));
    }
}
