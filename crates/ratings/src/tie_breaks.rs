//! The order of bots with equal points in a table.

use std::cmp::Ordering;

/// A rule that orders bots with the same score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// The points of all opponents. Strong opponents mean a harder schedule.
    Buchholz,
    /// The score in the games among the tied bots.
    HeadToHead,
    /// Points taken from opponents, weighted by the points of these opponents. Beating strong bots
    /// counts more.
    SonnebornBerger,
    /// Games won.
    Wins,
}

/// How many points each bot took from each other bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crosstable {
    /// `cells[a][b]`: games of a against b, and a's points in them.
    pub cells: Vec<Vec<(f64, f64)>>,
    /// By bot: the number that orders the table. Larger is better.
    pub scores: Vec<f64>,
    /// By bot: the points, which are the weights of Sonneborn and Berger.
    pub points: Vec<f64>,
    /// By bot: the points of all its opponents.
    pub buchholz: Vec<f64>,
    pub wins: Vec<f64>,
}

impl Crosstable {
    /// The value of a tie-break rule for a bot that is tied with the bots in `tied`.
    pub fn value(&self, rule: TieBreak, bot: usize, tied: &[usize]) -> f64 {
        match rule {
            TieBreak::HeadToHead => {
                let met = tied.iter().filter(|&&other| other != bot).map(|&other| self.cells[bot][other]);
                let (games, points) = met.fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
                if games > 0.0 { points / games } else { 0.5 }
            }
            TieBreak::SonnebornBerger => {
                self.cells[bot].iter().zip(&self.points).map(|((_, points), theirs)| points * theirs).sum()
            }
            TieBreak::Buchholz => self.buchholz[bot],
            TieBreak::Wins => self.wins[bot],
        }
    }
}

/// The place of each bot. Bots are ordered by score, then by each rule among the bots still tied.
/// Bots tied to the end share a place.
pub fn places(table: &Crosstable, rules: &[TieBreak]) -> Vec<usize> {
    let everybody: Vec<usize> = (0..table.scores.len()).collect();
    let mut ranks = split(&everybody, |bot| table.scores[bot]);
    for &rule in rules {
        ranks =
            ranks.into_iter().flat_map(|tied| split(&tied, |bot| table.value(rule, bot, &tied))).collect();
    }
    let mut places = vec![0; everybody.len()];
    let mut next = 1;
    for tied in ranks {
        for &bot in &tied {
            places[bot] = next;
        }
        next += tied.len();
    }
    places
}

/// Sorts bots, the best first. Bots with the same value are together.
fn split(bots: &[usize], value: impl Fn(usize) -> f64) -> Vec<Vec<usize>> {
    let mut sorted: Vec<(f64, usize)> = bots.iter().map(|&bot| (value(bot), bot)).collect();
    sorted.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    // Sums of thirds and similar numbers differ in their last digits.
    let same = |a: &(f64, usize), b: &(f64, usize)| (a.0 - b.0).abs() <= 1e-9 * a.0.abs().max(1.0);
    sorted.chunk_by(same).map(|tied| tied.iter().map(|(_, bot)| *bot).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 beats 1, 1 beats 2, 2 beats 0, and 3 beats 2. The games of 3 against 0 and 1 are drawn.
    fn table() -> Crosstable {
        let n = (0.0, 0.0);
        Crosstable {
            cells: vec![
                vec![n, (1.0, 1.0), (1.0, 0.0), (1.0, 0.5)],
                vec![(1.0, 0.0), n, (1.0, 1.0), (1.0, 0.5)],
                vec![(1.0, 1.0), (1.0, 0.0), n, (1.0, 0.0)],
                vec![(1.0, 0.5), (1.0, 0.5), (1.0, 1.0), n],
            ],
            scores: vec![1.5, 1.5, 1.0, 2.0],
            points: vec![1.5, 1.5, 1.0, 2.0],
            buchholz: vec![4.5, 4.6, 5.0, 4.0],
            wins: vec![1.0, 1.0, 1.0, 1.0],
        }
    }

    #[test]
    fn ties_are_broken_in_the_order_of_the_rules() {
        for (rules, expected) in [
            (vec![], vec![2, 2, 4, 1]),
            (vec![TieBreak::HeadToHead], vec![2, 3, 4, 1]),
            // 0 took 1 x 1.5 + 0.5 x 2 = 2.5; 1 took 1 x 1 + 0.5 x 2 = 2.
            (vec![TieBreak::SonnebornBerger], vec![2, 3, 4, 1]),
            (vec![TieBreak::Wins], vec![2, 2, 4, 1]),
            (vec![TieBreak::Buchholz], vec![3, 2, 4, 1]),
            (vec![TieBreak::Wins, TieBreak::HeadToHead], vec![2, 3, 4, 1]),
        ] {
            assert_eq!(places(&table(), &rules), expected, "{rules:?}");
        }
        assert!((table().value(TieBreak::SonnebornBerger, 0, &[]) - 2.5).abs() < 1e-12);
    }
}
