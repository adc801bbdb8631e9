//! Counts games as they come.

use super::encounters::{Counted, Encounters};
use super::others::Method;
use crate::roster::Stay;
use crate::tally::worth;
use ratings::{Decks, Game, Games, Ladder};
use referee::fault::Code;
use referee::record::Record;
use rules::{Seat, Seed};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that standings are computed from.
#[derive(Default)]
pub struct Collector {
    pub(super) bots: Vec<Counts>,
    pub(super) numbers: BTreeMap<String, usize>,
    pub(super) pools: Vec<Pool>,
    pub(super) games: Games,
    /// Kept only where it is asked for: it is most of the work.
    pub(super) ladder: Option<Ladder>,
    /// The format of the tournament, if its table goes by more than points.
    pub(super) format: Option<Counted>,
    encounters: Encounters,
    /// So many bots were entered in the order of a config.
    pub(super) listed: usize,
    pub(super) played: u64,
    pub(super) void: u64,
}

/// One bot's games.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) name: String,
    pub(super) played: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    pub(super) points: f64,
    /// The sum of the game's own points.
    pub(super) game_points: f64,
    pub(super) void: u64,
    pub(super) faults: BTreeMap<String, u64>,
    pub(super) moves: u64,
    pub(super) time: MoveTime,
}

/// How long moves took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveTime {
    timed: u64,
    us: u64,
}

impl MoveTime {
    /// What falls into the time that a process has for its start is not known, and recorded as nothing.
    fn add(&mut self, us: u64) {
        self.timed += u64::from(us > 0);
        self.us += us;
    }

    pub(super) fn mean_us(self) -> Option<f64> {
        (self.timed > 0).then(|| self.us as f64 / self.timed as f64)
    }
}

/// Games with the same rules and parameters.
pub(super) struct Pool {
    pub(super) game: String,
    pub(super) params: Value,
    /// By seat, the side it is on.
    teams: Vec<usize>,
    pub(super) played: u64,
    /// For one side: scores by deck.
    pub(super) decks: Option<Decks>,
    /// By bot, how long its moves in these games took, and how it failed in them.
    pub(super) conduct: BTreeMap<usize, Conduct>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Conduct {
    pub(super) time: MoveTime,
    pub(super) faults: BTreeMap<String, u64>,
}

impl Collector {
    /// One that can tell these ratings too.
    pub fn with(also: &[Method]) -> Collector {
        Collector { ladder: also.contains(&Method::Ladder).then(Ladder::default), ..Collector::default() }
    }

    /// The table goes by what the tournament's own format counts, or no longer does. The bots must have been listed.
    pub fn count_for(&mut self, format: Option<Counted>) {
        self.format = format;
        self.encounters = Encounters::default();
    }

    /// Who has met whom in the rounds of a Swiss or a knockout.
    pub fn encounters(&self) -> &Encounters {
        &self.encounters
    }

    /// This bot plays only in some rounds. To be said after [`Collector::count_for`].
    pub fn set_stay(&mut self, bot: usize, stay: Stay) {
        self.encounters.set_stay(bot, stay);
    }

    /// This bot plays in no round after this one.
    pub fn end_stay(&mut self, bot: usize, until: u32) {
        self.encounters.end_stay(bot, until);
    }

    /// How many bots there are.
    pub fn bots(&self) -> usize {
        self.bots.len()
    }

    /// Enters a bot in the order of a config, which is that of bots who share a place.
    pub fn list(&mut self, bot: &str) {
        self.enter(bot);
        self.listed = self.bots.len();
    }

    /// Gives a bot a line in the table, even if it never plays.
    pub fn enter(&mut self, bot: &str) -> usize {
        if let Some(&number) = self.numbers.get(bot) {
            return number;
        }
        let number = self.bots.len();
        self.numbers.insert(bot.to_owned(), number);
        self.bots.push(Counts { name: bot.to_owned(), ..Counts::default() });
        number
    }

    /// Counts a game. Blocks have their names within one journal.
    pub fn add(&mut self, record: &Record, journal: &str) -> Result<(), String> {
        let pool = self.pool(record)?;
        let seats = self.pools[pool].teams.len();
        let result = &record.result;
        if [record.bots.len(), result.places.len(), result.scores.len()] != [seats; 3] {
            return Err(format!("{} has {seats} seats with these parameters", record.game));
        }
        if record.moves.iter().any(|played| played.seat as usize >= seats)
            || record.faults.iter().any(|fault| fault.seat as usize >= seats)
        {
            return Err(format!("it names a seat that {} does not have", record.game));
        }
        let players: Vec<usize> = record.bots.iter().map(|bot| self.enter(bot)).collect();
        self.count_conduct(record, &players, pool);
        if result.is_void() {
            self.void += 1;
            for &bot in &each_once(&players) {
                self.bots[bot].void += 1;
            }
            self.count_encounter(record, &players, pool, None);
            return Ok(());
        }
        self.played += 1;
        self.pools[pool].played += 1;
        if let Some(decks) = &mut self.pools[pool].decks {
            decks.add(&record.seed, players[0], result.scores[0].0);
            return Ok(());
        }
        let block =
            record.block.as_ref().map_or_else(|| record.seed.clone(), |block| format!("{journal} {block}"));
        self.count_result(record, &players, pool);
        let teams = &self.pools[pool].teams;
        let points = worth(&result.places, 0, |seat| teams[seat]);
        self.count_encounter(record, &players, pool, Some(points));
        let teams = &self.pools[pool].teams;
        let game = Game { pool, block: &block, players: &players, places: &result.places, teams };
        self.games.add(&game);
        if let Some(ladder) = &mut self.ladder {
            ladder.add(&game);
        }
        Ok(())
    }

    fn pool(&mut self, record: &Record) -> Result<usize, String> {
        let same = |pool: &Pool| pool.game == record.game && pool.params == *record.params;
        if let Some(number) = self.pools.iter().position(same) {
            return Ok(number);
        }
        let (game, _) = rules::parse_name(&record.game).map_err(|error| error.to_string())?;
        let table = game.start(&record.params, Seed::from_number(0)).map_err(|error| error.to_string())?;
        let sides = rules::teams(&*table);
        let side = |seat| sides.iter().position(|side| side.contains(Seat(seat))).unwrap_or(0);
        let number = self.pools.len();
        self.pools.push(Pool {
            game: record.game.clone(),
            params: Value::clone(&record.params),
            teams: (0..table.seats()).map(side).collect(),
            played: 0,
            decks: (sides.len() == 1).then(Decks::default),
            conduct: BTreeMap::new(),
        });
        Ok(number)
    }

    /// Faults and time: they count in void games too.
    fn count_conduct(&mut self, record: &Record, players: &[usize], pool: usize) {
        let conduct = &mut self.pools[pool].conduct;
        for (played, us) in record.moves.iter().zip(&record.times.moves_us) {
            if !played.substitute && !played.opening {
                let player = players[played.seat as usize];
                self.bots[player].moves += 1;
                self.bots[player].time.add(*us);
                conduct.entry(player).or_default().time.add(*us);
            }
        }
        for fault in record.faults.iter().filter(|fault| fault.fault.code != Code::ArenaFault) {
            let player = players[fault.seat as usize];
            for faults in [&mut self.bots[player].faults, &mut conduct.entry(player).or_default().faults] {
                *faults.entry(fault.fault.code.to_string()).or_default() += 1;
            }
        }
    }

    /// A bot on several chairs of one side counts once, on two sides twice.
    fn count_result(&mut self, record: &Record, players: &[usize], pool: usize) {
        let (places, teams) = (&record.result.places, &self.pools[pool].teams);
        for (seat, &bot) in players.iter().enumerate() {
            if (0..seat).any(|before| players[before] == bot && teams[before] == teams[seat]) {
                continue;
            }
            let counts = &mut self.bots[bot];
            counts.played += 1;
            counts.points += worth(places, seat, |seat| teams[seat]);
            counts.game_points += record.result.scores[seat].0;
            let shared = (0..places.len()).any(|rival| teams[rival] != teams[seat] && places[rival] == 1);
            match places[seat] {
                1 if shared => counts.drawn += 1,
                1 => counts.won += 1,
                _ => counts.lost += 1,
            }
        }
    }

    /// A game of two sides with one bot each, and what it was worth to the first of them.
    fn count_encounter(&mut self, record: &Record, players: &[usize], pool: usize, points: Option<f64>) {
        let teams = &self.pools[pool].teams;
        let rounds = matches!(self.format, Some(Counted::Swiss | Counted::Knockout));
        let (Some(round), true) = (record.round.filter(|_| rounds), teams.iter().max() == Some(&1)) else {
            return;
        };
        let side = |side: usize| (0..teams.len()).filter(move |&seat| teams[seat] == side);
        let one = |of: usize| {
            let mut bots = side(of).map(|seat| players[seat]);
            let first = bots.next()?;
            bots.all(|bot| bot == first).then_some(first)
        };
        if let (Some(a), Some(b)) = (one(teams[0]), one(1 - teams[0]))
            && a != b
        {
            self.encounters.add(round, (a, b), points);
        }
    }
}

fn each_once(players: &[usize]) -> Vec<usize> {
    let mut bots = players.to_vec();
    bots.sort_unstable();
    bots.dedup();
    bots
}
