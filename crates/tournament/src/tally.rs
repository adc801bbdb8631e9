//! Who did how well: counted from records.

use crate::elo_gap::EloGap;
use referee::fault::Code;
use referee::record::Record;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

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

/// Of the moves of a game.
pub fn digest(record: &Record) -> u64 {
    let mut digest = DefaultHasher::new();
    record.moves.iter().for_each(|played| (played.seat, &played.mv).hash(&mut digest));
    digest.finish()
}

/// Is every block of games the same, move by move, as the one before?
pub fn are_repeated(digests: &[u64], block_games: usize) -> bool {
    digests.len() > block_games
        && digests[block_games..].iter().zip(digests).all(|(now, before)| now == before)
}

/// Adds games up, bot by bot.
pub struct Tally {
    standings: Vec<Standing>,
    moves: Vec<(u64, u64)>,
    blocks: Vec<Block>,
    block_games: usize,
    /// By seat.
    teams: Vec<usize>,
    /// By game.
    digests: Vec<u64>,
}

/// The same deal in every seat order.
#[derive(Clone, Debug, Default)]
struct Block {
    /// What its games were worth to the first bot.
    points: f64,
    games: u32,
}

/// Why nothing is said about Elo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoElo {
    NoGames,
    /// A bot lost games by its faults, which says nothing about how well it plays.
    Faults,
    /// All deals were played alike, move by move: that is one game, however often it was played.
    Repeated,
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
            digests: Vec::new(),
        }
    }

    /// Counts a game with its bots by seat, as numbers.
    pub fn add(&mut self, record: &Record, seating: &[usize]) {
        let block = self.digests.len() / self.block_games.max(1);
        self.blocks.resize(block + 1, Block::default());
        self.digests.push(digest(record));
        for (played, moved) in record.moves.iter().zip(&record.times.moves_us) {
            if !played.substitute && !played.opening {
                let moves = &mut self.moves[seating[played.seat as usize]];
                // Nothing is known of a move in the time that a process has for its start.
                *moves = (moves.0 + moved, moves.1 + u64::from(*moved > 0));
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
        if record.result.is_void() {
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
            self.blocks[block].points += worth;
            self.blocks[block].games += 1;
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

    /// How much stronger the first bot of a match is, if the games can tell.
    pub fn elo(&self) -> Result<EloGap, NoElo> {
        let lost_by_faults: u32 = self.standings.iter().flat_map(|row| row.faults.values()).sum();
        if lost_by_faults > 0 {
            return Err(NoElo::Faults);
        }
        if are_repeated(&self.digests, self.block_games) {
            return Err(NoElo::Repeated);
        }
        let played = self.blocks.iter().filter(|block| block.games > 0);
        let means: Vec<f64> = played.map(|block| block.points / f64::from(block.games)).collect();
        EloGap::of_blocks(&means, self.block_games).ok_or(NoElo::NoGames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_repeat_each_other_are_noticed() {
        for (digests, repeated) in
            [(&[7, 8, 7, 8, 7][..], true), (&[7, 8], false), (&[7, 8, 7, 9], false), (&[7, 7, 7, 8], false)]
        {
            assert_eq!(are_repeated(digests, 2), repeated, "{digests:?}");
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
