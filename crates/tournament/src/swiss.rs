//! Swiss: in every round bots with equal points meet, with as few rematches as possible.

use super::config::Tournament;
use super::formats::Pairing;
use super::matching::Matching;
use crate::standings::Encounters;

pub struct Swiss {
    rounds: u32,
    played: u32,
}

impl Swiss {
    pub fn new(rounds: u32) -> Swiss {
        Swiss { rounds, played: 0 }
    }

    /// The next round, given the encounters of all earlier rounds.
    pub fn next(&mut self, so_far: &Encounters, tournament: &Tournament) -> Option<Pairing> {
        self.next_among(so_far, |round| tournament.present(round), tournament.series.bots.len())
    }

    /// The next round. `present` lists the bots that play in a round, out of `bots` bots.
    fn next_among(
        &mut self,
        so_far: &Encounters,
        present: impl Fn(u32) -> Vec<usize>,
        bots: usize,
    ) -> Option<Pairing> {
        if self.played == self.rounds {
            return None;
        }
        self.played += 1;
        Some(Pairing { round: self.played, pairs: self.pair(so_far, present(self.played), bots) })
    }

    fn pair(&self, so_far: &Encounters, mut order: Vec<usize>, bots: usize) -> Vec<[usize; 2]> {
        let points = so_far.swiss(bots);
        let game_points = so_far.game_points(bots);
        order.sort_by(|&a, &b| {
            points[b].total_cmp(&points[a]).then(game_points[b].total_cmp(&game_points[a])).then(a.cmp(&b))
        });
        let met = so_far.meetings(bots);
        if order.len() % 2 == 1 {
            order.remove(bye(&order, &so_far.byes(bots), &met));
        }
        if self.played == 1 {
            // In the first round only the order of the config is known: the upper half meets the
            // lower half.
            let (upper, lower) = order.split_at(order.len() / 2);
            return upper.iter().zip(lower).map(|(&a, &b)| [a, b]).collect();
        }
        pair_in_order(&order, &met)
    }
}

/// The place of the bot that gets a bye. Only bots with the fewest byes are candidates. Of these,
/// the bot that leaves the fewest rematches to the rest gets the bye, and among equal bots the
/// lowest.
fn bye(order: &[usize], byes: &[u32], met: &[Vec<u32>]) -> usize {
    let least = fewest_meetings(order, met);
    let rematches = |out: usize| {
        let rest: Vec<usize> = [&order[..out], &order[out + 1..]].concat();
        Matching::of(rest.len(), &|a, b| met[rest[a]][rest[b]] == least).alone()
    };
    let fewest = order.iter().map(|&bot| byes[bot]).min();
    let mut best: Option<(usize, usize)> = None;
    for out in (0..order.len()).rev().filter(|&out| Some(byes[order[out]]) == fewest) {
        let found = rematches(out);
        if best.is_none_or(|(least, _)| found < least) {
            best = Some((found, out));
        }
        if found == 0 {
            break;
        }
    }
    best.map_or(0, |(_, out)| out)
}

/// The number of meetings of the pair that has met least often. When all pairs have met, a second
/// meeting counts as a first.
fn fewest_meetings(order: &[usize], met: &[Vec<u32>]) -> u32 {
    let pairs_of = |a: usize| order[..a].iter().map(move |&b| met[order[a]][b]);
    (0..order.len()).flat_map(pairs_of).min().unwrap_or(0)
}

/// First come the rematches, as few as possible, between bots that have met least often. Then the
/// highest bot of the rest gets the next bot that it has not met, if fresh pairs are left for all
/// others. Then the same for the highest bot that is still left.
fn pair_in_order(order: &[usize], met: &[Vec<u32>]) -> Vec<[usize; 2]> {
    let times = |a: usize, b: usize| met[order[a]][order[b]];
    let least = fewest_meetings(order, met);
    let fresh = |a: usize, b: usize| times(a, b) == least;
    let mut rest = Matching::of(order.len(), &fresh);
    let mut left: Vec<usize> = (0..order.len()).collect();
    let mut pairs = Vec::with_capacity(order.len() / 2);
    let mut pair = |left: &mut Vec<usize>, a: usize, b: usize| {
        pairs.push([a, b]);
        left.retain(|&bot| bot != a && bot != b);
    };
    for (a, b) in rematches(order.len(), &times, least) {
        if rest.alone() == 0 {
            break;
        }
        if !left.contains(&a) || !left.contains(&b) {
            continue;
        }
        let without = rest.without(a, b);
        // A rematch must use up two bots for which no fresh pair is left. If these two bots can't
        // both be spared now, they can't be spared later.
        if without.alone() + 2 == rest.alone() {
            rest = without;
            pair(&mut left, a, b);
        }
    }
    while let [first, rivals @ ..] = &left[..] {
        let first = *first;
        let fits = rivals.iter().filter(|&&rival| fresh(first, rival)).find_map(|&rival| {
            let without = rest.without(first, rival);
            (without.alone() == 0).then_some((rival, without))
        });
        let Some((rival, without)) = fits else { break }; // never breaks: the mate fits
        rest = without;
        pair(&mut left, first, rival);
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|[a, b]| [order[a], order[b]]).collect()
}

/// All pairs that have met more often than `least`. The pairs that have met least often come first,
/// and of these the pairs of bots that are next to each other in the order.
fn rematches(bots: usize, times: &dyn Fn(usize, usize) -> u32, least: u32) -> Vec<(usize, usize)> {
    let pairs = (0..bots).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut pairs: Vec<(usize, usize)> = pairs.filter(|&(a, b)| times(a, b) > least).collect();
    pairs.sort_by_key(|&(a, b)| (times(a, b), b - a));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays all rounds. `points` says how many of two points the first bot gets in an encounter.
    fn play(
        bots: usize,
        rounds: u32,
        mut points: impl FnMut(usize, usize) -> f64,
    ) -> (Encounters, Vec<Vec<[usize; 2]>>) {
        let mut swiss = Swiss::new(rounds);
        let mut encounters = Encounters::default();
        let mut all = Vec::new();
        while let Some(pairing) = swiss.next_among(&encounters, |_| (0..bots).collect(), bots) {
            for &[a, b] in &pairing.pairs {
                let points = points(a, b);
                encounters.add(pairing.round, (a, b), Some(points / 2.0));
                encounters.add(pairing.round, (b, a), Some(1.0 - points / 2.0));
            }
            all.push(pairing.pairs);
        }
        (encounters, all)
    }

    fn lower_wins(a: usize, b: usize) -> f64 {
        if a < b { 2.0 } else { 0.0 }
    }

    #[test]
    fn nobody_meets_twice_and_the_best_wins() {
        for (bots, rounds) in [(8, 3), (7, 3), (16, 4), (33, 6), (130, 8)] {
            let (encounters, all) = play(bots, rounds, lower_wins);
            let met = encounters.meetings(bots);
            assert!(met.iter().flatten().all(|&times| times < 2), "{bots}");
            assert_eq!(all.len(), rounds as usize);
            let points = encounters.swiss(bots);
            assert!(points.iter().all(|&other| other <= points[0]), "{bots}: {points:?}");
            let byes = encounters.byes(bots);
            assert_eq!(byes.iter().sum::<u32>(), if bots % 2 == 1 { rounds } else { 0 });
            assert!(byes.iter().all(|&byes| byes < 2));
        }
    }

    #[test]
    fn the_upper_half_meets_the_lower_half_first() {
        assert_eq!(play(6, 1, lower_wins).1[0], [[0, 3], [1, 4], [2, 5]]);
        assert_eq!(play(5, 1, lower_wins).1[0], [[0, 2], [1, 3]]);
    }

    /// The smallest number of rematches over all ways to pair these bots.
    fn fewest(bots: &[usize], met: &[Vec<u32>]) -> u32 {
        let Some((first, rest)) = bots.split_first() else { return 0 };
        let with = |at: usize| {
            let others = [&rest[..at], &rest[at + 1..]].concat();
            u32::from(met[*first][rest[at]] > 0) + fewest(&others, met)
        };
        (0..rest.len()).map(with).min().unwrap_or(0)
    }

    #[test]
    fn rematches_are_as_few_as_possible() {
        let mut state = 7_u64;
        for (bots, rounds) in
            [(4, 6), (5, 4), (6, 4), (6, 5), (6, 9), (8, 7), (7, 7), (5, 6), (7, 9), (9, 10)]
        {
            for _ in 0..20 {
                let mut met = vec![vec![0; bots]; bots];
                let mut byes = vec![0; bots];
                let (_, all) = play(bots, rounds, |_, _| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    f64::from((state >> 40) as u32 % 5) / 2.0
                });
                for pairs in &all {
                    let present: Vec<usize> = pairs.concat();
                    let rematches = pairs.iter().filter(|[a, b]| met[*a][*b] > 0).count();
                    let without = |out: usize| (0..bots).filter(|&bot| bot != out).collect::<Vec<_>>();
                    let may_rest = (0..bots).filter(|&bot| Some(&byes[bot]) == byes.iter().min());
                    let needed = match bots % 2 {
                        0 => fewest(&present, &met),
                        _ => may_rest.map(|out| fewest(&without(out), &met)).min().unwrap(),
                    };
                    assert_eq!(rematches as u32, needed, "{bots} bots: {pairs:?}");
                    (0..bots).filter(|bot| !present.contains(bot)).for_each(|bot| byes[bot] += 1);
                    assert_eq!(pairs.len(), bots / 2);
                    for &[a, b] in pairs {
                        met[a][b] += 1;
                        met[b][a] += 1;
                    }
                }
                // Each pair of four bots meets twice in six rounds.
                assert!(bots != 4 || met[0][1..].iter().all(|&meetings| meetings == 2), "{met:?}");
            }
        }
    }

    /// The pairs that have met again and again stay apart, whoever stands above them.
    #[test]
    fn the_pairs_that_meet_again_have_met_least_often() {
        let mut state = 3_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let mut compared = 0;
        for _ in 0..400 {
            let bots = [4, 6, 8][below(3) as usize];
            let mut met = vec![vec![0; bots]; bots];
            for (a, b) in (0..bots).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let times = [0, 1, 2, 3, 1][below(5) as usize];
                met[a][b] = times;
                met[b][a] = times;
            }
            let order: Vec<usize> = (0..bots).collect();
            let pairs = pair_in_order(&order, &met);
            assert!(pairs.is_sorted(), "{pairs:?}");
            let again: Vec<u32> = pairs.iter().map(|&[a, b]| met[a][b]).filter(|&times| times > 0).collect();
            assert_eq!((pairs.len(), again.len() as u32), (bots / 2, fewest(&order, &met)), "{met:?}");
            if let [times] = again[..] {
                let spared = |a: usize, b: usize| {
                    let rest: Vec<usize> =
                        order.iter().copied().filter(|&bot| bot != a && bot != b).collect();
                    fewest(&rest, &met) == 0
                };
                let needed = rematches(bots, &|a, b| met[a][b], 0).into_iter().find(|&(a, b)| spared(a, b));
                assert_eq!(Some(times), needed.map(|(a, b)| met[a][b]), "{met:?}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }

    /// There are as many rounds as opponents, so the last rounds have hardly a fresh pair left.
    #[test]
    fn many_bots_are_paired_to_the_last_round() {
        let (encounters, all) = play(60, 59, |a, b| if (a * 7 + b) % 3 == 0 { 0.0 } else { 2.0 });
        for mut present in all.iter().map(|pairs| pairs.concat()) {
            present.sort_unstable();
            assert_eq!(present, (0..60).collect::<Vec<_>>());
        }
        let rematches = encounters.meetings(60).concat().into_iter().filter(|&times| times > 1).count();
        assert!(rematches < 60 * 59 / 4, "{rematches}");
    }
}
