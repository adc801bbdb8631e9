//! Which bots sit at a table, and in which seats.

use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The ways in which the bots of a table take their sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrangements {
    /// A Williams design: every bot is equally often on every side, and equally often directly
    /// behind every other bot. An even number `k` of sides needs `k` arrangements, an odd number
    /// needs `2k`.
    #[default]
    Balanced,
    /// Each bot is once on every side, and the order around the table stays the same.
    Rotations,
    /// Every permutation.
    All,
}

impl Arrangements {
    /// For each arrangement, the member of the table on side 0, 1, …
    pub fn of(self, sides: usize) -> Vec<Vec<usize>> {
        match self {
            Arrangements::Rotations => rotations(&(0..sides).collect::<Vec<_>>()),
            Arrangements::All => permutations(sides),
            Arrangements::Balanced => {
                let mut list = rotations(&zigzag(sides));
                if sides % 2 == 1 && sides > 1 {
                    let mirrored: Vec<Vec<usize>> =
                        list.iter().map(|row| row.iter().rev().copied().collect()).collect();
                    list.extend(mirrored);
                }
                list
            }
        }
    }
}

/// 0, 1, k-1, 2, k-2, …: no two neighbours have the same difference.
fn zigzag(sides: usize) -> Vec<usize> {
    (0..sides).map(|at| if at % 2 == 1 { at.div_ceil(2) } else { (sides - at / 2) % sides }).collect()
}

fn rotations(row: &[usize]) -> Vec<Vec<usize>> {
    (0..row.len()).map(|turn| row.iter().map(|member| (member + turn) % row.len()).collect()).collect()
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut list = vec![Vec::new()];
    for _ in 0..count {
        let longer = |row: &Vec<usize>| {
            let free = (0..count).filter(|member| !row.contains(member)).collect::<Vec<_>>();
            free.into_iter().map(|member| [row.as_slice(), &[member]].concat()).collect::<Vec<_>>()
        };
        list = list.iter().flat_map(longer).collect();
    }
    list
}

/// The number of ways to choose `k` of `n`.
pub fn choices(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1_u128, |count, at| count.saturating_mul((n - at) as u128) / (at as u128 + 1))
}

/// All choices of `k` out of `n`, in order.
pub fn subsets(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut list = vec![Vec::new()];
    for _ in 0..k {
        let longer = |row: &Vec<usize>| {
            let first = row.last().map_or(0, |last| last + 1);
            (first..n).map(|next| [row.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        list = list.iter().flat_map(longer).collect();
    }
    list
}

/// `count` tables of `k` out of `n` bots. All bots sit equally often, with a difference of at most
/// one. Bots that have met least meet next. No table comes twice while there are other tables.
pub fn balanced_tables(n: usize, k: usize, count: usize) -> Vec<Vec<usize>> {
    let mut sat = vec![0_u32; n];
    let mut met = vec![0_u32; n * n];
    let mut tables = Vec::with_capacity(count);
    for number in 0..count {
        let mut table: Vec<usize> = Vec::with_capacity(k);
        while table.len() < k {
            let free = (0..n).filter(|bot| !table.contains(bot));
            let meetings = |bot: usize| table.iter().map(|&mate| met[bot * n + mate]).sum::<u32>();
            // Among equal bots the first choice changes from table to table. Otherwise the first
            // bots would always meet each other first.
            let next = free.min_by_key(|&bot| (sat[bot], meetings(bot), (bot + n - number % n) % n));
            let Some(next) = next else { break };
            table.push(next);
        }
        for &bot in &table {
            sat[bot] += 1;
            for &mate in &table {
                met[bot * n + mate] += 1;
            }
        }
        table.sort_unstable();
        tables.push(table);
    }
    make_different(&mut tables);
    tables
}

/// If a table comes twice, one of its bots changes places with a bot of another table. So all bots
/// still sit as often as before.
fn make_different(tables: &mut [Vec<usize>]) {
    let mut seen = HashSet::new();
    let twins: Vec<usize> = (0..tables.len()).filter(|&at| !seen.insert(tables[at].clone())).collect();
    for twin in twins {
        let exchanged = (0..tables.len()).find_map(|other| {
            let pair = exchanges(&tables[twin], &tables[other])
                .find(|pair| pair.iter().all(|new| !seen.contains(new)));
            pair.map(|pair| (other, pair))
        });
        if let Some((other, [here, there])) = exchanged {
            seen.remove(&tables[other]);
            seen.extend([here.clone(), there.clone()]);
            (tables[twin], tables[other]) = (here, there);
        }
    }
}

/// Both tables after they have exchanged one bot, for every possible exchange.
fn exchanges<'a>(a: &'a [usize], b: &'a [usize]) -> impl Iterator<Item = [Vec<usize>; 2]> + 'a {
    let only = |of: &'a [usize], not: &'a [usize]| of.iter().copied().filter(move |bot| !not.contains(bot));
    let with = |table: &[usize], leaves: usize, comes: usize| {
        let mut table: Vec<usize> =
            table.iter().map(|&bot| if bot == leaves { comes } else { bot }).collect();
        table.sort_unstable();
        table
    };
    only(a, b).flat_map(move |x| only(b, a).map(move |y| [with(a, x, y), with(b, y, x)]))
}

/// The number of tables after which every two bots have met about twice, and all bots have sat
/// equally often.
pub fn usual_tables(n: usize, k: usize) -> usize {
    let least = (2 * n * (n - 1)).div_ceil(k * (k - 1));
    (least..least + n).find(|tables| (tables * k).is_multiple_of(n)).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn arrangements_are_fair() {
        for sides in 1..=7 {
            for kind in [Arrangements::Balanced, Arrangements::Rotations] {
                let list = kind.of(sides);
                for side in 0..sides {
                    for bot in 0..sides {
                        let often = list.iter().filter(|row| row[side] == bot).count();
                        assert_eq!(often * sides, list.len(), "{kind:?} of {sides}");
                    }
                }
            }
            let mut behind: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for row in Arrangements::Balanced.of(sides) {
                for pair in row.windows(2) {
                    *behind.entry((pair[0], pair[1])).or_default() += 1;
                }
            }
            let often: Vec<usize> = behind.into_values().collect();
            assert!(often.iter().all(|count| *count == often[0]), "{sides}: {often:?}");
            assert_eq!(often.len(), sides * (sides - 1), "{sides}");
        }
        assert_eq!(Arrangements::Balanced.of(2), [[0, 1], [1, 0]]);
        assert_eq!(Arrangements::All.of(4).len(), 24);
    }

    #[test]
    fn tables_are_chosen_evenly() {
        assert_eq!(subsets(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(choices(30, 4), 27_405);
        assert_eq!(subsets(6, 3).len() as u128, choices(6, 3));
        for (n, k) in [(30, 4), (13, 3), (20, 6), (20, 3), (25, 3), (14, 6)] {
            let count = usual_tables(n, k);
            let tables = balanced_tables(n, k, count);
            let sat = |bot| tables.iter().filter(|table| table.contains(&bot)).count();
            assert!((0..n).all(|bot| sat(bot) * n == count * k), "{n} {k}: all sit equally often");
            let met = |a, b| tables.iter().filter(|t| t.contains(&a) && t.contains(&b)).count();
            let meetings: Vec<usize> = subsets(n, 2).iter().map(|pair| met(pair[0], pair[1])).collect();
            let (least, most) = (meetings.iter().min(), meetings.iter().max());
            assert!(least >= Some(&1) && most <= Some(&4), "{n} {k}: {least:?} to {most:?} meetings");
            assert_eq!(tables.iter().collect::<HashSet<_>>().len(), count, "{n} {k}: a table came twice");
        }
    }
}
