//! Games of a submission against one opponent: a fixed list of blocks. A block is a deal played
//! from every seat.
//!
//! A game that ended by a timeout is played again, alone on the machine, before it counts. A game
//! with a fault of the arena is played again too. Every game has new processes, so the order of the
//! games changes nothing.

use super::assignment::{Games, Match};
use super::grader::{Grader, NotGraded};
use ratings::Outcomes;
use referee::fault::Code;
use referee::game::Job;
use referee::record::{Record, SeatFault};
use referee::runner::{self, BotId, RunPlan};
use referee::spec::BotSpec;
use referee::transcript;
use rules::{Seat, Seats};
use std::ops::Range;
use tournament::schedule::{Cursor, Shard, Slot, Stage};
use tournament::series::{Entrant, GameEntry, GameLabels, SeatingBy, Series};
use tournament::worth::worth;

/// How often a game with a timeout is played again before the timeout counts.
const RERUNS: usize = 2;
/// How often a game with a fault of the arena is played again before the item is given up.
const OUR_TRIES: usize = 3;
/// After this many timeouts in a row, the rest of the games of an item count as lost.
const PATIENCE: usize = 2;
/// The number of deals that are played before the results are looked at. Fixed, so that the grade
/// does not depend on the machine.
const BATCH: u64 = 4;

/// A finished game of the submission.
#[derive(Clone, Debug)]
pub struct GradedGame {
    pub record: Record,
    /// The submission's first seat.
    pub seat: u8,
    seats: Seats,
    /// The result of the submission: 1 for a win, 1/2 for a draw, 0 for a loss.
    pub worth: f64,
    pub deal: u64,
}

/// The games of an item, in order.
#[derive(Debug, Default)]
pub struct GradedGames {
    pub played: Vec<GradedGame>,
    /// The number of games that were not played, because the submission had timed out too often.
    pub skipped: usize,
    /// The first deal was played twice, and the submission moved differently.
    pub unsteady: bool,
}

impl GradedGame {
    /// The fault of the submission, if there is one.
    pub fn fault(&self) -> Option<&SeatFault> {
        let own = |fault: &&SeatFault| self.seats.contains(Seat(fault.seat));
        self.record.faults.iter().filter(|fault| fault.fault.code != Code::ArenaFault).find(own)
    }

    /// Compares the game with a repetition. True if the first different move is a move of the
    /// submission.
    fn differs(&self, again: &GradedGame) -> bool {
        let mut pairs = self.record.moves.iter().zip(&again.record.moves);
        match pairs.find(|(before, after)| (before.seat, &before.mv) != (after.seat, &after.mv)) {
            Some((before, _)) => self.seats.contains(Seat(before.seat)),
            None => again.fault().is_some(),
        }
    }
}

impl GradedGames {
    pub fn total(&self) -> usize {
        self.played.len() + self.skipped
    }

    /// The mean result. Skipped games count as lost.
    pub fn score(&self) -> f64 {
        self.played.iter().map(|game| game.worth).sum::<f64>() / self.total().max(1) as f64
    }

    pub fn faults(&self) -> usize {
        self.played.iter().filter(|game| game.fault().is_some()).count() + self.skipped
    }

    /// The results of the deals, for a sequential test. The games of one deal share their luck, so
    /// they count together.
    pub fn outcomes(&self) -> Outcomes {
        let deals: Vec<&[GradedGame]> = self.played.chunk_by(|a, b| a.deal == b.deal).collect();
        let mean = |deal: &&[GradedGame]| deal.iter().map(|game| game.worth).sum::<f64>() / deal.len() as f64;
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

/// Plays a match to its end, or until `enough` is true after a whole deal.
pub fn play_match(
    grader: &Grader,
    Match { against, games }: &Match,
    prefix: &str,
    enough: impl FnMut(&GradedGames) -> bool,
) -> Result<GradedGames, NotGraded> {
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
    mut enough: impl FnMut(&GradedGames) -> bool,
) -> Result<GradedGames, NotGraded> {
    let mut series = GradedGames::default();
    let mut deals = 0..games.deals;
    grader.ticker.expect("deals", games.deals as usize);
    while !deals.is_empty() {
        // The first deal is played alone, so that a bot that never answers is found early.
        let size = if deals.start == 0 { 1 } else { BATCH };
        let batch = deals.start..deals.end.min(deals.start + size);
        deals.start = batch.end;
        let mut played = play_deals(grader, against, games, prefix, batch.clone())?;
        write_down(grader, &mut played)?;
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

/// Writes the transcripts of whole deals.
fn write_down(grader: &Grader, played: &mut [GradedGame]) -> Result<(), NotGraded> {
    let Some(folder) = grader.transcript_folder() else { return Ok(()) };
    for GradedGame { record, .. } in played {
        let written = transcript::write_all(&folder, &record.match_id.clone(), record);
        written.map_err(|error| NotGraded(error.to_string()))?;
    }
    Ok(())
}

fn timeouts_at_the_end(played: &[GradedGame]) -> usize {
    let timed_out = |game: &&GradedGame| game.fault().is_some_and(|fault| fault.fault.code.is_timeout());
    played.iter().rev().take_while(timed_out).count()
}

fn play_deals(
    grader: &Grader,
    against: &BotSpec,
    games: &Games,
    prefix: &str,
    deals: Range<u64>,
) -> Result<Vec<GradedGame>, NotGraded> {
    let series = series(grader, against, games, prefix);
    let entry = &series.games[0];
    let sides = entry.sides;
    let table = (0..sides).map(|member| if member == 0 { SUBMISSION } else { RIVAL }).collect();
    let stage = Stage {
        games_before: deals.start * sides as u64,
        first_deal: deals.start,
        ..Stage::of_one_table(table, deals.end - deals.start)
    };
    let mut cursor = Cursor::new(Shard::WHOLE);
    let slots: Vec<Slot> = std::iter::from_fn(|| cursor.next(&series, &stage)).collect();
    let jobs: Vec<Job> = slots.iter().map(|slot| stage.job(&series, games.seed, slot)).collect();
    let mut records = run(&series.plan(), &jobs)?;
    let mut reruns = RERUNS;
    for (job, record) in jobs.iter().zip(&mut records) {
        settle(&series, job, record, reruns)?;
        if record.faults.iter().any(|fault| fault.fault.code.is_timeout()) {
            reruns = 1; // the submission was slow even when it ran alone
        }
    }
    let graded = slots.iter().zip(&jobs).zip(records).map(|((slot, job), record)| {
        let own = (0..).map(Seat).zip(&job.seating).filter(|&(_, &bot)| bot == SUBMISSION);
        let seats: Seats = own.map(|(seat, _)| seat).collect();
        let seat = seats.lowest().map_or(0, |seat| seat.0);
        let worth = worth(&record.result.places, seat.into(), |seat| entry.teams[seat]);
        GradedGame { record, seat, seats, worth, deal: slot.deal }
    });
    Ok(graded.collect())
}

const SUBMISSION: BotId = BotId(0);
const RIVAL: BotId = BotId(1);

/// The submission plays once on every side, and the opponent plays all other sides.
fn series(grader: &Grader, against: &BotSpec, games: &Games, prefix: &str) -> Series {
    let assignment = grader.assignment;
    let entry = GameEntry::new(assignment.game.to_string(), assignment.game.clone(), SeatingBy::Team);
    let sides = entry.sides;
    // The first member of the table is the submission.
    let with_submission_on =
        |own: usize| (0..sides).map(|side| (side + sides - own) % sides).collect::<Vec<usize>>();
    let arrangements = (0..sides).map(with_submission_on).collect();
    let bots = [(&grader.name, &grader.submission), (&against.text, against)].map(|(name, spec)| Entrant {
        memory_mib: assignment.memory_bytes.map(|bytes| bytes >> 20),
        ..Entrant::new(name.clone(), spec.clone(), assignment.clock)
    });
    let entry = GameEntry { arrangements, opening_plies: games.openings, ..entry };
    Series {
        labels: GameLabels::Number(prefix.to_owned()),
        concurrency: grader.concurrency,
        restart: true,
        pondering: false,
        explore: assignment.explore,
        pin: false,
        transcripts: grader.transcripts.is_some(),
        ..Series::new(vec![entry], bots.to_vec())
    }
}

/// Plays a game again after a timeout or a fault of the arena, until the result counts.
fn settle(series: &Series, job: &Job, record: &mut Record, reruns: usize) -> Result<(), NotGraded> {
    let alone = RunPlan { concurrency: 1, ..series.plan() };
    let (mut spoiled, mut late) = (0, 0);
    loop {
        if let Some(fault) = record.faults.iter().find(|fault| fault.fault.code == Code::ArenaFault) {
            spoiled += 1;
            if spoiled > OUR_TRIES {
                return Err(NotGraded(fault.fault.message.clone()));
            }
        } else if record.faults.iter().any(|fault| fault.fault.code.is_timeout()) {
            late += 1;
            if late > reruns {
                return Ok(());
            }
        } else {
            return Ok(());
        }
        *record = run(&alone, std::slice::from_ref(job))?.remove(0);
    }
}

fn run(plan: &RunPlan, jobs: &[Job]) -> Result<Vec<Record>, NotGraded> {
    let mut records = Vec::new();
    runner::run(plan, jobs, |record| records.push(record.clone()))
        .map_err(|error| NotGraded(error.to_string()))?;
    Ok(records)
}
