//! Swiss: in every round those with the same points meet, and nobody meets the same bot twice while that is possible.

use super::formats::{Encounter, Pairing};

/// Steps of the search for a round without rematches; a tournament small enough to need more has no such round.
const PATIENCE: u32 = 100_000;

pub struct Swiss {
    rounds: u32,
    played: u32,
    /// Half points: a won encounter is 2, a drawn one 1, a bye 2.
    points: Vec<u32>,
    /// Points of single games, to order those who are level.
    game_points: Vec<f64>,
    met: Vec<Vec<bool>>,
    had_bye: Vec<bool>,
}

impl Swiss {
    pub fn new(bots: usize, rounds: u32) -> Swiss {
        Swiss {
            rounds,
            played: 0,
            points: vec![0; bots],
            game_points: vec![0.0; bots],
            met: vec![vec![false; bots]; bots],
            had_bye: vec![false; bots],
        }
    }

    pub fn next(&mut self, last: &[Encounter]) -> Option<Pairing> {
        for encounter in last {
            self.count(encounter);
        }
        if self.played == self.rounds {
            return None;
        }
        self.played += 1;
        Some(Pairing { round: self.played, pairs: self.pair() })
    }

    fn count(&mut self, Encounter { bots: [a, b], points }: &Encounter) {
        let won = |mine: f64, other: f64| if mine > other { 2 } else { u32::from(mine >= other) };
        self.points[*a] += won(points[0], points[1]);
        self.points[*b] += won(points[1], points[0]);
        self.game_points[*a] += points[0];
        self.game_points[*b] += points[1];
    }

    fn pair(&mut self) -> Vec<[usize; 2]> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |bot: usize| (self.points[bot], self.game_points[bot]);
            key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(&b))
        });
        if order.len() % 2 == 1 {
            let lowest = order.iter().rposition(|&bot| !self.had_bye[bot]).unwrap_or(order.len() - 1);
            let bye = order.remove(lowest);
            self.had_bye[bye] = true;
            self.points[bye] += 2;
        }
        let mut patience = PATIENCE;
        let fresh = pair_from(&order, &self.met, &mut patience);
        let pairs = fresh.unwrap_or_else(|| order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
        for &[a, b] in &pairs {
            self.met[a][b] = true;
            self.met[b][a] = true;
        }
        pairs
    }
}

/// The highest takes the next one whom it has not met, if the rest can be paired too.
fn pair_from(order: &[usize], met: &[Vec<bool>], patience: &mut u32) -> Option<Vec<[usize; 2]>> {
    let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
    for (at, &rival) in rest.iter().enumerate() {
        *patience = patience.checked_sub(1)?;
        if met[first][rival] {
            continue;
        }
        let others: Vec<usize> = [&rest[..at], &rest[at + 1..]].concat();
        if let Some(mut pairs) = pair_from(&others, met, patience) {
            pairs.insert(0, [first, rival]);
            return Some(pairs);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bot with the lower number always wins.
    fn play(bots: usize, rounds: u32) -> (Swiss, Vec<Vec<[usize; 2]>>) {
        let mut swiss = Swiss::new(bots, rounds);
        let (mut all, mut last) = (Vec::new(), Vec::new());
        while let Some(pairing) = swiss.next(&last) {
            let result = |&[a, b]: &[usize; 2]| {
                let points = if a < b { [2.0, 0.0] } else { [0.0, 2.0] };
                Encounter { bots: [a, b], points }
            };
            last = pairing.pairs.iter().map(result).collect();
            all.push(pairing.pairs);
        }
        (swiss, all)
    }

    #[test]
    fn nobody_meets_twice_and_the_best_wins() {
        for (bots, rounds) in [(8, 3), (7, 3), (16, 4), (33, 6), (6, 5)] {
            let (swiss, all) = play(bots, rounds);
            let mut seen = std::collections::BTreeSet::new();
            for pair in all.iter().flatten() {
                assert!(seen.insert((pair[0].min(pair[1]), pair[0].max(pair[1]))), "{bots}: {pair:?} twice");
            }
            assert_eq!(all.len(), rounds as usize);
            assert_eq!(swiss.points.iter().max(), Some(&swiss.points[0]), "{bots}: {:?}", swiss.points);
            let byes = swiss.had_bye.iter().filter(|bye| **bye).count();
            assert_eq!(byes, if bots % 2 == 1 { rounds as usize } else { 0 });
        }
    }

    #[test]
    fn more_rounds_than_rivals_still_end() {
        let (_, all) = play(4, 6);
        assert!(all.iter().all(|pairs| pairs.len() == 2));
    }
}
