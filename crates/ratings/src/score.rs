//! From results to a difference in strength: Elo, normalized Elo, and their uncertainty.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Half the width of a 95 % interval in standard errors, where the standard error is known exactly.
pub const Z95: f64 = 1.959_963_984_540_054;

/// How many Elo points a factor e in strength is worth.
pub const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The difference in Elo at which this score is expected.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score to expect from a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The normal distribution function.
pub fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// From this many degrees of freedom on, Student's distribution equals the normal distribution for
/// all purposes here.
const MANY: f64 = 1e6;

/// Half the width of a 95 % interval in standard errors, where the standard error was itself
/// measured with `freedom` degrees of freedom.
pub(crate) fn student95(freedom: f64) -> f64 {
    student(freedom).map_or(Z95, |law| law.inverse_cdf(0.975))
}

/// The probability that a true mean lies above zero, if the measured mean is `x` standard errors
/// above zero.
pub(crate) fn student_cdf(x: f64, freedom: f64) -> f64 {
    student(freedom).map_or_else(|| normal_cdf(x), |law| law.cdf(x))
}

fn student(freedom: f64) -> Option<StudentsT> {
    (freedom < MANY).then(|| StudentsT::new(0.0, 1.0, freedom).ok()).flatten()
}

/// How often each possible result of a block was seen. The games of one block share their deal or
/// opening, and so their luck. Therefore the block is the unit of all statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The mean result of a block, 0 to 1, and how often this result was seen. Ascending.
    pub(crate) seen: Vec<(f64, f64)>,
    /// The number of games in a block.
    pub(crate) games: f64,
}

impl Outcomes {
    /// From the counts of equally spaced results, from all lost to all won. Three counts are single
    /// games (lost, drawn, won). Five counts are pairs of games (the pentanomial LL, LD, WL or DD,
    /// WD, WW). 2n + 1 counts are blocks of n games.
    pub fn of_levels(counts: &[u64]) -> Outcomes {
        let top = counts.len().saturating_sub(1).max(1) as f64;
        let seen = counts.iter().enumerate().map(|(level, &count)| (level as f64 / top, count as f64));
        Outcomes { seen: seen.collect(), games: top / 2.0 }
    }

    /// From any other results: the mean of a block of `games` games, and how often this mean was
    /// seen.
    pub fn of_means(games: f64, means: impl IntoIterator<Item = (f64, u64)>) -> Outcomes {
        let mut seen: Vec<(f64, f64)> = means.into_iter().map(|(mean, count)| (mean, count as f64)).collect();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        Outcomes { seen, games }
    }

    /// The number of blocks seen.
    pub fn blocks(&self) -> f64 {
        self.seen.iter().map(|(_, count)| count).sum()
    }

    /// The mean result and the variance of a block's result.
    pub fn moments(&self) -> (f64, f64) {
        let blocks = self.blocks();
        let mean = self.seen.iter().map(|(value, count)| value * count).sum::<f64>() / blocks;
        let square = |(value, count): &(f64, f64)| count * (value - mean).powi(2);
        (mean, self.seen.iter().map(square).sum::<f64>() / blocks)
    }

    /// The ends of the interval of `z` standard errors around the score, as Elo. An end beyond the
    /// scores 0 or 1 is infinite.
    pub fn interval(&self, z: f64) -> (f64, f64) {
        let (mean, variance) = self.moments();
        let reach = z * (variance / self.blocks()).sqrt();
        (elo((mean - reach).max(0.0)), elo((mean + reach).min(1.0)))
    }

    /// Corrects the variance for the number of blocks. Each block has pulled the mean towards
    /// itself, so the measured variance is too small.
    fn few(&self) -> f64 {
        (self.blocks() / (self.blocks() - 1.0)).sqrt()
    }

    /// The same outcomes with half a block of each level added, for results too one-sided for an
    /// estimate.
    fn guarded(&self) -> Outcomes {
        let levels = (2.0 * self.games).ceil().max(1.0) as usize;
        let added = (0..=levels).map(|level| (level as f64 / levels as f64, 0.5));
        Outcomes { seen: self.seen.iter().copied().chain(added).collect(), games: self.games }
    }
}

/// A difference in strength with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The plain mean result, 0 to 1.
    pub score: f64,
    pub elo: f64,
    /// The ends of the 95 % interval by Student's distribution. An end is infinite where nothing
    /// bounds it.
    pub low: f64,
    pub high: f64,
    /// The difference relative to the noise. The number of games needed to see the difference
    /// depends on this alone.
    pub normalized: f64,
    pub normalized_error: f64,
    /// The probability that the first bot is stronger.
    pub superiority: f64,
    /// Whether the results were too few or too one-sided for an estimate. Then half a block of each
    /// possible result was added.
    pub guarded: bool,
}

impl Estimate {
    /// `None` if there was no block.
    pub fn of(outcomes: &Outcomes) -> Option<Estimate> {
        if outcomes.blocks() == 0.0 {
            return None;
        }
        let (score, variance) = outcomes.moments();
        let guarded = variance < 1e-15 || score <= 0.0 || score >= 1.0;
        let sound = if guarded { outcomes.guarded() } else { outcomes.clone() };
        let (mean, variance) = sound.moments();
        let freedom = sound.blocks() - 1.0;
        let (low, high) = sound.interval(sound.few() * student95(freedom));
        let noise = (variance * sound.games).sqrt();
        Some(Estimate {
            score,
            elo: elo(mean),
            low,
            high,
            normalized: (mean - 0.5) / noise * 2.0 * ELO_PER_NAT,
            normalized_error: Z95 * 2.0 * ELO_PER_NAT / (sound.blocks() * sound.games).sqrt(),
            superiority: student_cdf(
                (mean - 0.5) / (variance / sound.blocks()).sqrt() / sound.few(),
                freedom,
            ),
            guarded,
        })
    }
}
