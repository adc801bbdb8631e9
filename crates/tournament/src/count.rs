//! What has happened so far, in memory that does not grow with the number of games.

use super::config::{Format, Tournament};
use super::roster::Stay;
use super::schedule::{Slot, Stage};
use super::sprt::{BlockCounts, decide};
use crate::standings::{Collector, Counted, Encounters};
use crate::tally::worth;
use ratings::{Scale, Verdict};
use referee::fault::Code;
use referee::record::Record;
use std::collections::BTreeMap;

/// The running count of a tournament.
pub struct Count {
    pub games: u64,
    pub moves: u64,
    /// For the table at the end.
    pub collector: Collector,
    /// By bot: what its games were worth, and how many counted.
    pub scores: Vec<(f64, u64)>,
    pub names: Vec<String>,
    /// By bot and kind: how often, and the first in words.
    pub faults: BTreeMap<(usize, Code), (u64, String)>,
    /// Games that the arena itself could not play.
    pub void: u64,
    sprt: Option<Sprt>,
}

/// A sequential test in progress.
#[derive(Clone)]
pub struct Sprt {
    hypotheses: ratings::Sprt,
    blocks: BlockCounts,
    /// Half points of the first bot in the games of the block that is being played; none if one of them did not count.
    block: Option<Vec<usize>>,
}

impl Sprt {
    fn new(tournament: &Tournament) -> Sprt {
        let hypotheses = tournament.sprt;
        let games = match hypotheses.scale {
            Scale::Bayesian => 1,
            Scale::Logistic | Scale::Normalized => tournament.games[0].arrangements.len(),
        };
        Sprt { hypotheses, blocks: BlockCounts::new(games), block: Some(Vec::new()) }
    }

    pub fn add(&mut self, tournament: &Tournament, stage: &Stage, slot: &Slot, record: &Record) {
        let half_points = half_points(tournament, stage, slot, record);
        self.block = self.block.take().zip(half_points).map(|(mut block, more)| {
            block.push(more);
            block
        });
        if slot.closes_block {
            let block = self.block.replace(Vec::new()).unwrap_or_default();
            match self.hypotheses.scale {
                // Its model is one of single games.
                Scale::Bayesian => block.into_iter().for_each(|game| self.blocks.add(game)),
                _ if block.is_empty() => {}
                _ => self.blocks.add(block.iter().sum()),
            }
        }
    }

    pub fn decided(&self) -> bool {
        decide(&self.blocks, &self.hypotheses).1 != Verdict::Open
    }
}

impl Count {
    pub fn new(tournament: &Tournament) -> Count {
        let names: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let mut collector = Collector::default();
        for name in &names {
            collector.list(name);
        }
        collector.count_for(Counted::by(&tournament.format.word()));
        for (bot, entrant) in tournament.bots.iter().enumerate().filter(|(_, bot)| bot.stay != Stay::ALWAYS) {
            collector.set_stay(bot, entrant.stay);
        }
        let sprt = (tournament.format == Format::Sprt).then(|| Sprt::new(tournament));
        Count {
            games: 0,
            moves: 0,
            collector,
            scores: vec![(0.0, 0); names.len()],
            names,
            faults: BTreeMap::new(),
            void: 0,
            sprt,
        }
    }

    /// Who has met whom in the rounds of a Swiss or a knockout.
    pub fn encounters(&self) -> &Encounters {
        self.collector.encounters()
    }

    /// The state of a sequential test.
    pub fn sprt(&self) -> Option<(f64, Verdict)> {
        self.sprt.as_ref().map(|sprt| decide(&sprt.blocks, &sprt.hypotheses))
    }

    /// The logarithm of a sequential test's likelihood ratio, and the bounds between which it goes on.
    pub fn test_bounds(&self) -> Option<(f64, f64, f64)> {
        let test = self.sprt.as_ref()?;
        let (low, high) = test.hypotheses.bounds();
        Some((decide(&test.blocks, &test.hypotheses).0, low, high))
    }

    /// Blocks of a sequential test, by result.
    pub fn blocks(&self) -> Option<&[u64]> {
        self.sprt.as_ref().map(|sprt| sprt.blocks.counts())
    }

    /// Has a sequential test come to its end?
    pub fn decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(Sprt::decided)
    }

    /// A copy of a sequential test, to see how many of the next games it needs.
    pub fn test(&self) -> Option<Sprt> {
        self.sprt.clone()
    }

    pub fn add(&mut self, tournament: &Tournament, stage: &Stage, slot: &Slot, record: &Record) {
        let seating = stage.seating(tournament, slot);
        self.games += 1;
        self.moves += record.moves.len() as u64;
        if let Err(problem) = self.collector.add(record, "") {
            tracing::error!(record.match_id, problem, "left out of the standings");
        }
        self.add_faults(record, &seating);
        if let Some(sprt) = &mut self.sprt {
            sprt.add(tournament, stage, slot, record);
        }
        if record.result.is_void() {
            self.void += 1;
            return;
        }
        let worths = worths(tournament, slot, record, &seating);
        for &(bot, worth) in &worths {
            let score = &mut self.scores[bot];
            *score = (score.0 + worth, score.1 + 1);
        }
    }

    fn add_faults(&mut self, record: &Record, seating: &[usize]) {
        for fault in &record.faults {
            let first = || {
                let file =
                    record.failure.as_ref().map_or(String::new(), |file| format!("\n  more in {file}"));
                format!("in match {}:\n{}{file}", record.match_id, fault.fault)
            };
            let key = (seating[fault.seat as usize], fault.fault.code);
            self.faults.entry(key).or_insert_with(|| (0, first())).0 += 1;
        }
    }

    /// All faults of bots.
    pub fn fault_count(&self) -> u64 {
        let bots = self.faults.iter().filter(|((_, code), _)| *code != Code::ArenaFault);
        bots.map(|(_, (count, _))| count).sum()
    }
}

/// What a game was worth to each bot in it; a bot on several seats of one side counts once.
fn worths(tournament: &Tournament, slot: &Slot, record: &Record, seating: &[usize]) -> Vec<(usize, f64)> {
    let teams = &tournament.games[slot.game].teams;
    let mut list: Vec<(usize, f64)> = Vec::with_capacity(seating.len());
    for (seat, &bot) in seating.iter().enumerate() {
        if list.iter().all(|(seen, _)| *seen != bot) {
            list.push((bot, worth(&record.result.places, seat, |seat| teams[seat])));
        }
    }
    list
}

/// Of the first bot; none for a game that does not count.
fn half_points(tournament: &Tournament, stage: &Stage, slot: &Slot, record: &Record) -> Option<usize> {
    if record.result.is_void() {
        return None;
    }
    let seating = stage.seating(tournament, slot);
    let worths = worths(tournament, slot, record, &seating);
    worths.iter().find(|(bot, _)| *bot == 0).map(|(_, worth)| (2.0 * worth).round() as usize)
}
