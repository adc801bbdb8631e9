//! The statistics of any number of games that a fit needs.
//!
//! A fit needs to know how often each line-up finished in which way: which bot sat first, and which
//! bot came in which place. A fit also needs to know how often two ways to finish came in the same
//! block. Both are counted as games arrive. Two bots can finish in 6 ways, and four bots in 96 ways
//! (without ties). So memory is bounded by the number of line-ups and not by the number of games.

use crate::lineups::Lineups;
use crate::window::BlockWindow;
use std::collections::BTreeMap;

/// A finished game. The lists are in the order of the seats.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// Games with the same rules have the same number. The advantage of the first seat is fitted
    /// for each pool.
    pub pool: usize,
    /// Games of one pool with the same block and the same bots share their deal or opening.
    pub block: &'a str,
    pub players: &'a [usize],
    pub places: &'a [u8],
    pub teams: &'a [usize],
}

/// A bot or a team of bots in a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RatedSide {
    pub(crate) place: u8,
    pub(crate) first: bool,
    /// Sorted. A bot on two seats of the team is listed twice.
    pub(crate) bots: Vec<usize>,
}

/// The sides of a game, the best first.
pub(crate) fn sides_of(game: &Game) -> Vec<RatedSide> {
    let mut sides: Vec<(usize, RatedSide)> = Vec::new();
    for (seat, (&bot, &team)) in game.players.iter().zip(game.teams).enumerate() {
        match sides.iter_mut().find(|(known, _)| *known == team) {
            Some((_, side)) => side.bots.push(bot),
            None => {
                sides.push((team, RatedSide { place: game.places[seat], first: seat == 0, bots: vec![bot] }));
            }
        }
    }
    let mut sides: Vec<RatedSide> = sides.into_iter().map(|(_, side)| side).collect();
    for side in &mut sides {
        side.bots.sort_unstable();
    }
    sides.sort();
    sides
}

/// The counts of all games of the same bots in the same pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Tallies {
    pub(crate) blocks: u32,
    /// The number of games for each way to finish, in the order of the ways themselves.
    pub(crate) counts: Vec<(u32, u32)>,
    /// For ways to finish a <= b: the sum over blocks of (games that ended with a) x (games that
    /// ended with b).
    pub(crate) together: Vec<((u32, u32), u32)>,
    /// For two bots: how many blocks of two games were worth 0, ½, 1, 1½ and 2 points to the bot
    /// with the lower number.
    pub(crate) pairs: [u32; 5],
}

/// A line-up with its counts.
#[derive(Clone, Copy)]
pub(crate) struct Lineup<'a> {
    pub(crate) pool: usize,
    /// Sorted. Each bot is listed once.
    pub(crate) bots: &'a [u32],
    pub(crate) tallies: &'a Tallies,
}

impl Lineup<'_> {
    pub(crate) fn bots(&self) -> impl Iterator<Item = usize> {
        self.bots.iter().map(|&bot| bot as usize)
    }
}

/// The results of one bot against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
}

impl Meeting {
    pub fn points(self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }
}

/// The sufficient statistics of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// The ways to finish that were seen. In them, a bot is an index into its line-up.
    finishes: Vec<Vec<RatedSide>>,
    numbers: BTreeMap<Vec<RatedSide>, u32>,
    lineups: Lineups,
    /// For each open block, how its games ended so far.
    open: BlockWindow<Vec<u32>>,
    blocks: u64,
    played: u64,
}

impl Games {
    /// Counts a game. A game of one side says nothing about strength and is ignored.
    pub fn add(&mut self, game: &Game) {
        let mut sides = sides_of(game);
        if sides.len() < 2 {
            return;
        }
        let mut bots: Vec<usize> = sides.iter().flat_map(|side| &side.bots).copied().collect();
        bots.sort_unstable();
        bots.dedup();
        for bot in sides.iter_mut().flat_map(|side| &mut side.bots) {
            *bot = bots.binary_search(bot).unwrap_or_default();
        }
        let alone = |side: &RatedSide| side.bots.first() == side.bots.last();
        let duel = bots.len() == 2 && sides.len() == 2 && sides.iter().all(alone);
        let id = self.number(sides);
        let block = self.open.entry(&(game.pool, game.block, &bots));
        self.played += 1;
        self.blocks += u64::from(block.is_empty());
        let finishes = &self.finishes;
        let bots: Vec<u32> = bots.iter().map(|&bot| bot as u32).collect();
        self.lineups.change(game.pool as u32, &bots, |tallies| tallies.add(id, block, finishes, duel));
        block.push(id);
    }

    fn number(&mut self, sides: Vec<RatedSide>) -> u32 {
        if let Some(&id) = self.numbers.get(&sides) {
            return id;
        }
        let id = self.finishes.len() as u32;
        self.finishes.push(sides.clone());
        self.numbers.insert(sides, id);
        id
    }

    /// The number of games counted.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// The number of blocks counted.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The results of each bot (row) against each other bot (column). Two bots on different sides
    /// of a game meet once in that game. The entry of two bots that never met is empty.
    pub fn meetings(&self, bots: usize) -> Vec<Vec<Meeting>> {
        let mut table = vec![vec![Meeting::default(); bots]; bots];
        for lineup in self.lineups() {
            for &(finish, count) in &lineup.tallies.counts {
                let sides = self.finish(finish);
                for (one, other) in sides.iter().flat_map(|one| sides.iter().map(move |other| (one, other))) {
                    if std::ptr::eq(one, other) {
                        continue;
                    }
                    for (&a, &b) in once(&one.bots).flat_map(|a| once(&other.bots).map(move |b| (a, b))) {
                        if a != b {
                            let met = &mut table[lineup.bots[a] as usize][lineup.bots[b] as usize];
                            met.played += count;
                            met.won += if one.place < other.place { count } else { 0 };
                            met.drawn += if one.place == other.place { count } else { 0 };
                        }
                    }
                }
            }
        }
        table
    }

    /// The counts LL, LD, WL or DD, WD and WW of blocks of two games, from the view of `a`.
    pub fn pentanomial(&self, a: usize, b: usize) -> Option<[u32; 5]> {
        let mut counts = [0; 5];
        let pair = [a.min(b) as u32, a.max(b) as u32];
        let pools = self.lineups.last_pool().map_or(0, |pool| pool + 1);
        for tallies in (0..pools).filter_map(|pool| self.lineups.get(pool, &pair)) {
            for (count, more) in counts.iter_mut().zip(tallies.pairs) {
                *count += more;
            }
        }
        if a > b {
            counts.reverse();
        }
        counts.iter().any(|&count| count > 0).then_some(counts)
    }

    /// The order does not depend on the order of the games.
    pub(crate) fn lineups(&self) -> impl Iterator<Item = Lineup<'_>> {
        self.lineups.iter().map(|(pool, bots, tallies)| Lineup { pool: pool as usize, bots, tallies })
    }

    /// How a game ended. Bots are indices into the line-up of the game.
    pub(crate) fn finish(&self, number: u32) -> &[RatedSide] {
        &self.finishes[number as usize]
    }

    pub(crate) fn finishes(&self) -> &[Vec<RatedSide>] {
        &self.finishes
    }
}

impl Tallies {
    /// Counts a game that ended in this way, after the other games of its block.
    fn add(&mut self, id: u32, block: &[u32], finishes: &[Vec<RatedSide>], duel: bool) {
        self.blocks += u32::from(block.is_empty());
        let order = |a: &u32, b: &u32| finishes[*a as usize].cmp(&finishes[*b as usize]);
        match self.counts.binary_search_by(|(known, _)| order(known, &id)) {
            Ok(at) => self.counts[at].1 = self.counts[at].1.saturating_add(1),
            Err(at) => {
                self.counts.reserve_exact(1); // there are many line-ups, but few ways to finish
                self.counts.insert(at, (id, 1));
            }
        }
        for &other in block {
            let twice = u32::from(other == id); // (n + 1)^2 = n^2 + 2 n + 1
            self.count_together(id, other, 1 + twice);
        }
        self.count_together(id, id, 1);
        if duel {
            let half_points = |id: &u32| half_points(&finishes[*id as usize]);
            match block {
                [one] => self.pairs[half_points(one) + half_points(&id)] += 1,
                [one, two] => self.pairs[half_points(one) + half_points(two)] -= 1,
                _ => {}
            }
        }
    }

    fn count_together(&mut self, a: u32, b: u32, more: u32) {
        let key = (a.min(b), a.max(b));
        match self.together.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => *count = count.saturating_add(more),
            None => {
                self.together.reserve_exact(1);
                self.together.push((key, more));
            }
        }
    }
}

/// The bots of a side without repetitions. The list must be sorted.
fn once(bots: &[usize]) -> impl Iterator<Item = &usize> {
    bots.iter().enumerate().filter(|(at, bot)| *at == 0 || bots[at - 1] != **bot).map(|(_, bot)| bot)
}

/// The half points of the first bot in a line-up of two.
fn half_points(sides: &[RatedSide]) -> usize {
    if sides[0].place == sides[1].place {
        1
    } else if sides[0].bots[0] == 0 {
        2
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel<'a>(pool: usize, block: &'a str, players: &'a [usize], places: &'a [u8]) -> Game<'a> {
        Game { pool, block, players, places, teams: &[0, 1] }
    }

    #[test]
    fn blocks_of_two_games_are_counted_whole() {
        let mut games = Games::default();
        // What each game was worth to bot 0, in half points. The second game has the seats
        // exchanged.
        for (block, first, second) in [("a", 2, 2), ("b", 2, 0), ("c", 1, 2), ("d", 1, 1)] {
            let places = |half_points: usize| [[2, 1], [1, 1], [1, 2]][half_points];
            games.add(&duel(0, block, &[0, 1], &places(first)));
            games.add(&duel(0, block, &[1, 0], &places(2 - second)));
        }
        // Half a block does not count here, and neither does a game of three bots.
        games.add(&duel(0, "e", &[0, 1], &[1, 2]));
        games.add(&Game { pool: 1, block: "f", players: &[0, 1, 2], places: &[2, 1, 3], teams: &[0, 1, 2] });
        assert_eq!(games.pentanomial(0, 1), Some([0, 0, 2, 1, 1]));
        assert_eq!(games.pentanomial(1, 0), Some([1, 1, 2, 0, 0]));
        assert_eq!(games.pentanomial(0, 2), None);
        let met = games.meetings(3);
        assert_eq!(met[0][1], Meeting { played: 10, won: 5, drawn: 3 });
        assert_eq!(met[2][0], Meeting { played: 1, won: 0, drawn: 0 });
        assert_eq!((met[1][1], games.played(), games.blocks()), (Meeting::default(), 10, 6));
    }
}
