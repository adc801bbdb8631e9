//! A tournament as it travels to other machines. The header of the journal says nearly all that
//! decides how games are played; the rest is here.

use super::book::Book;
use super::config::Tournament;
use super::journal::JournalHeader;
use super::roster::Stay;
use super::schedule::{Cursor, Shard, Slot, Stage, StageRound};
use super::seating::Arrangements;
use super::series::{Entrant, GameEntry, GameLabels, SeatingBy, Series};
use protocol::Clock;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::game::{FaultPolicy, Job};
use referee::runner::BotId;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameLine};
use rules::Kind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A bot of a tournament, without its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BotTicket {
    pub name: String,
    pub run: String,
    pub clock: Clock,
    pub memory_mib: Option<u64>,
}

impl BotTicket {
    pub fn of(entrant: &Entrant) -> BotTicket {
        BotTicket {
            name: entrant.name.clone(),
            run: entrant.spec.text.clone(),
            clock: entrant.clock.shown(entrant.clock.bank),
            memory_mib: entrant.memory_mib,
        }
    }

    pub fn entrant(&self, spec: BotSpec) -> Entrant {
        Entrant {
            name: self.name.clone(),
            spec,
            clock: ClockRules::of(self.clock),
            memory_mib: self.memory_mib,
            stay: Stay::ALWAYS,
        }
    }
}

/// All games of one deal at one table: the smallest part of a schedule that travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of its first game.
    pub number: u64,
    pub round: u32,
    pub deal: u64,
    pub game: usize,
    /// The bots of the table.
    pub table: Vec<usize>,
}

impl Unit {
    pub fn of(slot: &Slot, table: &[BotId]) -> Unit {
        let number = slot.number - slot.arrangement as u64;
        let table = table.iter().map(|bot| bot.0).collect();
        Unit { number, round: slot.round, deal: slot.deal, game: slot.game, table }
    }

    /// The games of the unit. `None` if the unit is not of this series.
    pub fn jobs(&self, series: &Series, seed: RootSeed) -> Option<Vec<Job>> {
        let entry = series.games.get(self.game)?;
        let known = self.table.iter().all(|&bot| bot < series.bots.len());
        if !known || self.table.len() != entry.sides {
            return None;
        }
        let mut tables = vec![Vec::new(); series.games.len()];
        tables[self.game].push(self.table.iter().map(|&bot| BotId(bot)).collect());
        let stage = Stage {
            games_before: self.number,
            first_deal: self.deal,
            deals: 1,
            round: StageRound::Number(self.round),
            tables,
        };
        let mut cursor = Cursor::new(Shard::WHOLE);
        let slots = std::iter::from_fn(|| cursor.next(series, &stage));
        Some(slots.map(|slot| stage.job(series, seed, &slot)).collect())
    }
}

/// The series of a tournament, from the header of its journal. `bots` are all bots that play.
pub fn series(header: &JournalHeader, bots: Vec<Entrant>, transcripts: bool) -> Result<Series, String> {
    let config = &header.config;
    let arrangements: Arrangements = read(config, "arrangements")?;
    let seating: SeatingBy = read(config, "seating")?;
    let openings: u32 = read(config, "openings")?;
    let mut games = Vec::new();
    for written in config["games"].as_array().ok_or("the tournament has no games")? {
        let id = written["game"].as_str().unwrap_or_default();
        let params = written["params"].as_object().cloned().unwrap_or_default();
        let line = GameLine::read(id, params, "the tournament").map_err(|error| error.to_string())?;
        let spec = line.check().map_err(|error| error.to_string())?;
        if written["rules"] != spec.game.about.version {
            return Err(format!("this program has other rules of {id}"));
        }
        let plies = if spec.game.kind == Kind::Duel { openings } else { 0 };
        let line = written["line"].as_str().unwrap_or(id).to_owned();
        let entry = GameEntry::new(line, spec, seating);
        games.push(GameEntry { arrangements: arrangements.of(entry.sides), opening_plies: plies, ..entry });
    }
    let explore = &config["explore"];
    let explore = if explore.is_null() {
        ExploreRules::default()
    } else {
        ExploreRules { mode: read(explore, "mode")?, nodes: read(explore, "nodes")? }
    };
    Ok(Series {
        labels: GameLabels::Journal,
        book: Book::in_config(config),
        restart: read(config, "restart")?,
        pondering: read(config, "pondering")?,
        on_fault: read::<FaultPolicy>(config, "on_fault")?,
        explore,
        concurrency: 1,
        transcripts,
        ..Series::new(games, bots)
    })
}

fn read<T: DeserializeOwned>(config: &Value, key: &str) -> Result<T, String> {
    T::deserialize(&config[key]).map_err(|error| format!("`{key}` of the tournament: {error}"))
}

impl Tournament {
    /// Why this tournament can't be played on other machines.
    pub fn stays_here(&self) -> Option<&'static str> {
        if self.sandbox.profile != referee::process::SandboxProfile::Strict {
            return Some(
                "workers hold bots by the sandbox `strict` and by no other; remove `profile` and --sandbox",
            );
        }
        (!self.sandbox.read.is_empty()).then_some(
            "the files of --allow-read and of [sandbox] are on this machine only; put them into the folder of the bot",
        )
    }
}
