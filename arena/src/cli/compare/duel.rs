//! Two searches against each other, with paired seats, until the games are played or a test is decided.

use super::super::{Failure, failed, usage};
use super::{Args, Entrant};
use ratings::{Outcomes, Sprt, Verdict};
use referee::clock::ClockRules;
use referee::game::{FaultPolicy, Job};
use referee::record::Record;
use referee::runner::{self, Plan};
use referee::seeds::deal_seed;
use referee::spec::BotSpec;
use rules::{Seat, Setting, Table};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use text::wrap::indented;
use tournament::elo_gap::{EloGap, verdict_words};
use tournament::openings::opening;
use tournament::tally::{are_repeated, digest, worth};

/// Openings that are played before the test is looked at again; whole batches keep the workers busy.
const BATCH: u32 = 16;

/// A match and what it says.
pub(super) struct Duel {
    game: String,
    names: [String; 2],
    /// How often the first got 0, ½, 1, 1½ and 2 points from an opening.
    blocks: [u64; 5],
    /// None if the games are one game again and again.
    elo: Option<EloGap>,
    test: Option<(Sprt, f64, Verdict)>,
}

pub(super) fn play(args: &Args, game: &str, first: &Entrant, second: &Entrant) -> Result<Duel, Failure> {
    let (game_entry, params) = super::super::game_with_params(game, None)?;
    let setting = game_entry.prepare(&Value::Object(params)).map_err(usage)?;
    let table = setting.start(deal_seed(args.seed, 0)).map_err(usage)?;
    let bots = [first, second].map(|entrant| entrant.bot(*args.depth.end()));
    let wanted = args.games.unwrap_or(2).div_ceil(2);
    let mut scores: Vec<f64> = Vec::new();
    let mut digests = Vec::new();
    let mut decided = None;
    while (scores.len() as u32) < wanted && decided.is_none() {
        let from = scores.len() as u32;
        let batch = from..wanted.min(from + BATCH);
        let (batch_scores, batch_digests) = play_batch(args, &setting, &*table, &bots, batch)?;
        digests.extend(batch_digests);
        for score in batch_scores {
            scores.push(score);
            // Asked in the order of the openings, so that the answer is the same at any concurrency.
            let verdict = args.sprt.map(|test| (test, decide(&test, &scores)));
            if let Some((test, (ratio, decision))) = verdict
                && decision != Verdict::Open
            {
                decided = Some((test, ratio, decision));
                break;
            }
        }
    }
    let open = args.sprt.map(|test| {
        let (ratio, decision) = decide(&test, &scores);
        (test, ratio, decision)
    });
    let elo = EloGap::of_blocks(&scores, 2).filter(|_| !are_repeated(&digests, 2));
    Ok(Duel { game: game.to_owned(), names: bots, blocks: blocks(&scores), elo, test: decided.or(open) })
}

fn decide(test: &Sprt, scores: &[f64]) -> (f64, Verdict) {
    let outcomes = Outcomes::of_levels(&blocks(scores));
    (test.log_likelihood_ratio(&outcomes), test.verdict(&outcomes))
}

fn blocks(scores: &[f64]) -> [u64; 5] {
    let mut blocks = [0; 5];
    for score in scores {
        blocks[((score * 4.0).round() as usize).min(4)] += 1;
    }
    blocks
}

/// What each opening of a batch was worth to the first, both games together: 0 to 1. And a digest of each game.
fn play_batch(
    args: &Args,
    setting: &Arc<dyn Setting>,
    table: &dyn Table,
    bots: &[String; 2],
    batch: std::ops::Range<u32>,
) -> Result<(Vec<f64>, Vec<u64>), Failure> {
    let specs = bots.iter().map(|bot| bot.parse()).collect::<Result<Vec<BotSpec>, _>>().map_err(usage)?;
    let teams: Vec<usize> = (0..table.seats()).map(|seat| table.team_of(Seat(seat)) as usize).collect();
    let clock = ClockRules { per_move: Duration::from_secs(30), ..ClockRules::default() };
    let games = batch.flat_map(|opening| [0, 1].map(|swap| (opening, swap)));
    let games = games.map(|(opening, swap)| {
        let seating: Vec<usize> = teams.iter().map(|team| (team + swap) % 2).collect();
        let job = Job {
            match_id: format!("{:04}", opening * 2 + swap as u32 + 1),
            setting: Arc::clone(setting),
            seed: deal_seed(args.seed, u64::from(opening)),
            match_seed: args.seed.into(),
            names: seating.iter().map(|&bot| bots[bot].clone()).collect(),
            clocks: vec![clock; teams.len()],
            policy: FaultPolicy::default(),
            pondering: true,
            block: None,
            round: None,
            opening: random_opening(args, &**setting, opening),
        };
        (job, seating)
    });
    let games: Vec<(Job, Vec<usize>)> = games.collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        bots: specs,
        concurrency: args.concurrency.map_or(cores, usize::from),
        restart: false,
        memory_bytes: vec![None; 2],
        pin: true,
    };
    let (mut worths, mut digests) = (Vec::new(), Vec::new());
    let mut fault = None;
    runner::run(&plan, &games, |record: &Record| {
        fault = fault.take().or_else(|| record.faults.first().map(|fault| fault.fault.clone()));
        let seating = &games[worths.len()].1;
        let seat = seating.iter().position(|&bot| bot == 0).unwrap_or(0);
        digests.push(digest(record));
        worths.push(worth(&record.result.places, seat, |seat| teams[seat]));
    })?;
    match fault {
        Some(fault) => Err(failed("", &fault)),
        None => {
            let mean = |pair: &[f64]| pair.iter().sum::<f64>() / pair.len() as f64;
            Ok((worths.chunks(2).map(mean).collect(), digests))
        }
    }
}

/// Two searches without chance play the same game again and again; a few random moves at the start, the same for both
/// seatings, make the games different. In a game too short for them there are fewer.
fn random_opening(args: &Args, setting: &dyn Setting, deal: u32) -> Vec<(Seat, String)> {
    let plies = (1..=args.opening).rev();
    plies
        .into_iter()
        .find_map(|plies| opening(setting, args.seed.into(), 0, deal.into(), plies))
        .unwrap_or_default()
}

impl Duel {
    pub(super) fn text(&self) -> String {
        let [first, second] = self.names.each_ref().map(|name| name.trim_start_matches("builtin:"));
        let pairs: u64 = self.blocks.iter().sum();
        let mut text = format!("\n{}", indented("", &format!("{}, {} games", self.game, pairs * 2)));
        text += &indented("  ", &format!("{first} against {second}"));
        let [none, half, one, more, both] = self.blocks;
        text += &format!(
            "  points of the first from each opening, played in both seats:\n  0: {none}, ½: {half}, 1: {one}, 1½: {more}, 2: {both}\n"
        );
        if let Some(elo) = &self.elo {
            let guarded =
                if elo.guarded { " (all pairs ended alike: the estimate is not sharp)" } else { "" };
            let strength = format!(
                "{:+.0} Elo, {} (95 % interval), stronger with probability {:.1} %{guarded}",
                elo.difference.round() + 0.0,
                elo.ends(),
                elo.superiority * 100.0
            );
            text += &indented("  ", &strength);
        } else {
            text += "  no Elo: every pair of games was played alike, move by move\n";
        }
        if let Some((test, ratio, decision)) = &self.test {
            let (lower, upper) = test.bounds();
            text += &format!("  SPRT: log-likelihood ratio {ratio:.2} ({lower:.2} to {upper:.2})\n");
            text += &indented("  ", &verdict_words(test, *decision));
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let test = self
            .test
            .map(|(Sprt { elo0, elo1, alpha, beta, .. }, ratio, verdict)| json!({
                "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "ratio": ratio, "verdict": verdict.word(),
            }));
        let games = self.blocks.iter().sum::<u64>() * 2;
        json!({ "game": self.game, "bots": self.names, "games": games, "blocks": self.blocks, "elo": self.elo, "sprt": test })
    }
}
