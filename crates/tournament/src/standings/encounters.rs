//! What the format of a tournament counts by itself: encounters won in a Swiss, rounds survived in a knockout.
//!
//! There is one count, which the pairing of the next round and the table both read. An encounter is all that two bots
//! play in one round. It takes place even if none of its games counts; then it is level.

use crate::roster::Stay;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A format whose winner is not simply the one with the best score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Encounters won.
    Swiss,
    /// Rounds survived.
    Knockout,
    /// Strength: points of the heroes, who meet everybody, can't be compared with those of the others, who meet them alone.
    Gauntlet,
}

impl Counted {
    /// By the word that configs have for the format.
    pub fn by(format: &str) -> Option<Counted> {
        match format {
            "swiss" => Some(Counted::Swiss),
            "knockout" => Some(Counted::Knockout),
            "gauntlet" => Some(Counted::Gauntlet),
            _ => None,
        }
    }
}

/// Who met whom in which round, and with how many points. Bots are numbered in the order of the config.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// By round and by both numbers, the lower one first.
    points: BTreeMap<(u32, usize, usize), [f64; 2]>,
    /// Who does not play in all rounds, with the rounds in which they do.
    stays: BTreeMap<usize, Stay>,
}

impl Encounters {
    /// This bot entered late or has withdrawn.
    pub fn set_stay(&mut self, bot: usize, stay: Stay) {
        self.stays.insert(bot, stay);
    }

    /// This bot plays in no round after this one.
    pub fn end_stay(&mut self, bot: usize, until: u32) {
        self.stays.entry(bot).or_insert(Stay::ALWAYS).until = until;
    }

    fn is_present(&self, bot: usize, round: u32) -> bool {
        self.stays.get(&bot).is_none_or(|stay| stay.has(round))
    }

    /// A game that was worth `points` to `a`, of one point in all; nothing if it does not count.
    pub fn add(&mut self, round: u32, (a, b): (usize, usize), points: Option<f64>) {
        let sum = self.points.entry((round, a.min(b), a.max(b))).or_default();
        if let Some(points) = points {
            sum[usize::from(a > b)] += points;
            sum[usize::from(a < b)] += 1.0 - points;
        }
    }

    /// The points of these two against each other in a round.
    pub fn points(&self, round: u32, [a, b]: [usize; 2]) -> [f64; 2] {
        let mut points = self.points.get(&(round, a.min(b), a.max(b))).copied().unwrap_or_default();
        if a > b {
            points.reverse();
        }
        points
    }

    /// By bot: encounters won (drawn ones count half, byes whole), or rounds survived.
    pub fn of(&self, counted: Counted, bots: usize) -> Option<Vec<f64>> {
        match counted {
            Counted::Swiss => Some(self.swiss(bots)),
            Counted::Knockout => Some(self.knockout(bots)),
            Counted::Gauntlet => None,
        }
    }

    /// By bot: encounters won; drawn ones count half, byes whole.
    pub fn swiss(&self, bots: usize) -> Vec<f64> {
        let mut won: Vec<f64> = self.byes(bots).into_iter().map(f64::from).collect();
        for (&(_, a, b), &[for_a, for_b]) in &self.points {
            let share = if for_a > for_b { 1.0 } else { f64::from(u8::from(for_a >= for_b)) / 2.0 };
            won[a] += share;
            won[b] += 1.0 - share;
        }
        won
    }

    /// By bot: in how many rounds of a Swiss it had no rival.
    pub fn byes(&self, bots: usize) -> Vec<u32> {
        let mut absent: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &(round, a, b) in self.points.keys() {
            let present = || (0..bots).filter(|&bot| self.is_present(bot, round)).collect();
            absent.entry(round).or_insert_with(present).retain(|&bot| bot != a && bot != b);
        }
        let mut byes = vec![0; bots];
        // In a round that is still being played more bots are absent.
        for &bye in absent.values().filter(|absent| absent.len() <= 1).flatten() {
            byes[bye] += 1;
        }
        byes
    }

    /// By bot: the points of all its games.
    pub fn game_points(&self, bots: usize) -> Vec<f64> {
        let mut sums = vec![0.0; bots];
        for (&(_, a, b), &[for_a, for_b]) in &self.points {
            sums[a] += for_a;
            sums[b] += for_b;
        }
        sums
    }

    /// How often each two have met.
    pub fn meetings(&self, bots: usize) -> Vec<Vec<u32>> {
        let mut met = vec![vec![0; bots]; bots];
        for &(_, a, b) in self.points.keys() {
            met[a][b] += 1;
            met[b][a] += 1;
        }
        met
    }

    /// By bot: the sum over its encounters of what the rival has won in the whole Swiss. A bye adds nothing.
    pub fn buchholz(&self, bots: usize) -> Vec<f64> {
        let won = self.swiss(bots);
        let mut sums = vec![0.0; bots];
        for &(_, a, b) in self.points.keys() {
            sums[a] += won[b];
            sums[b] += won[a];
        }
        sums
    }

    /// By bot: rounds survived. An encounter that stays level goes to the better seed, who stands first in the config. Those who meet although
    /// they are out play for third place: the winner has half a round more.
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
    fn encounters_count_whole_whatever_the_points() {
        let mut swiss = played(&[
            (1, (0, 1), 1.0),
            (1, (1, 0), 0.5), // 1½ to ½
            (2, (2, 0), 0.5),
            (3, (1, 2), 0.0),
        ]);
        // Each had a bye in the round without it.
        assert_eq!(swiss.swiss(3), [2.5, 1.0, 2.5]);
        assert_eq!(swiss.buchholz(3), [3.5, 5.0, 3.5]);
        swiss.add(4, (0, 1), Some(1.0));
        assert_eq!(swiss.swiss(5)[..3], [2.5, 0.0, 1.5], "of five bots three are absent: no round is over");
    }

    /// An encounter without a game that counts is level, and whoever had the bye of its round still has it.
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
    fn whoever_is_out_survived_the_rounds_before() {
        let semifinals = [(1, (0, 3), 0.0), (1, (1, 2), 1.0)];
        let level_final = [(2, (1, 3), 0.5), (2, (3, 1), 0.5)];
        let knockout = played(&[&semifinals[..], &level_final].concat());
        let survived = |knockout: &Encounters| knockout.knockout(4);
        assert_eq!(survived(&knockout), [0.0, 2.0, 0.0, 1.0], "level, so that the better seed wins");
        let third = played(&[&semifinals[..], &level_final, &[(2, (2, 0), 1.0)]].concat());
        assert_eq!(survived(&third), [0.0, 2.0, 0.5, 1.0]);
    }
}
