//! Who did how well: counted from records, and for two bots estimated as a difference in Elo.

use crate::fault::Code;
use crate::record::Record;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// One bot's games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    pub bot: String,
    pub games: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Games that did not count.
    pub void: u32,
    /// The mean of what each game was worth: 1 for a win, one half for a draw; with more seats, the share of
    /// opponents left behind.
    pub score: f64,
    /// The mean of the game's own points.
    pub points: f64,
    pub faults: BTreeMap<String, u32>,
    pub mean_move_us: f64,
}

/// What a game is worth to a seat: the share of its opponents that it left behind, ties counting half.
pub fn worth(places: &[u8], seat: usize, team_of: impl Fn(usize) -> usize) -> f64 {
    let rivals: Vec<u8> = (0..places.len())
        .filter(|&rival| team_of(rival) != team_of(seat))
        .map(|rival| places[rival])
        .collect();
    if rivals.is_empty() {
        return 0.5;
    }
    let beaten: f64 = rivals
        .iter()
        .map(|place| match place.cmp(&places[seat]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        })
        .sum();
    beaten / rivals.len() as f64
}

/// Adds games up, bot by bot.
pub struct Tally {
    standings: Vec<Standing>,
    moves: Vec<(u64, u64)>,
    /// For a match of two: what each block of games was worth to the first bot.
    blocks: Vec<(f64, u32)>,
    block_games: usize,
    /// By seat.
    teams: Vec<usize>,
    played: usize,
}

impl Tally {
    /// `block_games` games in a row are one block: the same deal in every seat order. `teams` says for each seat
    /// which side it is on.
    pub fn new(bots: &[String], block_games: usize, teams: Vec<usize>) -> Tally {
        let standings = bots.iter().map(|bot| Standing { bot: bot.clone(), ..Standing::default() }).collect();
        Tally {
            standings,
            moves: vec![(0, 0); bots.len()],
            blocks: Vec::new(),
            block_games,
            teams,
            played: 0,
        }
    }

    /// Counts a game with its bots by seat, as numbers.
    pub fn add(&mut self, record: &Record, seating: &[usize]) {
        let block = self.played / self.block_games.max(1);
        self.blocks.resize(block + 1, (0.0, 0));
        self.played += 1;
        for (played, moved) in record.moves.iter().zip(&record.times.moves_us) {
            if !played.substitute && !played.opening {
                let moves = &mut self.moves[seating[played.seat as usize]];
                *moves = (moves.0 + moved, moves.1 + 1);
            }
        }
        for fault in record.faults.iter().filter(|fault| fault.fault.code != Code::ArenaFault) {
            let faults = &mut self.standings[seating[fault.seat as usize]].faults;
            *faults.entry(fault.fault.code.to_string()).or_default() += 1;
        }
        let mut seen = Vec::new();
        for (seat, &bot) in seating.iter().enumerate() {
            if seen.contains(&bot) {
                continue; // a bot on several chairs of one team
            }
            seen.push(bot);
            self.count(record, seat, bot, block);
        }
    }

    fn count(&mut self, record: &Record, seat: usize, bot: usize, block: usize) {
        let places = &record.result.places;
        let standing = &mut self.standings[bot];
        if record.result.reason == "void" {
            standing.void += 1;
            return;
        }
        let teams = &self.teams;
        let worth = worth(places, seat, |seat| teams[seat]);
        standing.games += 1;
        standing.score += worth;
        standing.points += record.result.scores.get(seat).map_or(0.0, |points| points.0);
        let rival_first = |rival: usize| teams[rival] != teams[seat] && places[rival] == 1;
        let shared_first = (0..places.len()).any(rival_first);
        match places[seat] {
            1 if shared_first => standing.drawn += 1,
            1 => standing.won += 1,
            _ => standing.lost += 1,
        }
        if bot == 0 {
            let entry = &mut self.blocks[block];
            *entry = (entry.0 + worth, entry.1 + 1);
        }
    }

    /// The table, in the order the bots were named.
    pub fn standings(&self) -> Vec<Standing> {
        let mean = |sum: f64, count: u32| if count == 0 { 0.0 } else { sum / f64::from(count) };
        let rows = self.standings.iter().zip(&self.moves);
        rows.map(|(row, &(time, moves))| Standing {
            score: mean(row.score, row.games),
            points: mean(row.points, row.games),
            mean_move_us: if moves == 0 { 0.0 } else { time as f64 / moves as f64 },
            ..row.clone()
        })
        .collect()
    }

    /// How much stronger the first bot of a match is.
    pub fn elo(&self) -> Option<Elo> {
        let blocks: Vec<f64> = self
            .blocks
            .iter()
            .filter(|(_, games)| *games > 0)
            .map(|(sum, games)| sum / f64::from(*games))
            .collect();
        (!blocks.is_empty()).then(|| Elo::of_blocks(&blocks))
    }
}

/// A difference in strength with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    pub difference: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// The probability that the first bot is the stronger one.
    pub superiority: f64,
    /// Too one-sided or too few games for an estimate of its own: half a block of each possible kind was added.
    pub guarded: bool,
}

impl Elo {
    /// From the mean result of each block, 0 to 1. Games of one block share their luck, so the block is the unit.
    pub fn of_blocks(blocks: &[f64]) -> Elo {
        let plain = moments(blocks.iter().map(|&score| (score, 1.0)));
        let guarded = plain.1 == 0.0 || plain.0 <= 0.0 || plain.0 >= 1.0;
        let (mean, error) = if guarded {
            let added = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| (score, 0.5));
            moments(blocks.iter().map(|&score| (score, 1.0)).chain(added))
        } else {
            plain
        };
        let z = 1.959_963_984_540_054 * error;
        let (low, high) = ((mean - z).max(1e-6), (mean + z).min(1.0 - 1e-6));
        Elo {
            difference: elo(mean),
            error: (elo(high) - elo(low)) / 2.0,
            superiority: normal_cdf((mean - 0.5) / error),
            guarded,
        }
    }
}

/// Mean, and standard error of the mean.
fn moments(scores: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let weight: f64 = scores.clone().map(|(_, weight)| weight).sum();
    let mean = scores.clone().map(|(score, weight)| score * weight).sum::<f64>() / weight;
    let variance = scores.map(|(score, weight)| weight * (score - mean).powi(2)).sum::<f64>() / weight;
    (mean, (variance / weight).sqrt())
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The normal distribution function.
fn normal_cdf(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - normal_cdf(-x);
    }
    if x > 8.0 {
        return 1.0;
    }
    // The series of Marsaglia: exact to the last digits in this range.
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that fastchess and fishtest print for pentanomial counts.
    #[test]
    fn elo_of_paired_games() {
        for (counts, difference, error, superiority) in [
            ([34, 54, 63, 64, 75], 55.579_780_420_4, 27.653_429_506_4, 0.999_970_393_0),
            ([332, 433, 498, 333, 334], -8.642_667_268_0, 10.334_194_424_4, 0.050_470_067_0),
            ([10789, 19328, 33806, 19402, 10543], -0.773_577_335_9, 1.277_579_895_7, 0.117_658_858_0),
        ] {
            let blocks: Vec<f64> = (0..5).flat_map(|kind| vec![kind as f64 / 4.0; counts[kind]]).collect();
            let found = Elo::of_blocks(&blocks);
            assert!((found.difference - difference).abs() < 1e-6, "{counts:?}: {found:?}");
            assert!((found.error - error).abs() < 1e-6, "{counts:?}: {found:?}");
            assert!((found.superiority - superiority).abs() < 1e-8, "{counts:?}: {found:?}");
            assert!(!found.guarded);
        }
    }

    #[test]
    fn one_sided_results_stay_finite() {
        for blocks in [vec![1.0; 10], vec![0.0], vec![0.5; 3]] {
            let found = Elo::of_blocks(&blocks);
            assert!(found.difference.is_finite() && found.error.is_finite() && found.guarded, "{found:?}");
        }
    }

    #[test]
    fn a_place_is_worth_the_rivals_left_behind() {
        for (places, worths) in [
            (vec![1, 2], vec![1.0, 0.0]),
            (vec![1, 1], vec![0.5, 0.5]),
            (vec![1, 2, 3], vec![1.0, 0.5, 0.0]),
            (vec![1, 2, 2], vec![1.0, 0.25, 0.25]),
            (vec![1], vec![0.5]),
        ] {
            for (seat, expected) in worths.into_iter().enumerate() {
                assert!(
                    (worth(&places, seat, |seat| seat) - expected).abs() < 1e-12,
                    "{places:?} seat {seat}"
                );
            }
        }
        assert!((worth(&[1, 3, 1, 3], 2, |seat| seat % 2) - 1.0).abs() < 1e-12);
    }
}
