//! Counts games, one after the other.

use super::counts::{BotCounts, BotFailures, GameCounts, MatchRow, Pool};
use super::encounters::{Counted, Encounters};
use super::others::Method;
use super::repeats::Repeats;
use crate::paired::digest;
use crate::roster::Stay;
use crate::worth::worth;
use ratings::{Decks, Game, Games, Ladder};
use referee::fault::Code;
use referee::record::{Ending, Record};
use referee::runner::BotId;
use rules::{Kind, Seat, Seed};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that standings are computed from.
#[derive(Default)]
pub struct Collector {
    pub(super) bots: Vec<BotCounts>,
    pub(super) numbers: BTreeMap<String, usize>,
    pub(super) pools: Vec<Pool>,
    pub(super) games: Games,
    /// Kept only on request, because the ladder takes most of the time.
    pub(super) ladder: Option<Ladder>,
    /// The format of the tournament, if its table is not ordered by points alone.
    pub(super) format: Option<Counted>,
    encounters: Encounters,
    /// The number of bots that were entered in the order of a config.
    pub(super) listed: usize,
    /// Faults by bot and kind, with faults of the arena.
    failures: BTreeMap<(usize, Code), BotFailures>,
    pub(super) played: u64,
    pub(super) void: u64,
    /// The number of moves in all games.
    moves: u64,
    pub(super) repeats: Repeats,
}

impl Collector {
    /// A collector that also computes these ratings.
    pub fn with(also: &[Method]) -> Collector {
        Collector { ladder: also.contains(&Method::Ladder).then(Ladder::default), ..Collector::default() }
    }

    /// A collector for bots that are known by their numbers. Two bots may have the same name.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Collector {
        let mut collector = Collector::default();
        for name in names {
            collector.push(name);
        }
        collector.listed = collector.bots.len();
        collector
    }

    /// Orders the table by what this format counts, or by points alone. The bots must have been
    /// listed.
    pub fn count_for(&mut self, format: Option<Counted>) {
        self.format = format;
        self.encounters = Encounters::default();
    }

    /// The encounters in the rounds of a Swiss or a knockout.
    pub fn encounters(&self) -> &Encounters {
        &self.encounters
    }

    /// Notes that a bot plays only in some rounds. Must be called after [`Collector::count_for`].
    pub fn set_stay(&mut self, bot: usize, stay: Stay) {
        self.encounters.set_stay(bot, stay);
    }

    /// Notes the last round in which a bot plays.
    pub fn end_stay(&mut self, bot: usize, until: u32) {
        self.encounters.end_stay(bot, until);
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.bots.len()
    }

    /// The names of all bots.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bots.iter().map(|bot| bot.name.as_str())
    }

    /// Enters a bot in the order of a config. Bots that share a place are listed in this order.
    pub fn list(&mut self, bot: &str) {
        self.enter(bot);
        self.listed = self.bots.len();
    }

    /// Gives a bot a line in the table, even if the bot never plays.
    pub fn enter(&mut self, bot: &str) -> usize {
        if let Some(&number) = self.numbers.get(bot) {
            return number;
        }
        self.push(bot)
    }

    fn push(&mut self, bot: &str) -> usize {
        let number = self.bots.len();
        self.numbers.entry(bot.to_owned()).or_insert(number);
        self.bots.push(BotCounts { name: bot.to_owned(), ..BotCounts::default() });
        number
    }

    /// Counts a game whose bots are known by their names. The name of a block is unique only within
    /// one journal.
    pub fn add(&mut self, record: &Record, journal: &str) -> Result<(), String> {
        let pool = self.pool_of(record)?;
        let players: Vec<usize> = record.bots.iter().map(|bot| self.enter(bot)).collect();
        self.count(record, &players, pool, journal);
        Ok(())
    }

    /// Counts a game whose bots are known by their numbers, by seat.
    pub fn add_seated(&mut self, record: &Record, seating: &[BotId]) -> Result<(), String> {
        let pool = self.pool_of(record)?;
        let players: Vec<usize> = seating.iter().map(|bot| bot.0).collect();
        self.count(record, &players, pool, "");
        Ok(())
    }

    /// The pool of a game, if the record fits its rules.
    fn pool_of(&mut self, record: &Record) -> Result<usize, String> {
        let pool = self.pool(record)?;
        let seats = self.pools[pool].teams.len();
        let result = &record.result;
        if [record.bots.len(), result.places.len(), result.scores.len()] != [seats; 3] {
            return Err(format!(
                "the record must have bots, places and scores for {seats} seats of {} with these parameters",
                record.game
            ));
        }
        if record.moves.iter().any(|played| played.seat as usize >= seats)
            || record.faults.iter().any(|fault| fault.seat as usize >= seats)
        {
            return Err(format!("the record names a seat that {} does not have", record.game));
        }
        Ok(pool)
    }

    fn count(&mut self, record: &Record, players: &[usize], pool: usize, journal: &str) {
        let result = &record.result;
        self.count_conduct(record, players, pool);
        if result.is_void() {
            self.void += 1;
            for &bot in &each_once(players) {
                self.bots[bot].void += 1;
            }
            return self.count_encounter(record, players, pool, None);
        }
        self.played += 1;
        self.count_result(record, players, pool);
        if self.pools[pool].is_hidden || self.pools[pool].decks.is_some() {
            // Another deal has other cards, whatever the moves.
            self.repeats.stop();
        } else {
            self.repeats.add((pool, players), || digest(record));
        }
        if let Some(decks) = &mut self.pools[pool].decks {
            return decks.add(&record.seed, players[0], result.scores[0].0);
        }
        let block =
            record.block.as_ref().map_or_else(|| record.seed.clone(), |block| format!("{journal} {block}"));
        let teams = &self.pools[pool].teams;
        let points = worth(&result.places, 0, |seat| teams[seat]);
        self.count_encounter(record, players, pool, Some(points));
        let teams = &self.pools[pool].teams;
        let game = Game { pool, block: &block, players, places: &result.places, teams };
        self.games.add(&game);
        if let Some(ladder) = &mut self.ladder {
            ladder.add(&game);
        }
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
            finished: 0,
            is_hidden: game.kind == Kind::Hidden,
            decks: (sides.len() == 1).then(Decks::default),
            conduct: BTreeMap::new(),
        });
        Ok(number)
    }

    /// Counts faults and time. They count in void games too.
    fn count_conduct(&mut self, record: &Record, players: &[usize], pool: usize) {
        self.moves += record.moves.len() as u64;
        let conduct = &mut self.pools[pool].conduct;
        for (played, us) in record.moves.iter().zip(&record.times.moves_us) {
            if !played.substitute && !played.opening {
                let player = players[played.seat as usize];
                self.bots[player].moves += 1;
                self.bots[player].time.add(*us);
                conduct.entry(player).or_default().time.add(*us);
            }
        }
        for fault in &record.faults {
            let (player, code) = (players[fault.seat as usize], fault.fault.code);
            let failures =
                self.failures.entry((player, code)).or_insert_with(|| BotFailures::of(record, fault));
            failures.times += 1;
            if code != Code::ArenaFault {
                let faults = &mut conduct.entry(player).or_default().faults;
                *faults.entry(code.to_string()).or_default() += 1;
            }
        }
    }

    /// Counts a result. A bot on several seats of one side counts once, a bot on two sides counts
    /// twice.
    fn count_result(&mut self, record: &Record, players: &[usize], pool: usize) {
        let Pool { teams, decks, conduct, played, finished, .. } = &mut self.pools[pool];
        *played += 1;
        *finished += u64::from(matches!(record.result.ending, Ending::Played(_)));
        for (seat, &bot) in players.iter().enumerate() {
            if (0..seat).any(|before| players[before] == bot && teams[before] == teams[seat]) {
                continue;
            }
            let result = GameCounts::of(record, seat, teams);
            conduct.entry(bot).or_default().results.add(&result);
            if decks.is_none() {
                self.bots[bot].rated.add(&result);
            }
        }
    }

    /// Counts a game of two sides with one bot each. `points` is the result of the first bot.
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

    /// The number of games so far, with void games.
    pub fn game_count(&self) -> u64 {
        self.played + self.void
    }

    /// The number of games that do not count.
    pub fn void_count(&self) -> u64 {
        self.void
    }

    /// The number of moves in all games.
    pub fn move_count(&self) -> u64 {
        self.moves
    }

    /// The number of faults of all bots, without faults of the arena.
    pub fn fault_count(&self) -> u64 {
        let bots = self.failures.iter().filter(|((_, code), _)| *code != Code::ArenaFault);
        bots.map(|(_, failures)| failures.times).sum()
    }

    /// Did the arena itself fail?
    pub fn has_arena_faults(&self) -> bool {
        self.failures.keys().any(|(_, code)| *code == Code::ArenaFault)
    }

    /// All faults, with the names of the bots.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &BotFailures)> {
        self.failures.iter().map(|((bot, _), failures)| (self.bots[*bot].name.as_str(), failures))
    }

    /// The number of faults of a bot, by kind.
    pub(super) fn faults_of(&self, bot: usize) -> BTreeMap<String, u64> {
        let own =
            self.failures.iter().filter(|((player, code), _)| *player == bot && *code != Code::ArenaFault);
        own.map(|((_, code), failures)| (code.to_string(), failures.times)).collect()
    }

    /// The results of a bot in all games, rated or not.
    fn results_of(&self, bot: usize) -> GameCounts {
        let mut sum = GameCounts::default();
        for conduct in self.pools.iter().filter_map(|pool| pool.conduct.get(&bot)) {
            sum.add(&conduct.results);
        }
        sum
    }

    /// The name and the mean result of every bot with games that count.
    pub fn scores(&self) -> impl Iterator<Item = (&str, f64)> {
        (0..self.bots.len()).filter_map(|bot| {
            let results = self.results_of(bot);
            (results.played > 0)
                .then(|| (self.bots[bot].name.as_str(), results.points / results.played as f64))
        })
    }

    /// The table of a match, with the bots in their original order.
    pub fn match_rows(&self) -> Vec<MatchRow> {
        (0..self.bots.len()).map(|bot| self.match_row(bot)).collect()
    }

    fn match_row(&self, bot: usize) -> MatchRow {
        let (counts, results) = (&self.bots[bot], self.results_of(bot));
        let mean = |sum: f64| if results.played == 0 { 0.0 } else { sum / results.played as f64 };
        MatchRow {
            bot: counts.name.clone(),
            games: results.played,
            won: results.won,
            drawn: results.drawn,
            lost: results.lost,
            void: counts.void,
            score: mean(results.points),
            points: mean(results.game_points),
            faults: self.faults_of(bot),
            mean_move_us: counts.time.mean_us().unwrap_or(0.0),
        }
    }
}

fn each_once(players: &[usize]) -> Vec<usize> {
    let mut bots = players.to_vec();
    bots.sort_unstable();
    bots.dedup();
    bots
}
