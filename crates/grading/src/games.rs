//! Games of a submission against one opponent: a fixed list of blocks, each a deal played from every seat.
//!
//! A game that ended by a timeout is played again, alone on the machine, before it counts; one that we spoiled is played
//! again too. The bots of every game are started anew, so that the order of games changes nothing.

use super::assignment::{Games, Match};
use super::grader::{Grader, NotGraded};
use ratings::Outcomes;
use referee::fault::Code;
use referee::game::{FaultPolicy, Job};
use referee::record::{Record, SeatFault};
use referee::runner::{self, Plan};
use referee::seeds::deal_seed;
use referee::spec::BotSpec;
use rules::{Seat, Seats};
use std::ops::Range;
use std::sync::Arc;
use tournament::openings::opening;
use tournament::tally::worth;

/// How often a timeout is tried again before it is believed.
const RERUNS: usize = 2;
/// How often a game that we spoiled is tried again before the item is given up.
const OUR_TRIES: usize = 3;
/// After so many timeouts in a row the rest of an item counts as lost.
const PATIENCE: usize = 2;
/// Deals that are played before anybody looks at the results. Fixed, so that it does not depend on the machine.
const BATCH: u64 = 4;

/// A finished game, from the submission's side.
#[derive(Clone, Debug)]
pub struct Played {
    pub record: Record,
    /// The submission's first seat.
    pub seat: u8,
    seats: Seats,
    /// 1 for a win, one half for a draw, 0 for a loss.
    pub worth: f64,
    pub deal: u64,
}

/// The games of an item, in order.
#[derive(Debug, Default)]
pub struct Series {
    pub played: Vec<Played>,
    /// Games that were not played because the submission had timed out again and again.
    pub skipped: usize,
    /// The first deal was played twice, and not alike.
    pub unsteady: bool,
}

impl Played {
    /// What the submission did wrong.
    pub fn fault(&self) -> Option<&SeatFault> {
        let own = |fault: &&SeatFault| self.seats.contains(Seat(fault.seat));
        self.record.faults.iter().filter(|fault| fault.fault.code != Code::ArenaFault).find(own)
    }

    /// The same game was played again: was the submission the first to do something else?
    fn differs(&self, again: &Played) -> bool {
        let mut pairs = self.record.moves.iter().zip(&again.record.moves);
        match pairs.find(|(before, after)| (before.seat, &before.mv) != (after.seat, &after.mv)) {
            Some((before, _)) => self.seats.contains(Seat(before.seat)),
            None => again.fault().is_some(),
        }
    }
}

impl Series {
    pub fn total(&self) -> usize {
        self.played.len() + self.skipped
    }

    /// The mean result; games that were skipped are lost.
    pub fn score(&self) -> f64 {
        self.played.iter().map(|game| game.worth).sum::<f64>() / self.total().max(1) as f64
    }

    pub fn faults(&self) -> usize {
        self.played.iter().filter(|game| game.fault().is_some()).count() + self.skipped
    }

    /// How the deals ended, for a sequential test: games of one deal share their luck.
    pub fn outcomes(&self) -> Outcomes {
        let deals: Vec<&[Played]> = self.played.chunk_by(|a, b| a.deal == b.deal).collect();
        let mean = |deal: &&[Played]| deal.iter().map(|game| game.worth).sum::<f64>() / deal.len() as f64;
        let games = deals.first().map_or(1, |deal| deal.len());
        Outcomes::of_means(games as f64, deals.iter().map(|deal| (mean(deal), 1)))
    }

    pub fn wins_draws_losses(&self) -> String {
        let count = |low: f64, high: f64| {
            self.played.iter().filter(|game| game.worth >= low && game.worth <= high).count()
        };
        format!(
            "{} won, {} drawn, {} lost",
            count(1.0, 1.0),
            count(0.01, 0.99),
            count(0.0, 0.0) + self.skipped
        )
    }

    pub fn records(&self) -> Vec<Record> {
        self.played.iter().map(|game| game.record.clone()).collect()
    }
}

/// Plays a match until its games are over, or until `enough` says so after whole deals in their order.
pub fn play_match(
    grader: &Grader,
    Match { against, games }: &Match,
    prefix: &str,
    enough: impl FnMut(&Series) -> bool,
) -> Result<Series, NotGraded> {
    let mut series = play_deals_in_turn(grader, against, games, prefix, enough)?;
    if series.faults() == 0 && !grader.probed.replace(true) {
        let again = play_deals(grader, against, games, prefix, 0..1)?;
        series.unsteady = series.played.iter().zip(&again).any(|(before, after)| before.differs(after));
    }
    Ok(series)
}

fn play_deals_in_turn(
    grader: &Grader,
    against: &BotSpec,
    games: &Games,
    prefix: &str,
    mut enough: impl FnMut(&Series) -> bool,
) -> Result<Series, NotGraded> {
    let mut series = Series::default();
    let mut deals = 0..games.deals;
    grader.ticker.expect("deals", games.deals as usize);
    while !deals.is_empty() {
        // The first deal alone: a bot that never answers is found out there.
        let size = if deals.start == 0 { 1 } else { BATCH };
        let batch = deals.start..deals.end.min(deals.start + size);
        deals.start = batch.end;
        let played = play_deals(grader, against, games, prefix, batch.clone())?;
        grader.ticker.reach(batch.end as usize);
        for game in played.chunk_by(|a, b| a.deal == b.deal) {
            series.played.extend_from_slice(game);
            if enough(&series) {
                return Ok(series);
            }
        }
        if timeouts_at_the_end(&series.played) >= PATIENCE {
            let per_deal = series.played.len() / deals.start.max(1) as usize;
            series.skipped = (deals.end - deals.start) as usize * per_deal;
            return Ok(series);
        }
    }
    Ok(series)
}

fn timeouts_at_the_end(played: &[Played]) -> usize {
    let timed_out = |game: &&Played| game.fault().is_some_and(|fault| is_timeout(fault.fault.code));
    played.iter().rev().take_while(timed_out).count()
}

pub fn is_timeout(code: Code) -> bool {
    matches!(code, Code::TimeoutBusy | Code::TimeoutWaiting | Code::TimeoutSleeping | Code::TimeoutNotReading)
}

fn play_deals(
    grader: &Grader,
    against: &BotSpec,
    games: &Games,
    prefix: &str,
    deals: Range<u64>,
) -> Result<Vec<Played>, NotGraded> {
    let table = grader.assignment.setting.start(deal_seed(games.seed, 0));
    let table = table.map_err(|error| NotGraded(error.to_string()))?;
    let teams = rules::teams(&*table);
    let seats = table.seats() as usize;
    let team_of = |seat: usize| teams.iter().position(|team| team.contains(Seat(seat as u8))).unwrap_or(0);
    let mut list = Vec::new();
    for deal in deals.clone() {
        for side in 0..teams.len() {
            let seating: Vec<usize> = (0..seats).map(|seat| usize::from(team_of(seat) != side)).collect();
            list.push((job(grader, against, games, prefix, (deal, side, teams.len()), &seating)?, seating));
        }
    }
    let mut records = run(grader, against, &list, grader.concurrency)?;
    let mut reruns = RERUNS;
    for (at, record) in records.iter_mut().enumerate() {
        settle(grader, against, &list[at], record, reruns)?;
        if record.faults.iter().any(|fault| is_timeout(fault.fault.code)) {
            reruns = 1; // it has been shown to be slow by itself
        }
    }
    let first = |side: usize| teams[side].lowest().map_or(0, |seat| seat.0);
    let with_side = records.into_iter().enumerate().map(|(at, record)| {
        let side = at % teams.len();
        let worth = worth(&record.result.places, first(side) as usize, team_of);
        let deal = deals.start + (at / teams.len()) as u64;
        Played { record, seat: first(side), seats: teams[side], worth, deal }
    });
    Ok(with_side.collect())
}

/// Plays a doubtful game again until it is beyond doubt.
fn settle(
    grader: &Grader,
    against: &BotSpec,
    game: &(Job, Vec<usize>),
    record: &mut Record,
    reruns: usize,
) -> Result<(), NotGraded> {
    let (mut spoiled, mut late) = (0, 0);
    loop {
        if let Some(fault) = record.faults.iter().find(|fault| fault.fault.code == Code::ArenaFault) {
            spoiled += 1;
            if spoiled > OUR_TRIES {
                return Err(NotGraded(fault.fault.message.clone()));
            }
        } else if record.faults.iter().any(|fault| is_timeout(fault.fault.code)) {
            late += 1;
            if late > reruns {
                return Ok(());
            }
        } else {
            return Ok(());
        }
        *record = run(grader, against, std::slice::from_ref(game), 1)?.remove(0);
    }
}

fn run(
    grader: &Grader,
    against: &BotSpec,
    games: &[(Job, Vec<usize>)],
    concurrency: usize,
) -> Result<Vec<Record>, NotGraded> {
    let plan = Plan {
        bots: vec![grader.submission.clone(), against.clone()],
        concurrency,
        restart: true,
        memory_bytes: vec![grader.assignment.memory_bytes; 2],
        pin: false,
    };
    let mut records = Vec::new();
    runner::run(&plan, games, |record| records.push(record.clone()))
        .map_err(|error| NotGraded(error.to_string()))?;
    Ok(records)
}

fn job(
    grader: &Grader,
    against: &BotSpec,
    games: &Games,
    prefix: &str,
    (deal, side, sides): (u64, usize, usize),
    seating: &[usize],
) -> Result<Job, NotGraded> {
    let assignment = grader.assignment;
    let opening = opening(&*assignment.setting, games.seed, 0, deal, games.openings).ok_or_else(|| {
        NotGraded(format!("no random opening of {} plies leaves a game to play", games.openings))
    })?;
    let names = [&grader.name, &against.text];
    Ok(Job {
        match_id: format!("{prefix}{:04}", deal * sides as u64 + side as u64 + 1),
        setting: Arc::clone(&assignment.setting),
        seed: deal_seed(games.seed, deal),
        match_seed: games.seed,
        names: seating.iter().map(|&bot| names[bot].clone()).collect(),
        clocks: vec![assignment.clock; seating.len()],
        policy: FaultPolicy::Forfeit,
        pondering: false,
        block: None,
        round: None,
        opening,
    })
}
