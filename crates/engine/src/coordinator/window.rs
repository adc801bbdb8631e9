//! The games that are with workers, or have come back before their turn. The window moves along the
//! schedule, so its size does not grow with the tournament.

use crate::record_check;
use referee::record::Record;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;
use tournament::schedule::Slot;
use tournament::stage_games::StageGames;
use tournament::travel::Unit;

/// The most games that are out or wait for their turn.
pub(super) const MOST_GAMES: usize = 16_384;

pub(super) struct GameWindow<'g> {
    games: &'g StageGames<'g>,
    /// The number of the record that is due, in the order of records.
    turn: usize,
    waiting: BTreeMap<usize, Record>,
    /// The numbers of records that have just come.
    fresh: Vec<usize>,
    /// Games that no worker has brought yet, by their number in the tournament.
    out: HashMap<u64, OutGame>,
    pub(super) batches: BTreeMap<u64, OutBatch>,
    /// Are all games of the stage in the window, or behind it?
    exhausted: bool,
}

struct OutGame {
    /// In the order of records.
    index: usize,
    slot: Slot,
    /// The number of the first game of the batch.
    batch: u64,
}

/// A batch that was not brought back completely.
pub(super) struct OutBatch {
    pub(super) units: Vec<Unit>,
    /// The number of games that are missing.
    pub(super) left: usize,
    pub(super) games: usize,
    pub(super) since: Instant,
    pub(super) hedges: u32,
    /// How often the batch has come back without games.
    pub(super) failures: u32,
}

/// What became of a record.
pub(super) enum Accepted<'w> {
    New(Unit, &'w Record),
    /// The game has come before.
    Again,
    /// The game has come before, and was another one.
    Differs(String),
    Refused(String),
}

impl<'g> GameWindow<'g> {
    pub(super) fn new(games: &'g StageGames<'g>) -> GameWindow<'g> {
        GameWindow {
            games,
            turn: 0,
            waiting: BTreeMap::new(),
            fresh: Vec::new(),
            out: HashMap::new(),
            batches: BTreeMap::new(),
            exhausted: false,
        }
    }

    /// Has every game of the stage come back?
    pub(super) fn is_done(&self) -> bool {
        self.exhausted && self.out.is_empty() && self.waiting.is_empty()
    }

    /// May more games go out?
    pub(super) fn has_room(&self) -> bool {
        !self.exhausted && self.out.len() + self.waiting.len() < MOST_GAMES
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The number of games that are with workers.
    pub(super) fn out(&self) -> usize {
        self.out.len()
    }

    /// Takes units from the schedule until they have this many games. Returns the number of the new
    /// batch, or `None` if there are no more games to be played.
    pub(super) fn cut(&mut self, size: usize) -> Option<u64> {
        let (mut units, mut games, mut first) = (Vec::new(), 0, None);
        while games < size && !self.exhausted {
            let before = games;
            let mut unit = None;
            loop {
                let Some((index, slot)) = self.games.next_slot() else {
                    self.exhausted = true;
                    break;
                };
                unit.get_or_insert_with(|| Unit::of(&slot, self.games.table(&slot)));
                match self.games.settled(&slot) {
                    Some(record) => drop(self.waiting.insert(index, record)),
                    None => {
                        let batch = *first.get_or_insert(slot.number);
                        self.out.insert(slot.number, OutGame { index, slot, batch });
                        games += 1;
                    }
                }
                if slot.closes_block {
                    break;
                }
            }
            units.extend(unit.filter(|_| games > before));
            if games == 0 && self.waiting.len() >= MOST_GAMES {
                return None;
            }
        }
        let first = first?;
        let since = Instant::now();
        self.batches.insert(first, OutBatch { units, left: games, games, since, hedges: 0, failures: 0 });
        Some(first)
    }

    /// The number of a game, if somebody still has to play this game.
    fn number(record: &Record) -> Option<u64> {
        record.match_id.parse::<u64>().ok()?.checked_sub(1)
    }

    /// Takes a record that a worker has brought.
    pub(super) fn accept(&mut self, record: Record) -> Accepted<'_> {
        let Some(number) = Self::number(&record) else {
            return Accepted::Refused("the match has no number".to_owned());
        };
        let Some(out) = self.out.get(&number) else {
            let twin = self.waiting.values().find(|waiting| waiting.match_id == record.match_id);
            let differs = twin.is_some_and(|twin| !is_same(twin, &record));
            return if differs { Accepted::Differs(record.match_id) } else { Accepted::Again };
        };
        if let Err(problem) = record_check::check(&record, &self.games.job(&out.slot)) {
            return Accepted::Refused(problem);
        }
        let unit = Unit::of(&out.slot, self.games.table(&out.slot));
        let (index, first) = (out.index, out.batch);
        self.out.remove(&number);
        self.fresh.push(index);
        if let Some(batch) = self.batches.get_mut(&first) {
            batch.left -= 1;
            if batch.left == 0 {
                self.batches.remove(&first);
            }
        }
        Accepted::New(unit, self.waiting.entry(index).or_insert(record))
    }

    /// The batch to which a game belongs that is still out.
    pub(super) fn batch_of(&self, number: u64) -> Option<u64> {
        self.out.get(&number).map(|out| out.batch)
    }

    /// Plays nothing, and gives the games of a batch as void.
    pub(super) fn give_up(&mut self, first: u64, problem: &str) {
        let numbers: Vec<u64> =
            self.out.iter().filter(|(_, out)| out.batch == first).map(|(number, _)| *number).collect();
        for number in numbers {
            if let Some(out) = self.out.remove(&number) {
                let void = referee::game::void(&self.games.job(&out.slot), problem);
                self.waiting.insert(out.index, void);
            }
        }
        self.batches.remove(&first);
    }

    /// Splits a batch into its units. Returns the numbers of the new batches.
    pub(super) fn split(&mut self, first: u64) -> Vec<u64> {
        let Some(batch) = self.batches.remove(&first) else { return Vec::new() };
        let mut parts = Vec::new();
        for unit in batch.units {
            let numbers: Vec<u64> = self
                .out
                .iter()
                .filter(|(number, out)| out.batch == first && **number >= unit.number)
                .filter(|(_, out)| Unit::of(&out.slot, self.games.table(&out.slot)) == unit)
                .map(|(number, _)| *number)
                .collect();
            let Some(&lowest) = numbers.iter().min() else { continue };
            for number in &numbers {
                if let Some(out) = self.out.get_mut(number) {
                    out.batch = lowest;
                }
            }
            let (left, since) = (numbers.len(), Instant::now());
            self.batches.insert(
                lowest,
                OutBatch { units: vec![unit], left, games: left, since, hedges: 0, failures: 1 },
            );
            parts.push(lowest);
        }
        parts
    }

    /// The records whose turn has come.
    pub(super) fn ready(&mut self) -> Vec<Record> {
        let ready: Vec<Record> = (self.turn..).map_while(|index| self.waiting.remove(&index)).collect();
        self.turn += ready.len();
        ready
    }

    /// The records that have come since the last call and wait for their turn.
    pub(super) fn early(&mut self) -> Vec<&Record> {
        let fresh = std::mem::take(&mut self.fresh);
        fresh.iter().filter_map(|index| self.waiting.get(index)).collect()
    }

    /// Has something come since the last call of [`GameWindow::early`]?
    pub(super) fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }
}

/// Are two records of a game the same, besides what differs from run to run?
pub(crate) fn is_same(a: &Record, b: &Record) -> bool {
    let plain = |record: &Record| Record {
        times: referee::record::Times::default(),
        failure: None,
        evidence: Vec::new(),
        transcripts: Vec::new(),
        ..record.clone()
    };
    plain(a).to_line() == plain(b).to_line()
}
