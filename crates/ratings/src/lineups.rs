//! The counts of every line-up, in little memory.
//!
//! A thousand bots have half a million pairs, and in a large tournament most pairs meet in few
//! blocks. So most line-ups have the same counts as many others, and all of these share one copy. A
//! pair of bots is kept without a list of its own.

use crate::games::Tallies;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Line-ups with more blocks seldom have the same counts.
const SHARED_BLOCKS: u32 = 2;
/// Long counts take longer to compare than they save.
const SHARED_LENGTH: usize = 16;

/// All line-ups, in the order of their pools and bots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineups {
    places: BTreeMap<(u32, Bots), u32>,
    copies: Vec<CommonTallies>,
    /// The copies that line-ups may share.
    shared: HashMap<Tallies, u32>,
    /// The copies that no line-up has.
    free: Vec<u32>,
}

/// Counts, and the number of line-ups that have them.
#[derive(Clone, Debug, Default)]
struct CommonTallies {
    tallies: Tallies,
    users: u32,
}

/// The bots of a line-up, sorted, each listed once.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Bots {
    Pair([u32; 2]),
    Any(Box<[u32]>),
}

impl Bots {
    fn of(bots: &[u32]) -> Bots {
        <[u32; 2]>::try_from(bots).map_or_else(|_| Bots::Any(bots.into()), Bots::Pair)
    }

    fn list(&self) -> &[u32] {
        match self {
            Bots::Pair(pair) => pair,
            Bots::Any(list) => list,
        }
    }
}

impl Ord for Bots {
    fn cmp(&self, other: &Bots) -> Ordering {
        self.list().cmp(other.list())
    }
}

impl PartialOrd for Bots {
    fn partial_cmp(&self, other: &Bots) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Lineups {
    pub(crate) fn get(&self, pool: u32, bots: &[u32]) -> Option<&Tallies> {
        let place = self.places.get(&(pool, Bots::of(bots)))?;
        Some(&self.copies[*place as usize].tallies)
    }

    /// The number of the last pool.
    pub(crate) fn last_pool(&self) -> Option<u32> {
        self.places.last_key_value().map(|((pool, _), _)| *pool)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32], &Tallies)> {
        let tallies = |place: u32| &self.copies[place as usize].tallies;
        self.places.iter().map(move |((pool, bots), place)| (*pool, bots.list(), tallies(*place)))
    }

    /// Changes the counts of one line-up.
    pub(crate) fn change(&mut self, pool: u32, bots: &[u32], change: impl FnOnce(&mut Tallies)) {
        let key = (pool, Bots::of(bots));
        let before = self.places.get(&key).copied();
        let mut tallies = before.map(|place| self.release(place)).unwrap_or_default();
        change(&mut tallies);
        let after = self.keep(tallies);
        if before != Some(after) {
            self.places.insert(key, after);
        }
    }

    /// Takes the counts of a line-up out of its copy.
    fn release(&mut self, place: u32) -> Tallies {
        let copy = &mut self.copies[place as usize];
        copy.users -= 1;
        if copy.users > 0 {
            return copy.tallies.clone();
        }
        self.free.push(place);
        let tallies = std::mem::take(&mut copy.tallies);
        if tallies.is_common() {
            self.shared.remove(&tallies);
        }
        tallies
    }

    /// Gives counts a place.
    fn keep(&mut self, tallies: Tallies) -> u32 {
        let is_common = tallies.is_common();
        if let Some(&place) = self.shared.get(&tallies).filter(|_| is_common) {
            self.copies[place as usize].users += 1;
            return place;
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.copies.push(CommonTallies::default());
            self.copies.len() as u32 - 1
        });
        if is_common {
            self.shared.insert(tallies.clone(), place);
        }
        self.copies[place as usize] = CommonTallies { tallies, users: 1 };
        place
    }
}

impl Tallies {
    /// May other line-ups have the same counts?
    fn is_common(&self) -> bool {
        self.blocks <= SHARED_BLOCKS && self.together.len() <= SHARED_LENGTH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line-ups that were changed in turn have what each alone would have.
    #[test]
    fn line_ups_with_the_same_counts_share_one_copy() {
        let mut lineups = Lineups::default();
        let mut plain: BTreeMap<(u32, Vec<u32>), Tallies> = BTreeMap::new();
        for step in 0..2_000_u32 {
            let (pool, first) = (step % 2, step * 7 % 30);
            let bots = if step % 3 == 0 { vec![first, 40] } else { vec![first, 40, 41] };
            let change = |tallies: &mut Tallies| {
                tallies.blocks += u32::from(step * 31 % 5 == 0);
                tallies.counts.push((step * 13 % 2, 1));
            };
            lineups.change(pool, &bots, change);
            change(plain.entry((pool, bots)).or_default());
            let of_all = lineups.copies.iter().map(|copy| copy.users as usize).sum::<usize>();
            assert_eq!((of_all, lineups.places.len()), (plain.len(), plain.len()));
        }
        let found: Vec<_> = lineups.iter().collect();
        let expected: Vec<_> =
            plain.iter().map(|((pool, bots), tallies)| (*pool, bots.as_slice(), tallies)).collect();
        assert!(found == expected);
        assert_eq!(lineups.last_pool(), Some(1));
        assert_eq!(lineups.get(0, &[0, 40]), plain.get(&(0, vec![0, 40])));
        assert!(lineups.get(0, &[1, 2]).is_none());
    }

    #[test]
    fn half_a_million_pairs_share_few_copies() {
        let mut lineups = Lineups::default();
        for pair in 0..500_000_u32 {
            for game in 0..2 {
                lineups.change(0, &[pair / 1_000, 1_000 + pair % 1_000], |tallies| {
                    tallies.blocks = 1;
                    tallies.counts.push(((pair + game) % 6, 1));
                });
            }
        }
        assert_eq!((lineups.places.len(), lineups.shared.len()), (500_000, 6));
        assert!(lineups.copies.len() < 20, "{}", lineups.copies.len());
        assert_eq!(size_of::<(u32, Bots)>(), 24);
    }
}
