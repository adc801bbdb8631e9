//! What the format of a tournament counts: encounters won in a Swiss, rounds survived in a
//! knockout.
//!
//! The pairing of the next round and the table read the same count. An encounter is all games of
//! two bots in one round. An encounter without a game that counts is level.

use crate::roster::Stay;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A format whose winner is not always the bot with the best score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Encounters won.
    Swiss,
    /// Rounds survived.
    Knockout,
    /// Strength. Heroes meet all bots and the other bots meet only heroes, so their points can't be
    /// compared.
    Gauntlet,
}

impl Counted {
    /// What a format counts. `format` is the word of the config.
    pub fn by(format: &str) -> Option<Counted> {
        match format {
            "swiss" => Some(Counted::Swiss),
            "knockout" => Some(Counted::Knockout),
            "gauntlet" => Some(Counted::Gauntlet),
            _ => None,
        }
    }
}

/// The encounters of all rounds, with their points. Bots are numbered in the order of the config.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// The points, by round and by the two numbers, the lower number first.
    points: BTreeMap<(u32, usize, usize), [f64; 2]>,
    /// The bots that do not play in all rounds, with their rounds.
    stays: BTreeMap<usize, Stay>,
}

impl Encounters {
    /// Notes that a bot entered late or has withdrawn.
    pub fn set_stay(&mut self, bot: usize, stay: Stay) {
        self.stays.insert(bot, stay);
    }

    /// Notes the last round in which a bot plays.
    pub fn end_stay(&mut self, bot: usize, until: u32) {
        self.stays.entry(bot).or_insert(Stay::ALWAYS).until = until;
    }

    fn is_present(&self, bot: usize, round: u32) -> bool {
        self.stays.get(&bot).is_none_or(|stay| stay.has(round))
    }

    /// Adds a game. `points` is the share of `a` of one point, or `None` if the game does not
    /// count.
    pub fn add(&mut self, round: u32, (a, b): (usize, usize), points: Option<f64>) {
        let sum = self.points.entry((round, a.min(b), a.max(b))).or_default();
        if let Some(points) = points {
            sum[usize::from(a > b)] += points;
            sum[usize::from(a < b)] += 1.0 - points;
        }
    }

    /// The points of two bots against each other in a round.
    pub fn points(&self, round: u32, [a, b]: [usize; 2]) -> [f64; 2] {
        let mut points = self.points.get(&(round, a.min(b), a.max(b))).copied().unwrap_or_default();
        if a > b {
            points.reverse();
        }
        points
    }

    /// For each bot, encounters won or rounds survived.
    pub fn of(&self, counted: Counted, bots: usize) -> Option<Vec<f64>> {
        match counted {
            Counted::Swiss => Some(self.swiss(bots)),
            Counted::Knockout => Some(self.knockout(bots)),
            Counted::Gauntlet => None,
        }
    }

    /// For each bot, the encounters won. A drawn encounter counts half, a bye counts whole.
    pub fn swiss(&self, bots: usize) -> Vec<f64> {
        let mut won: Vec<f64> = self.byes(bots).into_iter().map(f64::from).collect();
        for (&(_, a, b), &[for_a, for_b]) in &self.points {
            let share = if for_a > for_b { 1.0 } else { f64::from(u8::from(for_a >= for_b)) / 2.0 };
            won[a] += share;
            won[b] += 1.0 - share;
        }
        won
    }

    /// For each bot, the number of byes in a Swiss.
    pub fn byes(&self, bots: usize) -> Vec<u32> {
        let mut absent: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &(round, a, b) in self.points.keys() {
            let present = || (0..bots).filter(|&bot| self.is_present(bot, round)).collect();
            absent.entry(round).or_insert_with(present).retain(|&bot| bot != a && bot != b);
        }
        let mut byes = vec![0; bots];
        // If several bots are absent, the round is still being played.
        for &bye in absent.values().filter(|absent| absent.len() <= 1).flatten() {
            byes[bye] += 1;
        }
        byes
    }

    /// For each bot, the points of all its games.
    pub fn game_points(&self, bots: usize) -> Vec<f64> {
        let mut sums = vec![0.0; bots];
        for (&(_, a, b), &[for_a, for_b]) in &self.points {
            sums[a] += for_a;
            sums[b] += for_b;
        }
        sums
    }

    /// How often each pair of bots has met.
    pub fn meetings(&self, bots: usize) -> Vec<Vec<u32>> {
        let mut met = vec![vec![0; bots]; bots];
        for &(_, a, b) in self.points.keys() {
            met[a][b] += 1;
            met[b][a] += 1;
        }
        met
    }

    /// For each bot, the encounters that its opponents have won in the whole Swiss, summed over its
    /// encounters. A bye adds nothing.
    pub fn buchholz(&self, bots: usize) -> Vec<f64> {
        let won = self.swiss(bots);
        let mut sums = vec![0.0; bots];
        for &(_, a, b) in self.points.keys() {
            sums[a] += won[b];
            sums[b] += won[a];
        }
        sums
    }

    /// For each bot, the rounds survived. A level encounter goes to the better seed, which comes
    /// first in the config. Two bots that meet although they are out play for third place, and the
    /// winner gets half a round more.
    pub fn knockout(&self, bots: usize) -> Vec<f64> {
        let mut survived = vec![0.0; bots];
        let mut out = vec![None; bots];
        for (&(round, a, b), &[for_a, for_b]) in &self.points {
            let (winner, loser) = if for_a >= for_b { (a, b) } else { (b, a) };
            if out[a].is_some_and(|lost_in| lost_in < round) {
                survived[winner] += 0.5;
                continue;
            }
            survived[winner] = f64::from(round);
            survived[loser] = f64::from(round - 1);
            out[loser] = Some(round);
        }
        survived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(games: &[(u32, (usize, usize), f64)]) -> Encounters {
        let mut encounters = Encounters::default();
        for &(round, pair, points) in games {
            encounters.add(round, pair, Some(points));
        }
        encounters
    }

    #[test]
    fn an_encounter_counts_once_however_many_points_it_has() {
        let mut swiss = played(&[
            (1, (0, 1), 1.0),
            (1, (1, 0), 0.5), // 1½ to ½
            (2, (2, 0), 0.5),
            (3, (1, 2), 0.0),
        ]);
        // Each bot had a bye in the round in which it did not play.
        assert_eq!(swiss.swiss(3), [2.5, 1.0, 2.5]);
        assert_eq!(swiss.buchholz(3), [3.5, 5.0, 3.5]);
        swiss.add(4, (0, 1), Some(1.0));
        assert_eq!(swiss.swiss(5)[..3], [2.5, 0.0, 1.5], "of five bots three are absent: no round is over");
    }

    /// An encounter without a game that counts is level, and the bye of its round still counts.
    #[test]
    fn void_games_make_a_level_encounter() {
        let mut swiss = Encounters::default();
        swiss.add(1, (0, 1), None);
        swiss.add(1, (1, 0), None);
        assert_eq!(swiss.swiss(3), [0.5, 0.5, 1.0]);
        assert_eq!((swiss.byes(3), swiss.meetings(3)[1][0]), (vec![0, 0, 1], 1));
        assert_eq!(swiss.knockout(2), [1.0, 0.0]);
    }

    #[test]
    fn a_loser_has_survived_the_earlier_rounds() {
        let semifinals = [(1, (0, 3), 0.0), (1, (1, 2), 1.0)];
        let level_final = [(2, (1, 3), 0.5), (2, (3, 1), 0.5)];
        let knockout = played(&[&semifinals[..], &level_final].concat());
        let survived = |knockout: &Encounters| knockout.knockout(4);
        assert_eq!(survived(&knockout), [0.0, 2.0, 0.0, 1.0], "level, so that the better seed wins");
        let third = played(&[&semifinals[..], &level_final, &[(2, (2, 0), 1.0)]].concat());
        assert_eq!(survived(&third), [0.0, 2.0, 0.5, 1.0]);
    }
}
