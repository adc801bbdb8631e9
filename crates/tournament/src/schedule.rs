//! The order of the games. It is computed and never stored, so a million games need no more memory
//! than ten.
//!
//! ```text
//! stage ─┬─ deal 0 ─┬─ game 0 ─┬─ table 0 ─┬─ arrangement 0     one unit: a block as one table plays it
//!        │          │          │           └─ arrangement 1
//!        │          │          └─ table 1 …
//!        │          └─ game 1 …
//!        └─ deal 1 …
//! ```
//!
//! A stage is the part of a tournament that is known in advance: a whole round-robin, or one round
//! of a Swiss.

use super::series::{GameLabels, Series};
use referee::game::Job;
use referee::runner::BotId;
use referee::seeds::RootSeed;

/// A part of a tournament that is known in advance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The number of games in all earlier stages.
    pub games_before: u64,
    pub first_deal: u64,
    pub deals: u64,
    pub round: StageRound,
    /// For each game of the tournament, the bots of each table.
    pub tables: Vec<Vec<Vec<BotId>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageRound {
    /// The whole stage is this round.
    Number(u32),
    /// A new round begins after this many deals.
    Every(u64),
}

/// The place of a game in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Counted from 0 through the whole tournament.
    pub number: u64,
    pub round: u32,
    pub deal: u64,
    pub game: usize,
    pub table: usize,
    pub arrangement: usize,
    /// The last arrangement of its block at this table.
    pub closes_block: bool,
}

/// One of several equal parts of the same schedule, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub part: u64,
    pub parts: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { part: 0, parts: 1 };
}

/// Walks through the games of a stage, or of a shard of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    unit: u64,
    arrangement: usize,
    parts: u64,
    /// The most games that are left.
    left: u64,
}

impl Cursor {
    pub fn new(shard: Shard) -> Cursor {
        Cursor { unit: shard.part, arrangement: 0, parts: shard.parts, left: u64::MAX }
    }

    /// A cursor that ends after this many games.
    pub fn of_games(games: u64) -> Cursor {
        Cursor { left: games, ..Cursor::new(Shard::WHOLE) }
    }

    pub fn next(&mut self, series: &Series, stage: &Stage) -> Option<Slot> {
        let left = self.left.checked_sub(1)?;
        let slot = stage.slot(series, self.unit, self.arrangement)?;
        self.left = left;
        self.arrangement += 1;
        if slot.closes_block {
            self.arrangement = 0;
            self.unit += self.parts;
        }
        Some(slot)
    }
}

impl Stage {
    fn units_per_deal(&self) -> u64 {
        self.tables.iter().map(|tables| tables.len() as u64).sum()
    }

    /// The number of games of one deal.
    pub fn games_per_deal(&self, series: &Series) -> u64 {
        let games = self.tables.iter().zip(&series.games);
        games.map(|(tables, game)| (tables.len() * game.arrangements.len()) as u64).sum()
    }

    pub fn games(&self, series: &Series) -> u64 {
        self.deals * self.games_per_deal(series)
    }

    fn slot(&self, series: &Series, unit: u64, arrangement: usize) -> Option<Slot> {
        let units = self.units_per_deal();
        if units == 0 || unit >= units * self.deals {
            return None;
        }
        let (nth, mut rest) = (unit / units, (unit % units) as usize);
        let mut number = self.games_before + nth * self.games_per_deal(series);
        let mut game = 0;
        while rest >= self.tables[game].len() {
            rest -= self.tables[game].len();
            number += (self.tables[game].len() * series.games[game].arrangements.len()) as u64;
            game += 1;
        }
        let arrangements = series.games[game].arrangements.len();
        Some(Slot {
            number: number + (rest * arrangements + arrangement) as u64,
            round: match self.round {
                StageRound::Number(number) => number,
                StageRound::Every(deals) => 1 + ((self.first_deal + nth) / deals) as u32,
            },
            deal: self.first_deal + nth,
            game,
            table: rest,
            arrangement,
            closes_block: arrangement + 1 == arrangements,
        })
    }

    /// The bots of a game, by seat.
    pub fn seating(&self, series: &Series, slot: &Slot) -> Vec<BotId> {
        let game = &series.games[slot.game];
        let table = &self.tables[slot.game][slot.table];
        let arrangement = &game.arrangements[slot.arrangement];
        game.side_of.iter().map(|&side| table[arrangement[side]]).collect()
    }

    /// The names of the bots of a game, by seat.
    pub fn names(&self, series: &Series, slot: &Slot) -> Vec<String> {
        series.names(&self.seating(series, slot))
    }

    /// Everything that the referee needs to play a game.
    pub fn job(&self, series: &Series, seed: RootSeed, slot: &Slot) -> Job {
        let id = match_id(slot.number);
        let place = (slot.game, slot.deal);
        let seating = self.seating(series, slot);
        match &series.labels {
            GameLabels::Number(before) => series.job(format!("{before}{id}"), seed, place, seating),
            GameLabels::Journal => Job {
                block: Some(block(&series.games[slot.game].line, slot.deal)),
                round: Some(slot.round),
                ..series.job(id, seed, place, seating)
            },
        }
    }

    /// A stage with one table, which plays this many deals of the only game.
    pub fn of_one_table(table: Vec<BotId>, deals: u64) -> Stage {
        Stage {
            games_before: 0,
            first_deal: 0,
            deals,
            round: StageRound::Number(1),
            tables: vec![vec![table]],
        }
    }
}

/// The name of a game: its number, from 1.
pub fn match_id(number: u64) -> String {
    format!("{:04}", number + 1)
}

/// The name of a block: the game and the number of the deal.
fn block(line: &str, deal: u64) -> String {
    format!("{line}/{deal}")
}

/// The game and the deal in the name of a block.
pub fn read_block(block: &str) -> Option<(&str, u64)> {
    let (line, deal) = block.rsplit_once('/')?;
    Some((line, deal.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, Tournament};
    use crate::draft;
    use crate::standings::Encounters;

    fn tournament(text: &str) -> Tournament {
        config::check(&draft::read("c.toml", text)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn stage(tournament: &Tournament) -> Stage {
        let mut director = crate::formats::director(tournament);
        director.next(tournament, &Encounters::default()).unwrap()
    }

    #[test]
    fn every_game_comes_once() {
        let tournament = tournament(
            "games = ['nim', 'meidale']\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy']\n\
             deals = 3\nrounds = 2",
        );
        let stage = stage(&tournament);
        let walk = |part, parts| {
            let mut cursor = Cursor::new(Shard { part, parts });
            std::iter::from_fn(|| cursor.next(&tournament.series, &stage)).collect::<Vec<_>>()
        };
        let whole = walk(0, 1);
        // In each deal three pairs play twice, and one table of three plays six times.
        assert_eq!(whole.len() as u64, 6 * (3 * 2 + 6));
        assert_eq!(whole.len() as u64, stage.games(&tournament.series));
        let numbers: Vec<u64> = whole.iter().map(|slot| slot.number).collect();
        assert_eq!(numbers, (0..72).collect::<Vec<_>>());
        assert_eq!((whole[0].round, whole[71].round, whole[71].deal), (1, 2, 5));
        let mut parts: Vec<Slot> = (0..5).flat_map(|part| walk(part, 5)).collect();
        parts.sort_by_key(|slot| slot.number);
        assert_eq!(parts, whole, "shards add up to the whole");
    }

    #[test]
    fn every_pairing_plays_the_same_blocks() {
        let tournament = tournament(
            "game = 'othello'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy']\ndeals = 2\nopenings = 4",
        );
        let stage = stage(&tournament);
        let mut cursor = Cursor::new(Shard::WHOLE);
        let mut blocks: std::collections::BTreeMap<String, Vec<Job>> = std::collections::BTreeMap::new();
        while let Some(slot) = cursor.next(&tournament.series, &stage) {
            let job = stage.job(&tournament.series, 7.into(), &slot);
            blocks.entry(job.block.clone().unwrap()).or_default().push(job);
        }
        assert_eq!(blocks.keys().collect::<Vec<_>>(), ["othello/0", "othello/1"]);
        for jobs in blocks.values() {
            assert_eq!(jobs.len(), 6);
            assert!(jobs.iter().all(|job| job.seed == jobs[0].seed && job.opening == jobs[0].opening));
        }
        assert_eq!(read_block("quixo?size=4/12"), Some(("quixo?size=4", 12)));
    }
}
