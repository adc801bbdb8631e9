//! One number for the worth of a position: points first, then time.
//!
//! More points are better. Of two wins with equal points, the quicker win is better; of two losses,
//! the slower loss. Let `D` be larger than twice any distance. Then `p` points in `d` plies are
//! `p * D - d` for the side that is ahead, and the negative of that for the other side. A draw is 0
//! at any distance. A win without points counts as one point.

use crate::answer::Value;

/// How points and plies make up a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoreScale {
    /// `D`, or 1 where plies are not counted because all games have the same length.
    per_point: i32,
}

impl ScoreScale {
    /// For games in which the length does not matter.
    pub(crate) const POINTS_ONLY: ScoreScale = ScoreScale { per_point: 1 };
    /// For games with loops, whose length has no known bound.
    pub(crate) const LOOPS: ScoreScale = ScoreScale { per_point: 1 << 20 };

    /// For games of at most `plies` plies.
    pub(crate) fn up_to(plies: u32) -> ScoreScale {
        ScoreScale { per_point: 2 * plies.min(1 << 27) as i32 + 4 }
    }

    pub(crate) fn per_point(self) -> i32 {
        self.per_point
    }

    pub(crate) fn counts_plies(self) -> bool {
        self.per_point > 1
    }

    /// The score of a game that has ended with this many points.
    #[inline]
    pub(crate) fn ended(self, points: i32) -> i32 {
        points * self.per_point
    }

    /// A score that no game has. Every win scores more. The threshold of a question about winning
    /// at all stays below this score: such a threshold grows by one per ply, and no game has enough
    /// plies.
    pub(crate) fn some_win(self) -> i32 {
        self.per_point / 2
    }

    /// The score of one point in `plies` plies, or 0 if no game lasts that long.
    pub(crate) fn win_in(self, plies: u32) -> i32 {
        self.per_point.saturating_sub_unsigned(plies).max(0)
    }

    /// The score of the same result one ply earlier.
    #[inline]
    pub(crate) fn one_ply_up(self, score: i32) -> i32 {
        if self.counts_plies() { score - score.signum() } else { score }
    }

    /// The least score that is worth at least `threshold` one ply earlier.
    #[inline]
    pub(crate) fn one_ply_down(self, threshold: i32) -> i32 {
        match (self.counts_plies(), threshold > 0) {
            (false, _) => threshold,
            (true, true) => threshold + 1,
            (true, false) => threshold - 1,
        }
    }

    pub(crate) fn points(self, score: i32) -> i32 {
        let size = score.abs();
        score.signum() * ((size + self.per_point - 1) / self.per_point)
    }

    /// The number of plies until a decided game ends. `None` for a draw, or where plies are not
    /// counted.
    pub(crate) fn plies(self, score: i32) -> Option<u32> {
        let plies = (self.points(score) * self.per_point).abs() - score.abs();
        (self.counts_plies() && score != 0).then_some(plies as u32)
    }

    pub(crate) fn value(score: i32) -> Value {
        match score {
            1.. => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_points_then_plies() {
        let scale = ScoreScale::up_to(9);
        let score =
            |points: i32, plies: i32| (0..plies).fold(scale.ended(points), |s, _| scale.one_ply_up(s));
        for points in [-3, -1, 1, 2] {
            for plies in 0..9 {
                let score = score(points, plies);
                assert_eq!((scale.points(score), scale.plies(score)), (points, Some(plies as u32)));
            }
        }
        assert!(score(1, 3) > score(1, 5) && score(-1, 5) > score(-1, 3) && score(2, 9) > score(1, 1));
        assert_eq!((score(0, 5), scale.plies(0)), (0, None));
        for threshold in -10..=10 {
            for score in (-30_i32..=30).filter(|s| s.abs() != 1) {
                let enough = scale.one_ply_up(score) >= threshold;
                assert_eq!(enough, score >= scale.one_ply_down(threshold), "{score} {threshold}");
            }
        }
    }
}
