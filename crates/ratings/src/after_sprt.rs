//! The strength to report after a sequential test.
//!
//! A test that stops when the results look good makes the results look better than they are. This
//! module corrects for that. The log-likelihood ratio is modelled as a Brownian motion between the
//! bounds. The estimate is the strength at which an outcome as good as the one seen has probability
//! one half. The ends of the interval are found in the same way.

use crate::score::{ELO_PER_NAT, Outcomes, expected_score, normal_cdf};
use crate::sprt::{Scale, Seen, Sprt, bisect};
use std::f64::consts::PI;

/// Differences beyond this are reported as infinite.
const MOST: f64 = 1_000.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unbiased {
    /// In plain Elo.
    pub elo: f64,
    /// The ends of the 95 % interval. An end is infinite where the games are too one-sided to bound
    /// it.
    pub low: f64,
    pub high: f64,
    pub superiority: f64,
}

impl Sprt {
    /// The median-unbiased estimate with its 95 % interval. The estimate is meant for small
    /// differences.
    pub fn unbiased(&self, outcomes: &Outcomes) -> Option<Unbiased> {
        if outcomes.blocks() == 0.0 {
            return None;
        }
        let walk = Walk::of(self, outcomes);
        let strength = |chance: f64| bisect(-MOST, MOST, |elo| walk.better(elo) < chance);
        let end = |chance: f64| match strength(chance) {
            elo if elo > MOST - 1.0 => f64::INFINITY,
            elo if elo < 1.0 - MOST => f64::NEG_INFINITY,
            elo => elo,
        };
        Some(Unbiased {
            elo: strength(0.5),
            low: end(0.025),
            high: end(0.975),
            superiority: walk.worse_with_drift(walk.drift(0.5)),
        })
    }
}

/// The path of the log-likelihood ratio between its bounds, up to its current value.
struct Walk {
    low: f64,
    high: f64,
    scores: (f64, f64),
    variance: f64,
    /// The number of blocks played, and the ratio reached.
    time: f64,
    ratio: f64,
}

impl Walk {
    fn of(test: &Sprt, outcomes: &Outcomes) -> Walk {
        let seen = Seen::of(outcomes);
        let (mean, variance) = seen.moments();
        let score = |elo: f64| match test.scale {
            Scale::Logistic => expected_score(elo),
            Scale::Normalized => elo / (2.0 * ELO_PER_NAT) * (variance * outcomes.games).sqrt() + 0.5,
            Scale::Bayesian => expected_score(seen.with_as_many_draws(elo).plain_elo()),
        };
        let (low, high) = test.bounds();
        let mut walk = Walk {
            low,
            high,
            scores: (score(test.elo0), score(test.elo1)),
            variance,
            time: seen.blocks,
            ratio: 0.0,
        };
        let drift = walk.drift(mean);
        walk.ratio = drift * seen.blocks;
        // The last block may have carried the ratio past the bound.
        let inside = walk.ratio.clamp(low, high);
        if (inside - walk.ratio).abs() > 0.0 {
            (walk.time, walk.ratio) = (inside / drift, inside);
        }
        walk
    }

    fn drift(&self, score: f64) -> f64 {
        let (s0, s1) = self.scores;
        (score - f64::midpoint(s0, s1)) * (s1 - s0) / self.variance
    }

    /// The probability that a first bot of this strength would have done better than was seen.
    fn better(&self, elo: f64) -> f64 {
        1.0 - self.worse_with_drift(self.drift(expected_score(elo)))
    }

    /// The probability of an outcome no better than the one seen: a faster fall, or a slower rise.
    fn worse_with_drift(&self, drift: f64) -> f64 {
        let (s0, s1) = self.scores;
        let power = (s1 - s0).powi(2) / self.variance;
        let width = self.high - self.low;
        if power * self.time / width.powi(2) < 1e-2 || (drift / power * width).abs() > 15.0 {
            self.reflected(drift, power)
        } else {
            self.series(drift, power)
        }
    }

    /// The exact series of eigenfunctions, which converges slowly for short walks.
    fn series(&self, drift: f64, power: f64) -> f64 {
        let width = self.high - self.low;
        let (from, to) = (-self.low, self.ratio - self.low);
        let lean = drift / power;
        let rate = |n: f64| f64::midpoint((n * PI / width).powi(2) * power, drift * drift / power);
        let scale = (-rate(1.0) * self.time + (to - from) * lean).exp();
        let mut sum = 0.0;
        for n in (1..).map(f64::from) {
            let decay = (-(rate(n) - rate(1.0)) * self.time).exp();
            let angle = PI * n * to / width;
            let primitive = (2.0 * width * lean * angle.sin() - 2.0 * PI * n * angle.cos())
                / ((width * lean).powi(2) + (PI * n).powi(2));
            sum += decay * primitive * (n * PI * from / width).sin();
            if (scale * decay * primitive).abs() <= 1e-12 {
                break;
            }
        }
        let falls = if (lean * width).abs() < 1e-8 {
            (width - from) / width
        } else {
            (2.0 * lean * (width - from)).exp_m1() / (2.0 * lean * width).exp_m1()
        };
        falls + scale * sum
    }

    /// Siegmund's approximation by one reflection at each bound.
    fn reflected(&self, drift: f64, power: f64) -> f64 {
        let deviation = (self.time * power).sqrt();
        let (offset, lean) = (drift * self.time, drift / power);
        let mirrored = |bound: f64, z: f64| {
            if lean * bound >= 5.0 {
                // The expansion of the tail, for values where the factor would overflow.
                -(-z * z / 2.0 + 2.0 * lean * bound).exp() / (2.0 * PI).sqrt() * (1.0 / z - z.powi(-3))
            } else {
                (2.0 * lean * bound).exp() * normal_cdf(z)
            }
        };
        normal_cdf((self.ratio - offset) / deviation)
            + mirrored(self.low, (-self.ratio + offset + 2.0 * self.low) / deviation)
            - mirrored(self.high, (self.ratio - offset - 2.0 * self.high) / deviation)
    }
}
