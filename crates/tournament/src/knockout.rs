//! Knockout: the loser of an encounter is out. The bots are seeded in the order of the config. The
//! losers of the semifinals play for third place, unless the config says otherwise.

use super::formats::Pairing;
use crate::standings::Encounters;
use std::cmp::Ordering;

/// A drawn encounter is continued at most this often. Then the better seed goes through.
const EXTENSIONS: u32 = 8;

pub struct Knockout {
    /// The bracket from top to bottom. `None` is a bye.
    bracket: Vec<Option<usize>>,
    third_place: bool,
    round: u32,
    /// The encounters of this round that are not decided yet.
    open: Vec<[usize; 2]>,
    extensions: u32,
    /// The decided encounters of this round.
    ended: Vec<Ended>,
}

/// A decided encounter.
#[derive(Clone, Copy)]
pub struct Ended {
    pub winner: usize,
    pub loser: usize,
    /// The encounter stayed level, so the better seed went through.
    pub level: bool,
}

impl Knockout {
    pub fn new(bots: usize, third_place: bool) -> Knockout {
        let bracket = seeded(bots.next_power_of_two());
        let bracket = bracket.into_iter().map(|seed| (seed < bots).then_some(seed)).collect();
        Knockout { bracket, third_place, round: 0, open: Vec::new(), extensions: 0, ended: Vec::new() }
    }

    pub fn next(&mut self, so_far: &Encounters) -> Option<Pairing> {
        self.count(so_far);
        if self.open.is_empty() {
            if self.bracket.len() == 1 {
                return None;
            }
            self.round += 1;
            self.extensions = 0;
            let last = std::mem::take(&mut self.ended);
            // A bot with a bye goes through without a game.
            let pairs = self.bracket.chunks_exact(2).filter_map(|pair| Some([pair[0]?, pair[1]?]));
            self.open = pairs.collect();
            if let ([a, b], 2, true) = (&last[..], self.bracket.len(), self.third_place) {
                self.open.push([a.loser, b.loser]);
            }
        } else {
            self.extensions += 1;
        }
        Some(Pairing { round: self.round, pairs: self.open.clone() })
    }

    /// The final, and the encounter for third place.
    pub fn last_encounters(&self) -> Option<(Ended, Option<Ended>)> {
        let champion = self.bracket.first().copied().flatten().filter(|_| self.bracket.len() == 1)?;
        let of = |is_final: bool| self.ended.iter().copied().find(|end| (end.winner == champion) == is_final);
        Some((of(true)?, of(false)))
    }

    /// Removes losers from the bracket. When all encounters are decided, the winners move up.
    fn count(&mut self, so_far: &Encounters) {
        let mut still_open = Vec::new();
        for [first, second] in std::mem::take(&mut self.open) {
            let points = so_far.points(self.round, [first, second]);
            let order = points[0].total_cmp(&points[1]);
            let (winner, loser) = match order {
                Ordering::Greater => (first, second),
                Ordering::Less => (second, first),
                Ordering::Equal if self.extensions == EXTENSIONS => (first.min(second), first.max(second)),
                Ordering::Equal => {
                    still_open.push([first, second]);
                    continue;
                }
            };
            self.ended.push(Ended { winner, loser, level: order.is_eq() });
            for bot in self.bracket.iter_mut().filter(|bot| **bot == Some(loser)) {
                *bot = None;
            }
        }
        self.open = still_open;
        if self.open.is_empty() && self.round > 0 {
            self.bracket = self.bracket.chunks_exact(2).map(|pair| pair[0].or(pair[1])).collect();
        }
    }
}

/// The usual order of seeds: the best two can meet only in the final.
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

    /// Plays a whole knockout. `points` says how many of two points the first bot gets in an
    /// encounter of a stage. Returns the knockout, the score of each bot in the table, and the
    /// number of encounters of each stage.
    fn play(
        bots: usize,
        third_place: bool,
        points: impl Fn(usize, usize, usize) -> f64,
    ) -> (Knockout, Vec<f64>, Vec<usize>) {
        let mut knockout = Knockout::new(bots, third_place);
        let mut encounters = Encounters::default();
        let mut stages = Vec::new();
        while let Some(pairing) = knockout.next(&encounters) {
            stages.push(pairing.pairs.len());
            for [a, b] in pairing.pairs {
                let points = points(a, b, stages.len());
                encounters.add(pairing.round, (a, b), Some(points / 2.0));
                encounters.add(pairing.round, (b, a), Some(1.0 - points / 2.0));
            }
        }
        let survived = encounters.knockout(bots);
        (knockout, survived, stages)
    }

    fn high(a: usize, b: usize, _: usize) -> f64 {
        if a > b { 2.0 } else { 0.5 }
    }

    #[test]
    fn the_champion_wins_the_final() {
        for (bots, third, rounds, champion) in [
            (8, false, &[4, 2, 1][..], 7),
            (8, true, &[4, 2, 2], 7),
            (6, true, &[2, 2, 2], 5),
            (4, true, &[2, 2], 3),
            (3, true, &[1, 1], 2),
            (2, true, &[1], 1),
        ] {
            let (knockout, survived, stages) = play(bots, third, high);
            assert_eq!(stages, rounds, "{bots}");
            let (end, for_third) = knockout.last_encounters().unwrap();
            assert_eq!((end.winner, end.level), (champion, false), "{bots}");
            assert_eq!(for_third.is_some(), third && bots > 3, "{bots}");
            let mut order: Vec<usize> = (0..bots).collect();
            order.sort_by(|&a, &b| survived[b].total_cmp(&survived[a]));
            assert_eq!(order[..2], [end.winner, end.loser], "{survived:?}");
            if let Some(third) = for_third {
                assert_eq!(order[2..4], [third.winner, third.loser], "{survived:?}");
            }
        }
        assert_eq!(seeded(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn level_encounters_are_continued() {
        let second_time = |_, _, stage| if stage == 2 { 0.0 } else { 1.0 };
        let (knockout, _, stages) = play(2, true, second_time);
        assert_eq!((knockout.last_encounters().unwrap().0.winner, stages), (1, vec![1, 1]));
        let (knockout, survived, stages) = play(4, true, |_, _, _| 1.0);
        let (end, third) = knockout.last_encounters().unwrap();
        assert!(end.level && end.winner == 0 && third.unwrap().winner == 2, "the better seed goes through");
        assert_eq!(survived, [2.0, 1.0, 0.5, 0.0]);
        assert_eq!(stages.len() as u32, 2 * (1 + EXTENSIONS));
    }
}
