//! A series: bots, games, and the conditions of play.
//!
//! A match, a comparison, the games of a grade and a tournament are series. A [`Stage`] of the
//! schedule has the order of the games. A match has one stage with one table.

use super::book::Book;
use super::openings::longest_opening;
use super::roster::Stay;
use super::schedule::{Cursor, Slot, Stage};
use super::stage_games::StageGames;
use super::worth::worth;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::game::{FaultPolicy, Job};
use referee::record::Record;
use referee::runner::{self, BotId, RunPlan};
use referee::seeds::{RootSeed, deal_seed};
use referee::spec::{BotSpec, GameSpec};
use rules::{Game, Kind, Seat, Seed, Setting};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Bots, games, and the conditions of play.
pub struct Series {
    pub games: Vec<GameEntry>,
    /// The bots, in the order of their ids.
    pub bots: Vec<Entrant>,
    /// Openings from a file, instead of random openings.
    pub book: Option<Book>,
    /// This deal in all games, instead of deals from the root seed.
    pub deal: Option<Seed>,
    pub on_fault: FaultPolicy,
    /// May bots think while others are to move?
    pub pondering: bool,
    /// May bots explore?
    pub explore: ExploreRules,
    /// Start a new process of every bot for each game.
    pub restart: bool,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// Keep each game on one core.
    pub pin: bool,
    /// Keep transcripts of all games with their records.
    pub transcripts: bool,
    pub labels: GameLabels,
}

/// How a record names its place in a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameLabels {
    /// The number of the game, the block and the round.
    Journal,
    /// Only the number of the game, after these letters.
    Number(String),
}

/// A game of a series.
pub struct GameEntry {
    /// The game as the user wrote it: `quixo?size=4`.
    pub line: String,
    pub game: &'static Game,
    pub setting: Arc<dyn Setting>,
    /// For each seat, its side. One bot plays all seats of a side.
    pub side_of: Vec<usize>,
    /// For each seat, its team. Results are counted by team.
    pub teams: Vec<usize>,
    /// The number of bots at a table.
    pub sides: usize,
    /// For each game of a block, the member of the table on side 0, 1, …
    pub arrangements: Vec<Vec<usize>>,
    /// The number of plies of a random opening.
    pub opening_plies: u32,
}

/// In a team game: does a bot play for a whole team, or on one seat?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatingBy {
    Team,
    Seat,
}

/// A bot of a series.
#[derive(Clone)]
pub struct Entrant {
    pub name: String,
    pub spec: BotSpec,
    pub clock: ClockRules,
    pub memory_mib: Option<u64>,
    /// The rounds in which the bot plays.
    pub stay: Stay,
}

impl Entrant {
    pub fn new(name: String, spec: BotSpec, clock: ClockRules) -> Entrant {
        Entrant { name, spec, clock, memory_mib: None, stay: Stay::ALWAYS }
    }
}

impl GameEntry {
    /// A game without openings and without arrangements.
    pub fn new(line: String, spec: GameSpec, by: SeatingBy) -> GameEntry {
        let GameSpec { game, setting, teams, .. } = spec;
        let side_of = match by {
            SeatingBy::Team => teams.clone(),
            SeatingBy::Seat => (0..teams.len()).collect(),
        };
        let sides = side_of.iter().max().map_or(1, |most| most + 1);
        GameEntry { line, game, setting, side_of, teams, sides, arrangements: Vec::new(), opening_plies: 0 }
    }

    pub fn team_count(&self) -> usize {
        self.teams.iter().max().map_or(1, |most| most + 1)
    }

    /// A bot's result in a game, from 0 to 1, if the game counts.
    pub fn worth(&self, record: &Record, seating: &[BotId], bot: BotId) -> Option<f64> {
        let seat = seating.iter().position(|&other| other == bot)?;
        (!record.result.is_void()).then(|| worth(&record.result.places, seat, |seat| self.teams[seat]))
    }
}

impl Series {
    /// A series under the usual conditions.
    pub fn new(games: Vec<GameEntry>, bots: Vec<Entrant>) -> Series {
        Series {
            // A process that has played one game of a deal knows the cards of the other games.
            restart: games.iter().any(|entry| entry.game.kind == Kind::Hidden),
            concurrency: std::thread::available_parallelism().map_or(1, usize::from),
            book: None,
            deal: None,
            on_fault: FaultPolicy::default(),
            pondering: true,
            explore: ExploreRules::default(),
            pin: true,
            transcripts: false,
            labels: GameLabels::Number(String::new()),
            games,
            bots,
        }
    }

    /// The bot with this name.
    pub fn bot_named(&self, name: &str) -> Option<&BotSpec> {
        self.bots.iter().find(|bot| bot.name == name).map(|bot| &bot.spec)
    }

    pub fn names(&self, seating: &[BotId]) -> Vec<String> {
        seating.iter().map(|bot| self.bots[bot.0].name.clone()).collect()
    }

    /// Everything that the referee needs to play a deal of a game.
    pub fn job(
        &self,
        match_id: String,
        seed: RootSeed,
        (game, deal): (usize, u64),
        seating: Vec<BotId>,
    ) -> Job {
        Job {
            match_id,
            setting: Arc::clone(&self.games[game].setting),
            seed: self.deal.unwrap_or_else(|| deal_seed(seed, deal)),
            match_seed: seed,
            names: self.names(&seating),
            clocks: seating.iter().map(|bot| self.bots[bot.0].clock).collect(),
            policy: self.on_fault,
            pondering: self.pondering,
            explore: self.explore,
            block: None,
            round: None,
            opening: self.opening(seed, game, deal),
            seating,
        }
    }

    fn opening(&self, seed: RootSeed, game: usize, deal: u64) -> Vec<(Seat, String)> {
        let entry = &self.games[game];
        match &self.book {
            Some(book) => book.opening(&*entry.setting, deal).unwrap_or_default(),
            None => longest_opening(&*entry.setting, seed, game, deal, entry.opening_plies),
        }
    }

    /// A bot that can't read the files of the others.
    fn apart(&self, Entrant { spec, clock, .. }: &Entrant) -> BotSpec {
        let own = spec.own_paths();
        let others = self.bots.iter().flat_map(|bot| bot.spec.own_paths());
        let sandbox = spec.sandbox.closing(others.filter(|path| !own.contains(path)));
        let sandbox = sandbox.metering(clock.measured);
        spec.clone().within(&Arc::new(sandbox))
    }

    pub fn plan(&self) -> RunPlan {
        RunPlan {
            bots: self.bots.iter().map(|bot| self.apart(bot)).collect(),
            concurrency: self.concurrency,
            restart: self.restart,
            memory_bytes: self.bots.iter().map(|bot| Some(bot.memory_mib? << 20)).collect(),
            pin: self.pin,
            transcripts: self.transcripts,
        }
    }

    /// Plays a stage. `on_game` gets each game in the order of the schedule, with the bots by seat,
    /// and decides when to stop.
    ///
    /// If cards are hidden, the games of a deal are handed on only after the last of them.
    /// Otherwise the caller might write the deal into a file that a bot can read.
    pub fn play(
        &self,
        stage: &Stage,
        seed: RootSeed,
        mut cursor: Cursor,
        mut on_game: impl FnMut(&Slot, &[BotId], &mut Record) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let games = StageGames::new(self, stage, seed, cursor);
        let mut held: Vec<(Slot, Record)> = Vec::new();
        let mut hand_on = |held: &mut Vec<(Slot, Record)>| {
            for (slot, mut record) in held.drain(..) {
                let seating = stage.seating(self, &slot);
                if !games.over.is_set() && on_game(&slot, &seating, &mut record).is_break() {
                    games.over.set();
                }
            }
        };
        runner::run_from(&self.plan(), &games, |records, _| {
            for record in records {
                let Some(slot) = cursor.next(self, stage) else { break };
                let is_secret = self.games[slot.game].game.kind == Kind::Hidden && !slot.closes_block;
                held.push((slot, record));
                if !is_secret {
                    hand_on(&mut held);
                }
            }
        })?;
        hand_on(&mut held);
        Ok(())
    }
}
