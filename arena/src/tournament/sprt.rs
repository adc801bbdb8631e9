//! Is A better than B? Asked after every block, answered as soon as the results allow it.

/// What is tested: is the first bot `elo0` or `elo1` stronger than the second, with which chances of error?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    pub elo0: f64,
    pub elo1: f64,
    /// The chance of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The chance of accepting `elo0` when `elo1` is true.
    pub beta: f64,
}

impl Default for Hypotheses {
    fn default() -> Self {
        Hypotheses { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As weak as `elo0`, or weaker.
    Weaker,
    /// As strong as `elo1`, or stronger.
    Stronger,
    Open,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Weaker => "H0",
            Verdict::Stronger => "H1",
            Verdict::Open => "open",
        }
    }
}

/// How many blocks had which result, from all lost to all won: of `n` games, `2n + 1` results are possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts(Vec<u64>);

impl BlockCounts {
    /// For blocks of this many games.
    pub fn new(games: usize) -> BlockCounts {
        BlockCounts(vec![0; 2 * games + 1])
    }

    /// Adds a block that was worth so many half points to the first bot.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// The logarithm of the likelihood ratio, and what follows from it.
pub fn decide(blocks: &BlockCounts, hypotheses: &Hypotheses) -> (f64, Verdict) {
    let (low, high) = bounds(hypotheses);
    let llr = log_likelihood_ratio(&blocks.0, hypotheses);
    let verdict = if llr >= high {
        Verdict::Stronger
    } else if llr <= low {
        Verdict::Weaker
    } else {
        Verdict::Open
    };
    (llr, verdict)
}

/// Where the test ends.
pub fn bounds(hypotheses: &Hypotheses) -> (f64, f64) {
    let Hypotheses { alpha, beta, .. } = *hypotheses;
    ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
}

/// The generalised ratio for any distribution of results with a given mean.
fn log_likelihood_ratio(counts: &[u64], hypotheses: &Hypotheses) -> f64 {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return 0.0;
    }
    // A result that has not been seen is still possible.
    let weights: Vec<f64> = counts.iter().map(|&count| (count as f64).max(0.001)).collect();
    let sum: f64 = weights.iter().sum();
    let most = (counts.len() - 1).max(1) as f64;
    let results: Vec<(f64, f64)> =
        weights.iter().enumerate().map(|(at, weight)| (at as f64 / most, weight / sum)).collect();
    let [tilt0, tilt1] = [hypotheses.elo0, hypotheses.elo1].map(|elo| {
        let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        (mean, tilt(&results, mean))
    });
    let log = |a: f64, (mean, tilt): (f64, f64)| (1.0 + tilt * (a - mean)).ln();
    sum * results.iter().map(|&(a, p)| p * (log(a, tilt0) - log(a, tilt1))).sum::<f64>()
}

/// The likeliest distribution with this mean is `p / (1 + x (a - mean))`; finds `x` by bisection.
fn tilt(results: &[(f64, f64)], mean: f64) -> f64 {
    let slope = |x: f64| results.iter().map(|(a, p)| p * (a - mean) / (1.0 + x * (a - mean))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fishtest computes.
    #[test]
    fn ratios_of_pairs() {
        for (counts, elo0, elo1, expected) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, -0.005_919_932_6),
            ([39, 8843, 26675, 9240, 44], 0.5, 2.5, 0.555_517_068_7),
            ([2, 3, 10, 5, 0], 0.0, 10.0, -0.205_308_929_1),
            ([0, 0, 0, 0, 5550], 0.0, 5.0, 79.296_251_147_1),
            ([20, 0, 0, 0, 0], -1500.0, -500.0, -1.083_800_164_4),
        ] {
            let hypotheses = Hypotheses { elo0, elo1, ..Hypotheses::default() };
            let found = log_likelihood_ratio(&counts, &hypotheses);
            assert!((found - expected).abs() < 1e-6, "{counts:?}: {found}");
        }
        let (low, high) = bounds(&Hypotheses::default());
        assert!((high - 2.944_438_979_166_440_3).abs() < 1e-12 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn a_clear_result_ends_the_test() {
        let hypotheses = Hypotheses::default();
        let mut blocks = BlockCounts::new(2);
        assert_eq!(decide(&blocks, &hypotheses).1, Verdict::Open);
        for _ in 0..60 {
            blocks.add(4);
        }
        assert_eq!(decide(&blocks, &hypotheses).1, Verdict::Stronger);
        let mut lost = BlockCounts::new(2);
        for _ in 0..60 {
            lost.add(0);
        }
        assert_eq!(decide(&lost, &hypotheses).1, Verdict::Weaker);
    }
}
