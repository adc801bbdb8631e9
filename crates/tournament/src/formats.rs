//! Formats: which stage comes next, given the results so far.

use super::config::{Format, Tournament};
use super::knockout::{Ended, Knockout};
use super::schedule::{Stage, StageRound};
use super::seating::{balanced_tables, subsets};
use super::swiss::Swiss;
use crate::standings::Encounters;
use referee::runner::BotId;
use std::ops::Range;
use text::harmless;

/// Decides which bots play next.
pub enum Director {
    /// The whole schedule is known from the beginning.
    Fixed {
        /// The next round.
        round: u32,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

/// The pairs of the next stage, and the number of its round.
pub struct Pairing {
    pub round: u32,
    pub pairs: Vec<[usize; 2]>,
}

pub fn director(tournament: &Tournament) -> Director {
    let bots = tournament.series.bots.len();
    match tournament.format {
        Format::Swiss => Director::Swiss(Swiss::new(tournament.rounds)),
        Format::Knockout => Director::Knockout(Knockout::new(bots, tournament.third_place)),
        Format::RoundRobin | Format::Gauntlet | Format::Sprt => Director::Fixed { round: 1 },
    }
}

impl Director {
    /// The next stage, or `None` when everything is played. `so_far` has the results of the earlier
    /// stages.
    pub fn next(&mut self, tournament: &Tournament, so_far: &Encounters) -> Option<Stage> {
        let pairing = match self {
            Director::Fixed { round } => {
                let first = *round;
                *round = tournament.next_change(first);
                return (first <= tournament.rounds).then(|| fixed_stage(tournament, first..*round));
            }
            Director::Swiss(swiss) => swiss.next(so_far, tournament)?,
            Director::Knockout(knockout) => knockout.next(so_far)?,
        };
        let pairs: Vec<Vec<BotId>> = pairing.pairs.iter().map(|pair| pair.map(BotId).to_vec()).collect();
        Some(Stage {
            games_before: 0,
            first_deal: 0,
            deals: tournament.deals,
            round: StageRound::Number(pairing.round),
            tables: vec![pairs; tournament.series.games.len()],
        })
    }

    /// How the tournament ended, for formats whose table does not show that.
    pub fn closing_words(&self, tournament: &Tournament) -> Option<String> {
        match self {
            Director::Knockout(knockout) => {
                let (end, third) = knockout.last_encounters()?;
                let words = |end: Ended, what: &str| {
                    let how = if end.level { ", which stayed level, as the better seed" } else { "" };
                    let winner = harmless::line(&tournament.series.bots[end.winner].name);
                    format!("{winner} wins the {what}{how}.")
                };
                let third = third.map(|end| format!("\n{}", words(end, "encounter for third place")));
                Some(format!("{}{}", words(end, "final"), third.unwrap_or_default()))
            }
            _ => None,
        }
    }
}

/// Rounds of a round-robin, a gauntlet or a sequential test during which the same bots play.
fn fixed_stage(tournament: &Tournament, rounds: Range<u32>) -> Stage {
    let present = tournament.present(rounds.start);
    let number = |hero: &usize| present.iter().position(|bot| bot == hero);
    let heroes: Vec<usize> = tournament.heroes.iter().filter_map(number).collect();
    let tables = tournament.series.games.iter().map(|game| match (tournament.format, tournament.tables) {
        (Format::Gauntlet, _) => gauntlet_tables(present.len(), game.sides, &heroes),
        (_, Some(count)) if game.sides > 2 => balanced_tables(present.len(), game.sides, count),
        _ => subsets(present.len(), game.sides),
    });
    let seat = |table: Vec<usize>| table.into_iter().map(|bot| BotId(present[bot])).collect();
    let tables = tables.map(|list| list.into_iter().map(seat).collect());
    Stage {
        games_before: 0,
        first_deal: 0,
        deals: u64::from(rounds.end - rounds.start) * tournament.deals,
        round: StageRound::Every(tournament.deals),
        tables: tables.collect(),
    }
}

/// Each table has one hero. The other bots of the table are not heroes.
fn gauntlet_tables(bots: usize, sides: usize, heroes: &[usize]) -> Vec<Vec<usize>> {
    let others: Vec<usize> = (0..bots).filter(|bot| !heroes.contains(bot)).collect();
    let rivals = subsets(others.len(), sides - 1);
    let table = |hero: usize, rivals: &[usize]| {
        std::iter::once(hero).chain(rivals.iter().map(|&rival| others[rival])).collect()
    };
    heroes.iter().flat_map(|&hero| rivals.iter().map(move |rivals| table(hero, rivals))).collect()
}

/// The games of a format whose rounds do not depend on results.
fn fixed_games(tournament: &Tournament) -> u64 {
    let (mut games, mut round) = (0, 1);
    while round <= tournament.rounds {
        let next = tournament.next_change(round);
        games += fixed_stage(tournament, round..next).games(&tournament.series);
        round = next;
    }
    games
}

/// The number of games, with the words `at most` or `at least` if it is not exact.
pub fn expected_games(tournament: &Tournament) -> (u64, &'static str) {
    let per_pair: u64 = tournament.series.games.iter().map(|game| game.arrangements.len() as u64).sum();
    let encounter = per_pair * tournament.deals;
    let bots = tournament.series.bots.len() as u64;
    match tournament.format {
        Format::RoundRobin | Format::Gauntlet => (fixed_games(tournament), ""),
        Format::Sprt => (fixed_games(tournament), "at most "),
        Format::Swiss => (u64::from(tournament.rounds) * (bots / 2) * encounter, ""),
        Format::Knockout => {
            let third = u64::from(tournament.third_place && bots > 3);
            ((bots - 1 + third) * encounter, "at least ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heroes_meet_everybody_but_each_other() {
        assert_eq!(gauntlet_tables(4, 2, &[1]), [[1, 0], [1, 2], [1, 3]]);
        assert_eq!(gauntlet_tables(4, 2, &[0, 1]), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert_eq!(gauntlet_tables(4, 3, &[0]), [[0, 1, 2], [0, 1, 3], [0, 2, 3]]);
        assert_eq!(gauntlet_tables(2, 1, &[0]), [[0]]);
    }
}
