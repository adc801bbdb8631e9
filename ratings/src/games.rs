//! What has to be remembered of any number of games.
//!
//! A fit needs to know how often each kind of result came (who sat first, who finished in which place), and how
//! often two kinds came in the same block. Both are counted as games arrive. There are at most as many kinds as
//! there are line-ups, times first seats, times finishing orders: 6 for each pair of bots, 96 for each four of
//! them (without ties). So memory is bounded by the number of bots and not by the number of games.

use crate::window::Window;
use std::collections::BTreeMap;

/// A finished game. Everything is by seat.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// Games with the same rules have the same number; the advantage of the first seat is fitted for each.
    pub pool: usize,
    /// Games of one pool with the same block and the same bots share their deal or opening.
    pub block: &'a str,
    pub players: &'a [usize],
    pub places: &'a [u8],
    pub teams: &'a [usize],
}

/// A bot, or a team of them, in a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    pub(crate) place: u8,
    pub(crate) first: bool,
    /// Sorted. A bot on two chairs of the team is there twice.
    pub(crate) bots: Vec<usize>,
}

/// All games that look the same to the model. Sides are sorted by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) pool: usize,
    pub(crate) sides: Vec<Side>,
}

impl Kind {
    pub(crate) fn of(game: &Game) -> Kind {
        let mut sides: Vec<(usize, Side)> = Vec::new();
        for (seat, (&bot, &team)) in game.players.iter().zip(game.teams).enumerate() {
            match sides.iter_mut().find(|(known, _)| *known == team) {
                Some((_, side)) => side.bots.push(bot),
                None => {
                    sides.push((team, Side { place: game.places[seat], first: seat == 0, bots: vec![bot] }));
                }
            }
        }
        let mut sides: Vec<Side> = sides.into_iter().map(|(_, side)| side).collect();
        for side in &mut sides {
            side.bots.sort_unstable();
        }
        sides.sort();
        Kind { pool: game.pool, sides }
    }

    pub(crate) fn bots(&self) -> impl Iterator<Item = usize> {
        self.sides.iter().flat_map(|side| &side.bots).copied()
    }
}

/// The sufficient statistics of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Games {
    ids: BTreeMap<Kind, usize>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) counts: Vec<u64>,
    /// For kinds a <= b, the sum over blocks of (games of kind a) x (games of kind b).
    pub(crate) together: BTreeMap<(usize, usize), u64>,
    open: Window<Vec<usize>>,
    /// Blocks in which each bot has played.
    pub(crate) blocks_of: Vec<u64>,
    pub(crate) blocks: u64,
}

impl Games {
    /// Counts a game. A game of one side says nothing about strength and is passed over.
    pub fn add(&mut self, game: &Game) {
        let kind = Kind::of(game);
        if kind.sides.len() < 2 {
            return;
        }
        let mut bots: Vec<usize> = kind.bots().collect();
        bots.sort_unstable();
        bots.dedup();
        let id = self.id(kind);
        self.counts[id] += 1;
        let block = self.open.entry(&(game.pool, game.block, &bots));
        if block.is_empty() {
            self.blocks += 1;
            let last = bots.last().map_or(0, |&bot| bot + 1);
            self.blocks_of.resize(self.blocks_of.len().max(last), 0);
            for &bot in &bots {
                self.blocks_of[bot] += 1;
            }
        }
        for &other in block.iter() {
            let twice = u64::from(other == id); // (n + 1)^2 = n^2 + 2 n + 1
            *self.together.entry((id.min(other), id.max(other))).or_default() += 1 + twice;
        }
        *self.together.entry((id, id)).or_default() += 1;
        block.push(id);
    }

    fn id(&mut self, kind: Kind) -> usize {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = self.kinds.len();
        self.kinds.push(kind.clone());
        self.counts.push(0);
        self.ids.insert(kind, id);
        id
    }

    /// Games counted.
    pub fn played(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Blocks counted.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Kinds with their counts in an order that does not depend on that of the games.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = (&Kind, usize)> {
        self.ids.iter().map(|(kind, &id)| (kind, id))
    }
}
